import VASSAL.build.Builder;
import VASSAL.build.module.Map;
import VASSAL.build.module.map.boardPicker.Board;
import VASSAL.build.module.map.boardPicker.board.MapGrid;
import java.awt.Point;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.xml.sax.InputSource;

/** What the engine calls a point of a map, and where it snaps a counter to. */
final class Grids {
  private Grids() {
  }

  /** Builds a board from the same XML that a module's build file has, outside the open module, and asks its grid. */
  static LinkedHashMap<String, Object> ask(Request request) throws Exception {
    var document = DocumentBuilderFactory.newInstance().newDocumentBuilder()
      .parse(new InputSource(new StringReader(request.text("board"))));
    Board board = (Board) Builder.create(document.getDocumentElement());
    MapGrid grid = board.getGrid();
    List<Object> names = new ArrayList<>();
    List<Object> snaps = new ArrayList<>();
    List<Object> found = new ArrayList<>();
    for (Point point : request.points("points")) {
      names.add(board.locationName(new Point(point)));
      snaps.add(xy(board.snapTo(new Point(point))));
    }
    for (Object label : request.list("labels")) {
      try {
        found.add(xy(grid.getLocation(label.toString())));
      }
      catch (MapGrid.BadCoords e) {
        found.add(null);
      }
    }
    LinkedHashMap<String, Object> answer = new LinkedHashMap<>();
    answer.put("names", names);
    answer.put("snaps", snaps);
    answer.put("found", found);
    return answer;
  }

  /** The same of a map in play, which may show several boards. */
  static List<Object> locations(Map map, List<Point> points) {
    List<Object> answers = new ArrayList<>();
    for (Point point : points) {
      Point snap = map.snapTo(new Point(point));
      LinkedHashMap<String, Object> answer = new LinkedHashMap<>();
      answer.put("x", point.x);
      answer.put("y", point.y);
      answer.put("name", map.locationName(new Point(point)));
      answer.put("snapX", snap.x);
      answer.put("snapY", snap.y);
      answer.put("snapName", map.locationName(new Point(snap)));
      answers.add(answer);
    }
    return answers;
  }

  private static List<Integer> xy(Point point) {
    return point == null ? null : List.of(point.x, point.y);
  }
}
