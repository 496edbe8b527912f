/** What agent/testing/c/all.c looks at: objects whose values are known, threads in known states. */
public class All {
  interface Mark { int MARK = Integer.parseInt("77"); }
  interface Other extends Mark { long OTHER = Long.parseLong("88"); }
  static class Base { int first = 0x01020304; static int total = 0x11121314; Object self = this; }
  static class Holder extends Base implements Other {
    static long big = 0x2122232425262728L;
    static byte small = 0x31;
    static String name = null;
    boolean yes = true; byte one = 0x41; char letter = 'K'; short two = 0x5152;
    int four = 0x61626364; long eight = 0x7172737475767778L; float real = 1.0f; double real8 = -2.0;
    Object none = null; int[] numbers = {1, 2, 0x01020304}; Object[] objects = {null, this};
  }
  static class Node { Node next; Node(Node next) { this.next = next; } }
  static class Victim { String word() { return "victim"; } }
  static volatile boolean on = true;
  /** Set by the agent when it has the event of the thread that waits for main's monitor: main may leave it then. */
  static volatile boolean met;
  static volatile long turns;
  static Object kept;
  static Node list;
  static class Spin extends Thread {
    Spin() { super("spin"); }
    @Override public void run() { while (on) turns++; }
  }

  public static void main(String[] words) throws Exception {
    kept = new Holder();
    System.out.println(Mark.MARK + Other.OTHER);
    for (int i = 0; i < 1000; i++) list = new Node(list);
    System.out.println(new Victim().word());
    new Spin().start();
    Object lock = new Object();
    synchronized (lock) {
      Thread blocked = new Thread(() -> { synchronized (lock) { lock.notify(); } }, "blocked");
      blocked.start();
      while (blocked.getState() != Thread.State.BLOCKED) Thread.sleep(1);
      while (!met) Thread.sleep(1);
      lock.wait();
      blocked = new Thread(() -> { synchronized (lock) { on = false; } }, "blocked");
      blocked.start();
      while (blocked.getState() != Thread.State.BLOCKED) Thread.sleep(1);
      new Thread(() -> {}, "go").start();
      Thread.sleep(60000);
    }
  }
}
