/** Chunks that are handed over in parts, with their constants read first, against chunks that are read as one. */
import { deepEqual, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { memorySource } from '../../../bytes/byte-source.js';
import type { Recording } from '../../../models/recording.js';
import { ROOT, sharedData } from '../../../testing/shared-data.js';
import { type Checkpoint, checkpointChain } from '../constants/checkpoint-chain.js';
import { eventsByChunk, readEvents, readJfr } from '../read.js';
import { SMALL_RECORDINGS } from '../testing/small-recording.js';
import { type ChunkHeader, chunkHeader } from './header.js';

/** One part a chunk: its rows have the order of the whole chunk. */
const ONE = { from: 0, rows: Infinity };
const MANY = { from: 0, rows: 1 };
const NEVER = { from: Infinity, rows: 1 };
const NO_KERNEL = Infinity;

async function same(bytes: Uint8Array): Promise<void> {
  const source = memorySource('x', bytes);
  const whole = await readJfr(source, {}, { kernelFrom: 0, parts: NEVER });
  deepEqual(await readJfr(source, {}, { kernelFrom: 0, parts: ONE }), whole);
  deepEqual(await readJfr(source, {}, { kernelFrom: NO_KERNEL, parts: ONE }), whole);
}

/** By kind: the numbers and times of all rows, and which of them have a stack and a thread; sorted. */
function numbersOf(...read: readonly Pick<Recording, 'profile'>[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { kind, length, fields: all, columns } of read.flatMap(({ profile }) => profile?.events ?? [])) {
    // Contexts of events need all events of a recording, which no part has.
    const fields = all.filter(({ key, extension }) => extension !== true || !key.includes('.'));
    const rows = Array.from({ length }, (_, row) =>
      fields.map(({ key, holds }) => (holds === 'number' ? columns[key]?.[row] : (columns[key]?.[row] ?? -1) >= 0)),
    );
    found.set(kind, [...(found.get(kind) ?? []), ...rows.map(String)].sort());
  }
  return found;
}

async function sameEvents(bytes: Uint8Array): Promise<void> {
  const source = memorySource('x', bytes);
  const { eventTypes = [] } = await readJfr(source);
  const types = eventTypes.filter(({ count }) => count > 0).map(({ name }) => name);
  const whole = numbersOf(await readEvents(source, types, {}, { kernelFrom: NO_KERNEL }));
  const parts: ReadonlyMap<string, readonly string[]>[] = [];
  for await (const part of eventsByChunk(source, {}, undefined, MANY)) parts.push(numbersOf(part));
  const joined = [...whole.keys()].map((kind) => [kind, parts.flatMap((part) => part.get(kind) ?? []).sort()] as const);
  deepEqual(new Map(joined), whole);
  deepEqual(new Set(parts.flatMap((part) => [...part.keys()])), new Set(whole.keys()));
}

function fixture(name: string): Uint8Array {
  return new Uint8Array(gunzipSync(readFileSync(join(ROOT, 'src/formats/jfr/fixtures', `${name}.jfr.gz`))));
}

function headerOf(bytes: Uint8Array): ChunkHeader {
  const header = chunkHeader(bytes, 0);
  ok(header !== undefined);
  return header;
}

function chainOf(bytes: Uint8Array): Promise<readonly Checkpoint[] | undefined> {
  const { readAt } = memorySource('x', bytes);
  const header = headerOf(bytes);
  return checkpointChain(readAt, header, header.size);
}

describe('parts of chunks', () => {
  for (const name of ['dump1', 'example', 'nativemem', 'wall', 'warehouse-jdk25'])
    test(`${name}: the same recording`, () => same(fixture(name)));

  for (const name of ['multichunk-jdk21', 'cpool-uint64-constant-index'])
    test(`${name}: the same recording`, async (t) => {
      const file = sharedData(t, `interop/jfr/${name}.jfr.gz`);
      if (file !== undefined) await same(new Uint8Array(gunzipSync(readFileSync(file))));
    });

  test('several parts of a chunk: the same rows, in another order', async (t) => {
    const file = sharedData(t, 'interop/jfr/multichunk-jdk21.jfr.gz');
    if (file === undefined) return;
    const source = memorySource('x', new Uint8Array(gunzipSync(readFileSync(file))));
    const whole = await readJfr(source, {}, { kernelFrom: 0, parts: NEVER });
    const parts = await readJfr(source, {}, { kernelFrom: 0, parts: MANY });
    deepEqual(numbersOf(parts), numbersOf(whole));
    deepEqual({ ...parts.problems, sections: parts.sections }, { ...whole.problems, sections: whole.sections });
  });

  test('all events, in parts: the same rows as those of each type', () => sameEvents(fixture('warehouse-jdk25')));

  test('all events, in several parts of a chunk: the same rows', async (t) => {
    const file = sharedData(t, 'interop/jfr/multichunk-jdk21.jfr.gz');
    if (file !== undefined) await sameEvents(new Uint8Array(gunzipSync(readFileSync(file))));
  });

  test('small recordings: the same', async () => {
    for (const bytesOf of Object.values(SMALL_RECORDINGS)) await same(bytesOf());
  });

  test('constants that the chain of checkpoints lacks are found', async () => {
    const bytes = fixture('warehouse-jdk25');
    const chain = await chainOf(bytes);
    ok(chain !== undefined && chain.length > 2, `${chain?.length}`);
    // The chain ends at its first link.
    new DataView(bytes.buffer, bytes.byteOffset).setBigInt64(16, BigInt(chain[0]?.offset ?? 0));
    deepEqual(
      (await chainOf(bytes))?.map(({ offset }) => offset),
      [chain[0]?.offset],
    );
    await same(bytes);
  });

  test('a chain that leads to no checkpoint is none', async () => {
    const bytes = fixture('warehouse-jdk25');
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    const { checkpoint, metadata, size } = headerOf(bytes);
    for (const wrong of [0, 67, checkpoint + 1, metadata, size - 1, size, -1]) {
      view.setBigInt64(16, BigInt(wrong));
      deepEqual(await chainOf(bytes), undefined, `${wrong}`);
    }
    await same(bytes);
  });
});
