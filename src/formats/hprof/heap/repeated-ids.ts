/** Objects with the id of another one: a scan that leaves them out, as the graph does, if a dump has such. */
import type { Work } from '../../../base/progress.js';
import { finishIds, type IdRange, idBuilder, idBytes, layoutOf, wordBytes } from '../../../models/heap/object-ids.js';
import { graphMemory } from './kernel/graph-kernel.js';
import type { Crew } from './passes/crew.js';
import type { ReferenceFields } from './passes/graph-columns.js';
import { mayRepeat } from './passes/id-runs.js';
import { BLOCK_BYTES, type ScanPart } from './passes/scan-part.js';

/** The ids that a scan met. */
export function idRange({ blocks, bits, objects, classes }: ScanPart): IdRange {
  return { blocks, blockBytes: BLOCK_BYTES, bits, most: objects + classes.length };
}

/** The pass over ids reads no references. */
const NO_FIELDS: ReferenceFields = {
  id: new Float64Array(0),
  heapClass: new Int32Array(0),
  arrayClass: new Int32Array(0),
  primitiveClass: new Int32Array(12).fill(-1),
  first: new Int32Array(1),
  offset: new Int32Array(0),
  referent: new Uint8Array(0),
};

/** A bit for each possible id may take so many bytes: those of 1 GiB of heap. */
const MOST_ID_BYTES = 32 << 20;

/**
 * What a scan found, of the first object with each id only. Further passes only where ids do not ascend. Undefined if that would take too
 * much memory.
 */
export async function firstObjects(
  crew: Crew,
  part: ScanPart,
  chunkClass: number,
  work: Work,
): Promise<ScanPart | undefined> {
  if (!mayRepeat(part.runs)) return part;
  const range = idRange(part);
  if (idBytes(range) > MOST_ID_BYTES) return undefined;
  const layout = crew.kernels ? layoutOf(range) : undefined;
  const memory = layout && (await graphMemory(crew.idSize, layout, NO_FIELDS, work.threads?.count ?? 1));
  const words = memory && new Uint32Array(memory.memory.buffer, memory.words, wordBytes(layout) / 4);
  const builder = idBuilder(range, words);
  await crew.pass({ kind: 'ids', ids: builder, memory }, 'finding objects', false, work);
  const ids = finishIds(builder);
  if (ids.length >= range.most) return part;
  return crew.scanFirsts(chunkClass, { ids, classIds: part.classes.address }, work);
}
