import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Keeps objects in a list, a map and a chain; starts threads; loads classes. Prints the CPU time of its threads in ns. */
public class Leak {
    static final List<Object> KEPT = new ArrayList<>();
    static final Map<String, Object> BY_NAME = new HashMap<>();
    static Node head;
    static volatile Object garbage;

    static class Node {
        final Node next;
        final byte[] data;

        Node(Node next, int size) {
            this.next = next;
            data = new byte[size];
        }
    }

    static void keep(int number) {
        KEPT.add(new byte[4000]);
        BY_NAME.put("name " + number, new int[500]);
        head = new Node(head, 2000);
    }

    static void waste() {
        for (int i = 0; i < 100; i++) garbage = new long[400];
    }

    static long burn(long millis) {
        long end = System.nanoTime() + millis * 1_000_000;
        long rounds = 0;
        while (System.nanoTime() < end) rounds++;
        return rounds;
    }

    static Thread start(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.start();
        return thread;
    }

    public static void main(String[] words) throws Exception {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        int rounds = Integer.parseInt(words[0]);
        StringBuffer used = new StringBuffer();
        Thread burner = start("burner", () -> {
            burn(700);
            used.append("burner ").append(threads.getCurrentThreadCpuTime()).append('\n');
        });
        for (int i = 0; i < rounds; i++) {
            int number = i;
            Thread keeper = start("keeper " + i, () -> {
                keep(number);
                waste();
            });
            keeper.join();
            for (int j = 0; j < 20; j++) waste();
            if (i % 4 == 0) Thread.ofVirtual().start(Leak::waste).join();
        }
        burner.join();
        System.gc();
        System.out.print(used);
        System.out.println("main " + threads.getCurrentThreadCpuTime());
        System.out.println("kept " + KEPT.size() + ", head " + head.data.length);
    }
}
