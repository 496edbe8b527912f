/** What several threads read is what one reads: of many segments, of one that is split, of Android's tiny ones. */
import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { dominatorsOf } from '../../../../analysis/heap/dominators.js';
import { shortestPaths } from '../../../../analysis/heap/shortest-paths.js';
import { chosenGraph } from '../../../../analysis/heap/stages.js';
import type { Progress, Work } from '../../../../base/progress.js';
import { fileSource } from '../../../../bytes/file.node.js';
import { type Heap, LAST_REFERENCE, type ObjectGraph } from '../../../../models/heap/heap.js';
import { THREADS } from '../../../../session/threads/threads.node.js';
import { amount, kindsAt } from '../../../../testing/amount.js';
import { heapReader } from '../../heaps.js';
import { readHprofFile } from '../../read.js';
import * as tags from '../../tags.js';
import { LAYOUTS } from '../../testing/heap-layout.js';
import { PlacedHeap } from '../../testing/placed-heap.js';
import { MemorySink } from '../../write/bytes.js';
import type { HprofOptions } from '../../write/records.js';

/** Long ranges are split every 4 MiB: four parts. */
const BYTES = amount(15, 6) << 20;

/** Lists, arrays of them, arrays of bytes, and a class without a class dump. */
function dump(options: Omit<HprofOptions, 'idSize'>, layout: (typeof LAYOUTS)[keyof typeof LAYOUTS]): Uint8Array {
  const sink = new MemorySink();
  const heap = new PlacedHeap(sink, { ...options, layout });
  const object = heap.define('java/lang/Object');
  heap.define('java/lang/Class', { parent: object });
  const fields = [['next', tags.TYPE_OBJECT] as const, ['other', tags.TYPE_OBJECT] as const];
  const node = heap.define('a/Node', { parent: object, fields });
  const array = heap.define('[Ljava/lang/Object;', { parent: object });
  const bytes = heap.define('[B', { parent: object });
  heap.writeClasses();
  let before = 0;
  for (let i = 0; heap.writer.length < BYTES; i++) {
    const nodes = Array.from({ length: 20 }, () => heap.take(node));
    const held = heap.takeArray(tags.TYPE_OBJECT, 23);
    const data = heap.takeArray(tags.TYPE_BYTE, i % 50);
    nodes.forEach((at, j) => {
      const out = heap.instance(at, node);
      heap.reference(out, nodes[j + 1] ?? 0);
      heap.reference(out, j % 3 === 0 ? held : data);
    });
    // References to later objects, earlier ones, and missing ones.
    heap.objects(held, array, [...nodes, before, data, i % 9 === 0 ? 0x40 : 0]);
    heap.primitives(data, bytes, tags.TYPE_BYTE, i % 50).zeros(i % 50);
    if (i % 100 === 0) heap.writer.root(tags.ROOT_JAVA_FRAME, held, [1, i % 7]);
    if (i % 1000 === 0) heap.writer.instance(heap.space.take(16), 0x5550, 0);
    before = held;
  }
  // Larger than a window, and than a part.
  const large = heap.takeArray(tags.TYPE_OBJECT, 800_000);
  heap.objects(large, array, new Array(800_000).fill(before));
  heap.writer.root(tags.ROOT_JNI_GLOBAL, large, [1]);
  heap.writeClassRoots();
  heap.writer.end();
  return sink.bytes();
}

async function readWith(path: string, work: Work): Promise<{ heap: Heap; graph: ObjectGraph }> {
  const source = await fileSource(path);
  try {
    const recording = await readHprofFile(source, work);
    const [heap] = recording.heaps ?? [];
    if (heap === undefined) throw new Error('no heap');
    return { heap, graph: await heapReader(source, recording).graph(heap.dump, work) };
  } finally {
    await source.close?.();
  }
}

