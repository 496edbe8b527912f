// Loads classes in the ways that differ: hidden classes of a lambda, a second thread, a class that is never linked.
public class Loads {
    interface Never {
        int value();
    }

    public static void main(String[] words) throws Exception {
        Thread worker = new Thread(() -> String.format("%d", words.length), "worker");
        worker.start();
        worker.join();
        Class.forName("Loads$Never", false, Loads.class.getClassLoader());
        System.out.println("done");
    }
}
