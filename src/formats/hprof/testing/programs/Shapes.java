import java.util.ArrayList;
import java.util.List;

/** Objects of all shapes: fields of all types in all orders, by levels of classes; arrays. Waits until its input ends. */
public class Shapes {
  static class Empty {}

  static class Byte1 { byte a; }
  static class Byte2 extends Byte1 { byte b; }
  static class Byte3 extends Byte2 { byte c; Object o; }
  static class Long1 { long a; }
  static class Mixed { boolean z; long j; byte b; Object o; double d; char c; short s; int i; float f; }
  static class MixedMore extends Mixed { byte e; Object p; long k; }
  static class MixedMost extends MixedMore { byte g; }
  static class References { Object a, b, c; }
  static class ReferencesMore extends References { int x; Object d; }
  static class Ints { int a, b, c, d, e; }
  static class Shorts { short a, b, c; }

  static final List<Object> ROOTS = new ArrayList<>();
  static int four = 4;
  static long eight = 8;
  static Object reference = ROOTS;

  interface Maker { Object make(); }

  static void add(Maker maker) {
    for (int i = 0; i < 40; i++) ROOTS.add(maker.make());
  }

  public static void main(String[] words) throws Exception {
    add(Empty::new);
    add(Byte1::new);
    add(Byte2::new);
    add(Byte3::new);
    add(Long1::new);
    add(Mixed::new);
    add(MixedMore::new);
    add(MixedMost::new);
    add(References::new);
    add(ReferencesMore::new);
    add(Ints::new);
    add(Shorts::new);
    for (int i = 0; i < 40; i++) {
      ROOTS.add(new boolean[i]);
      ROOTS.add(new char[i]);
      ROOTS.add(new float[i]);
      ROOTS.add(new double[i]);
      ROOTS.add(new short[i]);
      ROOTS.add(new long[i]);
      ROOTS.add(new Mixed[i]);
      ROOTS.add(new long[i][]);
    }
    System.out.println("ready");
    while (System.in.read() >= 0) {}
  }
}
