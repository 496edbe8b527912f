import java.lang.management.ManagementFactory;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

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

  static int parity(int value) {
    int sum = 0;
    for (int bit = 0; bit < 32; bit++) {
      if ((value & 1) != 0) sum++;
      else if ((value & 2) != 0) sum += 2;
      else if ((value & 4) != 0) sum ^= bit;
      else sum--;
      value = value >>> 1 | value << 31;
    }
    return sum;
  }

  /** A call that takes a hundred branches. */
  static void branches(int calls) {
    int sum = 0;
    for (int i = 0; i < calls; i++) sum += parity(i * 0x9e3779b9);
    sink = sum;
  }

  static final class Source extends SimpleJavaFileObject {
    final String text;

    Source(String name, String text) {
      super(URI.create("string:///" + name + ".java"), Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreErrors) {
      return text;
    }
  }

  /** Analyses classes that use each other, without files: `-proc:none -implicit:none`, and no class is written. */
  static void javac(int classes) {
    List<JavaFileObject> sources = new ArrayList<>();
    for (int i = 0; i < classes; i++) {
      String next = "C" + (i + 1) % classes;
      sources.add(new Source("C" + i, "import java.util.*; public class C" + i + " { List<" + next + "> all = new ArrayList<>(); int sum(int n) { int s = 0;"
        + " for (" + next + " c : all) s += c.sum(n - 1); for (int i = 0; i < n; i++) { switch (i & 3) { case 0: s += i; break; case 1: s ^= i; break; default: s--; } }"
        + " return s; } Map<String, " + next + "> index() { Map<String, " + next + "> m = new TreeMap<>(); all.forEach(c -> m.put(c.toString() + sum(3), c)); return m; } }"));
    }
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    com.sun.source.util.JavacTask task =
      (com.sun.source.util.JavacTask) compiler.getTask(null, null, null, List.of("-proc:none"), null, sources);
    try {
      task.parse();
      task.analyze();
    } catch (java.io.IOException e) {
      throw new IllegalStateException(e);
    }
  }

  static void run(String name, int calls) {
    switch (name) {
      case "mix": mixed(calls); break;
      case "tiny": tiny(calls); break;
      case "branches": branches(calls); break;
      case "javac": javac(calls); break;
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
