/** Chunks as a JVM leaves them in their file while it writes them. */
import { jfrBytes, type WrittenChunk } from './jfr-writer.js';
import { smallChunk } from './small-recording.js';

const HEADER = 68;
/** States of a header. */
export const FINISHED = 0;
export const WRITING = 7;
export const BEING_WRITTEN = 255;

const CONSTANTS = smallChunk().records.filter((record) => 'checkpoint' in record);
export const EVENTS = smallChunk().records.filter((record) => !('checkpoint' in record));
const EVENTS_A_FLUSH = 3;

/** Events and constants, then the metadata, as a JVM writes them each second. */
function flush(records: WrittenChunk['records'], second: number): { body: Uint8Array; metadata: Uint8Array } {
  const chunk = jfrBytes([smallChunk({ records, ...startOf(second) })]);
  const at = Number(new DataView(chunk.buffer).getBigInt64(24));
  return { body: chunk.subarray(HEADER, at), metadata: chunk.subarray(at) };
}

const startOf = (second: number): Partial<WrittenChunk> => ({
  startNanos: 1_700_000_000_000_000_000n + BigInt(second) * 1_000_000_000n,
  startTicks: 1000n,
});

/** The bytes of a chunk after so many flushes, of three events each. */
export function chunkAfter(flushes: number, state: number, second = 0, events = EVENTS): Uint8Array {
  const parts: Uint8Array[] = [jfrBytes([smallChunk({ records: [], ...startOf(second) })]).slice(0, HEADER)];
  let metadataAt = 0;
  for (let i = 0; i < flushes; i++) {
    const own = events.slice(EVENTS_A_FLUSH * i, EVENTS_A_FLUSH * (i + 1));
    const { body, metadata } = flush([...own, ...(i % 2 === 0 ? CONSTANTS : [])], second);
    parts.push(body, metadata);
    metadataAt = parts.slice(0, -1).reduce((sum, part) => sum + part.length, 0);
  }
  const bytes = new Uint8Array(Buffer.concat(parts));
  const view = new DataView(bytes.buffer);
  view.setBigInt64(8, BigInt(bytes.length));
  view.setBigInt64(24, BigInt(metadataAt));
  view.setUint8(64, state);
  return bytes;
}
