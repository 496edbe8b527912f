/** Text as chunks of bytes, for writers of large text files. */
import { ByteBuilder } from '../../base/columns/columns.js';
import type { Work } from '../../base/progress.js';

const CHUNK = 1 << 20;
const ENCODER = new TextEncoder();

/** The pieces of a text as UTF-8, in chunks of about 1 MiB. A chunk is its receiver's. */
export function* textChunks(pieces: Iterable<string>, { signal }: Work = {}): Generator<Uint8Array> {
  const out = new ByteBuilder(CHUNK + (1 << 16));
  for (const piece of pieces) {
    out.reserve(piece.length * 3);
    out.length += ENCODER.encodeInto(piece, out.bytes.subarray(out.length)).written;
    if (out.length < CHUNK) continue;
    signal?.throwIfAborted();
    yield out.finish();
    out.length = 0;
  }
  yield out.finish();
}
