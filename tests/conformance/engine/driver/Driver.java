import VASSAL.Info;
import VASSAL.build.GameModule;
import VASSAL.build.module.GameState;
import VASSAL.build.module.Map;
import VASSAL.build.module.PredefinedSetup;
import VASSAL.command.Command;
import java.awt.Dimension;
import java.awt.Graphics2D;
import java.awt.Rectangle;
import java.awt.image.BufferedImage;
import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import javax.imageio.ImageIO;

/**
 * Drives a real VASSAL engine without a human: one JSON object a line in ({"op": ...}), one a line out. A process opens
 * one module and plays any number of games of it. README.md beside the sources lists the operations.
 */
public final class Driver {
  private static final PrintStream OUT = System.out;
  /** Operations that only look; all others answer with what they logged and said in the chat. */
  private static final Set<String> LOOKING =
    Set.of("dump", "components", "grid", "location", "recode", "encode_state", "render", "replay", "step");

  private Driver() {
  }

  public static void main(String[] args) throws Exception {
    System.setOut(System.err); // the engine prints where it likes; standard output is ours alone
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    boolean quit = false;
    for (String line; !quit && (line = in.readLine()) != null;) {
      Request request = Request.parse(line);
      LinkedHashMap<String, Object> answer = new LinkedHashMap<>();
      long start = System.nanoTime();
      answer.put("ok", true);
      answer.put("op", request.text("op"));
      try {
        quit = "quit".equals(request.text("op"));
        if (!quit) handle(request, answer);
      }
      catch (Throwable t) {
        Throwable cause = t instanceof InvocationTargetException && t.getCause() != null ? t.getCause() : t;
        StringWriter trace = new StringWriter();
        cause.printStackTrace(new PrintWriter(trace));
        answer.put("ok", false);
        answer.put("error", cause.toString());
        answer.put("trace", trace.toString());
      }
      answer.put("tookMs", (System.nanoTime() - start) / 1_000_000);
      answer.put("dialogs", Dialogs.take());
      OUT.println(Json.write(answer));
      OUT.flush();
    }
    Runtime.getRuntime().halt(0); // the engine's own exit would ask whether to save
  }

  private static void handle(Request request, LinkedHashMap<String, Object> answer) throws Exception {
    String op = request.text("op");
    Dialogs.policy = request.text("policy", Dialogs.policy);
    if ("open".equals(op)) {
      answer.put("module", Launcher.open(request).getGameName());
      answer.put("vassal", Info.getVersion());
      answer.put("chat", Swing.ask(Log::newChat));
      return;
    }
    if (GameModule.getGameModule() == null) throw new IllegalStateException("open a module first");
    Launcher.side = request.text("side", Launcher.side);
    boolean doing = !LOOKING.contains(op);
    int mark = Swing.ask(Log::written);
    HashMap<String, LinkedHashMap<String, Object>> before =
      doing && request.flag("diff", false) ? Swing.ask(State::snapshot) : null;
    perform(op, request, answer);
    Swing.settle();
    if (!doing) return;
    answer.put("logged", Swing.ask(() -> Log.writtenSince(mark)));
    answer.put("chat", Swing.ask(Log::newChat));
    if (before != null) answer.put("changed", Swing.ask(() -> State.changes(before)));
  }

