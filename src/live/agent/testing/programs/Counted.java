/** Two threads that differ in the number of calls only. */
public class Counted {
  static void leaf() {}
  static class Calls extends Thread {
    private final int calls;
    Calls(int calls) { this.calls = calls; }
    @Override public void run() { for (int i = 0; i < calls; i++) leaf(); }
  }

  public static void main(String[] words) throws Exception {
    for (int calls : new int[] {10, 1000}) {
      Thread thread = new Calls(calls);
      thread.start();
      thread.join();
    }
    System.out.println("done");
  }
}
