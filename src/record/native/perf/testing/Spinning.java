import java.lang.management.ManagementFactory;

/** Uses 400 ms of CPU time, as the JVM counts them for its thread, in `spin`. */
public class Spinning {
    static double sum;

    static void spin(long until) {
        var threads = ManagementFactory.getThreadMXBean();
        while (threads.getCurrentThreadCpuTime() < until)
            for (int i = 0; i < 100_000; i++) sum += Math.sqrt(i);
    }

    public static void main(String[] words) {
        for (int part = 1; part <= 40; part++) spin(ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() + 10_000_000);
        System.out.println(sum);
    }
}
