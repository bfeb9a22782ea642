import VASSAL.Info;
import VASSAL.build.GameModule;
import VASSAL.build.module.ExtensionsLoader;
import VASSAL.build.module.GameSetupStep;
import VASSAL.build.module.PlayerRoster;
import VASSAL.build.module.WizardSupport;
import VASSAL.build.module.map.BoardPicker;
import VASSAL.configure.Configurer;
import VASSAL.i18n.Localization;
import VASSAL.launch.PlayerWindow;
import VASSAL.launch.StandardConfig;
import VASSAL.launch.StartUp;
import VASSAL.preferences.Prefs;
import VASSAL.tools.DataArchive;
import VASSAL.tools.filechooser.FileChooser;
import VASSAL.tools.filechooser.FileFilter;
import VASSAL.tools.menu.MenuBarProxy;
import VASSAL.tools.menu.MenuManager;
import java.awt.Component;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import javax.swing.JFrame;
import javax.swing.JMenuBar;

/** Starts the engine and opens a module, playing the parts that the desktop application and its user play. */
final class Launcher {
  /** The side to take where the engine asks; "none" in angle brackets takes no side. */
  static String side;
  /** The file the next file dialog "chooses". */
  static File chosen;
  private static Random dice;

  private Launcher() {
  }

  static GameModule open(Request request) throws Exception {
    if (request.has("seed")) dice = new Random((Long) request.values().get("seed"));
    side = request.text("side");
    Info.setConfig(new Alone());
    StartUp startUp = new StartUp();
    startUp.startErrorLog();
    startUp.initSystemProperties();
    new Menus();
    Dialogs.watch();
    GameModule module = Swing.ask(() -> {
      GameModule opened = new Module(new DataArchive(request.file("module").getPath()));
      Prefs.getGlobalPrefs();
      GameModule.init(opened);
      new ExtensionsLoader().addTo(opened);
      Localization.getInstance().translate();
      preferences(opened.getPrefs(), request.text("user", "Referee"), request.text("password", "referee"));
      Reflect.set(opened, "fileChooser", new Chooser());
      if (request.flag("visible", false)) opened.getPlayerWindow().setVisible(true);
      return opened;
    });
    Swing.settle();
    Thread.sleep(request.number("wait", 0));
    return module;
  }

  private static void preferences(Prefs prefs, String user, String password) {
    for (String prompt : List.of("PromptNewLogAtStart", "PromptNewLogEnd", "promptLogComment", "PromptNewLog")) {
      set(prefs, prompt, false);
    }
    set(prefs, "soundGlobalMute", true); // without a sound card every clip is an error dialog
    set(prefs, GameModule.REAL_NAME, user);
    set(prefs, GameModule.SECRET_NAME, password);
    GameModule.setUserId(password);
  }

  private static void set(Prefs prefs, String option, Object value) {
    if (prefs.getOption(option) != null) prefs.setValue(option, value);
  }

  /** The engine would start a Java of its own to tell the module manager of each saved game; there is none to be told. */
  private static final class Alone extends StandardConfig {
    Alone() throws IOException {
    }

    @Override
    public Path getJavaBinPath() {
      return Path.of("/bin/true");
    }
  }

  private static final class Module extends GameModule {
    private final WizardSupport wizard = new Wizard();

    Module(DataArchive archive) {
      super(archive);
    }

    @Override
    public WizardSupport getWizardSupport() {
      return wizard;
    }

    @Override
    public Random getRNG() {
      return dice != null ? dice : super.getRNG();
    }
  }

  /** Answers the wizard of a new game: the first board where one must be chosen, the wanted or else the first free side. */
  private static final class Wizard extends WizardSupport {
    @Override
    public void showGameSetupWizard() {
      Iterator<GameSetupStep> steps = GameModule.getGameModule().getGameState().getUnfinishedSetupSteps();
      while (steps.hasNext()) {
        GameSetupStep step = steps.next();
        try {
          if (step instanceof PlayerRoster roster) sitDown(roster);
          else if (step instanceof BoardPicker picker) pickBoard(picker);
          else finish(step);
        }
        catch (Exception e) {
          throw new RuntimeException("setup step " + step.getClass(), e);
        }
      }
    }

    @Override
    public void showWelcomeWizard() {
    }

    private static void finish(GameSetupStep step) {
      step.getControls();
      step.finish();
    }

    private static void sitDown(PlayerRoster roster) throws Exception {
      if ("<none>".equals(side)) return;
      List<Object> free = new ArrayList<>((List<?>) Reflect.get(roster, "sides"));
      for (PlayerRoster.PlayerInfo player : roster.getPlayers()) free.remove(Reflect.get(player, "side"));
      roster.getControls();
      if (!free.isEmpty()) {
        Object taken = free.contains(side) ? side : free.get(0);
        ((Configurer) Reflect.get(roster, "sideConfig")).setValue(taken);
      }
      roster.finish();
    }

    private static void pickBoard(BoardPicker picker) {
      String[] names = picker.getAllowableBoardNames();
      if (names.length > 0) picker.setBoards(new ArrayList<>(List.of(picker.getBoard(names[0]))));
    }
  }

  private static final class Menus extends MenuManager {
    private final MenuBarProxy bar = new MenuBarProxy();

    @Override
    public JMenuBar getMenuBarFor(JFrame frame) {
      return frame instanceof PlayerWindow ? bar.createPeer() : null;
    }

    @Override
    public MenuBarProxy getMenuBarProxyFor(JFrame frame) {
      return frame instanceof PlayerWindow ? bar : null;
    }
  }

  private static final class Chooser extends FileChooser {
    Chooser() {
      super(null, null);
    }

    @Override
    public File getCurrentDirectory() {
      return chosen == null ? null : chosen.getParentFile();
    }

    @Override
    public File getSelectedFile() {
      return chosen;
    }

    @Override
    public int showOpenDialog(Component parent) {
      return chosen == null ? CANCEL_OPTION : APPROVE_OPTION;
    }

    @Override
    public int showSaveDialog(Component parent) {
      return showOpenDialog(parent);
    }

    @Override
    public String getDialogTitle() {
      return "";
    }

    @Override
    public FileFilter getFileFilter() {
      return null;
    }

    @Override
    public boolean removeChoosableFileFilter(FileFilter filter) {
      return true;
    }

    @Override
    public void setCurrentDirectory(File folder) {
    }

    @Override
    public void rescanCurrentDirectory() {
    }

    @Override
    public void setSelectedFile(File file) {
    }

    @Override
    public void setDialogTitle(String title) {
    }

    @Override
    public void setFileFilter(FileFilter filter) {
    }

    @Override
    public void addChoosableFileFilter(FileFilter filter) {
    }

    @Override
    public void resetChoosableFileFilters() {
    }
  }
}
