import VASSAL.Info;
import VASSAL.build.AbstractBuildable;
import VASSAL.build.Buildable;
import VASSAL.build.Configurable;
import VASSAL.build.GameModule;
import VASSAL.build.module.Map;
import VASSAL.build.module.PlayerRoster;
import VASSAL.build.module.map.boardPicker.Board;
import VASSAL.build.module.properties.GlobalProperty;
import VASSAL.build.widget.PieceSlot;
import VASSAL.counters.Deck;
import VASSAL.counters.Decorator;
import VASSAL.counters.GamePiece;
import VASSAL.counters.KeyCommand;
import VASSAL.counters.Properties;
import VASSAL.counters.Stack;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;

/** Everything the engine knows of the game at this moment, as values for JSON. */
final class State {
  private static final List<String> COMMON = List.of("PieceName", "BasicName", "CurrentMap", "CurrentBoard", "CurrentZone",
    "LocationName", "CurrentX", "CurrentY", "OldLocationName", "OldMap", "OldBoard", "OldZone", "OldX", "OldY", "DeckName",
    "DeckPosition", "StackPos", "StackSize", "PieceUID", "UniqueID", "PieceId", "Moved", "Invisible", "Obscured",
    "ObscuredToOthers", "ObscuredToMe", "hiddenBy", "PlayerSide");

  private State() {
  }

  private static GameModule module() {
    return GameModule.getGameModule();
  }

  static LinkedHashMap<String, Object> whole() throws Exception {
    LinkedHashMap<String, Object> m = new LinkedHashMap<>();
    m.put("vassal", Info.getVersion());
    m.put("module", module().getGameName());
    m.put("moduleVersion", module().getGameVersion());
    m.put("user", String.valueOf(module().getPrefs().getValue(GameModule.REAL_NAME)));
    m.put("userId", GameModule.getUserId());
    m.put("gameStarted", module().getGameState().isGameStarted());
    m.put("side", PlayerRoster.getMySide());
    m.put("players", players());
    List<Object> maps = new ArrayList<>();
    for (Map map : Map.getMapList()) maps.add(map(map));
    m.put("maps", maps);
    List<GamePiece> all = new ArrayList<>(module().getGameState().getAllPieces());
    all.sort(Comparator.comparing(GamePiece::getId));
    List<Object> pieces = new ArrayList<>();
    List<Object> stacks = new ArrayList<>();
    int empty = 0;
    for (GamePiece piece : all) {
      if (isEmptyStack(piece)) empty++;
      else (piece instanceof Stack ? stacks : pieces).add(piece(piece));
    }
    m.put("emptyStacks", empty);
    m.put("pieces", pieces);
    m.put("stacks", stacks);
    List<Object> globals = new ArrayList<>();
    globals(module(), "", globals);
    m.put("globalProperties", globals);
    return m;
  }

  private static List<Object> players() throws Exception {
    List<Object> players = new ArrayList<>();
    PlayerRoster roster = module().getPlayerRoster();
    if (roster == null) return players;
    for (PlayerRoster.PlayerInfo player : roster.getPlayers()) {
      List<Object> row = new ArrayList<>();
      for (String field : List.of("playerId", "playerName", "side")) row.add(Reflect.get(player, field));
      players.add(row);
    }
    return players;
  }

  private static LinkedHashMap<String, Object> map(Map map) {
    LinkedHashMap<String, Object> m = new LinkedHashMap<>();
    m.put("name", map.getMapName());
    m.put("identifier", map.getIdentifier());
    m.put("id", map.getId());
    m.put("w", map.mapSize().width);
    m.put("h", map.mapSize().height);
    List<Object> boards = new ArrayList<>();
    for (Board board : map.getBoards()) {
      var area = board.bounds();
      boards.add(java.util.Map.of("name", board.getName(), "x", area.x, "y", area.y, "w", area.width, "h", area.height,
        "reversed", board.isReversed()));
    }
    m.put("boards", boards);
    List<Object> ids = new ArrayList<>();
    for (GamePiece piece : map.getPieces()) ids.add(piece.getId());
    m.put("drawOrder", ids);
    return m;
  }

  private static LinkedHashMap<String, Object> piece(GamePiece piece) {
    LinkedHashMap<String, Object> m = new LinkedHashMap<>();
    m.put("id", piece.getId());
    m.put("class", piece instanceof Deck ? "Deck" : piece instanceof Stack ? "Stack" : "Piece");
    m.put("name", piece.getName());
    m.put("mapId", piece.getMap() == null ? null : piece.getMap().getIdentifier());
    place(piece, m);
    m.put("type", piece.getType());
    m.put("state", piece.getState());
    if (piece instanceof Stack stack) {
      List<Object> ids = new ArrayList<>();
      for (GamePiece member : stack.asList()) ids.add(member.getId());
      m.put("pieces", ids);
      m.put("layer", stack.getLayer());
      if (piece instanceof Deck deck) {
        m.put("deckName", deck.getDeckName());
        m.put("faceDown", deck.isFaceDown());
      }
      return m;
    }
    List<Object> traits = new ArrayList<>();
    TreeMap<String, Object> properties = new TreeMap<>();
    for (String name : COMMON) property(piece, name, properties);
    for (GamePiece trait = piece; trait != null; trait = trait instanceof Decorator d ? d.getInner() : null) {
      traits.add(trait.getClass().getSimpleName());
      for (String name : propertyNames(trait)) property(piece, name, properties);
    }
    m.put("traits", traits);
    m.put("properties", properties);
    m.put("keyCommands", keyCommands(piece));
    return m;
  }

