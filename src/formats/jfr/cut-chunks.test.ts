/** Chunks that were cut, or never finished, before others. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { type ByteSource, memorySource } from '../../bytes/byte-source.js';
import { amount } from '../../testing/amount.js';
import { sharedData } from '../../testing/shared-data.js';
import { HEADER_BYTES } from './chunk/header.js';
import { outlineOfJfr } from './read.js';
import { jfrBytes, type WrittenChunk } from './testing/jfr-writer.js';

const START = { name: 'startTime', type: 'long', content: ['Timestamp', 'TICKS'] } as const;

/** Four events of a type with these texts. */
function chunkOf(type: string, texts: readonly string[], more: Partial<WrittenChunk> = {}): Uint8Array {
  const fields = [START, { name: 'text', type: 'java.lang.String' }];
  const records = texts.map((text, i) => ({ type, values: { startTime: BigInt(i), text } }));
  return jfrBytes([{ types: [{ name: type, event: true, fields }], records, ...more }]);
}

const TEXTS = ['one', 'two', 'three', 'four'];
const FIRST = chunkOf('shop.First', TEXTS);
const SECOND = chunkOf('shop.Second', TEXTS, { startNanos: 1_700_000_001_000_000_000n });

const joined = (...parts: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts));

async function seen(source: ByteSource) {
  const { recording } = await outlineOfJfr(source);
  const counts = Object.fromEntries(recording.sections.map(({ name, entries }) => [name, entries]));
  return { counts, complete: recording.complete, codes: recording.problems.list.map(({ code }) => code) };
}

const seenIn = (bytes: Uint8Array) => seen(memorySource('x.jfr', bytes));

/** The header as its fields say it, with other values of them. */
function withHeader(chunk: Uint8Array, fields: Readonly<Record<number, bigint>>): Uint8Array {
  const bytes = chunk.slice();
  const view = new DataView(bytes.buffer);
  for (const [at, value] of Object.entries(fields)) view.setBigInt64(Number(at), value);
  return bytes;
}

/** Bytes that look like a header, as a text that is written byte for byte. */
function headerText(chunk: Uint8Array): string {
  return Buffer.from(chunk.subarray(0, HEADER_BYTES)).toString('latin1');
}

describe('a chunk before another one', () => {
  test('ends where that begins, wherever it was cut', async () => {
    for (const [first, second, type] of [
      [FIRST, SECOND, 'shop.Second'],
      [SECOND, FIRST, 'shop.First'],
    ] as const)
      for (let cut = HEADER_BYTES; cut < first.length; cut += amount(1, 5)) {
        const { counts, complete } = await seenIn(joined(first.subarray(0, cut), second));
        equal(counts[type], TEXTS.length, `${type} behind ${cut} bytes`);
        equal(complete, false, `${cut} bytes`);
      }
  });

  test('is one of three', async () => {
    const { counts } = await seenIn(joined(FIRST.subarray(0, FIRST.length - 7), SECOND, FIRST));
    equal(counts['shop.Second'], TEXTS.length);
    ok((counts['shop.First'] ?? 0) >= TEXTS.length);
  });

  test('is read right where its recorder never finished it', async () => {
    for (const size of [0n, BigInt(FIRST.length), BigInt(HEADER_BYTES + 40)]) {
      const unfinished = withHeader(FIRST, { 8: size });
      unfinished[64] = 1;
      const { counts, codes } = await seenIn(joined(unfinished, SECOND));
      deepEqual(counts, { 'shop.First': TEXTS.length, 'shop.Second': TEXTS.length }, `size ${size}`);
      ok(codes.includes('jfr-unfinished'));
    }
  });

  test('is whole with headers in its events', async () => {
    const texts = [headerText(SECOND), `latin ${headerText(FIRST)}`, 'FLR\0\0\x02\0\x01', 'last'];
    const first = chunkOf('shop.First', texts);
    const whole = { 'shop.First': texts.length, 'shop.Second': TEXTS.length };
    deepEqual(await seenIn(joined(first, SECOND)), { counts: whole, complete: true, codes: [] });
    deepEqual((await seenIn(first)).counts, { 'shop.First': texts.length });
    // Behind the chunk, something else: then its events tell.
    const { counts, codes } = await seenIn(joined(first, Uint8Array.of(1, 2, 3)));
    deepEqual([counts, codes], [{ 'shop.First': texts.length }, ['jfr-chunk']]);
  });

  test('costs a search once, however many heads there are', async () => {
    const head = withHeader(FIRST.subarray(0, HEADER_BYTES), { 8: 1n << 40n });
    const heads = joined(...Array.from({ length: 3000 }, () => head));
    const { complete } = await seenIn(heads);
    equal(complete, false);
  });
});

describe('recordings of JVMs', () => {
  for (const name of ['cut50-then-whole', 'cut99-then-whole', '5-bytes-missing-then-whole', 'whole-whole'])
    test(`${name} has the events of its second chunk`, async (t) => {
      const path = sharedData(t, `cases/jfr-cut-chunk/${name}.jfr`);
      if (path === undefined) return;
      const { counts, complete } = await seenIn(new Uint8Array(readFileSync(path)));
      equal(counts['demo.Span'], 4);
      equal(complete, name === 'whole-whole');
    });

  test('a cut at every thousandth byte leaves the chunk behind it whole', async (t) => {
    const path = sharedData(t, 'cases/jfr-cut-chunk/whole-whole.jfr');
    if (path === undefined) return;
    const bytes = new Uint8Array(readFileSync(path));
    const size = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigInt64(8));
    for (let cut = HEADER_BYTES; cut < size; cut += amount(1000, 20_000)) {
      const { counts } = await seenIn(joined(bytes.subarray(0, cut), bytes.subarray(size)));
      equal(counts['demo.Span'], 4, `${cut} bytes`);
    }
  });
});
