/** Random heaps in every spelling of the format: dominators, retained sizes, paths and sums as by definition. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { memorySource } from '../../bytes/byte-source.js';
import { heapReader } from '../../formats/hprof/heaps.js';
import { readHprofFile } from '../../formats/hprof/read.js';
import { bruteDominance } from '../../formats/hprof/testing/plain-graph.js';
import { type DumpOptions, dumpBytes, type PlainHeap } from '../../formats/hprof/testing/plain-heap.js';
import { randomHeap } from '../../formats/hprof/testing/random-heap.js';
import { VERSIONS } from '../../formats/hprof/write/records.js';
import type { Heap, ObjectGraph } from '../../models/heap/heap.js';
import { rowOfId } from '../../models/heap/object-ids.js';
import { runs } from '../../testing/amount.js';
import { BY_ROOTS, type Dominators, dominatorsOf } from './dominators.js';
import { objectSizes } from './object-sizes.js';
import type { ChosenGraph } from './reachable-edges.js';
import { IS_ROOT, shortestPaths } from './shortest-paths.js';
import { chosenGraph, type HeapChoice, sizesOf } from './stages.js';
import { chosenPlain, plainDistances, withReferences } from './testing/plain-dominance.js';

async function engineOf(bytes: Uint8Array): Promise<{ heap: Heap; graph: ObjectGraph }> {
  const source = memorySource('x', bytes);
  const recording = await readHprofFile(source);
  const heap = recording.heaps?.[0];
  if (heap === undefined) throw new Error('no heap');
  return { heap, graph: await heapReader(source, recording).graph(heap.dump) };
}

const spelling = fc.record({
  version: fc.constantFrom(...VERSIONS),
  heaps: fc.boolean(),
  order: fc.shuffledSubarray(['classes', 'objects', 'roots'] as const, { minLength: 3 }),
  elementClasses: fc.boolean(),
  arraysTwice: fc.boolean(),
  segmentBytes: fc.constantFrom(64, 4096),
});

/** Dumps of the old versions are one record; only Android has several heaps. */
function bytesOf(
  { segmentBytes, heaps, ...rest }: Omit<DumpOptions, 'idSize'>,
  idSize: 4 | 8,
  heap: PlainHeap,
): Uint8Array {
  const { version } = rest;
  const inSegments = version === '1.0.2' || version === '1.0.3';
  return dumpBytes(
    {
      ...rest,
      idSize,
      ...(inSegments && segmentBytes !== undefined && { segmentBytes }),
      heaps: version === '1.0.3' && heaps === true,
    },
    heap,
  );
}
const choice = fc.record({
  without: fc.subarray(['soft', 'weak', 'phantom', 'final'] as const),
  roots: fc.constantFrom('vm' as const, 'mat' as const),
  sizes: fc.constantFrom('vm' as const, 'mat' as const),
});
const drawn = fc.record({ random: randomHeap, spelling, choice, twice: fc.boolean() });

/** Puts objects behind the others that have ids of these, which do not count. */
function withTwins(heap: PlainHeap): PlainHeap {
  const twins = heap.objects.slice(0, 2).map(({ id }, i) => ({ ...(heap.objects.at(-1 - i) ?? heap.objects[0]), id }));
  return { ...heap, objects: [...heap.objects, ...twins] };
}

function compareDominators(
  heap: PlainHeap,
  graph: ObjectGraph,
  dominators: Dominators,
  options: HeapChoice,
  size: (row: number) => number,
): void {
  const row = (id: number): number => rowOfId(graph.ids, id);
  const plain = chosenPlain(heap, options, (id) => size(row(id)));
  const brute = bruteDominance(plain);
  const ours = plain.ids.map((id) => {
    const above = dominators.dominator[row(id)];
    if (above >= BY_ROOTS) return above === BY_ROOTS ? -1 : -2;
    return plain.ids.findIndex((one) => row(one) === above);
  });
  deepEqual(ours, brute.dominator);
  deepEqual(
    plain.ids.map((id) => dominators.retained[row(id)] * dominators.unit),
    brute.retained,
  );
  const reachable = plain.bytes.filter((_, i) => brute.dominator[i] !== -2);
  equal(dominators.objects, reachable.length);
  equal(
    dominators.bytes,
    reachable.reduce((sum, one) => sum + one, 0),
  );
}

async function comparePaths(
  heap: PlainHeap,
  graph: ObjectGraph,
  chosen: ChosenGraph,
  options: HeapChoice,
): Promise<void> {
  const plain = chosenPlain(heap, options, () => 0);
  const { above } = await shortestPaths(chosen);
  const rowOf = new Map(plain.ids.map((id, i) => [rowOfId(graph.ids, id), i]));
  const distance = plainDistances(plain);
  plain.ids.forEach((id, i) => {
    const over = above[rowOfId(graph.ids, id)];
    if (distance[i] <= 0) equal(over, distance[i] === 0 ? IS_ROOT : 0xffffffff);
    else {
      const from = rowOf.get(over) ?? -1;
      ok(plain.edges[from]?.some(({ to }) => to === i));
      equal(distance[from], distance[i] - 1);
    }
  });
}

test('dominators, retained bytes and shortest paths are those of the definition', async () => {
  await fc.assert(
    fc.asyncProperty(drawn, async ({ random, spelling: spelled, choice: chosen, twice }) => {
      const heap = withReferences(random.heap);
      const bytes = bytesOf(spelled, random.layout.idSize, twice ? withTwins(heap) : heap);
      const { heap: read, graph } = await engineOf(bytes);
      const parameters: HeapChoice = { dump: 0, ...chosen };
      const sizes = sizesOf(read, graph, parameters);
      const { size, unit } = objectSizes(graph, sizes);
      const chosenBy = chosenGraph(read, graph, parameters);
      const dominators = await dominatorsOf(chosenBy, sizes);
      compareDominators(heap, graph, dominators, parameters, (row) => size(row) * unit);
      await comparePaths(heap, graph, chosenBy, parameters);
      equal(graph.ids.length, heap.classes.length + heap.objects.length);
    }),
    runs(4000),
  );
});

test('objects and bytes of a class are those of its objects, also where ids stand twice', async () => {
  await fc.assert(
    fc.asyncProperty(randomHeap, spelling, fc.boolean(), async ({ heap, layout }, spelled, twice) => {
      const { heap: read, graph } = await engineOf(bytesOf(spelled, layout.idSize, twice ? withTwins(heap) : heap));
      const { size, unit } = objectSizes(graph, read.sizes);
      const sums = new Float64Array(read.classes.length);
      const counts = new Float64Array(read.classes.length);
      const mirrors = new Set(graph.mirrorRow);
      graph.class.forEach((of, row) => {
        if (mirrors.has(row)) return;
        sums[of] += size(row) * unit;
        counts[of]++;
      });
      deepEqual([...read.sizes.bytes], [...sums]);
      deepEqual([...read.classes.objects], [...counts]);
    }),
    runs(500),
  );
});
