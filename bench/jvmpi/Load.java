import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Work whose CPU time its own thread measures. `mix ROUNDS` does text, tables and trees; `calls COUNT` calls a method so often.
 * Prints `nanoseconds operations`: of mix, the median of ten parts, after half as many rounds to warm up.
 */
public class Load {
    static int sink;

    static void leaf() {
        sink++;
    }

    static int mix(int seed) {
        Map<String, Integer> words = new HashMap<>();
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 40; i++) {
            text.append((char) ('a' + (seed * 31 + i * 7) % 26));
            words.merge(text.substring(Math.max(0, text.length() - 3)), 1, Integer::sum);
        }
        TreeMap<Integer, String> tree = new TreeMap<>();
        for (Map.Entry<String, Integer> entry : words.entrySet()) tree.put(entry.getKey().hashCode(), entry.getKey());
        List<String> list = new ArrayList<>(tree.values());
        list.sort(null);
        return list.get(0).hashCode() + tree.size();
    }

    public static void main(String[] options) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        int count = Integer.parseInt(options[1]);
        if (options[0].equals("mix")) {
            for (int i = 0; i < count / 2; i++) sink += mix(i);
            long[] parts = new long[10];
            for (int part = 0; part < 10; part++) {
                long start = threads.getCurrentThreadCpuTime();
                for (int i = 0; i < count / 10; i++) sink += mix(i);
                parts[part] = threads.getCurrentThreadCpuTime() - start;
            }
            Arrays.sort(parts);
            System.out.println(parts[5] + " " + count / 10);
        } else {
            long start = threads.getCurrentThreadCpuTime();
            for (int i = 0; i < count; i++) leaf();
            System.out.println(threads.getCurrentThreadCpuTime() - start + " " + count);
        }
    }
}
