/** Constants that the kernel reads, before the events, against the loops in TypeScript and the second reading of the tests. */
import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { memorySource } from '../../../bytes/byte-source.js';
import { WAIT_EVENTS } from '../../../models/events/wait.js';
import type { Recording } from '../../../models/recording.js';
import { amount, runs } from '../../../testing/amount.js';
import { Random } from '../../../testing/random.js';
import { readJfr } from '../read.js';
import { difference } from '../testing/jfr-oracle.js';
import { jfrBytes, type WrittenEvent, type WrittenPool, type WrittenType } from '../testing/jfr-writer.js';
import { plainJfr } from '../testing/plain-jfr.js';
import { smallChunk } from '../testing/small-recording.js';

/** Constants are read first. */
const ONE = { from: 0, rows: Infinity };
const ALWAYS = 0;
const NEVER = Infinity;

async function same(bytes: Uint8Array): Promise<Recording | string> {
  const read = (kernelFrom: number): Promise<Recording | string> =>
    readJfr(memorySource('x', bytes), {}, { kernelFrom, parts: ONE }).catch(String);
  const recording = await read(ALWAYS);
  deepEqual(recording, await read(NEVER));
  return recording;
}

/** Keys of a JVM: small ones, those of a class and a number, and those that no integer of 31 bits holds. */
const keysOf = (count: number, isWide: boolean): bigint[] =>
  Array.from({ length: count }, (_, i) => {
    if (isWide && i % 50 === 49) return 2n ** 40n + BigInt(i);
    return BigInt(i % 3 === 0 ? i + 1 : ((i % 7) + 3) * 65536 + i);
  });

const written = fc
  .record({
    methods: fc.integer({ min: 0, max: 200 }),
    traces: fc.integer({ min: 0, max: 120 }),
    isWide: fc.boolean(),
    /** One in so many keys is that of no constant. */
    missing: fc.constantFrom(0, 40, 400),
    depths: fc.array(fc.nat(12), { minLength: 1, maxLength: 9 }),
    lines: fc.array(fc.integer({ min: -1, max: 1 << 30 }), { minLength: 1, maxLength: 9 }),
    twice: fc.boolean(),
  })
  .map(({ methods, traces, isWide, missing, depths, lines, twice }) => {
    const keys = keysOf(methods, isWide);
    const frame = (i: number): Record<string, bigint | number> => ({
      method: missing > 0 && i % missing === missing - 1 ? 77_777_777n : (keys[(i * 5) % Math.max(1, methods)] ?? 0n),
      lineNumber: lines[i % lines.length] ?? 0,
      bytecodeIndex: i % 300,
      type: i % 2,
    });
    const ofMethods: WrittenPool = {
      type: 'jdk.types.Method',
      constants: keys.map((key, i) => [key, { type: 1, name: [1, 2, 3, 6][i % 4] ?? 1, descriptor: 6 }]),
    };
    const ofTraces: WrittenPool = {
      type: 'jdk.types.StackTrace',
      constants: Array.from({ length: traces }, (_, i) => {
        const length = depths[i % depths.length] ?? 0;
        const frames = Array.from({ length }, (_frame, depth) => frame(Math.floor(i / 3) + depth));
        return [BigInt(i + 1), { truncated: i % 4 === 0, frames }];
      }),
    };
    const { records } = smallChunk();
    const samples = Array.from({ length: traces }, (_, i) => ({
      type: 'jdk.ExecutionSample',
      values: { startTime: 2000n + BigInt(i), sampledThread: 1, stackTrace: BigInt(i + 1) },
    }));
    const more = { checkpoint: [ofTraces, ofMethods] };
    return jfrBytes([smallChunk({ chained: true, records: [...records, more, ...samples, ...(twice ? [more] : [])] })]);
  });

test('any constants: the same recording, as the second reading has it', () =>
  fc.assert(
    fc.asyncProperty(written, async (bytes) => {
      const recording = await same(bytes);
      if (typeof recording === 'string') throw new Error(recording);
      equal(difference(plainJfr(bytes), recording), undefined);
    }),
    runs(200),
  ));

const PARK: WrittenType = {
  name: 'jdk.ThreadPark',
  event: true,
  fields: [
    { name: 'startTime', type: 'long', content: ['Timestamp', 'TICKS'] },
    { name: 'duration', type: 'long', content: ['Timespan', 'TICKS'] },
    { name: 'eventThread', type: 'java.lang.Thread', pooled: true },
    { name: 'stackTrace', type: 'jdk.types.StackTrace', pooled: true },
  ],
};

test('types whose rows stay in the kernel, and others with more than a batch', async () => {
  const { records, types } = smallChunk();
  const random = new Random(20261127);
  const events = Array.from({ length: amount(450_000, 9_000) }, (_, i): WrittenEvent => {
    const common = { startTime: 2000n + BigInt(i), stackTrace: 1 };
    const which = random.below(3);
    // Keys that the kernel leaves to the caller.
    const thread = random.below(9_000) === 0 ? 2n ** 40n : 1;
    if (which === 0) return { type: 'jdk.ExecutionSample', values: { ...common, sampledThread: thread } };
    if (which === 1) return { type: PARK.name, values: { ...common, duration: i, eventThread: thread } };
    const values = { ...common, eventThread: thread, objectClass: 1, weight: random.below(1e9) };
    return { type: 'jdk.ObjectAllocationSample', values };
  });
  const chunk = { types: [...types, PARK], records: [...records, ...events], chained: true };
  const bytes = jfrBytes([smallChunk(chunk), smallChunk({ chained: true }), smallChunk(chunk)]);
  const recording = await same(bytes);
  if (typeof recording === 'string') throw new Error(recording);
  equal(difference(plainJfr(bytes), recording), undefined);
  const parks = recording.profile?.events.find(({ kind }) => kind === WAIT_EVENTS.kind)?.length;
  equal(parks, 2 * events.filter(({ type }) => type === PARK.name).length);
});

test('changed bytes of constants: the same recording', () => {
  const change = fc.tuple(fc.nat(), fc.constantFrom(0, 1, 0x7f, 0x80, 0x81, 0xff));
  return fc.assert(
    fc.asyncProperty(written, fc.array(change, { minLength: 1, maxLength: 3 }), async (drawn, changes) => {
      const bytes = Uint8Array.from(drawn);
      for (const [place, byte] of changes) bytes[68 + (place % (bytes.length - 68))] = byte;
      await same(bytes);
    }),
    runs(300),
  );
});
