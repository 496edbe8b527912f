import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.neo4j.configuration.GraphDatabaseSettings;
import org.neo4j.dbms.api.DatabaseManagementService;
import org.neo4j.dbms.api.DatabaseManagementServiceBuilder;
import org.neo4j.graphdb.GraphDatabaseService;
import org.neo4j.graphdb.Result;

/** Runs a script of Cypher in a new database, then queries of one column: RunCypher SCRIPT DATABASE QUERY... */
public final class RunCypher {
  public static void main(String[] args) throws Exception {
    Path script = Path.of(args[0]).toAbsolutePath();
    DatabaseManagementService service =
        new DatabaseManagementServiceBuilder(Path.of(args[1]))
            .setConfig(GraphDatabaseSettings.load_csv_file_url_root, script.getParent())
            .build();
    try {
      GraphDatabaseService database = service.database(GraphDatabaseSettings.DEFAULT_DATABASE_NAME);
      for (String statement : Files.readString(script).replaceAll("(?m)^//.*$", "").split(";\n"))
        if (!statement.isBlank()) database.executeTransactionally(statement);
      for (int i = 2; i < args.length; i++) database.executeTransactionally(args[i], Map.of(), RunCypher::print);
    } finally {
      service.shutdown();
    }
  }

  private static Object print(Result rows) {
    while (rows.hasNext()) System.out.println("= " + rows.next().values().iterator().next());
    return null;
  }
}
