/** Asks its VM for a dump of profiling data (SIGQUIT) between two halves of its work. */
public class Quit {
    static final Object[] kept = new Object[2];

    static long[] half(int elements) {
        return new long[elements];
    }

    static void quit() throws Exception {
        String pid = String.valueOf(ProcessHandle.current().pid());
        new ProcessBuilder("kill", "-QUIT", pid).inheritIO().start().waitFor();
        Thread.sleep(1000);
    }

    public static void main(String[] args) throws Exception {
        kept[0] = half(1111);
        quit();
        kept[1] = half(2222);
    }
}
