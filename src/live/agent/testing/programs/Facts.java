/** Does a known number of each thing that a VM may fail to tell: unloaded classes, arrays of objects, sleeps, monitors, collections. */
public class Facts {
  static final Object HELD = new Object();
  static final Object WAITED = new Object();
  static Object kept;

  public static class Victim {
    static int some = 3;
  }

  static class Loader extends ClassLoader {
    Loader() {
      super(null);
    }

    Class<?> define(byte[] bytes) {
      return defineClass("Facts$Victim", bytes, 0, bytes.length);
    }
  }

  static synchronized void sleepLong() {
    try {
      Thread.sleep(1_000_000);
    } catch (InterruptedException end) {
    }
  }

  synchronized void waitHere() throws InterruptedException {
    while (kept != this) wait();
  }

  interface Task {
    void run() throws InterruptedException;
  }

  static void started(String name, Thread.State wanted, Task task) throws InterruptedException {
    Thread thread = new Thread(() -> {
      try {
        task.run();
      } catch (InterruptedException end) {
      }
    }, name);
    thread.setDaemon(true);
    thread.start();
    while (thread.getState() != wanted) Thread.onSpinWait();
  }

  static void unload() throws Exception {
    byte[] bytes = Facts.class.getResourceAsStream("Facts$Victim.class").readAllBytes();
    for (int i = 0; i < 3; i++) new Loader().define(bytes).getDeclaredConstructor().newInstance();
  }

  static void monitors() throws Exception {
    started("waits", Thread.State.WAITING, () -> {
      synchronized (WAITED) {
        WAITED.wait();
      }
    });
    started("waits a while", Thread.State.TIMED_WAITING, () -> {
      synchronized (Facts.class.getClassLoader()) {
        Facts.class.getClassLoader().wait(1_000_000);
      }
    });
    Facts one = new Facts();
    started("waits here", Thread.State.WAITING, one::waitHere);
    started("sleeps", Thread.State.TIMED_WAITING, Facts::sleepLong);
    synchronized (HELD) {
      started("enters", Thread.State.BLOCKED, () -> {
        synchronized (HELD) {
        }
      });
      started("enters class", Thread.State.BLOCKED, Facts::sleepLong);
      Thread dump = new Thread("dump");
      dump.start();
      dump.join();
    }
  }

  public static void main(String[] words) throws Exception {
    for (int i = 0; i < 100; i++) kept = new Facts[3];
    for (int i = 0; i < 50; i++) kept = new Facts[3][];
    for (int i = 0; i < 20; i++) kept = new long[7][];
    for (int i = 0; i < 4; i++) Thread.sleep(5 + i);
    unload();
    for (int i = 0; i < 4; i++) System.gc();
    monitors();
    System.out.println("done");
    if (words.length > 0) Thread.sleep(1_000_000);
  }
}
