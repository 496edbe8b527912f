import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** Direct and mapped buffers and views of them; prints what the pools of the virtual machine count, and writes a heap dump. */
public class Buffers {
    static final List<Object> kept = new ArrayList<>();

    public static void main(String[] args) throws Exception {
        for (int i = 1; i <= 3; i++) kept.add(ByteBuffer.allocateDirect(i * 1_000_000));
        ByteBuffer whole = ByteBuffer.allocateDirect(4096);
        kept.add(whole.slice());
        kept.add(whole.asReadOnlyBuffer());
        kept.add(whole.asIntBuffer());
        kept.add(ByteBuffer.allocate(77));
        Path file = Files.createTempFile("mapped", ".bin");
        Files.write(file, new byte[70_000]);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            kept.add(channel.map(FileChannel.MapMode.READ_ONLY, 0, 70_000));
            kept.add(channel.map(FileChannel.MapMode.READ_WRITE, 4096, 10_000));
        }
        Files.delete(file);
        for (BufferPoolMXBean pool : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class))
            System.out.println(pool.getName() + " " + pool.getCount() + " " + pool.getTotalCapacity());
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class).dumpHeap(args[0], true);
    }
}
