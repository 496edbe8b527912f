// Objects of known shapes, and threads that hold, enter and wait for monitors, when the thread `dump` starts.
public class Dumps {
    interface Priced { int TAX = Integer.parseInt("7"); }
    static class Item implements Priced { byte kind = 5; long price = 1234567890123L; Object next; static Object first; static int count = 42; }
    static class Book extends Item { char grade = 'A'; double weight = 0.5; int[] pages = {1, -2, 3}; Book[] sequels = new Book[2]; boolean sold = true; }
    static final Object HELD = new Object();
    static final Object WAITED = new Object();

    static Thread start(String name, Runnable code) {
        Thread thread = new Thread(code, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    public static void main(String[] words) throws Exception {
        Book book = new Book();
        book.next = book;
        book.sequels[1] = book;
        Item.first = book;
        System.out.println(Priced.TAX);
        Thread waiting = start("waiting", () -> {
            synchronized (WAITED) {
                try {
                    WAITED.wait();
                } catch (InterruptedException end) { }
            }
        });
        while (waiting.getState() != Thread.State.WAITING) Thread.sleep(1);
        synchronized (HELD) {
            Thread entering = start("entering", () -> { synchronized (HELD) { } });
            while (entering.getState() != Thread.State.BLOCKED) Thread.sleep(1);
            start("dump", () -> { }).join();
        }
    }
}
