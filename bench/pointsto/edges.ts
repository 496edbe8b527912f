/**
 * Our analysis against other programs, call by call: the same classes (a program that prints a line, java.base of a JDK), the same entries (`main` and
 * `System.initPhase1`, what else ours begins with left out), initialisers as calls of the code that uses their class. A call is a pair of two methods.
 *
 *   node dist/bench/pointsto/edges.js [--jdk HOME] [--cutoffs 0,20,inf] [--sootup FOLDER-OF-JARS] [--wala FOLDER-OF-JARS] [--folder FOLDER]
 *
 * `--folder` keeps classes and the files of the peers, which are not made again. The jars: `mvn dependency:copy-dependencies` of org.soot-oss:sootup.java.bytecode.frontend and sootup.callgraph 3.0.1, of
 * com.ibm.wala:com.ibm.wala.core 1.6.10.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { formatCount } from '../../src/base/units.js';
import { ownJdk } from '../../src/code/java/testing/jdks.js';
import { openAnalysed } from '../../src/session/open.node.js';
import { costOf } from '../process.js';
import { type NamedGraph, type OwnGraph, ownGraph, peerGraph, selectorOf } from './named-graph.js';
import { type Inputs, peerCommands, prepareInputs } from './peers.js';

const ENTRIES = ['Hello.main:([Ljava/lang/String;)V', 'java/lang/System.initPhase1:()V'];
const MADE = /\$\$(?:Lambda|Proxy)/;

const { values } = parseArgs({
  options: {
    jdk: { type: 'string' },
    cutoffs: { type: 'string', default: '20,inf' },
    sootup: { type: 'string' },
    wala: { type: 'string' },
    folder: { type: 'string' },
  },
});

async function analysisWith({ classes, jdk }: Inputs, cutoff: string): Promise<OwnGraph> {
  const request = { main: 'Hello', jdk, cutoff, clinit: 'edges' } as const;
  const session = await openAnalysed([classes], request, { cache: false, announce: () => undefined, work: {} });
  const [recording] = session.recordings;
  if (recording === undefined) throw new Error('no recording');
  const graph = ownGraph(recording, ENTRIES);
  await session.close();
  return graph;
}

/** Why only the peer has a call. */
function peerCause({ methods, all, declared }: OwnGraph, caller: string, callee: string): string {
  if (!methods.has(caller)) return all.has(caller) ? 'caller only from other entries here' : 'caller not reached here';
  if (callee.includes('.<clinit>:')) return 'initialiser';
  const isNamed = declared.get(caller)?.has(selectorOf(callee)) === true;
  if (!methods.has(callee))
    return isNamed ? 'callee not reached here: no object of its class' : 'callee not reached here';
  return isNamed ? 'both reached: no object of that class at the receiver' : 'both reached: no such call in the code';
}

/** Why only we have a call. */
function ownCause(peer: NamedGraph, { declared }: OwnGraph, caller: string, callee: string): string {
  if (MADE.test(caller) || MADE.test(callee)) return 'lambdas and proxies';
  if (!peer.methods.has(caller)) return 'caller not reached there';
  if (callee.includes('.<clinit>:')) return 'initialiser';
  const isNamed = declared.get(caller)?.has(selectorOf(callee)) === true;
  if (!peer.methods.has(callee))
    return isNamed ? 'callee not reached there' : 'models: bootstrap methods, handles, natives';
  return isNamed
    ? 'both reached: no object of that class at the receiver'
    : 'models: bootstrap methods, handles, natives';
}

function compare(ours: OwnGraph, peer: NamedGraph): void {
  const counts = new Map<string, number>();
  const count = (key: string): void => void counts.set(key, (counts.get(key) ?? 0) + 1);
  for (const [caller, callees] of peer.callees)
    for (const callee of callees)
      count(ours.callees.get(caller)?.has(callee) ? 'both' : `only there: ${peerCause(ours, caller, callee)}`);
  for (const [caller, callees] of ours.callees)
    for (const callee of callees)
      if (!peer.callees.get(caller)?.has(callee)) count(`only here: ${ownCause(peer, ours, caller, callee)}`);
  const shared = [...peer.methods].filter((method) => ours.methods.has(method)).length;
  line('methods: here, there, in both', [ours.methods.size, peer.methods.size, shared]);
  line('calls: here, there', [callsIn(ours), callsIn(peer)]);
  for (const key of [...counts.keys()].sort()) line(key, [counts.get(key) ?? 0]);
}

function callsIn({ callees }: NamedGraph): number {
  return [...callees.values()].reduce((sum, set) => sum + set.size, 0);
}

function line(title: string, numbers: readonly number[]): void {
  process.stdout.write(`  ${title.padEnd(66)}${numbers.map((each) => formatCount(each).padStart(10)).join('')}\n`);
}

const jdk = values.jdk ?? ownJdk();
if (jdk === undefined) throw new Error('java is not in PATH: name a JDK with --jdk');
const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'kansoku-pointsto-'));
try {
  const inputs = prepareInputs(jdk, folder);
  const peers = peerCommands(jdk, inputs, values).map(({ title, program, words }) => {
    const file = words.at(-1) ?? '';
    if (!existsSync(file)) costOf(program, words, folder, folder);
    return { title, graph: peerGraph(file) };
  });
  for (const cutoff of values.cutoffs.split(',')) {
    const ownCalls = await analysisWith(inputs, cutoff);
    for (const { title, graph } of peers) {
      process.stdout.write(`cut-off ${cutoff} and ${title}\n`);
      compare(ownCalls, graph);
    }
  }
} finally {
  if (values.folder === undefined) rmSync(folder, { recursive: true });
}
