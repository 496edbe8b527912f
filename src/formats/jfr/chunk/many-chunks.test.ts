/** Recordings of many chunks: their metadata are read as long as they lie within their chunks. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { memorySource } from '../../../bytes/byte-source.js';
import { openInput } from '../input.js';
import { jfrBytes } from '../testing/jfr-writer.js';
import { SMALL_TYPES, smallChunk } from '../testing/small-recording.js';
import type { ChunkData } from './chunk-options.js';
import { chunkHeader, HEADER_BYTES } from './header.js';
import { readChunk } from './read-chunk.js';
import { SharedState } from './shared-state.js';

const CHUNKS = 20;

/** Reads all chunks with so many bytes of metadata to spend. */
async function read(bytes: Uint8Array, starts: readonly number[], left: number): Promise<[ChunkData[], number]> {
  const { readAt } = await openInput(memorySource('x.jfr', bytes));
  const shared = new SharedState(readAt, undefined, left);
  const found: ChunkData[] = [];
  for (const start of starts) {
    const header = chunkHeader(bytes.subarray(start), start);
    ok(header !== undefined);
    found.push(await readChunk({ readAt, shared, header, size: () => bytes.length, selection: () => false }));
  }
  return [found, shared.metadataLeft];
}

const metadataAt = (chunk: Uint8Array): number => Number(new DataView(chunk.buffer, chunk.byteOffset).getBigInt64(24));

describe('metadata of many chunks', () => {
  test('cost nothing where they lie within their chunk, also where they differ', async () => {
    const chunks = Array.from({ length: CHUNKS }, (_, i) => {
      const types = SMALL_TYPES.map((type) => ({ ...type, label: `of chunk ${i}` }));
      return jfrBytes([smallChunk({ types })]);
    });
    const starts = chunks.map((_, i) => chunks.slice(0, i).reduce((sum, { length }) => sum + length, 0));
    const [first] = chunks;
    const left = 2 * (first.length - metadataAt(first));
    const [found, then] = await read(new Uint8Array(Buffer.concat(chunks)), starts, left);
    equal(then, left);
    deepEqual(
      found.map(({ types }) => [...types.values()].find(({ name }) => name === 'jdk.ExecutionSample')?.label),
      chunks.map((_, i) => `of chunk ${i}`),
    );
    ok(found.every(({ complete }) => complete));
  });

  test('are read a few times where heads without events name those of another chunk', async () => {
    const chunk = jfrBytes([smallChunk()]);
    const size = chunk.length - metadataAt(chunk);
    const heads = Array.from({ length: CHUNKS }, (_, i) => {
      const head = chunk.slice(0, HEADER_BYTES);
      const view = new DataView(head.buffer);
      view.setBigInt64(24, BigInt((CHUNKS - i) * HEADER_BYTES + metadataAt(chunk)));
      return head;
    });
    const bytes = new Uint8Array(Buffer.concat([...heads, chunk]));
    const starts = heads.map((_, i) => i * HEADER_BYTES);
    const [found, then] = await read(bytes, starts, 3.5 * size);
    equal(found.filter(({ types }) => types.size > 0).length, 3);
    ok(then >= 0 && then < size);
  });
});
