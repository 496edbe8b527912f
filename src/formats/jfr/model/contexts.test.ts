/** Fields that an application marks as context are fields of all events of their thread while they hold. */
import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { memorySource } from '../../../bytes/byte-source.js';
import { ask, openSession } from '../../../session/session.js';
import { readEvents } from '../read.js';
import { jfrBytes, type WrittenEvent, type WrittenField, type WrittenType } from '../testing/jfr-writer.js';
import { SMALL_TYPES, smallChunk } from '../testing/small-recording.js';

const START = { name: 'startTime', type: 'long', content: ['Timestamp', 'TICKS'] } as const;
const THREAD = { name: 'eventThread', type: 'java.lang.Thread', pooled: true };
const eventType = (name: string, ...fields: readonly WrittenField[]): WrittenType => ({
  name,
  event: true,
  fields: [START, { name: 'duration', type: 'long', content: ['Timespan', 'TICKS'] }, THREAD, ...fields],
});

const CONTEXT = { content: ['Contextual', ''] } as const;
const TYPES: readonly WrittenType[] = [
  eventType(
    'shop.Visit',
    { name: 'visitId', type: 'long', ...CONTEXT },
    { name: 'customer', type: 'java.lang.String', ...CONTEXT },
    { name: 'other', type: 'int' },
  ),
  eventType('shop.Step', { name: 'number', type: 'int' }),
];

const event = (type: string, eventThread: number, start: number, end: number, values: WrittenEvent['values']) => ({
  type,
  values: { startTime: 1000 + start, duration: end - start, eventThread, ...values },
});
const step = (number: number, thread: number, start: number) => event('shop.Step', thread, start, start, { number });

/** A recorder writes an event when it ends: inner ones first. Two visits of one thread are one in the other. */
const EVENTS: readonly WrittenEvent[] = [
  ...[step(1, 1, 90), step(2, 1, 100), step(3, 1, 150)],
  event('shop.Visit', 1, 140, 160, { visitId: 8, customer: 'inner', other: 1 }),
  ...[step(4, 1, 170), step(5, 2, 150)],
  { type: 'jdk.ExecutionSample', values: { startTime: 1150, sampledThread: 1, stackTrace: 300 } },
  event('shop.Visit', 1, 100, 200, { visitId: 7, customer: 'outer', other: 2 }),
  ...[step(6, 1, 200), step(7, 1, 201)],
  event('shop.Visit', 2, 300, 310, { visitId: 9, customer: 'outer', other: 2 }),
  step(8, 2, 305),
];

function bytes(): Uint8Array {
  const chunk = smallChunk();
  return jfrBytes([{ ...chunk, types: [...SMALL_TYPES, ...TYPES], records: [...chunk.records, ...EVENTS] }]);
}

const EXPECTED = [
  [1, null],
  ...[[2, 7] as const, [3, 8] as const, [4, 7] as const, [5, null] as const, [6, 7] as const, [7, null] as const],
  [8, 9],
];

test('an event has the context of the innermost event around it on its thread', async () => {
  const { profile } = await readEvents(memorySource('x.jfr', bytes()), ['shop.Step']);
  const [table] = profile.events;
  const ids = Array.from(table?.columns['Visit.visitId'] ?? [], (id) => (Number.isNaN(id) ? null : id));
  const numbers = Array.from(table?.columns.number ?? []);
  deepEqual(
    numbers.map((number, row) => [number, ids[row]]),
    EXPECTED,
  );
  // The type around it is read, too, but not asked for; fields that are no context stay its own.
  deepEqual([profile.events.length, table?.columns['Visit.other']], [1, undefined]);
});

test('filters and groups of every view know it, also those of a first page', async () => {
  const session = await openSession([memorySource('x.jfr', bytes())]);
  const scope = [{ kind: 'filter', expression: 'Visit.customer = "outer"' }] as const;
  const page = await ask(session, { view: 'events', options: { types: ['Step'] }, page: { limit: 3 } });
  deepEqual(
    page.rows.map((row) => row['Visit.visitId']),
    [null, 7, 8],
  );
  const { rows } = await ask(session, { view: 'events', options: { types: ['Step'] }, scope });
  deepEqual(
    rows.map(({ number }) => number),
    [2, 4, 6, 8],
  );
  const inner = [{ kind: 'filter', expression: 'Visit.visitId = 8' }] as const;
  const functions = await ask(session, { view: 'functions', options: { metric: 'samples' }, scope: inner });
  deepEqual(
    functions.rows.map(({ self }) => self).filter((self) => self !== 0),
    [1],
  );
  await session.close();
});
