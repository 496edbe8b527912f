/**
 * The lines of a source, a window at a time: for readers of text files larger than the longest string.
 *
 * Cost: one native search for line feeds and one call per line; memory of the window, which grows only for a line that
 * is longer.
 */
import type { Problem } from '../base/problems.js';
import type { Work } from '../base/progress.js';
import type { ByteSource, ByteStream } from './byte-source.js';

const WINDOW = 1 << 20;
const SMALLEST_WINDOW = 1 << 12;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/**
 * Receives a line: `bytes[from .. to)` without its end (LF or CR LF, or `lineEnd`), which begins at `offset` of the source. The bytes
 * are valid during the call only. `ended` is false for a last line without a line feed.
 */
export type LineVisitor = (bytes: Uint8Array, from: number, to: number, offset: number, ended: boolean) => void;

export interface LineOptions {
  readonly work?: Work;
  /** Bytes of the longest line; 64 MiB if not given. A longer line is delivered in pieces, and `tooLong` is called. */
  readonly longest?: number;
  readonly tooLong?: (offset: number) => void;
  /** Bytes of the source to skip before the first line. */
  readonly skip?: number;
  /** The last byte of lines; a line feed if not given. */
  readonly lineEnd?: number;
}

/** Calls `visit` for each line. Returns the damage of the container, if any (such as a truncated gzip member). */
export async function eachLine(
  source: ByteSource,
  visit: LineVisitor,
  options: LineOptions = {},
): Promise<Problem | undefined> {
  const stream = await source.open();
  try {
    await readLines(source, stream, visit, options);
    return stream.damage();
  } finally {
    await stream.close();
  }
}

async function readLines(
  source: ByteSource,
  stream: ByteStream,
  visit: LineVisitor,
  options: LineOptions,
): Promise<void> {
  const { work = {}, longest = 64 << 20, tooLong, skip = 0, lineEnd = LINE_FEED } = options;
  let buffer = new Uint8Array(Math.min(WINDOW, longest, Math.max(source.size ?? WINDOW, SMALLEST_WINDOW)));
  let kept = 0;
  let base = 0;
  let searched = 0;
  for (;;) {
    work.signal?.throwIfAborted();
    const count = await stream.read(buffer.subarray(kept));
    const end = kept + count;
    let from = base < skip ? Math.min(skip - base, end) : 0;
    for (let feed = buffer.indexOf(lineEnd, Math.max(from, searched)); feed >= 0 && feed < end; ) {
      const to = feed > from && lineEnd === LINE_FEED && buffer[feed - 1] === CARRIAGE_RETURN ? feed - 1 : feed;
      visit(buffer, from, to, base + from, true);
      from = feed + 1;
      feed = buffer.indexOf(lineEnd, from);
    }
    work.progress?.({ phase: 'reading', done: base + end, total: source.size, unit: 'bytes' });
    if (count === 0) {
      if (from < end) visit(buffer, from, end, base + from, false);
      return;
    }
    // The line that continues in the next window moves to the front.
    kept = end - from;
    if (kept === buffer.length && kept >= longest) {
      tooLong?.(base + from);
      visit(buffer, from, end, base + from, true);
      from = end;
      kept = 0;
    }
    const next = kept * 2 > buffer.length ? new Uint8Array(Math.min(longest, buffer.length * 2)) : buffer;
    next.set(buffer.subarray(from, end));
    buffer = next;
    base += from;
    searched = kept;
  }
}
