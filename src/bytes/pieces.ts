/**
 * Many pieces of one source, read in file order: neighbours share a read of a few MiB, so that thousands of small
 * pieces do not each cost a system call and a turn of the event loop.
 *
 * Cost: sorting the pieces, one window of memory. Gaps up to 16 KiB are read over.
 */
import type { Work } from '../base/progress.js';
import type { RandomSource } from './byte-source.js';

const WINDOW = 4 << 20;
const LARGEST_GAP = 16 << 10;

/** Where the pieces are in the source. A piece is identified by its row in these columns. */
export interface Pieces {
  readonly starts: Float64Array;
  readonly lengths: Float64Array;
}

/** Receives a piece, valid during the call; shorter than its length if the source ends first. */
export type PieceVisitor = (piece: number, bytes: Uint8Array) => void;

/**
 * Reads all pieces; the caller has checked their lengths. Progress counts pieces as rows. Pieces may overlap; one that is
 * longer than a window gets a read of its own.
 */
export async function readPieces(
  source: RandomSource,
  pieces: Pieces,
  visit: PieceVisitor,
  work: Work = {},
): Promise<void> {
  const { starts, lengths } = pieces;
  const order = Int32Array.from(starts.keys());
  if (!isSorted(starts)) order.sort((a, b) => starts[a] - starts[b]);
  let room = new Uint8Array(0);
  for (let from = 0; from < order.length; ) {
    work.signal?.throwIfAborted();
    const start = starts[order[from]];
    let end = start + lengths[order[from]];
    let to = from + 1;
    for (; to < order.length; to++) {
      const next = order[to];
      const nextEnd = Math.max(end, starts[next] + lengths[next]);
      if (starts[next] > end + LARGEST_GAP || nextEnd - start > WINDOW) break;
      end = nextEnd;
    }
    const length = Math.max(0, Math.min(end, source.size) - start);
    if (room.length < length) room = new Uint8Array(Math.max(length, Math.min(WINDOW, source.size)));
    const window = room.subarray(0, length);
    const present = window.subarray(0, await source.readAt(start, window));
    for (; from < to; from++) {
      const at = starts[order[from]] - start;
      visit(order[from], present.subarray(at, at + lengths[order[from]]));
    }
    work.progress?.({ phase: 'reading', done: from, total: order.length, unit: 'rows' });
  }
}

function isSorted(values: Float64Array): boolean {
  for (let i = 1; i < values.length; i++) if (values[i] < values[i - 1]) return false;
  return true;
}