  private static void perform(String op, Request request, LinkedHashMap<String, Object> answer) throws Exception {
    GameModule module = GameModule.getGameModule();
    GameState game = module.getGameState();
    switch (op) {
    case "new" -> Swing.run(() -> {
      game.setModified(false);
      module.setGameFileMode(GameModule.GameFileMode.NEW_GAME);
      endGame(game);
      game.setup(true);
    });
    case "setup" -> predefined(request.text("name"), game);
    case "load" -> {
      load(request.file("file"), game);
      answer.put("steps", Swing.ask(Log::length));
      answer.put("gameStarted", game.isGameStarted());
    }
    case "step" -> answer.put("steps", steps(request, request.number("n", 1)));
    case "replay" -> answer.put("steps", steps(request, Integer.MAX_VALUE));
    case "beginlog" -> {
      Launcher.chosen = request.file("file");
      Swing.run(() -> Log.press("newLogAction"));
    }
    case "endlog" -> {
      answer.put("commands", Swing.ask(() -> Log.writtenSince(0)));
      Swing.run(() -> Log.press("endLogAction"));
    }
    case "save" -> Swing.run(() -> game.saveGame(request.file("file")));
    case "undo" -> Swing.run(() -> Log.press("undoAction"));
    case "move" -> Swing.run(() -> Play.move(request));
    case "place" -> answer.put("id", Swing.ask(() -> Play.place(request)));
    case "key" -> Swing.run(() -> Play.key(request));
    case "hotkey" -> Swing.run(() -> Play.hotkey(request));
    case "chat" -> Swing.run(() -> Play.chat(request));
    case "dice" -> Swing.run(() -> Play.dice(request));
    case "turn" -> answer.put("state", Swing.ask(() -> Play.turn(request)));
    case "exec" -> Swing.run(() -> Play.execute(request));
    case "dump" -> answer.put("state", Swing.ask(State::whole));
    case "components" -> {
      List<Object> components = new ArrayList<>();
      Swing.run(() -> State.components(module, "", components));
      answer.put("components", components);
    }
    case "recode" -> Swing.run(() -> {
      Command command = module.decode(request.text("command"));
      answer.put("encoded", command == null ? null : module.encode(command));
      answer.put("tree", command == null ? null : Log.tree(command));
    });
    case "encode_state" -> answer.put("encoded", Swing.ask(() -> module.encode(game.getRestoreCommand())));
    case "grid" -> answer.putAll(Swing.ask(() -> Grids.ask(request)));
    case "location" -> answer.put("locations",
      Swing.ask(() -> Grids.locations(Play.map(request.text("map")), request.points("points"))));
    case "render" -> render(request.text("map"), request.file("file"));
    default -> throw new IllegalArgumentException("no operation " + op);
    }
  }

  private static List<Object> steps(Request request, int most) throws Exception {
    List<Object> done = new ArrayList<>();
    while (done.size() < most) {
      Object step = Swing.ask(() -> Log.step(request.flag("diff", true), request.flag("tree", true)));
      if (step == null) break;
      Swing.settle();
      done.add(step);
    }
    return done;
  }

  private static void endGame(GameState game) throws Exception {
    if (!game.isGameStarted()) return;
    Reflect.set(game, "gameStarted", false);
    game.setup(false);
  }

  private static void load(File file, GameState game) throws Exception {
    Swing.run(() -> {
      if (game.isGameStarted()) game.setModified(false);
      try { // 3.7 has a call for it
        GameState.class.getMethod("loadGame", File.class, boolean.class, boolean.class).invoke(game, file, false, true);
      }
      catch (NoSuchMethodException e) {
        GameModule.getGameModule().setGameFile(file.getName(), GameModule.GameFileMode.LOADED_GAME);
        endGame(game);
        game.loadGameInForeground(file);
      }
    });
    Swing.settle();
  }

  private static void predefined(String name, GameState game) throws Exception {
    Swing.run(() -> {
      for (PredefinedSetup setup : Play.find(PredefinedSetup.class)) {
        if (name == null || name.equals(setup.getConfigureName())) {
          setup.launch();
          return;
        }
      }
      throw new IllegalArgumentException("no predefined setup " + name);
    });
    for (int i = 0; i < 600; i++) { // it loads in the background
      Swing.settle();
      if (game.isGameStarted() && !((Boolean) Reflect.get(game, "loadingInBackground"))) return;
      Thread.sleep(50);
    }
    throw new IllegalStateException("the predefined setup did not finish loading");
  }

  /** Paints twice: the first time only starts the loading of image tiles. */
  private static void render(String name, File file) throws Exception {
    paint(name);
    Swing.settle();
    Thread.sleep(700);
    ImageIO.write(paint(name), "png", file);
  }

  private static BufferedImage paint(String name) throws Exception {
    return Swing.ask(() -> {
      Map map = Play.map(name);
      Dimension size = map.mapSize();
      BufferedImage image = new BufferedImage(size.width, size.height, BufferedImage.TYPE_INT_RGB);
      Graphics2D graphics = image.createGraphics();
      map.paintRegion(graphics, new Rectangle(0, 0, size.width, size.height), null);
      graphics.dispose();
      return image;
    });
  }
}
