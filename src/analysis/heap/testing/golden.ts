/**
 * Figures of Eclipse MAT for a heap dump, and what differs from them in ours with `--sizes mat --roots mat`: by object, class
 * and root. Differences with a rule are not listed: MAT has an object at address 0, for the boot loader and for threads that
 * an agent did not know; it spells hidden classes with a plus, as the virtual machine does.
 */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Heap, ObjectGraph } from '../../../models/heap/heap.js';
import { idOfRow, rowOfId } from '../../../models/heap/object-ids.js';
import { ROOT_KINDS, type RootKind } from '../../../models/heap/root-kinds.js';
import { subjectOf } from '../../../models/open-recording.js';
import { className } from '../../../models/program/names.js';
import type { Program } from '../../../models/program/program.js';
import { openInputs } from '../../../session/open.node.js';
import { BY_ROOTS, type Dominators } from '../dominators.js';
import { objectSizes } from '../object-sizes.js';
import { dominatorsUse, graphUse, type HeapChoice, heapOf, sizesOf } from '../stages.js';

/** The parts of a dump that MAT gave figures for, as the session has them. */
interface Dump {
  readonly program: Program;
  readonly heap: Heap;
  readonly graph: ObjectGraph;
  readonly dominators: Dominators;
  /** Bytes. */
  readonly shallow: (row: number) => number;
}

/** How many rows were compared, and those that differ. */
export interface Compared {
  readonly objects: number;
  readonly classes: number;
  readonly roots: number;
  readonly differences: readonly string[];
}

/** Compares the first dump of `file` with the figures in `${golden}.objects.tsv.gz` and so on. */
export async function compareWithMat(file: string, golden: string): Promise<Compared> {
  const session = await openInputs([file], { cache: false, announce: () => undefined, work: {} });
  try {
    const subject = subjectOf(session.sources[0]);
    const choice: HeapChoice = { dump: 0, without: [], roots: 'mat', sizes: 'mat' };
    const heap = heapOf(subject, choice.dump);
    const graph = await session.derived.get(graphUse(subject, choice.dump));
    const dominators = await session.derived.get(dominatorsUse(subject, choice));
    const { size, unit } = objectSizes(graph, sizesOf(heap, graph, choice));
    const { program } = session.recordings[0];
    const dump: Dump = { program, heap, graph, dominators, shallow: (row) => size(row) * unit };
    const objects = tableOf(`${golden}.objects.tsv.gz`).slice(1);
    const classes = tableOf(`${golden}.classes.tsv.gz`).slice(1);
    const roots = tableOf(`${golden}.roots.tsv.gz`);
    const lines = readFileSync(`${golden}.summary.tsv`, 'utf8').split('\n');
    const summary = new Map(lines.map((line) => [line.split('\t')[0], line.split('\t')[1]]));
    const differences = [
      ...objectDifferences(dump, objects),
      ...classDifferences(dump, classes, objects),
      ...rootDifferences(dump, roots),
      ...totalDifferences(dump, summary, objects),
    ];
    return { objects: objects.length, classes: classes.length, roots: roots.length, differences };
  } finally {
    await session.close();
  }
}

function tableOf(path: string): string[][] {
  const lines = gunzipSync(readFileSync(path)).toString('utf8').trim().split('\n');
  return lines.map((line) => line.split('\t'));
}

/** Address of the object that stands for the boot loader. */
const STAND_IN = '0';

function spelled(name: string): string {
  return name.replace('+0x', '/0x');
}

function classOf({ program, heap, graph }: Dump, row: number): string {
  return className(program, heap.classes.class[graph.class[row]] ?? -1);
}

function objectDifferences(dump: Dump, golden: readonly string[][]): string[] {
  const { graph, dominators } = dump;
  const found: string[] = [];
  for (const [address, shallow, retained, dominator, type] of golden) {
    if (address === STAND_IN) continue;
    const row = rowOfId(graph.ids, Number.parseInt(address, 16));
    if (row < 0) {
      found.push(`object ${address}: missing`);
      continue;
    }
    const above = dominators.dominator[row];
    const by = above === BY_ROOTS ? '-' : above > BY_ROOTS ? 'unreachable' : idOfRow(graph.ids, above).toString(16);
    const ours = [dump.shallow(row), dominators.retained[row] * dominators.unit, by, classOf(dump, row)].join(' ');
    const theirs = [shallow, retained, dominator, spelled(type)].join(' ');
    if (ours !== theirs) found.push(`object ${address}: ${theirs}, ours ${ours}`);
  }
  return found;
}

