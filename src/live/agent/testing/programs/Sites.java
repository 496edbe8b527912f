import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.List;

/** Allocates in each way of the language and counts it itself: `Sites THREADS ROUNDS [virtual]`. Prints class, objects, and those that it keeps. */
public class Sites {
    static class Kept { int value; Kept(int value) { this.value = value; } }
    static class Dropped { long a, b; }
    static class Failing { Failing(boolean fails) { if (fails) throw new IllegalStateException(); } }
    static class Twin implements Cloneable {
        int a;
        @Override protected Twin clone() throws CloneNotSupportedException { return (Twin) super.clone(); }
    }
    static class Grandchild extends Twin { long b; }
    static class Reflected { public Reflected() {} }
    static class Element {}

    static final List<Object> KEPT = new ArrayList<>();

    static Object keep(Object made) {
        synchronized (KEPT) { KEPT.add(made); }
        return made;
    }

    static int deep(int depth) { return depth == 0 ? new Dropped().hashCode() : deep(depth - 1); }

    static Dropped drop() { return new Dropped(); }

    static long round(int round) throws Exception {
        long sum = 0;
        for (int i = 0; i < 10; i++) sum += ((Kept) keep(new Kept(i))).value;
        for (int i = 0; i < 20; i++) sum += drop().a;
        sum += deep(3) & 1;
        for (int i = 0; i < 4; i++) {
            try { sum += new Failing(i % 2 == 0).hashCode() & 1; } catch (IllegalStateException thrown) { sum++; }
        }
        sum += (round % 2 == 0 ? new Element[7] : new Element[3]).length;
        sum += new Element[3][5].length;
        keep(new Element[2][]);
        Element[] copied = new Element[4].clone();
        sum += copied.length;
        Twin twin = new Grandchild();
        keep(twin.clone());
        sum += Reflected.class.getConstructor().newInstance().hashCode() & 1;
        sum += Array.getLength(Array.newInstance(Reflected.class, 6));
        return sum;
    }

    static void work(int rounds) {
        try {
            long sum = 0;
            for (int i = 0; i < rounds; i++) sum += round(i);
            if (sum == 0) throw new IllegalStateException();
        } catch (Exception thrown) {
            throw new IllegalStateException(thrown);
        }
    }

    static void print(Class<?> type, long objects, long kept) { System.out.println(type.getTypeName() + " " + objects + " " + kept); }

    public static void main(String[] words) throws Exception {
        int threads = Integer.parseInt(words[0]), rounds = Integer.parseInt(words[1]);
        Thread[] workers = new Thread[threads];
        for (int i = 0; i < threads; i++) {
            Runnable work = () -> work(rounds);
            workers[i] = words.length > 2
                ? (Thread) Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, work)
                : new Thread(work);
            if (words.length == 2) workers[i].start();
        }
        for (Thread worker : workers) worker.join();
        long all = (long) threads * rounds;
        print(Kept.class, 10 * all, 10 * all);
        print(Dropped.class, 21 * all, 0);
        print(Failing.class, 4 * all, 0);
        print(Element[].class, (1 + 3 + 2) * all, 0);
        print(Element[][].class, 2 * all, all);
        print(Grandchild.class, 2 * all, all);
        print(Reflected.class, all, 0);
        print(Reflected[].class, all, 0);
        System.gc();
    }
}
