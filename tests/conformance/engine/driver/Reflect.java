import java.lang.reflect.Field;
import java.lang.reflect.Method;

/** Reaches what the engine keeps private. */
final class Reflect {
  private Reflect() {
  }

  static Object get(Object object, String name) throws Exception {
    return field(object.getClass(), name).get(object);
  }

  static void set(Object object, String name, Object value) throws Exception {
    field(object.getClass(), name).set(object, value);
  }

  static Object call(Object object, String name) throws Exception {
    for (Class<?> c = object.getClass(); c != null; c = c.getSuperclass()) {
      try {
        Method method = c.getDeclaredMethod(name);
        method.setAccessible(true);
        return method.invoke(object);
      }
      catch (NoSuchMethodException e) {
        // perhaps the parent has it
      }
    }
    throw new NoSuchMethodException(object.getClass() + "." + name);
  }

  private static Field field(Class<?> type, String name) throws NoSuchFieldException {
    for (Class<?> c = type; c != null; c = c.getSuperclass()) {
      try {
        Field field = c.getDeclaredField(name);
        field.setAccessible(true);
        return field;
      }
      catch (NoSuchFieldException e) {
        // perhaps the parent has it
      }
    }
    throw new NoSuchFieldException(type + "." + name);
  }
}
