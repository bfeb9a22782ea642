import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads and writes JSON: objects are maps, arrays lists, whole numbers Long, other numbers Double. */
final class Json {
  private final String text;
  private int at;

  private Json(String text) {
    this.text = text;
  }

  static Object parse(String text) {
    Json json = new Json(text);
    Object value = json.value();
    json.space();
    if (json.at != text.length()) throw new IllegalArgumentException("more than one JSON value, at " + json.at);
    return value;
  }

  static String write(Object value) {
    StringBuilder out = new StringBuilder();
    write(out, value);
    return out.toString();
  }

  private static void write(StringBuilder out, Object value) {
    if (value == null || value instanceof Boolean || value instanceof Integer || value instanceof Long) {
      out.append(value);
    }
    else if (value instanceof Double number && Double.isFinite(number)) {
      out.append(number);
    }
    else if (value instanceof Map<?, ?> map) {
      String comma = "";
      out.append('{');
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        out.append(comma);
        writeString(out, String.valueOf(entry.getKey()));
        out.append(':');
        write(out, entry.getValue());
        comma = ",";
      }
      out.append('}');
    }
    else if (value instanceof Collection<?> items) {
      String comma = "";
      out.append('[');
      for (Object item : items) {
        out.append(comma);
        write(out, item);
        comma = ",";
      }
      out.append(']');
    }
    else {
      writeString(out, value.toString());
    }
  }

  private static void writeString(StringBuilder out, String string) {
    out.append('"');
    for (char c : string.toCharArray()) {
      if (c == '"' || c == '\\') out.append('\\').append(c);
      else if (c < 0x20 || c >= 0x7f) out.append(String.format("\\u%04x", (int) c));
      else out.append(c);
    }
    out.append('"');
  }

  private Object value() {
    space();
    switch (text.charAt(at)) {
    case '{': return object();
    case '[': return array();
    case '"': return string();
    default:
    }
    if (text.startsWith("true", at)) return word(4, true);
    if (text.startsWith("false", at)) return word(5, false);
    if (text.startsWith("null", at)) return word(4, null);
    int start = at;
    while (at < text.length() && "+-0123456789.eE".indexOf(text.charAt(at)) >= 0) at++;
    String number = text.substring(start, at);
    if (number.matches("-?\\d+")) return Long.valueOf(number);
    return Double.valueOf(number);
  }

  private Object word(int length, Object meaning) {
    at += length;
    return meaning;
  }

  private Map<String, Object> object() {
    Map<String, Object> map = new LinkedHashMap<>();
    expect('{');
    if (ends('}')) return map;
    do {
      space();
      String key = string();
      space();
      expect(':');
      map.put(key, value());
    } while (another('}'));
    return map;
  }

  private List<Object> array() {
    List<Object> items = new ArrayList<>();
    expect('[');
    if (ends(']')) return items;
    do items.add(value()); while (another(']'));
    return items;
  }

  private boolean ends(char close) {
    space();
    if (text.charAt(at) != close) return false;
    at++;
    return true;
  }

  private boolean another(char close) {
    if (ends(close)) return false;
    expect(',');
    return true;
  }

  private String string() {
    StringBuilder out = new StringBuilder();
    expect('"');
    while (true) {
      char c = text.charAt(at++);
      if (c == '"') return out.toString();
      if (c == '\\') c = escaped();
      out.append(c);
    }
  }

  private char escaped() {
    char c = text.charAt(at++);
    switch (c) {
    case 'n': return '\n';
    case 't': return '\t';
    case 'r': return '\r';
    case 'b': return '\b';
    case 'f': return '\f';
    case 'u':
      at += 4;
      return (char) Integer.parseInt(text.substring(at - 4, at), 16);
    default: return c;
    }
  }

  private void expect(char c) {
    if (text.charAt(at) != c) throw new IllegalArgumentException("expected " + c + " at " + at);
    at++;
  }

  private void space() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) at++;
  }
}
