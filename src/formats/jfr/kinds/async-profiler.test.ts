/** Events of async-profiler 3 and 4: states of samples, native locks, native memory by the function that was called, live objects. */
import { deepEqual, equal } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { memorySource } from '../../../bytes/byte-source.js';
import type { ScopeStep } from '../../../models/scope.js';
import { ask, openSession, type Session } from '../../../session/session.js';
import { jfrBytes, type WrittenEvent, type WrittenField, type WrittenType } from '../testing/jfr-writer.js';
import { SMALL_TYPES, smallChunk } from '../testing/small-recording.js';

const START = { name: 'startTime', type: 'long', content: ['Timestamp', 'TICKS'] } as const;
const LONG = { type: 'long' } as const;
const pooled = (name: string, type: string): WrittenField => ({ name, type, pooled: true });
const eventType = (name: string, ...fields: readonly WrittenField[]): WrittenType => ({
  name,
  event: true,
  fields: [START, pooled('eventThread', 'java.lang.Thread'), pooled('stackTrace', 'jdk.types.StackTrace'), ...fields],
});

const TYPES: readonly WrittenType[] = [
  {
    name: 'profiler.WallClockSample',
    event: true,
    fields: [
      START,
      pooled('sampledThread', 'java.lang.Thread'),
      pooled('stackTrace', 'jdk.types.StackTrace'),
      pooled('state', 'jdk.types.ThreadState'),
      { name: 'samples', type: 'int' },
    ],
  },
  { name: 'jdk.types.ThreadState', simple: true, fields: [{ name: 'name', type: 'java.lang.String' }] },
  eventType(
    'profiler.NativeLock',
    { name: 'duration', ...LONG, content: ['Timespan', 'TICKS'] },
    { name: 'address', ...LONG },
  ),
  eventType(
    'profiler.Malloc',
    { name: 'address', ...LONG },
    { name: 'size', ...LONG, content: ['DataAmount', 'BYTES'] },
  ),
  eventType('profiler.Free', { name: 'address', ...LONG }),
  eventType(
    'profiler.LiveObject',
    pooled('objectClass', 'java.lang.Class'),
    { name: 'allocationSize', ...LONG, content: ['DataAmount', 'BYTES'] },
    { name: 'allocationTime', ...LONG, content: ['Timestamp', 'TICKS'] },
  ),
];

const HOOKS = ['malloc_hook', 'calloc_hook', 'realloc_hook', 'pthread_mutex_lock_hook'];

/** Stacks from 401 on: a hook each, below `native_work`; 400 without one. Methods 50 on are the hooks. */
const frame = (method: number) => ({ method, lineNumber: 0, bytecodeIndex: 0, type: 7 });
const CONSTANTS = [
  { type: 'jdk.types.FrameType', constants: [[7n, { description: 'Native' }]] },
  {
    type: 'jdk.types.ThreadState',
    constants: [
      [1n, { name: 'STATE_RUNNABLE' }],
      [2n, { name: 'STATE_SLEEPING' }],
      [3n, { name: 'STATE_OF_LATER' }],
    ],
  },
  {
    type: 'jdk.types.Symbol',
    constants: [
      [40n, { string: 'libasyncProfiler.so' }],
      [41n, { string: 'libwork.so' }],
      [42n, { string: 'native_work' }],
      [43n, { string: '' }],
      ...HOOKS.map((string, i) => [BigInt(50 + i), { string }] as const),
    ],
  },
  {
    type: 'java.lang.Class',
    constants: [
      [40n, { name: 40 }],
      [41n, { name: 41 }],
    ],
  },
  {
    type: 'jdk.types.Method',
    constants: [
      [41n, { type: 41, name: 42, descriptor: 43 }],
      ...HOOKS.map((_, i) => [BigInt(50 + i), { type: 40, name: 50 + i, descriptor: 43 }] as const),
    ],
  },
  {
    type: 'jdk.types.StackTrace',
    constants: [
      [400n, { truncated: false, frames: [frame(41)] }],
      ...HOOKS.map((_, i) => [BigInt(401 + i), { truncated: false, frames: [frame(50 + i), frame(41)] }] as const),
    ],
  },
] as const;

const wall = (state: number, samples: number): WrittenEvent => ({
  type: 'profiler.WallClockSample',
  values: { sampledThread: 1, stackTrace: 1, state, samples },
});
const malloc = (address: number, size: number, stackTrace: number): WrittenEvent => ({
  type: 'profiler.Malloc',
  values: { eventThread: 1, stackTrace, address, size },
});

const EVENTS: readonly WrittenEvent[] = [
  ...[wall(1, 3), wall(2, 40), wall(2, 2), wall(3, 7)],
  ...[malloc(0x10, 100, 401), malloc(0x20, 20, 402), malloc(0x30, 3, 403), malloc(0x10, 5000, 400)],
  { type: 'profiler.Free', values: { eventThread: 1, stackTrace: 0, address: 0x20 } },
  { type: 'profiler.NativeLock', values: { eventThread: 1, stackTrace: 404, address: 1, duration: 6000 } },
  {
    type: 'profiler.LiveObject',
    values: { eventThread: 1, stackTrace: 300, objectClass: 1, allocationSize: 48, allocationTime: 1005 },
  },
];

describe('async-profiler', () => {
  let session: Session;
  before(async () => {
    const chunk = smallChunk();
    const events = EVENTS.map(({ type, values }, i) => ({ type, values: { startTime: 2000 + i, ...values } }));
    const records = [...chunk.records, { checkpoint: CONSTANTS }, ...events];
    const bytes = jfrBytes([{ ...chunk, types: [...SMALL_TYPES, ...TYPES], records }]);
    session = await openSession([memorySource('ap.jfr', bytes)]);
  });
  after(() => session.close());

  async function self(metric: string, scope: readonly ScopeStep[] = []): Promise<Record<string, number>> {
    const { rows } = await ask(session, { view: 'functions', options: { metric }, scope, page: { limit: 0 } });
    return Object.fromEntries(rows.flatMap(({ function: name, self: value }) => (value ? [[name, value]] : [])));
  }
  const sumOf = (values: Readonly<Record<string, number>>): number =>
    Object.values(values).reduce((sum, value) => sum + value, 0);

  test('wall-clock samples can be chosen by state', async () => {
    const wallOf = async (...scope: ScopeStep[]): Promise<number> => sumOf(await self('wall-samples', scope));
    equal(await wallOf(), 52);
    equal(await wallOf({ kind: 'state', states: ['sleeping'] }), 42);
    equal(await wallOf({ kind: 'filter', expression: 'state = "runnable"' }), 3);
    equal(await wallOf({ kind: 'filter', expression: 'status = "STATE_OF_LATER"' }), 7);
    equal(await wallOf({ kind: 'state', states: ['unknown'] }), 7);
  });

  test('native memory is that of the function that called, not of the hook', async () => {
    deepEqual(await self('native-bytes'), { 'native_work (libwork.so)': 5123 });
    // Address 0x10 was allocated again without being freed, and 0x20 was freed.
    deepEqual(await self('native-live'), { 'native_work (libwork.so)': 5003 });
  });

  test('native locks and live objects are metrics', async () => {
    const { metrics } = await ask(session, { view: 'summary' });
    const sums = new Map(metrics.map(({ id, sum }) => [id, sum]));
    deepEqual(
      ['native-locks', 'old-objects', 'old-bytes', 'contention'].map((id) => sums.get(id)),
      [6000, 1, 48, undefined],
    );
    deepEqual(await self('native-locks'), { 'native_work (libwork.so)': 6000 });
    equal(sums.has('other-events'), false);
  });
});
