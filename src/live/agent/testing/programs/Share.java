import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * Uses CPU time in methods whose share it measures itself: `Share MS [virtual]`. Threads of the system read the CPU clock of their thread around each
 * call; a sleeper uses none. A virtual thread has no such clock: there, the time of the process counts. Prints `method nanoseconds`.
 */
public class Share {
    static final ThreadMXBean CLOCK = ManagementFactory.getThreadMXBean();
    static final com.sun.management.OperatingSystemMXBean PROCESS =
        (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    static volatile double sink;

    /** A loop without a safepoint inside, when it is compiled. */
    static int counted(int rounds) {
        int sum = 1;
        for (int i = 0; i < rounds; i++) sum = sum * 31 + (sum >>> 7) + i;
        return sum;
    }

    static double rooted(int rounds) {
        double sum = 1;
        for (long i = 0; i < rounds; i++) sum = Math.sqrt(sum + i);
        return sum;
    }

    static long now(boolean isVirtual) {
        return isVirtual ? PROCESS.getProcessCpuTime() : CLOCK.getCurrentThreadCpuTime();
    }

    /** Times in nanoseconds of three parts of `counted` to one of `rooted`, until the sum is reached. */
    static long[] work(long ns, boolean isVirtual) {
        long[] times = new long[2];
        while (times[0] + times[1] < ns) {
            boolean first = times[0] < 3 * times[1];
            long began = now(isVirtual);
            sink = first ? counted(1_000_000) : rooted(300_000);
            times[first ? 0 : 1] += now(isVirtual) - began;
        }
        return times;
    }

    public static void main(String[] words) throws Exception {
        long ns = Long.parseLong(words[0]) * 1_000_000;
        boolean isVirtual = words.length > 1;
        long[] times = new long[2];
        Thread sleeper = new Thread(() -> {
            try {
                Thread.sleep(1_000_000);
            } catch (InterruptedException e) {
                return;
            }
        }, "sleeper");
        sleeper.start();
        Runnable part = () -> {
            long[] own = work(ns, isVirtual);
            synchronized (times) {
                times[0] += own[0];
                times[1] += own[1];
            }
        };
        Thread worker = isVirtual
            ? (Thread) Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, part)
            : new Thread(part, "worker");
        if (!isVirtual) worker.start();
        worker.join();
        sleeper.interrupt();
        sleeper.join();
        System.out.println("Share.counted " + times[0]);
        System.out.println("Share.rooted " + times[1]);
    }
}
