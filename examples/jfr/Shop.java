import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/** A web shop and its clients in one process, for a recording: hot code, allocation, a monitor and a lock that are wanted. */
public class Shop {
  private static final Object STOCK = new Object();
  private static final ReentrantLock ORDERS = new ReentrantLock();
  private static final AtomicInteger REQUESTS = new AtomicInteger();
  private static volatile double sum;

  public static void main(String[] args) throws Exception {
    long end = System.nanoTime() + Long.parseLong(args[0]) * 1_000_000_000L;
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    AtomicInteger workers = new AtomicInteger();
    server.setExecutor(Executors.newFixedThreadPool(6, work -> new Thread(work, "http-" + workers.incrementAndGet())));
    server.createContext("/", Shop::handle);
    server.start();
    Thread[] clients = new Thread[8];
    for (int i = 0; i < clients.length; i++) {
      clients[i] = new Thread(() -> askUntil(end, server.getAddress().getPort()), "client-" + (i + 1));
      clients[i].start();
    }
    for (Thread client : clients) client.join();
    System.exit(0);
  }

  private static void askUntil(long end, int port) {
    while (System.nanoTime() < end) {
      try (InputStream page = URI.create("http://127.0.0.1:" + port + "/").toURL().openStream()) {
        page.readAllBytes();
        Thread.sleep(10);
      } catch (IOException | InterruptedException error) {
        throw new IllegalStateException(error);
      }
    }
  }

  private static void handle(HttpExchange exchange) throws IOException {
    int request = REQUESTS.incrementAndGet();
    sum += price(200_000);
    if (request % 3 == 0) reserve();
    else if (request % 3 == 1) order();
    byte[] page = page(4_000).getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(200, page.length);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(page);
    }
  }

  private static double price(int parts) {
    double price = 0;
    for (int i = 1; i < parts; i++) price += Math.sqrt(i) * Math.sin(i);
    return price;
  }

  private static String page(int lines) {
    StringBuilder page = new StringBuilder();
    for (int i = 0; i < lines; i++) page.append("<li>").append(i * 31).append("</li>");
    return page.toString();
  }

  private static void reserve() {
    synchronized (STOCK) {
      pause(20);
    }
  }

  private static void order() {
    ORDERS.lock();
    try {
      pause(12);
    } finally {
      ORDERS.unlock();
    }
  }

  private static void pause(long milliseconds) {
    try {
      Thread.sleep(milliseconds);
    } catch (InterruptedException error) {
      throw new IllegalStateException(error);
    }
  }
}
