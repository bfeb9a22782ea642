import java.awt.Point;
import java.io.File;
import java.util.List;
import java.util.Map;

/** One line of input: an operation and its arguments. */
record Request(Map<String, Object> values) {
  @SuppressWarnings("unchecked")
  static Request parse(String line) {
    return new Request((Map<String, Object>) Json.parse(line));
  }

  boolean has(String name) {
    return values.get(name) != null;
  }

  String text(String name) {
    return text(name, null);
  }

  String text(String name, String otherwise) {
    return has(name) ? values.get(name).toString() : otherwise;
  }

  int number(String name, int otherwise) {
    return has(name) ? ((Long) values.get(name)).intValue() : otherwise;
  }

  boolean flag(String name, boolean otherwise) {
    return has(name) ? (Boolean) values.get(name) : otherwise;
  }

  File file(String name) {
    if (!has(name)) throw new IllegalArgumentException(text("op") + " needs " + name);
    return new File(text(name));
  }

  List<?> list(String name) {
    return has(name) ? (List<?>) values.get(name) : List.of();
  }

  Point point() {
    return new Point(number("x", 0), number("y", 0));
  }

  List<Point> points(String name) {
    return list(name).stream().map(xy -> (List<?>) xy)
      .map(xy -> new Point(((Long) xy.get(0)).intValue(), ((Long) xy.get(1)).intValue())).toList();
  }
}
