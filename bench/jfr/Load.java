import java.util.concurrent.TimeUnit;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** Allocates in many stacks, and commits an event of its own in each: arguments are seconds and threads. */
public class Load {
    @Name("bench.Task")
    @Label("Task")
    static class Task extends Event {
        @Label("Number")
        int number;

        @Label("Amount")
        long amount;
    }

    static Object kept;

    static int leaf(int number) {
        Task task = new Task();
        task.begin();
        kept = new byte[600 + (number & 1023)];
        task.number = number;
        task.amount = 31L * number;
        task.commit();
        return number;
    }

    /** The bits of the number choose the stack. */
    static int down(int depth, int number) {
        if (depth == 0) return leaf(number);
        switch (number & 3) {
            case 0: return first(depth, number);
            case 1: return second(depth, number);
            default: return down(depth - 1, number >> 1);
        }
    }

    static int first(int depth, int number) {
        return down(depth - 1, number * 7 + 1) + 1;
    }

    static int second(int depth, int number) {
        kept = new int[64];
        return down(depth - 1, number * 5 + 3);
    }

    public static void main(String[] words) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(Long.parseLong(words[0]));
        Thread[] threads = new Thread[Integer.parseInt(words[1])];
        for (int i = 0; i < threads.length; i++) {
            int first = i;
            threads[i] = new Thread(() -> {
                for (int number = first; System.nanoTime() < end; number++) down(4 + number % 9, number);
            }, "load-" + i);
            threads[i].start();
        }
        for (Thread thread : threads) thread.join();
    }
}
