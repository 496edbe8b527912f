/** Events of other recorders, and of applications: each is in a metric, or an answer says how many are in none. */
import { deepEqual, equal } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { memorySource } from '../../../bytes/byte-source.js';
import { noteTexts } from '../../../cli/render/spelling.js';
import { ask, openSession, type Session } from '../../../session/session.js';
import { sharedData } from '../../../testing/shared-data.js';
import { jfrBytes, type WrittenEvent, type WrittenField, type WrittenType } from '../testing/jfr-writer.js';
import { SMALL_TYPES, smallChunk } from '../testing/small-recording.js';

const START = { name: 'startTime', type: 'long', content: ['Timestamp', 'TICKS'] } as const;
const STACK = { name: 'stackTrace', type: 'jdk.types.StackTrace', pooled: true };
const THREAD = { name: 'eventThread', type: 'java.lang.Thread', pooled: true };
const CLASS = { name: 'objectClass', type: 'java.lang.Class', pooled: true };
const SIZE = { name: 'size', type: 'long', content: ['DataAmount', 'BYTES'] } as const;

const eventType = (name: string, ...fields: readonly WrittenField[]): WrittenType => ({
  name,
  event: true,
  fields: [START, THREAD, STACK, ...fields],
});

/** A recording of these types of events beside the one of `smallChunk`, whose stacks are 1 and 300. */
function recordingOf(types: readonly WrittenType[], events: readonly WrittenEvent[]): Promise<Session> {
  const records = events.map(({ type, values }, i) => ({
    type,
    values: { startTime: 2000 + i, eventThread: 1, stackTrace: 1, ...values },
  }));
  const chunk = smallChunk();
  const all = { ...chunk, types: [...SMALL_TYPES, ...types], records: [...chunk.records, ...records] };
  return openSession([memorySource('others.jfr', jfrBytes([all]))]);
}

async function sums(session: Session): Promise<Record<string, number | null>> {
  const { metrics } = await ask(session, { view: 'summary' });
  return Object.fromEntries(metrics.map(({ id, sum }) => [id, sum]));
}

const many = (count: number, event: WrittenEvent): WrittenEvent[] => Array.from({ length: count }, () => event);

test('samples of the profiler of Datadog count with their weights, whatever type these have, and 1 without', async () => {
  for (const weight of ['byte', 'short', 'int', 'long', 'float', 'double']) {
    const types = [
      eventType('datadog.ExecutionSample', { name: 'weight', type: weight }),
      eventType('datadog.MethodSample', { name: 'spanId', type: 'long' }),
    ];
    const events = [
      ...many(5, { type: 'datadog.ExecutionSample', values: { weight: 7 } }),
      ...many(3, { type: 'datadog.ExecutionSample', values: { weight: 1 } }),
      ...many(4, { type: 'datadog.MethodSample', values: { spanId: 9 } }),
    ];
    const session = await recordingOf(types, events);
    const { samples, 'wall-samples': wall } = await sums(session);
    // Ten samples of the JVM have a stack.
    deepEqual([samples, wall], [10 + 5 * 7 + 3, 4], weight);
    await session.close();
  }
});

test('a weight that is no number counts as none', async () => {
  const types = [eventType('datadog.MethodSample', { name: 'weight', type: 'java.lang.String' })];
  const session = await recordingOf(types, many(4, { type: 'datadog.MethodSample', values: { weight: '3' } }));
  equal((await sums(session))['wall-samples'], 4);
  await session.close();
});

test('a sampled allocation of Datadog stands for its weight of objects of its size, live objects for themselves', async () => {
  const types = [
    eventType('datadog.ObjectSample', CLASS, SIZE, { name: 'weight', type: 'float' }),
    eventType('datadog.HeapLiveObject', CLASS, SIZE, { name: 'age', type: 'long' }, { name: 'weight', type: 'float' }),
  ];
  const session = await recordingOf(types, [
    { type: 'datadog.ObjectSample', values: { objectClass: 1, size: 1000, weight: 2.5 } },
    { type: 'datadog.ObjectSample', values: { objectClass: 1, size: 24, weight: 100 } },
    { type: 'datadog.HeapLiveObject', values: { objectClass: 1, size: 4096, age: 3, weight: 9 } },
  ]);
  const { allocated, 'old-objects': objects, 'old-bytes': bytes } = await sums(session);
  // The sample of the JVM is the first one of an older thread, which weighs what was before the recording.
  deepEqual([allocated, objects, bytes], [2500 + 2400, 1, 4096]);
  await session.close();
});

test('events of other types with stacks are a metric of their own, and answers about fewer samples name them', async () => {
  const types = [eventType('acme.Request'), eventType('acme.Step'), eventType('acme.Silent')];
  const session = await recordingOf(types, [
    ...many(30, { type: 'acme.Request', values: {} }),
    ...many(12, { type: 'acme.Step', values: { stackTrace: 300 } }),
    ...many(50, { type: 'acme.Silent', values: { stackTrace: 0 } }),
  ]);
  const words =
    'Not counted: 42 other events with stacks: 30 acme.Request, 12 acme.Step (--metric other-events shows them).';
  equal((await sums(session))['other-events'], 42);
  for (const view of ['summary', 'functions', 'tree', 'flame'] as const) {
    const { notes } = await ask(session, { view });
    deepEqual(noteTexts(notes.filter(({ code }) => code === 'other-events')), [words], view);
  }
  const scope = [{ kind: 'filter', expression: 'type = "acme.Step"' }] as const;
  const { rows, notes } = await ask(session, { view: 'functions', options: { metric: 'other-events' }, scope });
  deepEqual(
    rows.filter(({ self }) => self !== 0).map(({ self }) => self),
    [12],
  );
  deepEqual(
    notes.filter(({ code }) => code === 'other-events'),
    [],
  );
  await session.close();
});

test('few other events are only in the summary', async () => {
  const session = await recordingOf(
    [eventType('acme.Request')],
    [
      ...many(1, { type: 'acme.Request', values: {} }),
      ...many(20, { type: 'jdk.ExecutionSample', values: { sampledThread: 1 } }),
    ],
  );
  const codes = async (view: 'summary' | 'functions'): Promise<readonly string[]> =>
    (await ask(session, { view })).notes.map(({ code }) => code);
  deepEqual(
    [(await codes('summary')).includes('other-events'), (await codes('functions')).includes('other-events')],
    [true, false],
  );
  await session.close();
});

test('the numbers of a recording with the names of Datadog are those of its program', async (t) => {
  const path = sharedData(t, 'cases/jfr-datadog/dd.jfr');
  if (path === undefined) return;
  const session = await openSession([memorySource('dd.jfr', readFileSync(path))]);
  const { metrics } = await ask(session, { view: 'summary' });
  deepEqual(
    metrics.map(({ id, hottest }) => [id, hottest.map(({ value, function: name }) => [value, name])]),
    [
      ['samples', [[5, 'Dd.hot()']]],
      ['wall-samples', [[6, 'Dd.idle()']]],
    ],
  );
  await session.close();
});
