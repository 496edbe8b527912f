import java.lang.management.ManagementFactory;

/** Prints the CPU time of its thread in ns for the second half of its rounds, when everything is compiled. */
public class Price {
  static volatile double sink;
  static long state = 1;

  static double mix(double x) {
    return Math.sqrt(x * 1.0000001 + 1.0);
  }

  /** Three operations a call, and a call of a native method's worth of work around it. */
  static void mixed(int calls) {
    double x = 1;
    for (int i = 0; i < calls; i++) x = mix(x);
    sink = x;
  }

  static int add(int a, int b) {
    return a + b;
  }

  static void tiny(int calls) {
    int sum = 0;
    for (int i = 0; i < calls; i++) sum = add(sum, i);
    sink = sum;
  }

  /** Work of about 20 µs. */
  static long large() {
    long x = state;
    for (int i = 0; i < 20_000; i++) x = x * 6364136223846793005L + 1442695040888963407L;
    state = x;
    return x;
  }

  static void larges(int calls) {
    for (int i = 0; i < calls; i++) large();
  }

  static void run(String name, int calls) {
    switch (name) {
      case "mix": mixed(calls); break;
      case "tiny": tiny(calls); break;
      default: larges(calls);
    }
  }

  public static void main(String[] words) {
    int calls = Integer.parseInt(words[1]);
    for (int i = 0; i < 5; i++) run(words[0], calls);
    long began = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    for (int i = 0; i < 5; i++) run(words[0], calls);
    System.out.println(ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - began);
  }
}
