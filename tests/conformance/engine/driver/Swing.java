import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.Callable;
import javax.swing.SwingUtilities;

/** The engine lives on Swing's event thread: whatever asks it something goes through here. */
final class Swing {
  private Swing() {
  }

  /** Something to do that answers nothing. */
  interface Deed {
    void run() throws Exception;
  }

  static void run(Deed deed) throws Exception {
    ask(() -> {
      deed.run();
      return null;
    });
  }

  static <T> T ask(Callable<T> question) throws Exception {
    Answer<T> answer = new Answer<>();
    SwingUtilities.invokeAndWait(() -> {
      try {
        answer.value = question.call();
      }
      catch (InvocationTargetException e) {
        answer.failure = e.getCause() == null ? e : e.getCause();
      }
      catch (Throwable t) {
        answer.failure = t;
      }
    });
    if (answer.failure instanceof Exception e) throw e;
    if (answer.failure != null) throw new RuntimeException(answer.failure);
    return answer.value;
  }

  /** Wait until what was put on the event thread so far, and what that put there in turn, is done. */
  static void settle() throws Exception {
    for (int i = 0; i < 3; i++) SwingUtilities.invokeAndWait(() -> { });
  }

  private static final class Answer<T> {
    T value;
    Throwable failure;
  }
}
