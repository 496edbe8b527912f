/** A JSON document through a window of bytes that moves over the file: 1 MiB, more only for a larger item. */
import type { ProblemLog } from '../../base/problems.js';
import type { Work } from '../../base/progress.js';
import type { ByteSource, ByteStream } from '../../bytes/byte-source.js';
import { PADDING, type Scanner } from './json-scanner.js';

const WINDOW = 1 << 20;
const SMALLEST_WINDOW = 1 << 12;

/** A reader that takes complete items from the window. */
export interface WindowedDocument {
  /** Offset in the file of the first byte of the window. */
  base: number;
  /** Position in the window of the first item not taken yet. */
  position: number;
  /** Takes all complete items. */
  step(): void;
  /** The first `count` bytes of the window are no longer needed: it moves on. */
  moved?(count: number): void;
  /** The item at `position` exceeds the largest window. */
  tooLarge(limit: number): void;
  /** After the last item. */
  finish(): void;
}

/** Reads all of a source; `whole` is false if its container is damaged, which is then one of the problems. */
export async function readDocument(
  source: ByteSource,
  scanner: Scanner,
  document: WindowedDocument,
  problems: ProblemLog,
  options: { readonly work: Work; readonly largest: number },
): Promise<{ readonly whole: boolean }> {
  const stream = await source.open();
  try {
    await readWindows(source, stream, scanner, document, options.work, options.largest);
    document.finish();
    const damage = stream.damage();
    if (damage !== undefined) problems.add(damage);
    return { whole: damage?.severity !== 'error' };
  } finally {
    await stream.close();
  }
}

/** Reads all of a stream; an item that is larger than `largest` ends it. */
async function readWindows(
  source: ByteSource,
  stream: ByteStream,
  scanner: Scanner,
  document: WindowedDocument,
  work: Work,
  largest: number,
): Promise<void> {
  let buffer = new Uint8Array(Math.min(WINDOW, Math.max(source.size ?? WINDOW, SMALLEST_WINDOW)) + PADDING);
  let kept = 0;
  for (;;) {
    work.signal?.throwIfAborted();
    const count = await stream.read(buffer.subarray(kept, buffer.length - PADDING));
    scanner.setWindow(buffer, kept + count);
    const before = document.position;
    document.step();
    if (count === 0) return;
    work.progress?.({ phase: 'reading', done: document.base + scanner.end, total: source.size, unit: 'bytes' });
    // The rest belongs to an element that continues in the next window: it moves to the front.
    kept = scanner.end - document.position;
    const full = kept * 2 > buffer.length && document.position === before;
    if (full && buffer.length - PADDING >= largest) {
      document.tooLarge(largest);
      return;
    }
    const next = full ? new Uint8Array((buffer.length - PADDING) * 2 + PADDING) : buffer;
    next.set(buffer.subarray(document.position, scanner.end));
    buffer = next;
    document.moved?.(document.position);
    document.base += document.position;
    document.position = 0;
  }
}
