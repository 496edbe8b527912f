import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jgrapht.graph.DefaultEdge;
import org.jgrapht.graph.DirectedPseudograph;
import org.jgrapht.nio.graphml.GraphMLImporter;
import org.jgrapht.util.SupplierUtil;

/** Reads a file of GraphML and prints its edges, a line each: ReadGraphml FILE */
public final class ReadGraphml {
  public static void main(String[] args) {
    DirectedPseudograph<String, DefaultEdge> graph =
        new DirectedPseudograph<>(SupplierUtil.createStringSupplier(), DefaultEdge::new, false);
    Map<String, String> names = new ConcurrentHashMap<>();
    Map<DefaultEdge, String> indexes = new ConcurrentHashMap<>();
    GraphMLImporter<String, DefaultEdge> importer = new GraphMLImporter<>();
    importer.setVertexFactory(id -> id);
    importer.addVertexAttributeConsumer(
        (of, value) -> {
          if (of.getSecond().equals("name")) names.put(of.getFirst(), value.getValue());
        });
    importer.addEdgeAttributeConsumer(
        (of, value) -> {
          if (of.getSecond().equals("bcis")) indexes.put(of.getFirst(), value.getValue());
        });
    importer.importGraph(graph, new File(args[0]));
    List<String> lines = new ArrayList<>();
    for (DefaultEdge edge : graph.edgeSet())
      lines.add(
          names.get(graph.getEdgeSource(edge)) + " @" + indexes.get(edge) + " " + names.get(graph.getEdgeTarget(edge)));
    for (String line : lines) System.out.println("= " + line);
  }
}
