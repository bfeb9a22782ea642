import VASSAL.build.AbstractBuildable;
import VASSAL.build.Buildable;
import VASSAL.build.Configurable;
import VASSAL.build.GameModule;
import VASSAL.build.module.DiceButton;
import VASSAL.build.module.Map;
import VASSAL.build.module.SpecialDiceButton;
import VASSAL.build.module.turn.TurnTracker;
import VASSAL.build.widget.PieceSlot;
import VASSAL.command.Command;
import VASSAL.counters.DragBuffer;
import VASSAL.counters.GamePiece;
import VASSAL.counters.KeyBuffer;
import VASSAL.counters.KeyCommand;
import VASSAL.counters.PieceCloner;
import VASSAL.counters.Properties;
import VASSAL.counters.Stack;
import VASSAL.tools.NamedKeyStroke;
import java.awt.Point;
import java.util.ArrayList;
import java.util.List;
import javax.swing.JTextField;
import javax.swing.KeyStroke;

/** What a player does with mouse and keyboard. Runs on the event thread. */
final class Play {
  private Play() {
  }

  private static GameModule module() {
    return GameModule.getGameModule();
  }

  static void move(Request request) {
    drag(pieces(request), map(request.text("map")), request.point());
  }

  /** Drag a counter out of the palette; answers its id. */
  static String place(Request request) {
    for (PieceSlot slot : find(PieceSlot.class)) {
      boolean wanted = request.has("gpid") ? slot.getGpId().equals(request.text("gpid"))
        : request.has("slot") && request.text("slot").equals(slot.getConfigureName());
      if (!wanted) continue;
      GamePiece piece = PieceCloner.getInstance().clonePiece(slot.getPiece());
      piece.setProperty(Properties.PIECE_ID, slot.getGpId());
      drag(List.of(piece), map(request.text("map")), request.point());
      return piece.getId();
    }
    throw new IllegalArgumentException("no counter in the palette for " + request.values());
  }

  private static void drag(List<GamePiece> pieces, Map map, Point to) {
    KeyBuffer.getBuffer().clear();
    DragBuffer.getBuffer().clear();
    for (GamePiece piece : pieces) {
      if (piece.getMap() != null) KeyBuffer.getBuffer().add(piece);
      DragBuffer.getBuffer().add(piece);
    }
    module().sendAndLog(map.getPieceMover().movePieces(map, to));
    DragBuffer.getBuffer().clear();
    KeyBuffer.getBuffer().clear();
  }

  /** A key command of the chosen pieces: by the text in their menu, or by keystroke. */
  static void key(Request request) {
    List<GamePiece> pieces = pieces(request);
    KeyStroke stroke = request.has("command") ? menu(pieces.get(0), request.text("command")) : stroke(request.text("key"));
    KeyBuffer.getBuffer().clear();
    for (GamePiece piece : pieces) KeyBuffer.getBuffer().add(piece);
    module().sendAndLog(KeyBuffer.getBuffer().keyCommand(stroke));
    KeyBuffer.getBuffer().clear();
  }

  private static KeyStroke menu(GamePiece piece, String text) {
    for (KeyCommand command : (KeyCommand[]) piece.getProperty(Properties.KEY_COMMANDS)) {
      if (text.equals(command.getName())) return command.getKeyStroke();
    }
    throw new IllegalArgumentException(piece.getName() + " has no command " + text);
  }

  static void hotkey(Request request) {
    module().fireKeyStroke(NamedKeyStroke.of(stroke(request.text("key"))));
  }

  private static KeyStroke stroke(String key) {
    if (key.startsWith("named:")) return NamedKeyStroke.of(key.substring(6)).getKeyStroke();
    KeyStroke stroke = KeyStroke.getKeyStroke(key);
    if (stroke == null) throw new IllegalArgumentException("no keystroke " + key);
    return stroke;
  }

  static void chat(Request request) {
    JTextField input = module().getChatter().getInputField();
    input.setText(request.text("text"));
    input.postActionEvent();
  }

  static void dice(Request request) throws Exception {
    List<Configurable> buttons = new ArrayList<>(find(DiceButton.class));
    buttons.addAll(find(SpecialDiceButton.class));
    for (Configurable button : buttons) {
      if (request.has("name") && !request.text("name").equals(button.getConfigureName())) continue;
      Reflect.call(button, "DR");
      return;
    }
    throw new IllegalArgumentException("no dice " + request.text("name", ""));
  }

  /** Turn the first turn tracker on (or, with dir "prev", back); answers its state. */
  static String turn(Request request) throws Exception {
    TurnTracker tracker = find(TurnTracker.class).get(0);
    Reflect.call(Reflect.get(tracker, "turnWidget"), "prev".equals(request.text("dir")) ? "doPrev" : "doNext");
    return tracker.getState();
  }

  /** Execute an encoded command as if another player had sent it, and log it. */
  static void execute(Request request) {
    Command command = module().decode(request.text("command"));
    if (command == null) throw new IllegalArgumentException("the engine can't decode this command");
    command.execute();
    module().sendAndLog(command);
  }

  static Map map(String name) {
    List<Map> maps = Map.getMapList();
    if (name == null) return maps.get(0);
    for (Map map : maps) {
      if (name.equals(map.getMapName()) || name.equals(map.getIdentifier()) || name.equals(map.getId())) return map;
    }
    throw new IllegalArgumentException("no map " + name);
  }

  private static List<GamePiece> pieces(Request request) {
    List<GamePiece> pieces = new ArrayList<>();
    for (Object id : request.list("ids")) pieces.add(piece(id.toString()));
    if (request.has("id")) pieces.add(piece(request.text("id")));
    return pieces;
  }

  /** A piece or stack by id, or a piece by its name. */
  private static GamePiece piece(String id) {
    GamePiece found = module().getGameState().getPieceForId(id);
    if (found != null) return found;
    for (GamePiece piece : module().getGameState().getAllPieces()) {
      if (piece instanceof Stack) continue;
      if (id.equals(piece.getName()) || id.equals(piece.getProperty("BasicName"))) return piece;
    }
    throw new IllegalArgumentException("no piece " + id);
  }

  /** All components of a kind in the module. */
  static <T> List<T> find(Class<T> kind) {
    List<T> found = new ArrayList<>();
    find(module(), kind, found);
    return found;
  }

  private static <T> void find(Buildable component, Class<T> kind, List<T> found) {
    if (kind.isInstance(component)) found.add(kind.cast(component));
    if (!(component instanceof AbstractBuildable parent)) return;
    for (Buildable child : parent.getBuildables()) find(child, kind, found);
  }
}
