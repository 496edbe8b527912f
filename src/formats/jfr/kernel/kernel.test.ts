/** The kernel against the same loops in TypeScript: both must make the same recording of any file. */
import { deepEqual, equal, notEqual, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { memorySource } from '../../../bytes/byte-source.js';
import type { EventsRead } from '../../../models/event-types.js';
import type { Recording } from '../../../models/recording.js';
import { amount, runs } from '../../../testing/amount.js';
import { Random } from '../../../testing/random.js';
import { ROOT, sharedData } from '../../../testing/shared-data.js';
import { readEvents, readJfr } from '../read.js';
import { difference } from '../testing/jfr-oracle.js';
import { jfrBytes, type WrittenEvent, type WrittenField, type WrittenValue } from '../testing/jfr-writer.js';
import { plainJfr } from '../testing/plain-jfr.js';
import { SMALL_RECORDINGS, SMALL_TYPES, smallChunk } from '../testing/small-recording.js';
import { takeKernel } from './walk-kernel.js';

const ALWAYS = 0;
const NEVER = Number.POSITIVE_INFINITY;

interface Outcome {
  readonly recording: Recording | string;
  /** All fields of the events of all types. */
  readonly events: EventsRead | string;
}

async function outcome(bytes: Uint8Array, kernelFrom: number): Promise<Outcome> {
  const source = memorySource('x', bytes);
  const failed = (error: unknown): string => String(error);
  const recording = await readJfr(source, {}, { kernelFrom }).catch(failed);
  const types = typeof recording === 'string' ? [] : (recording.eventTypes ?? []).map(({ name }) => name);
  return { recording, events: await readEvents(source, types, {}, { kernelFrom }).catch(failed) };
}

async function sameOf(bytes: Uint8Array): Promise<Outcome> {
  const kernel = await outcome(bytes, ALWAYS);
  deepEqual(kernel, await outcome(bytes, NEVER));
  return kernel;
}

test('the kernel runs here', async () => {
  notEqual(await takeKernel(), undefined);
});

for (const name of ['dump1', 'nativemem', 'wall'])
  test(`${name}.jfr: the same recording`, async () => {
    const file = readFileSync(join(ROOT, 'src/formats/jfr/fixtures', `${name}.jfr.gz`));
    await sameOf(new Uint8Array(gunzipSync(file)));
  });

for (const name of ['multichunk-jdk21.jfr.gz', 'cpool-uint64-constant-index.jfr.gz'])
  test(`${name}: the same recording`, async (t) => {
    const file = sharedData(t, `interop/jfr/${name}`);
    if (file !== undefined) await sameOf(new Uint8Array(gunzipSync(readFileSync(file))));
  });

const integer = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n }),
  fc.nat(64).map((bits) => 2n ** BigInt(bits) - 1n),
  fc.nat(300).map(BigInt),
);
const real = fc.double({ noNaN: true, noDefaultInfinity: true });
const text = fc.oneof(fc.constant(null), fc.string({ maxLength: 200 }), fc.string({ unit: 'binary', maxLength: 20 }));
const small = (bits: number): fc.Arbitrary<number> => fc.integer({ min: -(2 ** (bits - 1)), max: 2 ** (bits - 1) - 1 });
const wrapped = integer.map((value) => BigInt.asIntN(64, value));

/** A kind of field with values that fit it. */
const KINDS: readonly (readonly [Omit<WrittenField, 'name'>, fc.Arbitrary<WrittenValue>])[] = [
  [{ type: 'long', content: ['Timestamp', 'TICKS'] }, wrapped],
  [{ type: 'long', content: ['Timespan', 'TICKS'] }, wrapped],
  [{ type: 'long' }, wrapped],
  [{ type: 'int' }, small(32)],
  [{ type: 'short' }, small(16)],
  [{ type: 'char' }, fc.nat(0xffff)],
  [{ type: 'byte' }, small(8)],
  [{ type: 'boolean' }, fc.boolean()],
  [{ type: 'float' }, real],
  [{ type: 'double' }, real],
  [{ type: 'java.lang.String' }, text],
  [{ type: 'java.lang.Class', pooled: true }, wrapped],
  [{ type: 'jdk.types.StackTrace', pooled: true }, fc.constantFrom(0n, 1n, 300n, 2n ** 40n)],
  [{ type: 'int', array: true }, fc.array(small(32), { maxLength: 4 })],
];

