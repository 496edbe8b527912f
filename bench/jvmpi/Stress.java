import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** What strains an agent: `calls N`, `threads N` that all live at once, `classes N` in loaders of their own, `memory N` times full. Prints `done`. */
public class Stress {
    static int sink;
    static Object kept;

    public static class Victim {
        public static int value = 1;

        public Victim() {}
    }

    static class Loader extends ClassLoader {
        final byte[] bytes;

        Loader(byte[] bytes) {
            super(Stress.class.getClassLoader());
            this.bytes = bytes;
        }

        Class<?> define() {
            return defineClass("Stress$Victim", bytes, 0, bytes.length);
        }
    }

    static void leaf() {
        sink++;
    }

    static void calls(int count) {
        for (int i = 0; i < count; i++) leaf();
    }

    static void threads(int count) throws Exception {
        CountDownLatch started = new CountDownLatch(count), end = new CountDownLatch(1);
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Thread thread = new Thread(null, () -> {
                started.countDown();
                try {
                    end.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }, "worker-" + i, 64 << 10);
            all.add(thread);
            thread.start();
        }
        started.await();
        end.countDown();
        for (Thread thread : all) thread.join();
    }

    static void classes(int count) throws Exception {
        byte[] bytes;
        try (InputStream in = Stress.class.getResourceAsStream("Stress$Victim.class")) {
            bytes = in.readAllBytes();
        }
        for (int i = 0; i < count; i++) {
            Class<?> type = new Loader(bytes).define();
            sink += (int) type.getDeclaredField("value").getModifiers();
            type.getDeclaredConstructor().newInstance();
            if (i % 500 == 499) System.gc();
        }
    }

    static void memory(int times) {
        for (int i = 0; i < times; i++) {
            try {
                List<Object> list = new ArrayList<>();
                kept = list;
                for (;;) list.add(new int[50_000]);
            } catch (OutOfMemoryError expected) {
                kept = null;
            }
        }
    }

    public static void main(String[] options) throws Exception {
        int count = Integer.parseInt(options[1]);
        switch (options[0]) {
            case "calls": calls(count); break;
            case "threads": threads(count); break;
            case "classes": classes(count); break;
            default: memory(count);
        }
        System.out.println("done");
    }
}
