import java.util.concurrent.Exchanger;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** As `Shapes`, after other objects whose sizes no rule of fields tells: stacks of virtual threads, threads, padded fields. Needs JDK 21. */
public class StackShapes {
  static class Plain extends Thread {
    byte one;
    Object more;

    @Override
    public void run() {
      rest(0);
    }
  }

  static int rest(int depth) {
    if (depth > 0) return rest(depth - 1) + 1;
    try {
      Thread.sleep(Long.MAX_VALUE);
    } catch (InterruptedException e) {
      return 1;
    }
    return 0;
  }

  public static void main(String[] words) throws Exception {
    for (int i = 0; i < 100; i++) {
      int depth = i;
      Shapes.ROOTS.add(Thread.ofVirtual().start(() -> rest(depth)));
    }
    for (int i = 0; i < 5; i++) {
      Plain thread = new Plain();
      thread.setDaemon(true);
      thread.start();
    }
    LongAdder adder = new LongAdder();
    Exchanger<Object> exchanger = new Exchanger<>();
    Thread[] threads = new Thread[4];
    for (int i = 0; i < threads.length; i++) {
      threads[i] = new Thread(() -> {
        for (int n = 0; n < 100_000; n++) adder.increment();
        try {
          exchanger.exchange("", 1, TimeUnit.MILLISECONDS);
        } catch (Exception e) {
          // Nobody needs to come.
        }
      });
      threads[i].start();
    }
    for (Thread thread : threads) thread.join();
    Shapes.ROOTS.add(adder);
    Shapes.ROOTS.add(exchanger);
    ForkJoinPool pool = new ForkJoinPool(2);
    pool.submit(() -> 1).get();
    Shapes.ROOTS.add(pool);
    // Virtual threads have reached their sleep.
    Thread.sleep(500);
    Shapes.main(words);
    System.exit(0);
  }
}
