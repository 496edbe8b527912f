/**
 * A JSON document through a window of bytes that moves over the file: 1 MiB, more only for an item that is larger.
 */
import type { ProblemLog } from '../../base/problems.js';
import type { Work } from '../../base/progress.js';
import type { ByteSource, ByteStream } from '../../bytes/byte-source.js';
import { PADDING, type Scanner } from './json-scanner.js';

const WINDOW = 1 << 20;
const SMALLEST_WINDOW = 1 << 12;

/** A reader that takes what is whole in the window. */
export interface WindowedDocument {
  /** Offset in the file of the first byte of the window. */
  base: number;
  /** Where in the window the first item begins that was not taken yet. */
  position: number;
  /** Takes all items that are whole. */
  step(): void;
  /** The item at `position` is larger than a window may be. */
  tooLarge(limit: number): void;
  /** After the last item. */
  finish(): void;
}

/** Reads all of a source; `whole` is false where its wrapping was damaged, which is among the problems then. */
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
    // What is left belongs to an element that goes on in the next window: it moves to the front.
    kept = scanner.end - document.position;
    const full = kept * 2 > buffer.length && document.position === before;
    if (full && buffer.length - PADDING >= largest) {
      document.tooLarge(largest);
      return;
    }
    const next = full ? new Uint8Array((buffer.length - PADDING) * 2 + PADDING) : buffer;
    next.set(buffer.subarray(document.position, scanner.end));
    buffer = next;
    document.base += document.position;
    document.position = 0;
  }
}
