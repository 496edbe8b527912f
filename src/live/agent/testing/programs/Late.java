/** A program that runs until a line of input ends it, for agents that come late. */
public class Late {
  public static void main(String[] words) throws Exception {
    System.out.println("started");
    for (int i = 0; System.in.available() == 0; i++) {
      Thread thread = new Thread(() -> {}, "late " + i);
      thread.start();
      thread.join();
      System.gc();
      Thread.sleep(10);
    }
    System.out.println("ended");
  }
}
