/**
 * The checkpoint events of a chunk, without a walk: the header has the place of the last one, and each has the distance to the one
 * before it. So constants can be read before the events that refer to them.
 */
import type { ReadAt } from '../../capabilities/file-pass.js';
import { Cursor } from '../chunk/cursor.js';
import { CHECKPOINT_EVENT, type ChunkHeader, HEADER_BYTES } from '../chunk/header.js';
import { LARGEST_EVENT } from '../chunk/walk.js';

export interface Checkpoint {
  /** Of the event in the chunk. */
  readonly offset: number;
  /** The event. */
  readonly bytes: Uint8Array;
  /** Where its payload begins. */
  readonly payload: number;
}

/** Size, type, start, duration, distance. */
const LONGEST_HEAD = 5 * 9;

/**
 * The checkpoints of a chunk, the first one first; undefined if a link leads to no checkpoint. Checkpoints do not overlap, so no more
 * bytes are read than the chunk has. `end`: where the chunk ends at the latest, from its first byte on.
 */
export async function checkpointChain(
  readAt: ReadAt,
  { offset, checkpoint, compressed }: ChunkHeader,
  end: number,
): Promise<readonly Checkpoint[] | undefined> {
  const found: Checkpoint[] = [];
  const cursor = new Cursor(compressed);
  const head = new Uint8Array(LONGEST_HEAD);
  let limit = end;
  for (let at = checkpoint; at >= HEADER_BYTES && at < limit; ) {
    cursor.set(head, 0, await readAt(offset + at, head));
    const size = cursor.int() >>> 0;
    const type = cursor.long();
    const payload = cursor.at;
    for (let i = 0; i < 2; i++) cursor.long();
    const distance = cursor.long();
    if (cursor.isBehind || type !== CHECKPOINT_EVENT || size > Math.min(limit - at, LARGEST_EVENT)) return undefined;
    const bytes = new Uint8Array(size);
    if ((await readAt(offset + at, bytes)) < size) return undefined;
    found.push({ offset: at, bytes, payload });
    if (distance === 0) return found.reverse();
    if (distance > 0) return undefined;
    limit = at;
    at += distance;
  }
  return undefined;
}
