/**
 * The exports in real programs: Neo4j runs the Cypher script, JGraphT reads the GraphML. Expected calls are the lines of the reports. Maven
 * brings both.
 */
import { deepEqual, equal } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it, type TestContext } from 'node:test';
import { hasProgram, jdkHome } from '../../../../scripts/testing/programs.js';
import { memorySource } from '../../../bytes/byte-source.js';
import { inFullTier } from '../../../testing/amount.js';
import { ROOT } from '../../../testing/shared-data.js';
import { readCallTree } from '../read-text.js';
import { writeCypher } from './cypher.js';
import { cypherFileName } from './cypher-names.js';
import { writeGraphml } from './graphml.js';

const TESTING = join(ROOT, 'src/formats/call-tree/exports/testing');
/** Names with commas and quotes, a virtual call without a target, and a method that calls itself. */
const ODD = `└── entry app:demo.Odd.main(java.lang.String[]):void id=100, parsing reason:  root method 
    ├── directly calls app:demo.Odd.a, b(int, java.lang.String):void id=101 @bci=3->9 
    ├── virtually calls demo.Odd.quo"te():void @bci=4
    │   ├── is overridden by app:demo.Odd.quo"te():void id=102 
    │   └── is overridden by app:demo.Odd.a, b(int, java.lang.String):void id-ref=101 
    ├── directly calls app:demo.Odd.main(java.lang.String[]):void id-ref=100 @bci=7 
    └── virtually calls demo.Odd.none():void @bci=8

`;
const SHOP = readFileSync(join(ROOT, 'examples/points-to/call_tree_shop-2.txt'), 'utf8');
const REPORT = SHOP.replace(/\n\n$/, `\n${ODD}`);

const folder = mkdtempSync(join(tmpdir(), 'kansoku-graphs-'));
after(() => rmSync(folder, { recursive: true }));

/** `caller @bcis callee` of each target in a report, without types, by its lines. */
function callsIn(report: string): { calls: string[]; methods: Set<string> } {
  const above: { method: string; bcis: string }[] = [];
  const calls: string[] = [];
  const methods = new Set<string>();
  for (const line of report.split('\n')) {
    const [, indent = '', words, text = ''] =
      /^([│ ]*)[├└]── (entry|directly calls|virtually calls|is overridden by) (.*)$/.exec(line) ?? [];
    if (words === undefined) continue;
    const depth = indent.length / 4;
    const method = text.replace(words === 'virtually calls' ? '' : /^[\w.]+:/, '').replace(/\(.*$/, '');
    const own = / @bci=([\d>-]+) ?$/.exec(text)?.[1] ?? '';
    above.length = depth;
    methods.add(method);
    const caller = above.findLast((_, i) => i < depth - (words === 'is overridden by' ? 1 : 0));
    if (words === 'directly calls') calls.push(`${caller?.method} @${own} ${method}`);
    if (words === 'is overridden by') calls.push(`${caller?.method} @${above[depth - 1]?.bcis} ${method}`);
    above.push({ method, bcis: own });
  }
  return { calls: calls.sort(), methods };
}

let classPath: string | undefined;

/** What a program prints behind `= `, sorted lines; undefined if it cannot run here. */
function run(t: TestContext, program: string, ...args: string[]): string[] | undefined {
  if (!inFullTier(t, 'real-engines') || !hasProgram(t, 'mvn') || !hasProgram(t, 'jdk-17')) return undefined;
  if (classPath === undefined) {
    const file = join(folder, 'class-path');
    const goal = ['dependency:build-classpath', `-Dmdep.outputFile=${file}`];
    execFileSync('mvn', ['-q', '-B', '-f', join(TESTING, 'pom.xml'), ...goal]);
    classPath = readFileSync(file, 'utf8');
  }
  const output = execFileSync(
    join(jdkHome('17') ?? '', 'bin/java'),
    ['-cp', classPath, join(TESTING, program), ...args],
    {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  const lines = output.split('\n').filter((line) => line.startsWith('= '));
  return lines.map((line) => line.slice(2)).sort();
}

const read = () => readCallTree(memorySource('report', Buffer.from(REPORT)));

it('Neo4j loads the script', async (t) => {
  const { parts } = await writeCypher(await read(), {}, 'app.cypher');
  for (const [part, chunks] of parts)
    writeFileSync(join(folder, cypherFileName(part, 'app.cypher')), Buffer.concat([...chunks]));
  const script = join(folder, 'app.cypher');
  const lines = run(
    t,
    'RunCypher.java',
    script,
    join(folder, 'database'),
    `MATCH (caller:Method)-[call:CALLS]->(callee:Method)
     RETURN caller.type + '.' + caller.name + ' @' + call.bcis + ' ' + callee.type + '.' + callee.name`,
    "MATCH (method:Method) RETURN 'method ' + method.type + '.' + method.name",
    "MATCH (method:Method {entry: true}) RETURN 'entry ' + method.type + '.' + method.name",
    "MATCH (:Method)-[:HAS]->(call:Call)-[:DECLARES]->(:Method) RETURN 'call ' + call.bcis",
    sampleQuery(readFileSync(script, 'utf8')),
  );
  if (lines === undefined) return;
  const { calls, methods } = callsIn(REPORT);
  const kind = (word: string): string[] =>
    lines.flatMap((line) => (line.startsWith(`${word} `) ? [line.slice(word.length + 1)] : []));
  deepEqual(
    lines.filter((line) => / @[\d>-]+ /.test(line)),
    calls,
  );
  deepEqual(new Set(kind('method')), methods);
  equal(kind('entry').length, REPORT.match(/── entry /g)?.length);
  equal(kind('call').length, REPORT.match(/── (?:directly|virtually) calls /g)?.length);
  // Shop.Main.main, Stock.open, HashMap.get.
  deepEqual(kind('length'), ['2']);
});

it('JGraphT reads the GraphML', async (t) => {
  const file = join(folder, 'app.graphml');
  const { chunks } = writeGraphml(await read());
  writeFileSync(file, Buffer.concat([...chunks]));
  const lines = run(t, 'ReadGraphml.java', file);
  if (lines === undefined) return;
  deepEqual(
    lines.map((line) => line.replace(/\([^(]*?\)(?= @|$)/g, '')),
    callsIn(REPORT).calls,
  );
});

/** The query in the comment of a script, for another method. */
function sampleQuery(script: string): string {
  const [, query = ''] = /\/\/ {3}(MATCH p = .*?);/s.exec(script) ?? [];
  return query
    .replace(/\n\/\/ +/g, ' ')
    .replace("'put'", "'get'")
    .replace('RETURN p ', "RETURN 'length ' + length(p) ");
}
