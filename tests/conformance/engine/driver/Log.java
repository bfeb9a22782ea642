import VASSAL.build.GameModule;
import VASSAL.build.module.BasicLogger;
import VASSAL.build.module.Map;
import VASSAL.command.Command;
import VASSAL.command.CommandEncoder;
import VASSAL.counters.GamePiece;
import java.awt.Point;
import java.awt.event.ActionEvent;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import javax.swing.Action;
import javax.swing.text.Document;
import javax.swing.text.Element;
import javax.swing.text.StyleConstants;
import javax.swing.text.html.HTML;

/** The engine's log: what it would write, what it reads step by step, and the chat that goes with it. */
final class Log {
  private static int chatSeen;

  private Log() {
  }

  private static GameModule module() {
    return GameModule.getGameModule();
  }

  private static BasicLogger logger() {
    return (BasicLogger) module().getLogger();
  }

  /** Press one of the logger's buttons. */
  static void press(String action) throws Exception {
    Action button = (Action) Reflect.get(logger(), action);
    if (!button.isEnabled()) throw new IllegalStateException(action + " is not possible now");
    button.actionPerformed(new ActionEvent(Log.class, 0, action));
  }

  /** How many steps the loaded log has. */
  static int length() throws Exception {
    return ((List<?>) Reflect.get(logger(), "logInput")).size();
  }

  /** How many commands were written (or would have been, were a log open). */
  static int written() throws Exception {
    return ((List<?>) Reflect.get(logger(), "logOutput")).size();
  }

  static List<Object> writtenSince(int mark) throws Exception {
    List<?> all = (List<?>) Reflect.get(logger(), "logOutput");
    List<Object> encoded = new ArrayList<>();
    for (Object command : all.subList(Math.min(mark, all.size()), all.size())) {
      encoded.add(module().encode((Command) command));
    }
    return encoded;
  }

  /** Press the Step button once and say what it did; null at the end of the log. */
  static LinkedHashMap<String, Object> step(boolean withChanges, boolean withTree) throws Exception {
    if (!logger().isReplaying()) return null;
    int next = (Integer) Reflect.get(logger(), "nextInput");
    Command command = (Command) ((List<?>) Reflect.get(logger(), "logInput")).get(next);
    LinkedHashMap<String, Object> m = new LinkedHashMap<>();
    m.put("i", next);
    m.put("encoded", module().encode(command));
    if (withTree) m.put("commands", tree(command));
    HashMap<String, LinkedHashMap<String, Object>> before = withChanges ? State.snapshot() : null;
    press("stepAction");
    m.put("chat", newChat());
    if (withChanges) m.put("changed", State.changes(before));
    return m;
  }

  /** A command with its fields and what is chained to it. */
  static LinkedHashMap<String, Object> tree(Command command) throws Exception {
    LinkedHashMap<String, Object> m = new LinkedHashMap<>();
    m.put("class", command.getClass().getName().replaceFirst(".*\\.", ""));
    m.put("encoded", encodeAlone(command));
    m.put("fields", fields(command));
    List<Object> chained = new ArrayList<>();
    for (Command next : command.getSubCommands()) chained.add(tree(next));
    if (!chained.isEmpty()) m.put("sub", chained);
    return m;
  }

  private static String encodeAlone(Command command) throws Exception {
    Object encoders = Reflect.get(module(), "commandEncoders"); // an array up to 3.6, a list from then on
    Collection<?> all = encoders instanceof Object[] array ? Arrays.asList(array) : (Collection<?>) encoders;
    for (Object encoder : all) {
      String encoded = ((CommandEncoder) encoder).encode(command);
      if (encoded != null) return encoded;
    }
    return null;
  }

  private static LinkedHashMap<String, Object> fields(Command command) throws IllegalAccessException {
    LinkedHashMap<String, Object> fields = new LinkedHashMap<>();
    for (Class<?> c = command.getClass(); c != Command.class && c != null; c = c.getSuperclass()) {
      for (Field field : c.getDeclaredFields()) {
        if (Modifier.isStatic(field.getModifiers()) || field.isSynthetic()) continue;
        field.setAccessible(true);
        String name = field.getName();
        Object value = field.get(command);
        if (value instanceof Point point) fields.put(name, List.of(point.x, point.y));
        else if (value instanceof GamePiece piece) fields.put(name, piece.getId());
        else if (value instanceof Map map) fields.put(name, map.getIdentifier());
        else if (value == null || value instanceof String || value instanceof Boolean || value instanceof Number) {
          fields.put(name, value);
        }
      }
    }
    return fields;
  }

  /** The chat lines that came since the last call. */
  static List<Object> newChat() throws Exception {
    Document document = (Document) Reflect.get(module().getChatter(), "doc");
    Element body = body(document);
    List<Object> lines = new ArrayList<>();
    int line = 0;
    for (int i = 0; i < body.getElementCount(); i++) {
      Element element = body.getElement(i);
      if (!is(element, HTML.Tag.DIV) || line++ < chatSeen) continue;
      int start = element.getStartOffset();
      String text = document.getText(start, Math.min(element.getEndOffset(), document.getLength()) - start);
      LinkedHashMap<String, Object> m = new LinkedHashMap<>();
      m.put("style", String.valueOf(element.getAttributes().getAttribute(HTML.Attribute.CLASS)));
      m.put("text", text.replaceAll("^\\n+|\\n+$", ""));
      lines.add(m);
    }
    chatSeen = line;
    return lines;
  }

  private static Element body(Document document) {
    Element root = document.getDefaultRootElement();
    for (int i = 0; i < root.getElementCount(); i++) if (is(root.getElement(i), HTML.Tag.BODY)) return root.getElement(i);
    return root;
  }

  private static boolean is(Element element, HTML.Tag tag) {
    return tag.equals(element.getAttributes().getAttribute(StyleConstants.NameAttribute));
  }
}
