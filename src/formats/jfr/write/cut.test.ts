/** Parts of drawn recordings, read by the second reader: the events that were chosen, and the constants that they need. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { memorySource } from '../../../bytes/byte-source.js';
import type { CutReport, EventCut } from '../../../models/event-types.js';
import { HIDDEN } from '../../../models/secrets.js';
import { column } from '../../../models/table.js';
import { amount, runs } from '../../../testing/amount.js';
import { applyMutation, randomMutation } from '../../../testing/fuzz/mutate.js';
import { Random } from '../../../testing/random.js';
import { readJfr } from '../read.js';
import {
  jfrBytes,
  type WrittenChunk,
  type WrittenEvent,
  type WrittenPool,
  type WrittenType,
} from '../testing/jfr-writer.js';
import { type PlainChunk, PlainReference, type PlainValue, plainJfr } from '../testing/plain-jfr.js';
import { SMALL_TYPES, smallChunk } from '../testing/small-recording.js';
import { cutJfr } from './cut.js';

async function cut(
  bytes: Uint8Array,
  choice: Partial<EventCut> = {},
): Promise<{ bytes: Uint8Array; report: CutReport }> {
  const file = cutJfr(memorySource('whole.jfr', bytes), { secrets: true, ...choice });
  const chunks: Uint8Array[] = [];
  for await (const chunk of file.chunks) chunks.push(chunk);
  return { bytes: new Uint8Array(Buffer.concat(chunks)), report: file.report };
}

/** The fields of a type that refer to constants, as pairs of path and type; elements of arrays and structs are entered. */
function keysIn(types: readonly WrittenType[], name: string, value: PlainValue | undefined): [string, bigint][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof PlainReference) return [];
  const { fields = [] } = types.find((type) => type.name === name) ?? {};
  return fields.flatMap((field): [string, bigint][] => {
    const own = value[field.name];
    return (Array.isArray(own) ? own : [own]).flatMap((each): [string, bigint][] => {
      if (each instanceof PlainReference) return [[each.type, each.key]];
      if (field.type === 'java.lang.String') return typeof each === 'bigint' ? [[field.type, each]] : [];
      return keysIn(types, field.type, each);
    });
  });
}

/** The constants that the events of a chunk refer to, by the rule of the format. */
function reached({ pools }: PlainChunk, events: PlainChunk['events'], types: readonly WrittenType[]): string[] {
  const found = new Set<string>();
  const pending = events.flatMap(({ type, values }) => keysIn(types, type, values));
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [type, key] = next;
    const value = pools.get(type)?.get(key);
    if (value === undefined || found.has(`${type} ${key}`)) continue;
    found.add(`${type} ${key}`);
    pending.push(...keysIn(types, type, value));
  }
  return [...found].sort();
}

function constantsIn({ pools }: PlainChunk): string[] {
  return [...pools].flatMap(([type, constants]) => [...constants.keys()].map((key) => `${type} ${key}`)).sort();
}

/** Types of the small recording, one whose text may be pooled, and a constant with a text of that kind. */
const TYPES: readonly WrittenType[] = [
  ...SMALL_TYPES,
  {
    name: 'shop.Note',
    event: true,
    fields: [
      { name: 'startTime', type: 'long', content: ['Timestamp', 'TICKS'] },
      { name: 'text', type: 'java.lang.String' },
      { name: 'tags', type: 'java.lang.String', array: true },
      { name: 'frame', type: 'jdk.types.StackFrame' },
    ],
  },
];

const KEYS = [0n, 1n, 2n, 3n, 300n, -5n, 0x7000_0000_0000_0001n];
const key = fc.constantFrom(...KEYS);
const frame = fc.record({ method: key, lineNumber: fc.nat(99), bytecodeIndex: fc.constant(1), type: key });
const text = fc.oneof(key, fc.constantFrom('', 'plain', 'chars-日本', 'latin-é'), fc.constant(null));
const small = smallChunk();
const SMALL_POOLS = small.records.flatMap((record) => ('checkpoint' in record ? record.checkpoint : []));

const constant: fc.Arbitrary<WrittenPool> = fc.oneof(
  fc.constantFrom(...SMALL_POOLS),
  fc.record({
    type: fc.constant('java.lang.String'),
    constants: fc.array(fc.tuple(key, fc.constantFrom('a', 'b')), { minLength: 1, maxLength: 4 }),
  }),
  fc.record({
    type: fc.constant('jdk.types.StackTrace'),
    constants: fc.array(
      fc.tuple(key, fc.record({ truncated: fc.boolean(), frames: fc.array(frame, { maxLength: 3 }) })),
      { minLength: 1, maxLength: 3 },
    ),
  }),
);
const drawnEvent = (startTime: number): fc.Arbitrary<WrittenEvent> =>
  fc.oneof(
    fc.record({
      type: fc.constant('jdk.ExecutionSample'),
      values: fc.record({ startTime: fc.constant(startTime), sampledThread: key, stackTrace: key }),
    }),
    fc.record({
      type: fc.constant('shop.Note'),
      values: fc.record({ startTime: fc.constant(startTime), text, tags: fc.array(text, { maxLength: 3 }), frame }),
    }),
  );