/** Instances and bytes by class: MAT counts reachable objects only. */
function classDifferences(dump: Dump, golden: readonly string[][], objects: readonly string[][]): string[] {
  const sums = new Map<string, { count: number; bytes: number }>();
  const add = (name: string, bytes: number): void => {
    const sum = sums.get(name) ?? { count: 0, bytes: 0 };
    sums.set(name, { count: sum.count + 1, bytes: sum.bytes + bytes });
  };
  const { dominator } = dump.dominators;
  for (let row = 0; row < dominator.length; row++)
    if (dominator[row] <= BY_ROOTS) add(classOf(dump, row), dump.shallow(row));
  for (const [address, shallow, , , type] of objects) if (address === STAND_IN) add(type, Number(shallow));
  const found: string[] = [];
  for (const [name, count, bytes] of golden) {
    const { count: ours, bytes: ourBytes } = sums.get(spelled(name)) ?? { count: 0, bytes: 0 };
    sums.delete(spelled(name));
    if (`${ours} ${ourBytes}` !== `${count} ${bytes}`)
      found.push(`class ${name}: ${count} ${bytes}, ours ${ours} ${ourBytes}`);
  }
  return [...found, ...[...sums.keys()].map((name) => `class ${name}: only ours`)];
}

/** MAT's words. It has thread blocks as threads. */
const WORDS: Partial<Record<RootKind, string>> = {
  unknown: 'Unknown',
  'system-class': 'System Class',
  'jni-global': 'JNI Global',
  'jni-local': 'JNI Local',
  'java-frame': 'Java Local',
  'busy-monitor': 'Busy Monitor',
  'native-stack': 'Native Stack',
  'thread-block': 'Thread',
  thread: 'Thread',
};

function rootDifferences({ graph }: Dump, golden: readonly string[][]): string[] {
  const { row, kind, thread, length } = graph.roots;
  const known = new Set<number>();
  for (let i = 0; i < length; i++) if (ROOT_KINDS[kind[i]] === 'thread') known.add(thread[i]);
  const ours = new Map<string, Set<string>>();
  for (let i = 0; i < length; i++) {
    const of = ROOT_KINDS[kind[i]];
    // What a known thread holds in its frames hangs below the thread.
    if ((of === 'java-frame' || of === 'jni-local') && known.has(thread[i])) continue;
    const address = idOfRow(graph.ids, row[i]).toString(16);
    ours.set(address, (ours.get(address) ?? new Set()).add(WORDS[of] ?? of));
  }
  const lines = (roots: Iterable<readonly [string, Iterable<string>]>): Set<string> =>
    new Set([...roots].map(([address, kinds]) => `root ${address}: ${[...kinds].sort().join(', ')}`));
  const mine = lines(ours);
  // Agents write the address 0 for a thread that they do not know.
  const named = golden.filter(([address]) => address !== STAND_IN);
  const theirs = lines(named.map(([address, kinds]) => [address, kinds.split(', ')]));
  return [
    ...[...theirs].filter((line) => !mine.has(line)),
    ...[...mine].filter((line) => !theirs.has(line)).map((line) => `${line}: only ours`),
  ];
}

function totalDifferences(
  { dominators, heap }: Dump,
  summary: ReadonlyMap<string, string | undefined>,
  objects: readonly string[][],
): string[] {
  const standIn = objects.filter(([address]) => address === STAND_IN);
  const bytes = standIn.reduce((sum, [, shallow]) => sum + Number(shallow), dominators.bytes);
  const ours = { objects: dominators.objects + standIn.length, usedheap: bytes, idsize: heap.idSize };
  return Object.entries(ours)
    .filter(([key, value]) => summary.get(key) !== String(value))
    .map(([key, value]) => `${key}: ${summary.get(key)}, ours ${value}`);
}
