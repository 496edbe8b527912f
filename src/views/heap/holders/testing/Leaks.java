import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Leaks in a way that is chosen by a word, dumps its heap, and prints what it leaked: class, objects, bytes at the least, path, class of the collection. */
public final class Leaks {
    static final List<byte[]> LIST = new ArrayList<>();
    static final List<ClassLoader> PLUGINS = new ArrayList<>();
    static final ThreadPoolExecutor POOL = new ThreadPoolExecutor(1, 1, 1, TimeUnit.HOURS, new LinkedBlockingQueue<>());
    static final ThreadLocal<List<Order>> ORDERS = ThreadLocal.withInitial(ArrayList::new);
    static final Map<String, Session> BY_USER = new HashMap<>();
    static Node head;

    record Session(String user, byte[] state) {}

    record Order(int number, byte[] document) {}

    record Panel(byte[] pixels) implements Runnable {
        @Override
        public void run() {}
    }

    record Task(byte[] body) implements Runnable {
        @Override
        public void run() {}
    }

    static final class Node {
        final long[] values = new long[20];
        final Node next;

        Node(Node next) {
            this.next = next;
        }
    }

    static final class Sessions {
        static final Map<String, Session> ALL = new ConcurrentHashMap<>();
    }

    static final class Bus {
        static final Bus INSTANCE = new Bus();
        final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    }

    public static final class Plugin {
        static final byte[] DATA = new byte[300_000];

        public Plugin() {
            DATA[0] = 1;
        }
    }

    static final class PluginLoader extends ClassLoader {
        PluginLoader() {
            super(Leaks.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.equals("Leaks$Plugin")) return super.loadClass(name, resolve);
            try (var in = Leaks.class.getResourceAsStream("Leaks$Plugin.class")) {
                byte[] code = in.readAllBytes();
                return defineClass(name, code, 0, code.length);
            } catch (java.io.IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }


    static void list() {
        for (int i = 0; i < 700; i++) LIST.add(new byte[30_000]);
        said("byte[]", 700, 700 * 30_000L, "Leaks.LIST", "java.util.ArrayList");
    }

    static void sessions() {
        for (int i = 0; i < 4_000; i++) Sessions.ALL.put("s" + i, new Session("u" + i, new byte[5_000]));
        said("Leaks$Session", 4_000, 4_000 * 5_000L, "Leaks$Sessions.ALL", "java.util.concurrent.ConcurrentHashMap");
    }

    /** Nothing dominates the sessions that both maps have. */
    static void shared() {
        for (int i = 0; i < 4_000; i++) {
            Session session = new Session("u" + i, new byte[5_000]);
            Sessions.ALL.put("s" + i, session);
            if (i >= 500) BY_USER.put(session.user(), session);
        }
        String maps = "Leaks$Sessions.ALL|Leaks.BY_USER";
        said("Leaks$Session", 3_500, 3_500 * 5_000L, maps, "java.util.concurrent.ConcurrentHashMap|java.util.HashMap");
    }

    static void local() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(1, (task) -> new Thread(task, "orders-1"));
        pool.submit(() -> {
            for (int i = 0; i < 900; i++) ORDERS.get().add(new Order(i, new byte[20_000]));
        }).get();
        said("Leaks$Order", 900, 900 * 20_000L, "thread orders-1 → threadLocals → table → [#] → value", "java.util.ArrayList");
    }

    static void listeners() {
        for (int i = 0; i < 600; i++) Bus.INSTANCE.listeners.add(new Panel(new byte[30_000]));
        said("Leaks$Panel", 600, 600 * 30_000L, "Leaks$Bus.INSTANCE → listeners", "java.util.concurrent.CopyOnWriteArrayList");
    }

    static void loaders() throws Exception {
        for (int i = 0; i < 60; i++) {
            ClassLoader loader = new PluginLoader();
            loader.loadClass("Leaks$Plugin").getDeclaredConstructor().newInstance();
            PLUGINS.add(loader);
        }
        said("Leaks$PluginLoader", 60, 60 * 300_000L, "Leaks.PLUGINS", "java.util.ArrayList");
    }

    static void queue() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        POOL.execute(() -> {
            begun.countDown();
            try {
                Thread.sleep(1_000_000);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        begun.await();
        for (int i = 0; i < 20_000; i++) POOL.execute(new Task(new byte[1_000]));
        said("Leaks$Task", 20_000, 20_000 * 1_000L, "Leaks.POOL → workQueue", "java.util.concurrent.LinkedBlockingQueue");
    }

    static void chain() {
        for (int i = 0; i < 100_000; i++) head = new Node(head);
        said("Leaks$Node", 100_000, 100_000 * 160L, "Leaks.head", "Leaks$Node");
    }

    /** Ten lists, each a tenth of the heap and held by a field of its own. */
    static Object a, b, c, d, e, f, g, h, i, j;

    static Object part(int size) {
        List<Object> part = new ArrayList<>();
        for (int n = 0; n < 2_000_000 / size; n++) part.add(new byte[size]);
        return part;
    }

    static void healthy() {
        a = part(1_000);
        b = part(1_100);
        c = part(1_200);
        d = part(1_300);
        e = part(1_400);
        f = part(1_500);
        g = part(1_600);
        h = part(1_700);
        i = part(1_800);
        j = part(1_900);
    }

    static int filled;

    static void fill() {
        for (;;) LIST.add(new byte[30_000]);
    }

    static void fillAll() {
        try {
            fill();
        } catch (OutOfMemoryError e) {
            filled = LIST.size();
            LIST.clear();
        }
    }

    static void oom() throws Exception {
        System.out.println("thread filler-7 at Leaks.fill");
        System.out.flush();
        Thread thread = new Thread(Leaks::fillAll, "filler-7");
        thread.start();
        thread.join();
        said("byte[]", filled, filled * 30_000L, "Leaks.LIST", "java.util.ArrayList");
    }

    static void said(String name, int objects, long bytes, String path, String collection) {
        System.out.println(String.join("\t", "suspect", name, "" + objects, "" + bytes, path, collection));
    }

    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "list" -> list();
            case "sessions" -> sessions();
            case "shared" -> shared();
            case "local" -> local();
            case "listeners" -> listeners();
            case "loaders" -> loaders();
            case "queue" -> queue();
            case "chain" -> chain();
            case "healthy" -> healthy();
            case "oom" -> oom();
            default -> throw new IllegalArgumentException(args[0]);
        }
        // The dump of an OutOfMemoryError is written by the virtual machine.
        if (!args[0].equals("oom"))
            ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class).dumpHeap(args[1], true);
        System.exit(0);
    }
}