const FIRST = 5000;
const drawnChunk: fc.Arbitrary<WrittenChunk> = fc
  .tuple(fc.boolean(), fc.array(fc.boolean(), { maxLength: 12 }))
  .chain(([compressed, kinds]) =>
    fc.record({
      compressed: fc.constant(compressed),
      startTicks: fc.constant(BigInt(FIRST)),
      types: fc.constant(TYPES),
      records: fc.tuple(
        ...kinds.map(
          (isEvent, i): fc.Arbitrary<WrittenChunk['records'][number]> =>
            isEvent
              ? drawnEvent(FIRST + i)
              : fc.record({ checkpoint: fc.array(constant, { minLength: 1, maxLength: 3 }) }),
        ),
      ),
    }),
  );

/** Keeps the events at these nanoseconds since the recording began; all chunks begin with it. */
const keepAt =
  (bits: number): NonNullable<EventCut['keep']> =>
  ({ profile }) =>
    new Map(
      profile.events.map((table) => [
        table.kind,
        Uint8Array.from(column(table, 'startTime'), (time) => (bits >> (time % 31)) & 1),
      ]),
    );
const isKept = (bits: number, { values }: PlainChunk['events'][number]): boolean =>
  ((bits >> (Number(BigInt(String(values?.startTime))) - FIRST)) & 1) === 1;

describe('parts of drawn recordings', () => {
  test('have the chosen events and what these refer to, and nothing else', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(drawnChunk, { minLength: 1, maxLength: 3 }), fc.integer(), async (drawn, bits) => {
        const whole = jfrBytes(drawn);
        const plain = plainJfr(whole);
        equal(plain.broken, -1);
        const part = await cut(whole, { keep: keepAt(bits) });
        const seen = part.bytes.length === 0 ? { broken: -1, chunks: [] } : plainJfr(part.bytes);
        equal(seen.broken, -1);
        const wanted = plain.chunks
          .map((chunk) => ({ chunk, events: chunk.events.filter((event) => isKept(bits, event)) }))
          .filter(({ events }) => events.length > 0);
        deepEqual(
          seen.chunks.map(({ events }) => events),
          wanted.map(({ events }) => events),
        );
        for (const [i, { chunk, events }] of wanted.entries()) {
          const own = seen.chunks[i];
          ok(own);
          deepEqual(constantsIn(own), reached(chunk, events, TYPES));
          for (const [type, pool] of own.pools)
            for (const [each, value] of pool) deepEqual(value, chunk.pools.get(type)?.get(each));
        }
        const after = [...part.report.events.values()].reduce((sum, counts) => sum + counts.after, 0);
        equal(
          after,
          wanted.reduce((sum, { events }) => sum + events.length, 0),
        );
      }),
      runs(400),
    );
  });

  test('all of a recording is its events, types and constants in use; once more, the same bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(drawnChunk, { minLength: 1, maxLength: 2 }), async (drawn) => {
        const whole = jfrBytes(drawn);
        const once = await cut(whole);
        deepEqual(
          plainJfr(once.bytes).chunks.map(({ events }) => events),
          plainJfr(whole).chunks.map(({ events }) => events),
        );
        deepEqual((await cut(once.bytes)).bytes, once.bytes);
      }),
      runs(200),
    );
  });

  test('the header has the size, the metadata, and a chain of all checkpoints', async () => {
    const { bytes } = await cut(jfrBytes([smallChunk({ records: [...small.records, ...small.records] })]));
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    equal(view.getBigInt64(8), BigInt(bytes.length));
    const eventAt = (offset: bigint): { type: number; payload: number } => {
      const at = Number(offset);
      const size = (bytes[at] ?? 0) < 0x80 ? 1 : 2;
      return { type: bytes[at + size] ?? -1, payload: at + size + 1 };
    };
    equal(eventAt(view.getBigInt64(24)).type, 0);
    // The second checkpoint has constants of keys that the first one had: nothing of it is left.
    const last = eventAt(view.getBigInt64(16));
    equal(last.type, 1);
    deepEqual([...bytes.subarray(last.payload + 3, last.payload + 5)], [0, 0]);
    ok((await readJfr(memorySource('cut.jfr', bytes))).complete);
  });

  test('an unfinished chunk becomes a finished one that lasts to its last event', async () => {
    const { bytes } = await cut(jfrBytes([smallChunk({ state: 3, durationNanos: 5n })]));
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    deepEqual([view.getUint8(64), view.getBigInt64(40)], [0, 67n]);
    equal(plainJfr(bytes).broken, -1);
  });
});

