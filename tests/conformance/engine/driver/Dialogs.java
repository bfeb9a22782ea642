import java.awt.Component;
import java.awt.Container;
import java.awt.Dialog;
import java.awt.Window;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.swing.AbstractButton;
import javax.swing.JLabel;
import javax.swing.JOptionPane;
import javax.swing.SwingUtilities;
import javax.swing.text.JTextComponent;

/** Stands in for the human before a modal dialog: writes down what it said, answers it and closes it. */
final class Dialogs {
  /** The answer to yes-or-no questions. */
  static volatile String policy = "yes";
  private static final List<Object> seen = Collections.synchronizedList(new ArrayList<>());

  private Dialogs() {
  }

  /** What came up since the last call. */
  static List<Object> take() {
    synchronized (seen) {
      List<Object> taken = new ArrayList<>(seen);
      seen.clear();
      return taken;
    }
  }

  static void watch() {
    Thread thread = new Thread(() -> {
      try {
        while (true) {
          Thread.sleep(40);
          for (Window window : Window.getWindows()) {
            if (window instanceof Dialog dialog && dialog.isShowing() && dialog.isModal()) {
              SwingUtilities.invokeLater(() -> answer(dialog));
              Thread.sleep(100);
            }
          }
        }
      }
      catch (InterruptedException e) {
        // the engine ends
      }
    }, "dialogs");
    thread.setDaemon(true);
    thread.start();
  }

  private static void answer(Dialog dialog) {
    if (!dialog.isShowing()) return;
    List<String> texts = new ArrayList<>();
    texts(dialog, texts);
    Map<String, Object> record = new LinkedHashMap<>();
    record.put("title", dialog.getTitle());
    record.put("text", texts);
    JOptionPane pane = optionPane(dialog);
    boolean question = pane != null && pane.getOptions() == null && pane.getOptionType() != JOptionPane.DEFAULT_OPTION;
    record.put("answer", question ? policy : "closed");
    seen.add(record);
    if (question) pane.setValue("yes".equals(policy) ? JOptionPane.YES_OPTION : JOptionPane.NO_OPTION);
    dialog.dispose();
  }

  private static void texts(Container container, List<String> out) {
    for (Component part : container.getComponents()) {
      String text = null;
      if (part instanceof JLabel label) text = label.getText();
      else if (part instanceof JTextComponent field) text = field.getText();
      else if (part instanceof AbstractButton button) text = "[" + button.getText() + "]";
      if (text != null && !text.isEmpty()) out.add(text);
      if (part instanceof Container inner) texts(inner, out);
    }
  }

  private static JOptionPane optionPane(Container container) {
    for (Component part : container.getComponents()) {
      if (part instanceof JOptionPane pane) return pane;
      if (part instanceof Container inner) {
        JOptionPane pane = optionPane(inner);
        if (pane != null) return pane;
      }
    }
    return null;
  }
}
