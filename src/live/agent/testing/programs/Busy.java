// Does each thing that events report: contention, waiting, allocation, collections, a thread that starts and ends.
public class Busy {
    static final Object LOCK = new Object();
    static int calls;
    static Object kept;

    static void leaf() {
        calls++;
    }

    static int fifty() {
        return 50;
    }

    public static void main(String[] words) throws Exception {
        Thread worker = new Thread(() -> {
            synchronized (LOCK) {
                for (int i = 0; i < fifty(); i++) leaf();
            }
        }, "worker");
        synchronized (LOCK) {
            worker.start();
            while (worker.getState() != Thread.State.BLOCKED) Thread.onSpinWait();
            LOCK.wait(20);
        }
        worker.join();
        kept = new long[1000];
        System.gc();
        System.out.println(calls);
    }
}