  private static void place(GamePiece piece, LinkedHashMap<String, Object> m) {
    Stack stack = piece.getParent();
    m.put("map", piece.getMap() == null ? null : piece.getMap().getMapName());
    m.put("x", piece.getPosition().x);
    m.put("y", piece.getPosition().y);
    m.put("stack", stack == null ? null : stack.getId());
    m.put("index", stack == null ? -1 : stack.indexOf(piece));
  }

  private static List<String> propertyNames(GamePiece trait) {
    List<String> names = new ArrayList<>();
    try {
      for (Object name : (List<?>) Reflect.call(trait, "getPropertyNames")) {
        if (name != null && !"".equals(name)) names.add(name.toString());
      }
    }
    catch (Exception e) {
      // a trait that names no properties
    }
    return names;
  }

  private static void property(GamePiece piece, String name, TreeMap<String, Object> properties) {
    try {
      Object value = piece.getProperty(name);
      properties.put(name, value == null ? null : value.toString());
    }
    catch (RuntimeException e) {
      properties.put(name, "!!" + e);
    }
  }

  private static List<Object> keyCommands(GamePiece piece) {
    List<Object> commands = new ArrayList<>();
    if (piece.getProperty(Properties.KEY_COMMANDS) instanceof KeyCommand[] all) {
      for (KeyCommand command : all) {
        if (command == null) continue;
        commands.add(List.of(String.valueOf(command.getName()), String.valueOf(command.getKeyStroke())));
      }
    }
    return commands;
  }

  private static void globals(AbstractBuildable parent, String path, List<Object> out) {
    for (Buildable child : parent.getBuildables()) {
      if (child instanceof GlobalProperty property) {
        LinkedHashMap<String, Object> m = new LinkedHashMap<>();
        m.put("where", path);
        m.put("name", property.getConfigureName());
        m.put("value", property.getPropertyValue());
        out.add(m);
      }
      if (child instanceof AbstractBuildable inner) globals(inner, path + "/" + step(child), out);
    }
  }

  /** Every component of the module, from the top down. */
  static void components(Buildable parent, String path, List<Object> out) {
    if (!(parent instanceof AbstractBuildable buildable)) return;
    for (Buildable child : buildable.getBuildables()) {
      LinkedHashMap<String, Object> m = new LinkedHashMap<>();
      m.put("path", path);
      m.put("class", child.getClass().getName());
      m.put("name", name(child));
      if (child instanceof PieceSlot slot) m.put("gpid", slot.getGpId());
      out.add(m);
      components(child, path + "/" + step(child), out);
    }
  }

  private static String name(Buildable component) {
    return component instanceof Configurable named ? named.getConfigureName() : null;
  }

  private static String step(Buildable component) {
    String name = name(component);
    return component.getClass().getSimpleName() + (name == null ? "" : "[" + name + "]");
  }

  /** Where every piece lies and what state it is in: little enough to take before and after each step. */
  static HashMap<String, LinkedHashMap<String, Object>> snapshot() {
    HashMap<String, LinkedHashMap<String, Object>> all = new HashMap<>();
    for (GamePiece piece : module().getGameState().getAllPieces()) {
      if (isEmptyStack(piece)) continue;
      LinkedHashMap<String, Object> m = new LinkedHashMap<>();
      m.put("id", piece.getId());
      place(piece, m);
      m.put("state", piece.getState());
      all.put(piece.getId(), m);
    }
    return all;
  }

  static List<Object> changes(HashMap<String, LinkedHashMap<String, Object>> before) {
    HashMap<String, LinkedHashMap<String, Object>> after = snapshot();
    TreeSet<String> ids = new TreeSet<>(before.keySet());
    ids.addAll(after.keySet());
    List<Object> changes = new ArrayList<>();
    for (String id : ids) {
      if (Objects.equals(before.get(id), after.get(id))) continue;
      LinkedHashMap<String, Object> m = new LinkedHashMap<>();
      m.put("id", id);
      m.put("before", before.get(id));
      m.put("after", after.get(id));
      GamePiece piece = module().getGameState().getPieceForId(id);
      if (piece != null && !(piece instanceof Stack)) {
        m.put("name", piece.getName());
        m.put("location", piece.getProperty("LocationName"));
      }
      changes.add(m);
    }
    return changes;
  }

  /** Stacks that have lost their last piece linger; the engine drops them when it saves. */
  private static boolean isEmptyStack(GamePiece piece) {
    return piece instanceof Stack stack && !(piece instanceof Deck) && stack.getPieceCount() == 0;
  }
}
