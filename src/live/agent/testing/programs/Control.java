/** Does what an agent asks for by the names of short threads: a class that comes and goes, a thread that counts, dumps on request. */
public class Control {
  static volatile long counted;

  public static class Victim {
    public static String say() {
      return "victim";
    }
  }

  static String sayOfOwnLoader() throws Exception {
    byte[] bytes = Control.class.getResourceAsStream("Control$Victim.class").readAllBytes();
    Class<?> type = new ClassLoader(null) {
      Class<?> define() {
        return defineClass("Control$Victim", bytes, 0, bytes.length);
      }
    }.define();
    return (String) type.getMethod("say").invoke(null);
  }

  /** Starts a thread whose name tells the agent what to do next, and gives it time. */
  static void ask(String name) throws Exception {
    Thread thread = new Thread(() -> {}, name);
    thread.start();
    thread.join();
    Thread.sleep(300);
  }

  static long countedIn(int milliseconds) throws Exception {
    long before = counted;
    Thread.sleep(milliseconds);
    return counted - before;
  }

  public static void main(String[] arguments) throws Exception {
    Thread counter = new Thread(() -> {
      while (true) counted++;
    }, "counter");
    counter.setDaemon(true);
    counter.start();
    System.out.println(sayOfOwnLoader());
    ask("collect");
    ask("suspend");
    System.out.println("suspended: " + (countedIn(200) == 0));
    ask("resume");
    System.out.println("resumed: " + (countedIn(200) > 0));
    String jcmd = System.getProperty("java.home") + "/bin/jcmd";
    new ProcessBuilder(jcmd, "" + ProcessHandle.current().pid(), "JVMTI.data_dump").start().waitFor();
    ask("exit");
    Thread.sleep(60_000);
    System.out.println("not reached");
  }
}
