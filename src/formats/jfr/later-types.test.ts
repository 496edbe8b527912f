/** Types that Kansoku does not know, and known ones that a later JDK changed: metadata say what their events have. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { memorySource } from '../../bytes/byte-source.js';
import { ask, openSession, type Session } from '../../session/session.js';
import { jfrBytes, type WrittenEvent, type WrittenType } from './testing/jfr-writer.js';
import { SMALL_TYPES, smallChunk } from './testing/small-recording.js';

const START = { name: 'startTime', type: 'long', content: ['Timestamp', 'TICKS'] } as const;
const STACK = { name: 'stackTrace', type: 'jdk.types.StackTrace', pooled: true } as const;
const THREAD = { name: 'sampledThread', type: 'java.lang.Thread', pooled: true } as const;

function recordingOf(types: readonly WrittenType[], events: readonly WrittenEvent[]): Promise<Session> {
  const names = new Set(types.map(({ name }) => name));
  const chunk = smallChunk();
  const records = [
    ...chunk.records.filter((record) => !('type' in record) || !names.has(record.type)),
    ...events.map(({ type, values }, i) => ({ type, values: { startTime: 1100 + i, ...values } })),
  ];
  const all = [...SMALL_TYPES.filter(({ name }) => !names.has(name)), ...types];
  return openSession([memorySource('later.jfr', jfrBytes([{ ...chunk, types: all, records }]))]);
}

async function row(session: Session, type: string): Promise<Record<string, unknown>> {
  const { rows } = await ask(session, { view: 'events', options: { types: [type] } });
  equal(rows.length, 1);
  return { ...rows[0] };
}

test('structs within structs, arrays of structs, enumerations and unknown annotations are read', async () => {
  const types: readonly WrittenType[] = [
    {
      name: 'jdk.LaterEvent',
      event: true,
      fields: [
        START,
        { name: 'span', type: 'later.Span' },
        { name: 'parts', type: 'later.Span', array: true },
        { name: 'texts', type: 'java.lang.String', array: true },
        { name: 'mode', type: 'later.Mode', pooled: true },
        { name: 'bits', type: 'long', content: ['Unsigned', ''] },
        { name: 'speed', type: 'double', content: ['Velocity', 'METERS_PER_SECOND'] },
        { name: 'wait', type: 'long', content: ['Timespan', 'MILLISECONDS'] },
        { name: 'size', type: 'long', content: ['DataAmount', 'BITS'] },
      ],
    },
    {
      name: 'later.Span',
      fields: [
        { name: 'from', type: 'later.Point' },
        { name: 'to', type: 'later.Point' },
      ],
    },
    {
      name: 'later.Point',
      fields: [
        { name: 'x', type: 'int' },
        { name: 'label', type: 'java.lang.String' },
      ],
    },
    { name: 'later.Mode', simple: true, fields: [{ name: 'name', type: 'java.lang.String' }] },
  ];
  const span = (x: number) => ({ from: { x, label: `f${x}` }, to: { x: -x, label: `t${x}` } });
  const session = await recordingOf(types, [
    {
      type: 'jdk.LaterEvent',
      values: {
        span: span(3),
        parts: [span(1), span(2)],
        texts: ['one', 'two'],
        mode: 5,
        bits: 255,
        speed: 1.25,
        wait: 7,
        size: 64,
      },
    },
  ]);
  const cells = await row(session, 'LaterEvent');
  deepEqual(
    ['span.from.x', 'span.from.label', 'span.to.x', 'span.to.label', 'bits', 'speed', 'wait', 'size'].map(
      (key) => cells[key],
    ),
    [3, 'f3', -3, 't3', 255, 1.25, 7e6, 8],
  );
  const { problems, complete } = await ask(session, { view: 'summary' });
  deepEqual([problems.errors, complete], [0, true]);
  await session.close();
});

test('a known type without some fields, with others before and behind them, in another order, keeps its numbers', async () => {
  const types: readonly WrittenType[] = [
    {
      name: 'jdk.ExecutionSample',
      event: true,
      fields: [
        { name: 'failed', type: 'boolean' },
        { name: 'extra', type: 'later.Extra' },
        STACK,
        START,
        { name: 'notes', type: 'java.lang.String', array: true },
        THREAD,
      ],
    },
    {
      name: 'later.Extra',
      fields: [
        { name: 'values', type: 'long', array: true },
        { name: 'ratio', type: 'float' },
      ],
    },
  ];
  const sample = (stackTrace: number): WrittenEvent => ({
    type: 'jdk.ExecutionSample',
    values: {
      failed: false,
      extra: { values: [1, 2, 3], ratio: 0.5 },
      stackTrace,
      notes: ['a', 'b'],
      sampledThread: 1,
    },
  });
  const session = await recordingOf(types, [sample(1), sample(300), sample(300)]);
  const { rows, metric } = await ask(session, { view: 'functions', options: { metric: 'samples' } });
  equal(metric.sum, 3);
  ok(rows.some(({ self }) => self === 2));
  await session.close();
});

test('a known type whose fields have other names or types does not lose its events', async () => {
  const types: readonly WrittenType[] = [
    {
      name: 'jdk.ExecutionSample',
      event: true,
      fields: [START, { ...THREAD, name: 'thread' }, STACK],
    },
    {
      name: 'jdk.ObjectAllocationSample',
      event: true,
      fields: [START, STACK, { name: 'weight', type: 'java.lang.String' }],
    },
  ];
  const session = await recordingOf(types, [
    { type: 'jdk.ExecutionSample', values: { thread: 1, stackTrace: 1 } },
    { type: 'jdk.ObjectAllocationSample', values: { stackTrace: 1, weight: 'much' } },
  ]);
  const { metrics, sections } = await ask(session, { view: 'summary' });
  const sums = new Map(metrics.map(({ id, sum }) => [id, sum]));
  // Without a number for their bytes, allocations are still counted.
  deepEqual(
    ['samples', 'allocated', 'allocation-samples'].map((id) => sums.get(id)),
    [1, 0, 1],
  );
  deepEqual([sections['jdk.ExecutionSample'], sections['jdk.ObjectAllocationSample']], [1, 1]);
  await session.close();
});
