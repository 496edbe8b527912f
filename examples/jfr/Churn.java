import java.util.ArrayList;
import java.util.List;

/** Allocates, keeps some of it for a while, and asks for one collection. */
public class Churn {
  public static void main(String[] args) {
    int rounds = Integer.parseInt(args[0]);
    List<byte[]> kept = new ArrayList<>();
    long sum = 0;
    for (int round = 0; round < rounds; round++) {
      for (int i = 0; i < 200; i++) {
        byte[] bytes = new byte[10_000 + i];
        sum += bytes.length;
        if (i % 20 == 0) kept.add(bytes);
      }
      if (kept.size() > 900) kept.subList(0, 600).clear();
      if (round == rounds / 2) System.gc();
    }
    System.out.println(sum);
  }
}
