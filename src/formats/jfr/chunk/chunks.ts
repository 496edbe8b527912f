/** The chunks of a recording, one after the other. */
import { FormatError } from '../../../base/errors.js';
import type { Problem } from '../../../base/problems.js';
import type { Work } from '../../../base/progress.js';
import type { ByteSource } from '../../../bytes/byte-source.js';
import { type JfrInput, openInput } from '../input.js';
import { type ChunkHeader, chunkHeader, HEADER_BYTES } from './header.js';
import { type ChunkData, readChunk, type Selection } from './read-chunk.js';

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
    const { readAt } = input;
    for (let offset = 0; offset === 0 || offset < input.size(); ) {
      const header = await headerAt(input, offset);
      if (header === undefined) {
        if (offset === 0) throw noChunk();
        const message = 'expected a chunk, which begins with FLR; the rest of the file is skipped';
        problems.push({ code: 'jfr-chunk', severity: 'error', offset, message });
        break;
      }
      const isSized = header.size >= HEADER_BYTES;
      const limit = Math.min(input.size(), isSized ? offset + header.size : Infinity);
      visit(await readChunk({ readAt, header, limit, selection, signal: work.signal }));
      if (!isSized) break;
      offset += header.size;
    }
    const damage = input.damage();
    return damage === undefined ? problems : [...problems, damage];
  } finally {
    await input.close();
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
