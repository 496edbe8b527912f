import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;

/**
 * A heap of many kinds of objects, to be dumped: prints "ready" and waits until its standard input ends.
 *
 *   java Big.java [CUSTOMERS]
 *
 * 190,000 customers, the default, are 1 GB of dump and 18 million objects. The same number gives the same objects, but for what the VM adds.
 */
public class Big {
  static final List<Object> ROOTS = new ArrayList<>();
  static final Map<String, byte[]> CACHE = new HashMap<>();
  static final String[] CITIES = {"Lisboa", "Zürich", "Kraków", "東京", "Reykjavík", "Quito", "Oslo", "Nairobi"};
  static final int THREADS = 24;
  static final Random RANDOM = new Random(20261121);

  enum State { OPEN, PAID, SENT, LOST }

  static class Address {
    final String street;
    final String city;
    final int number;

    Address(String street, String city, int number) {
      this.street = street;
      this.city = city;
      this.number = number;
    }
  }

  static class Line {
    final Order order;
    final String article;
    final long cents;
    final short count;
    final boolean gift;

    Line(Order order, int at) {
      this.order = order;
      this.article = at % 3 == 0 ? "article-" + at % 1000 : "article";
      this.cents = 100 + at;
      this.count = (short) (at % 9);
      this.gift = at % 7 == 0;
    }
  }

  static class Order {
    final Customer customer;
    final long number;
    final State state;
    final List<Line> lines = new ArrayList<>();
    final double[] weights;

    Order(Customer customer, long number) {
      this.customer = customer;
      this.number = number;
      this.state = State.values()[(int) (number % 4)];
      for (int i = 0; i < 4; i++) lines.add(new Line(this, (int) (number * 7 + i)));
      this.weights = new double[(int) (number % 5)];
    }
  }

  static class Customer {
    final String name;
    final Address address;
    final Map<Object, Order> orders;
    final List<String> notes;
    final byte[] picture;
    Customer friend;

    Customer(int number) {
      name = "Customer " + number;
      address = new Address("Street " + number % 5000, new String(CITIES[number % CITIES.length]), number % 200);
      orders = switch (number % 4) {
        case 0 -> new TreeMap<>();
        case 1 -> new LinkedHashMap<>();
        case 2 -> new HashMap<>(64);
        default -> new ConcurrentHashMap<>();
      };
      for (int i = 0; i < 5; i++) {
        Order order = new Order(this, number * 5L + i);
        orders.put(number % 8 < 4 ? (Object) ("O" + order.number) : (Object) Long.valueOf(order.number), order);
      }
      notes = number % 3 == 0 ? new ArrayList<>(100) : new ArrayList<>();
      if (number % 3 == 1) notes.add("called on day " + number % 365);
      picture = number % 10 == 0 ? new byte[RANDOM.nextInt(4000)] : null;
    }
  }

  static class Node {
    Node next;
    Node previous;
    int value;
  }

  /** A list of `length`, linked in one or in both directions. */
  static Node chain(int length, boolean both) {
    Node first = new Node();
    Node last = first;
    for (int i = 1; i < length; i++) {
      Node node = new Node();
      node.value = i;
      if (both) node.previous = last;
      last.next = node;
      last = node;
    }
    return first;
  }

  /** A class of each loader: the same name, another class. */
  public static class Plugin {
    static final List<String> STATE = new ArrayList<>(List.of("loaded"));
    final long[] data = new long[50];
  }

  static void plugins(int count) throws Exception {
    URL[] here = {Big.class.getProtectionDomain().getCodeSource().getLocation()};
    for (int i = 0; i < count; i++) {
      URLClassLoader loader = new URLClassLoader(here, null);
      ROOTS.add(loader.loadClass("Big$Plugin").getConstructor().newInstance());
    }
  }

  static void threads(CountDownLatch ready) {
    for (int i = 0; i < THREADS; i++) {
      int number = i;
      Thread thread = new Thread(() -> work(number, ready), "worker-" + i);
      thread.setDaemon(true);
      thread.start();
    }
  }

  static void work(int number, CountDownLatch ready) {
    ThreadLocal<StringBuilder> local = ThreadLocal.withInitial(StringBuilder::new);
    local.get().append("thread ").append(number);
    long[] held = new long[1000 + number];
    Map<Integer, String> map = new HashMap<>();
    for (int i = 0; i < 100; i++) map.put(i * 1000, "value " + i);
    ready.countDown();
    synchronized (held) {
      while (true) {
        try {
          held.wait();
        } catch (InterruptedException e) {
          throw new IllegalStateException(map.toString(), e);
        }
      }
    }
  }

  public static void main(String[] words) throws Exception {
    int customers = words.length > 0 ? Integer.parseInt(words[0]) : 190_000;
    List<Customer> all = new ArrayList<>();
    Map<String, Customer> byName = new HashMap<>();
    for (int i = 0; i < customers; i++) {
      Customer customer = new Customer(i);
      if (i > 0) customer.friend = all.get(RANDOM.nextInt(i));
      all.add(customer);
      byName.put(customer.name, customer);
      if (i % 100 == 0) CACHE.put("image-" + i, new byte[2000]);
      if (i % 50 == 0) ROOTS.add(new WeakReference<>(customer));
      if (i % 90 == 0) ROOTS.add(new SoftReference<>(customer));
    }
    ROOTS.add(all);
    ROOTS.add(byName);
    int list = (int) (customers * 3.4);
    ROOTS.add(chain(list, false));
    ROOTS.add(chain(list / 3, true));
    LinkedList<Integer> linked = new LinkedList<>();
    ConcurrentSkipListMap<Integer, String> skip = new ConcurrentSkipListMap<>();
    IdentityHashMap<Object, Object> identity = new IdentityHashMap<>();
    ArrayDeque<Object> deque = new ArrayDeque<>();
    for (int i = 0; i < list / 3; i++) linked.add(i);
    for (int i = 0; i < customers / 2; i++) {
      skip.put(i, "s" + i % 100);
      identity.put(all.get(i), all.get(customers - 1 - i));
      deque.add(new Object[i % 12]);
    }
    ROOTS.addAll(List.of(linked, skip, identity, deque, new double[customers / 1000 + 1][1000], new int[customers][2]));
    plugins(60);
    CountDownLatch ready = new CountDownLatch(THREADS);
    threads(ready);
    ready.await();
    System.out.println("ready");
    while (System.in.read() >= 0) {}
  }
}
