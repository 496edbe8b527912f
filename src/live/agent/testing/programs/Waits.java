/** Threads that wait to enter a monitor, and one that waits in it. Says how often and how long the first ones waited. */
public class Waits {
    static final class Door { }
    static final Door door = new Door();
    static final int[] bell = new int[1];
    static long waited;

    static void enter() {
        long began = System.nanoTime();
        synchronized (door) {
            waited += System.nanoTime() - began;
        }
    }

    static void ring(int times) throws InterruptedException {
        synchronized (bell) {
            for (int i = 0; i < times; i++) bell.wait(5);
        }
    }

    /** Holds the monitor, twice, until the thread waits for it. */
    static void hold(Thread thread, int ms) throws InterruptedException {
        synchronized (door) {
            synchronized (door) {
                thread.start();
                while (thread.getState() != Thread.State.BLOCKED) Thread.sleep(1);
                Thread.sleep(ms);
            }
        }
    }

    public static void main(String[] words) throws Exception {
        for (int i = 0; i < 3; i++) {
            Thread thread = new Thread(Waits::enter, "waits-" + i);
            hold(thread, 60);
            thread.join();
        }
        ring(4);
        System.out.println(waited);
        Thread last = new Thread(Waits::enter, "last");
        last.setDaemon(true);
        Thread holder = new Thread(() -> {
            try {
                hold(last, 60_000);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }, "holder");
        holder.setDaemon(true);
        holder.start();
        while (last.getState() != Thread.State.BLOCKED) Thread.sleep(1);
    }
}
