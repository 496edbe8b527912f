import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Counts its own calls: THREADS times ROUNDS of every kind of method, on threads of the system or, with a third word, on virtual ones. */
public class Calls {
  static final AtomicLong LEAF = new AtomicLong(), FIB = new AtomicLong(), THROWER = new AtomicLong(), CHECK = new AtomicLong();

  static class Base {
    final int value;

    Base(int value) {
      if (value == 3) throw new IllegalStateException();
      this.value = value;
    }
  }

  /** Its constructor ends with an exception before the object is finished: of `check`, or of the other constructor. */
  static class Derived extends Base {
    Derived(int value) {
      super(check(value));
    }

    static int check(int value) {
      CHECK.incrementAndGet();
      if (value == 7) throw new IllegalStateException();
      return value;
    }
  }

  static int leaf(int x) {
    LEAF.incrementAndGet();
    return x + 1;
  }

  static int fib(int n) {
    FIB.incrementAndGet();
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
  }

  static void thrower(int depth) {
    THROWER.incrementAndGet();
    if (depth == 0) throw new RuntimeException();
    try {
      thrower(depth - 1);
    } finally {
      leaf(depth);
    }
  }

  static synchronized long wide(long a, double b) {
    return a + (long) b;
  }

  static int table(int x) {
    switch (x) {
      case 0: return leaf(x);
      case 1: return leaf(x);
      case 2: return -1;
      default: return 0;
    }
  }

  static int sparse(int x) {
    switch (x * 100000) {
      case -100000: return 1;
      case 100000: return leaf(x);
      case 200000: return 2;
      default: return 0;
    }
  }

  static void round(int i) {
    leaf(i);
    table(i % 3);
    sparse(i % 3);
    fib(6);
    wide(i, 2.0);
    try {
      thrower(3);
    } catch (RuntimeException e) {
      leaf(i);
    }
    try {
      new Derived(i % 10);
    } catch (IllegalStateException e) {
      leaf(i);
    }
  }

  static void work(int rounds) {
    for (int i = 0; i < rounds; i++) {
      round(i);
      if (i % 100 == 0) pause();
    }
  }

  static void pause() {
    try {
      Thread.sleep(1);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  static Thread started(Runnable task, boolean isVirtual) throws Exception {
    if (isVirtual) return (Thread) Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, task);
    Thread thread = new Thread(task);
    thread.start();
    return thread;
  }

  public static void main(String[] words) throws Exception {
    int count = Integer.parseInt(words[0]), rounds = Integer.parseInt(words[1]);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < count; i++) threads.add(started(() -> work(rounds), words.length > 2));
    for (Thread thread : threads) thread.join();
    System.out.println("Calls.leaf " + LEAF + "\nCalls.fib " + FIB + "\nCalls.thrower " + THROWER + "\nCalls$Derived.check " + CHECK);
  }
}