/** A recording with types of any fields, which the views of the house do and do not know. */
const recording = fc
  .array(fc.array(fc.nat(KINDS.length - 1), { maxLength: 6 }), { minLength: 1, maxLength: 3 })
  .chain((types) => {
    const fields = types.map((kinds) =>
      kinds.map((kind, i) => ({ name: `f${i}`, ...KINDS[kind]?.[0], type: KINDS[kind]?.[0].type ?? '' })),
    );
    const event = fc.nat(types.length - 1).chain((type): fc.Arbitrary<WrittenEvent> => {
      const values = (types[type] ?? []).map((kind, i) => [`f${i}`, KINDS[kind]?.[1] ?? fc.constant(0)] as const);
      return fc.record(Object.fromEntries(values)).map((drawn) => ({ type: `drawn.T${type}`, values: drawn }));
    });
    return fc.tuple(fc.array(event, { maxLength: 60 }), fc.integer({ min: 0, max: 30 })).map(([events, shift]) => {
      const { records } = smallChunk();
      return jfrBytes([
        smallChunk({
          startTicks: 2n ** BigInt(shift * 2),
          types: [...SMALL_TYPES, ...fields.map((of, i) => ({ name: `drawn.T${i}`, event: true, fields: of }))],
          records: [...events, ...records],
        }),
      ]);
    });
  });

test('any fields, and changed bytes', async () => {
  const change = fc.tuple(fc.nat(), fc.constantFrom(0, 1, 0x46, 0x7f, 0x80, 0x81, 0xff));
  const property = fc.asyncProperty(recording, fc.array(change, { maxLength: 3 }), async (drawn, changes) => {
    const bytes = Uint8Array.from(drawn);
    await sameOf(bytes);
    if (changes.length === 0) return;
    for (const [place, byte] of changes) bytes[68 + (place % (bytes.length - 68))] = byte;
    await sameOf(bytes);
  });
  await fc.assert(property, runs(300));
});

test('small recordings with changed bytes', async () => {
  const [bytes = new Uint8Array()] = Object.values(SMALL_RECORDINGS).map((write) => write());
  const property = fc.asyncProperty(fc.nat(bytes.length - 1), fc.nat(255), async (at, byte) => {
    await sameOf(Uint8Array.from(bytes, (known, i) => (i === at ? byte : known)));
  });
  await fc.assert(property, runs(300));
});

test('more events than a batch has, across windows, with keys and sizes that the kernel leaves', async () => {
  const random = new Random(20261123);
  const records: WrittenEvent[] = [];
  for (let i = 0; i < amount(5_000, 3_600); i++) {
    const startTime = 1000n + BigInt(i);
    const key = random.below(100) === 0 ? 2n ** 40n : BigInt(random.below(3) * 150);
    if (random.below(3) > 0)
      records.push({ type: 'jdk.ExecutionSample', values: { startTime, sampledThread: 1, stackTrace: key } });
    else {
      const values = { startTime, eventThread: 2, stackTrace: 300, objectClass: 1, weight: random.below(1e9) };
      records.push({ type: 'jdk.ObjectAllocationSample', values });
    }
    // The last one is longer than the window.
    if (amount([1_500, 3_500], [3_500]).includes(i)) records.push(order(startTime, `chars${'x'.repeat(430 * i)}`));
  }
  const { records: first } = smallChunk();
  const bytes = jfrBytes([smallChunk({ records: [...first, ...records] }), smallChunk()]);
  ok(bytes.length > 1.5e6);
  const { recording: read } = await sameOf(bytes);
  if (typeof read === 'string') throw new Error(read);
  deepEqual(read.problems.list, []);
  equal(difference(plainJfr(bytes), read), undefined);
});

/** An event with a text of any length. */
function order(startTime: bigint, name: string): WrittenEvent {
  const part = { id: 7, size: 8 };
  const values = { letter: 65, small: -2, flag: true, price: 1.5, share: 0.25, parts: [part], part };
  return { type: 'shop.Order', values: { startTime, text: name, ...values } };
}
