/** Allocates in two equal turns; the start of a thread ends each. */
public class Allocations {
  static class Counted { long field; }
  static Counted kept;

  public static void main(String[] words) throws Exception {
    for (int turn = 0; turn < 2; turn++) {
      for (int i = 0; i < 20000; i++) kept = new Counted();
      Thread end = new Thread(() -> {}, "end of turn");
      end.start();
      end.join();
    }
  }
}
