/**
 * The script that imports the tables of a call graph into a graph database, beside the tables. It is written for Neo4j 4.4 and later: other
 * databases that speak Cypher name constraints and transactions differently. Unlike those of a report, the cells of these tables are quoted
 * where they need it.
 */
import { encodeUtf8 } from '../../../base/text.js';
import type { Recording } from '../../../models/recording.js';
import type { WriteOptions, WrittenSet } from '../../capabilities/writer.js';
import { writeCallTreeSet } from '../tables/write-set.js';
import { cypherFileName, SCRIPT } from './cypher-names.js';

/** The three tables and the script, as files beside `output`. Throws `UsageError` for recordings without a call graph. */
export async function writeCypher(recording: Recording, options: WriteOptions, output: string): Promise<WrittenSet> {
  const { parts, dropped } = await writeCallTreeSet(recording, { ...options, version: '24.1' }, { quoted: true });
  const name = (table: string): string => encodeURI(cypherFileName(table, output.slice(output.lastIndexOf('/') + 1)));
  return { parts: new Map([...parts, [SCRIPT, [encodeUtf8(scriptOf(name))]]]), dropped };
}

function scriptOf(file: (table: string) => string): string {
  const load = (table: string): string =>
    `LOAD CSV WITH HEADERS FROM 'file:///${file(table).replaceAll("'", '%27')}' AS row`;
  return `// The call graph in a graph database: put the tables into its import folder, then run this script with cypher-shell.
// (:Method)-[:HAS]->(:Call)-[:DECLARES]->(:Method) is a call and the method it names; (:Method)-[:CALLS]->(:Method) what it may reach.
//
// Why is a method reachable:
//   MATCH p = shortestPath((:Method {entry: true})-[:CALLS*..100]->(:Method {type: 'java.util.HashMap', name: 'put'}))
//   RETURN p ORDER BY length(p) LIMIT 1;

CREATE CONSTRAINT kansoku_method IF NOT EXISTS FOR (method:Method) REQUIRE method.id IS UNIQUE;
CREATE CONSTRAINT kansoku_call IF NOT EXISTS FOR (call:Call) REQUIRE call.id IS UNIQUE;

${load('methods')}
CALL {
  WITH row
  CREATE (:Method {id: toInteger(row.Id), name: row.Name, type: row.Type, parameters: row.Parameters, returns: row.Return,
    display: row.Display, flags: row.Flags, entry: row.IsEntryPoint = 'true'})
} IN TRANSACTIONS OF 10000 ROWS;

${load('invokes')}
CALL {
  WITH row
  MATCH (caller:Method {id: toInteger(row.MethodId)})
  CREATE (caller)-[:HAS]->(call:Call {id: toInteger(row.Id), bcis: row.BytecodeIndexes, direct: row.IsDirect = 'true'})
  WITH row, call
  MATCH (declared:Method {id: toInteger(row.TargetId)})
  CREATE (call)-[:DECLARES]->(declared)
} IN TRANSACTIONS OF 10000 ROWS;

${load('targets')}
CALL {
  WITH row
  MATCH (caller:Method)-[:HAS]->(call:Call {id: toInteger(row.InvokeId)})
  MATCH (callee:Method {id: toInteger(row.TargetId)})
  CREATE (caller)-[:CALLS {call: call.id, bcis: call.bcis, direct: call.direct}]->(callee)
} IN TRANSACTIONS OF 10000 ROWS;
`;
}
