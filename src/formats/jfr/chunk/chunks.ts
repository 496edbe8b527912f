/** The chunks of a recording, one after the other. */
import { FormatError } from '../../../base/errors.js';
import type { Problem } from '../../../base/problems.js';
import type { Work } from '../../../base/progress.js';
import type { ByteSource } from '../../../bytes/byte-source.js';
import { type JfrInput, openInput } from '../input.js';
import type { EventWindow } from './event-window.js';
import { type ChunkHeader, chunkHeader, HEADER_BYTES, isChunkAt } from './header.js';
import { type ChunkData, readChunk, type Selection, SharedState } from './read-chunk.js';

/**
 * Reads each chunk and hands it over. Returns what is wrong between chunks, and with what the file lies in. Throws `FormatError` if
 * the file does not begin with a chunk.
 */
export async function eachChunk(
  source: ByteSource,
  selection: Selection,
  work: Work,
  visit: (data: ChunkData) => void,
): Promise<Problem[]> {
  const input = await openInput(source);
  const problems: Problem[] = [];
  try {
    const { readAt, size } = input;
    const shared = new SharedState(readAt);
    const { window } = shared;
    const progress = progressOf(source, work);
    if ((await headerAt(input, 0)) === undefined) throw noChunk();
    for (let offset = 0; offset < size(); ) {
      const header = await headerAt(input, offset);
      if (header !== undefined) {
        const data = await readChunk({ readAt, shared, header, size, selection, signal: work.signal, progress });
        visit(data);
        offset = Math.max(data.end, offset + HEADER_BYTES);
        continue;
      }
      // A stream of unknown length may end here.
      if ((await readAt(offset, new Uint8Array(1))) === 0) break;
      const next = await nextChunk(window, offset + 1, size());
      const message = `expected a chunk, which begins with FLR; ${next - offset} bytes skipped`;
      problems.push({ code: 'jfr-chunk', severity: 'error', offset, message });
      offset = next;
    }
    const damage = input.damage();
    return damage === undefined ? problems : [...problems, damage];
  } finally {
    await input.close();
  }
}

const SEARCHED = 1 << 16;

function progressOf({ size }: ByteSource, { progress }: Work): ((offset: number) => void) | undefined {
  if (progress === undefined) return undefined;
  return (done) => progress({ phase: 'reading', done, total: size, unit: 'bytes' });
}

/** The next place from which a chunk may begin; the end of the bytes if there is none. */
async function nextChunk(window: EventWindow, from: number, to: number): Promise<number> {
  for (let at = from; ; ) {
    await window.ensure(at, to, SEARCHED);
    const end = window.base + window.length;
    for (; at < end; at++) if (isChunkAt(window.bytes, at - window.base, window.length)) return at;
    if (window.hasAll(to)) return end;
    at = end - HEADER_BYTES;
  }
}

async function headerAt({ readAt }: JfrInput, offset: number): Promise<ChunkHeader | undefined> {
  const bytes = new Uint8Array(HEADER_BYTES);
  return chunkHeader(bytes.subarray(0, await readAt(offset, bytes)), offset);
}

function noChunk(): FormatError {
  return new FormatError({
    format: 'jfr',
    offset: 0,
    expected: 'a chunk: FLR, a NUL, version 1 or 2, 68 bytes of header',
    found: 'other bytes',
    advice: 'Recordings of JDK 9 or later, JDK 8u262 or later, and async-profiler can be read.',
  });
}
