/** Reads damaged dumps to the end: graph, dominators and paths, with the laws that they keep whatever the file. */
import { dominatorsOf } from '../../../analysis/heap/dominators.js';
import { objectSizes } from '../../../analysis/heap/object-sizes.js';
import { shortestPaths } from '../../../analysis/heap/shortest-paths.js';
import { chosenGraph, type HeapChoice, sizesOf } from '../../../analysis/heap/stages.js';
import { TooLargeError } from '../../../base/errors.js';
import type { ByteSource } from '../../../bytes/byte-source.js';
import { type Heap, NO_ROW, type ObjectGraph } from '../../../models/heap/heap.js';
import type { Recording } from '../../../models/recording.js';
import type { Judge } from '../../../testing/fuzz/fuzzed-reader.js';
import { heapReader } from '../heaps.js';
import { readHprofFile } from '../read.js';

const CHOICES: readonly Omit<HeapChoice, 'dump'>[] = [
  { without: [], roots: 'vm', sizes: 'vm' },
  { without: ['soft', 'weak', 'phantom', 'final'], roots: 'mat', sizes: 'mat' },
];

function check(holds: boolean, law: string): void {
  if (!holds) throw new Error(`the engine breaks a law: ${law}`);
}

/** Throws if a law does not hold: the harness reports it as a crash. */
export async function readHeaps(source: ByteSource): Promise<Recording> {
  const recording = await readHprofFile(source);
  const reader = heapReader(source, recording);
  for (const heap of recording.heaps ?? []) {
    let graph: ObjectGraph;
    try {
      graph = await reader.graph(heap.dump);
    } catch (error) {
      if (error instanceof TooLargeError) continue;
      throw error;
    }
    for (const choice of CHOICES) await checkGraph(heap, graph, { dump: heap.dump, ...choice });
  }
  return recording;
}

async function checkGraph(heap: Heap, graph: ObjectGraph, choice: HeapChoice): Promise<void> {
  const chosen = chosenGraph(heap, graph, choice);
  const sizes = sizesOf(heap, graph, choice);
  const { size, unit } = objectSizes(graph, sizes);
  const found = await dominatorsOf(chosen, sizes);
  const { above } = await shortestPaths(chosen);
  let objects = 0;
  let bytes = 0;
  for (let row = 0; row < graph.ids.length; row++) {
    const isReachable = found.dominator[row] !== NO_ROW;
    check(isReachable === (above[row] !== NO_ROW), 'what has a dominator has a path');
    if (!isReachable) continue;
    objects++;
    bytes += size(row) * unit;
    check(found.retained[row] >= size(row), 'an object retains itself');
  }
  check(objects === found.objects && bytes === found.bytes, 'what roots retain is what they reach');
}

/** What a damaged dump has to hold is unknown; its laws are checked while it is read. */
export function heapOracle(): Judge {
  return () => ({ input: 'ambiguous' });
}
