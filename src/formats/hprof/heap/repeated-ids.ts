/** Objects with the id of another one: a scan that leaves them out, as the graph does, if a dump has such. */
import type { Work } from '../../../base/progress.js';
import { finishIds, type IdRange, idBuilder } from '../../../models/heap/object-ids.js';
import type { Crew } from './passes/crew.js';
import { mayRepeat } from './passes/id-runs.js';
import { BLOCK_BYTES, type ScanPart } from './passes/scan-part.js';

/** The ids that a scan met. */
export function idRange({ blocks, bits, objects, classes }: ScanPart): IdRange {
  return { blocks, blockBytes: BLOCK_BYTES, bits, most: objects + classes.length };
}

/** What a scan found, of the first object with each id only. Further passes only where ids do not ascend. */
export async function firstObjects(crew: Crew, part: ScanPart, chunkClass: number, work: Work): Promise<ScanPart> {
  if (!mayRepeat(part.runs)) return part;
  const range = idRange(part);
  const builder = idBuilder(range);
  await crew.pass({ kind: 'ids', ids: builder, memory: undefined }, 'finding objects', false, work);
  const ids = finishIds(builder);
  if (ids.length >= range.most) return part;
  return crew.scanFirsts(chunkClass, { ids, classIds: part.classes.address }, work);
}