/** The references of all objects in the order of rows: threads put them anywhere. */
function inOrder({ first, targets }: ObjectGraph): Uint32Array {
  const lists = new Uint32Array(targets.length);
  let length = 0;
  for (let row = 0; row < first.length; row++) {
    if (first[row] === 0) continue;
    let at = first[row] - 1;
    while (targets[at] < LAST_REFERENCE) lists[length++] = targets[at++];
    lists[length++] = targets[at];
  }
  return lists.subarray(0, length);
}

const choice = { dump: 0, without: [], roots: 'vm', sizes: 'vm' } as const;

/** All phases of an analysis, each with what was done at its reports. */
async function analyse(path: string, work: Work): Promise<void> {
  const { heap, graph } = await readWith(path, work);
  const chosen = chosenGraph(heap, graph, choice);
  await dominatorsOf(chosen, heap.sizes, work);
  await shortestPaths(chosen, work);
}

const PHASES = [
  'reading',
  'finding objects',
  'reading references',
  'dominators: search',
  'dominators: referrers',
  'dominators: semidominators',
  'dominators: sizes',
  'shortest paths',
];

describe('threads', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kansoku-'));
  after(() => rmSync(folder, { recursive: true }));
  const cases = {
    'segments of 1 MiB': dump({ version: '1.0.2' }, LAYOUTS.compressed),
    'one record': dump({ version: '1.0.1' }, LAYOUTS.narrow),
    'tiny segments': dump({ version: '1.0.3' }, LAYOUTS.narrow),
  };
  for (const [name, bytes] of Object.entries(cases))
    test(name, async () => {
      const path = join(folder, 'x.hprof');
      writeFileSync(path, bytes);
      const tasks: string[] = [];
      const run: typeof THREADS.run = (task, argument, signal) => {
        tasks.push(task);
        return THREADS.run(task, argument, signal);
      };
      const alone = await readWith(path, {});
      const together = await readWith(path, { threads: { count: 3, least: 0, prepare: () => THREADS.prepare(), run } });
      equal(tasks.length, 6, 'two others in each of three passes');
      deepEqual(together.heap, alone.heap);
      const { first: _, targets, ...rest } = alone.graph;
      const { first: __, targets: others, ...same } = together.graph;
      deepEqual(same, rest);
      equal(others.length, targets.length);
      deepEqual(inOrder(together.graph), inOrder(alone.graph));
      ok(alone.graph.missing > 100 && alone.graph.ids.length > 100_000);
      const [one, several] = await Promise.all(
        [alone, together].map(({ heap, graph }) => dominatorsOf(chosenGraph(heap, graph, choice), heap.sizes)),
      );
      deepEqual(several, one);
    });

  test('phases report how much is done of how much, and each can be stopped', async () => {
    const path = join(folder, 'x.hprof');
    writeFileSync(path, cases['one record']);
    const threads = { count: 2, least: 0, prepare: () => THREADS.prepare(), run: THREADS.run.bind(THREADS) };
    const seen = new Map<string, Progress[]>();
    const progress = (report: Progress): void => {
      seen.set(report.phase, [...(seen.get(report.phase) ?? []), report]);
    };
    await analyse(path, { progress, threads });
    // The walk over the records is the first phase; it is over at once.
    deepEqual([...seen.keys()], PHASES);
    for (const reports of seen.values()) {
      const totals = new Set(reports.map(({ total }) => total));
      ok(totals.size <= 2 && !totals.has(undefined));
      for (const { done, total } of reports) ok(done >= 0 && done <= (total ?? 0));
    }
    for (const [i, phase] of PHASES.entries())
      for (const work of kindsAt(i, [{}, { threads }])) {
        const controller = new AbortController();
        const stop = (report: Progress): void => {
          if (report.phase === phase) controller.abort();
        };
        await rejects(
          analyse(path, { ...work, progress: stop, signal: controller.signal }),
          { name: 'AbortError' },
          phase,
        );
      }
  });
});