describe('secrets', () => {
  const START = { name: 'startTime', type: 'long', content: ['Timestamp', 'TICKS'] } as const;
  const string = (name: string) => ({ name, type: 'java.lang.String' });
  const types: readonly WrittenType[] = [
    { name: 'jdk.InitialSystemProperty', event: true, fields: [START, string('key'), string('value')] },
    {
      name: 'jdk.JVMInformation',
      event: true,
      fields: [
        START,
        string('args'),
        { ...string('more'), array: true },
        { name: 'by', type: 'shop.By', pooled: true },
      ],
    },
    { name: 'shop.By', fields: [string('text')] },
    { name: 'jdk.types.Symbol', fields: [string('string')] },
    { name: 'java.lang.String', fields: [] },
  ];
  const chunkOf = (compressed: boolean): WrittenChunk => ({
    compressed,
    types: types.filter(({ name }) => name !== 'java.lang.String'),
    records: [
      { type: 'jdk.InitialSystemProperty', values: { startTime: 1000, key: 'db.password', value: 'hunter2' } },
      { type: 'jdk.InitialSystemProperty', values: { startTime: 1000, key: 'db.password', value: 7n } },
      { type: 'jdk.InitialSystemProperty', values: { startTime: 1000, key: 'path', value: 8n } },
      {
        type: 'jdk.JVMInformation',
        values: { startTime: 1000, args: '-Ddb.password=hunter2 -Xmx1g', more: ['--token abc', 'plain', 9n], by: 1 },
      },
      {
        checkpoint: [
          {
            type: 'java.lang.String',
            constants: [
              [7n, 'hunter7'],
              [8n, '/bin'],
              [9n, 'https://me:pw@host/'],
            ],
          },
          { type: 'shop.By', constants: [[1n, { text: '--api-key xyz' }]] },
        ],
      },
    ],
  });
  const texts = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');

  for (const compressed of [true, false])
    test(`are replaced in events, elements and constants${compressed ? '' : ', big-endian'}`, async () => {
      const { bytes, report } = await cut(jfrBytes([chunkOf(compressed)]), { secrets: false });
      const [chunk] = plainJfr(bytes).chunks;
      ok(chunk);
      deepEqual(
        chunk.events.map(({ values = {} }) => values.value ?? [values.args, values.more]),
        [HIDDEN, HIDDEN, 8n, [`-Ddb.password=${HIDDEN} -Xmx1g`, [`--token ${HIDDEN}`, 'plain', 9n]]],
      );
      deepEqual(
        [...(chunk.pools.get('java.lang.String') ?? [])],
        [
          [8n, '/bin'],
          [9n, `https://me:${HIDDEN}@host/`],
        ],
      );
      deepEqual(chunk.pools.get('shop.By')?.get(1n), { text: `--api-key ${HIDDEN}` });
      for (const secret of ['hunter', 'abc', 'me:pw', 'xyz']) ok(!texts(bytes).includes(secret), secret);
      equal(report.hidden, 6);
    });

  test('stay where they are wanted', async () => {
    const { bytes, report } = await cut(jfrBytes([chunkOf(true)]));
    for (const secret of ['hunter2', 'hunter7', 'abc', 'me:pw', 'xyz']) ok(texts(bytes).includes(secret), secret);
    equal(report.hidden, 0);
  });
});

/** Codes of problems in what is copied. */
const COPIED = new Set(['jfr-metadata', 'jfr-type', 'jfr-header']);

test('constants whose damaged metadata give them elements without bytes are left out', async () => {
  const damaged = jfrBytes([smallChunk(), smallChunk({ compressed: false, startTicks: 5000n })]);
  // The type of the elements of an array becomes one without fields.
  damaged[1758] = 18;
  const { bytes, report } = await cut(damaged);
  deepEqual(
    report.problems.list.map(({ code, offset }) => [code, offset]),
    [['jfr-constants', 278]],
  );
  equal(plainJfr(bytes).broken, -1);
});

test('the whole events of damaged files are written as a sound file', async () => {
  const whole = jfrBytes([smallChunk(), smallChunk({ compressed: false, startTicks: 5000n })]);
  const random = new Random(runs(1).seed);
  let parts = 0;
  for (let i = 0; i < amount(20_000, 300); i++) {
    const mutation = randomMutation(whole, whole, random);
    const mutated = applyMutation(whole, mutation);
    const mayFail = await cut(mutated, { secrets: i % 2 === 0 }).catch((error: unknown) => {
      ok(error instanceof Error && error.name === 'FormatError', String(error));
      return undefined;
    });
    if (mayFail === undefined || mayFail.bytes.length === 0) continue;
    // Metadata and ticks a second are copied as they are, so other readers may fail on damaged ones.
    if (mayFail.report.problems.list.some(({ code }) => COPIED.has(code))) continue;
    const seen = plainJfr(mayFail.bytes);
    equal(seen.broken, -1, `${i}: ${JSON.stringify(mutation)} ${JSON.stringify(mayFail.report.problems.list)}`);
    const after = [...mayFail.report.events.values()].reduce((sum, counts) => sum + counts.after, 0);
    equal(
      after,
      seen.chunks.reduce((sum, { events }) => sum + events.length, 0),
      `${i}: ${JSON.stringify(mutation)} ${JSON.stringify(mayFail.report.problems.list)}`,
    );
    parts++;
  }
  ok(parts > amount(4000, 60), `${parts} parts`);
});
