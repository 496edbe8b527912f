import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Virtual threads in every state that lasts; prints the state of each as the JDK has it, and writes a heap dump. */
public class VirtualStates {
    static final Object gate = new Object();
    static final Object bell = new Object();
    static volatile boolean stop;

    static void await(long millis) {
        synchronized (bell) {
            try { bell.wait(millis); } catch (InterruptedException e) { }
        }
    }

    public static void main(String[] args) throws Exception {
        List<Thread> all = new ArrayList<>();
        all.add(Thread.ofVirtual().name("v-parked").start(LockSupport::park));
        all.add(Thread.ofVirtual().name("v-parked-timed").start(() -> LockSupport.parkNanos(100_000_000_000L)));
        all.add(Thread.ofVirtual().name("v-spinning").start(() -> { while (!stop) Thread.onSpinWait(); }));
        synchronized (gate) {
            all.add(Thread.ofVirtual().name("v-blocked").start(() -> { synchronized (gate) { } }));
            all.add(Thread.ofVirtual().name("v-waiting").start(() -> await(0)));
            all.add(Thread.ofVirtual().name("v-waiting-timed").start(() -> await(100_000)));
            Thread.sleep(300);
            for (Thread thread : all) System.out.println(thread.getName() + " " + thread.getState());
            ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class).dumpHeap(args[0], true);
            System.exit(0);
        }
    }
}
