/** What happened during events, against a selection of the rows of all events that knows spans and threads only. */
import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { UsageError } from '../../base/errors.js';
import { formatValue } from '../../base/units.js';
import { memorySource } from '../../bytes/byte-source.js';
import { commandLineText, noteTexts } from '../../cli/render/spelling.js';
import { ask, openSession, type Session } from '../../session/session.js';
import { ROOT, sharedData } from '../../testing/shared-data.js';

const FIXTURE = join(ROOT, 'src', 'formats', 'jfr', 'fixtures', 'warehouse-jdk25.jfr.gz');

interface SeenEvent {
  readonly type: string;
  readonly number: string;
  readonly start: number;
  readonly end: number;
  readonly thread: unknown;
}

/** The events of some types, as `events` lists them. */
async function eventsOf(session: Session, types: readonly string[], during?: string): Promise<SeenEvent[]> {
  const scope = during === undefined ? [] : [{ kind: 'during', events: during } as const];
  const { rows } = await ask(session, { view: 'events', options: { types: [...types] }, scope, page: { limit: 0 } });
  return rows.map(({ event, startTime, duration, eventThread, sampledThread }) => ({
    type: String(event).replace(/#.*/, ''),
    number: String(event),
    start: Number(startTime),
    end: Number(startTime) + Math.max(0, Number(duration ?? 0)),
    thread: eventThread ?? sampledThread ?? null,
  }));
}

/** Pauses are of all threads: those count that overlap. */
const OF_ALL = 'jdk.GCPhasePause';

function expectedEvents(spans: readonly SeenEvent[], events: readonly SeenEvent[]): string[] {
  const isWithin = ({ type, start, end, thread }: SeenEvent): boolean =>
    spans.some((span) =>
      type === OF_ALL
        ? start <= span.end && end >= span.start
        : thread === span.thread && start >= span.start && start <= span.end,
    );
  return events.filter(isWithin).map(({ number }) => number);
}

describe('what happened during events', () => {
  const open = () => openSession([memorySource('warehouse.jfr', gunzipSync(readFileSync(FIXTURE)))]);
  const types = ['jdk.ThreadPark', 'jdk.JavaMonitorEnter', 'jdk.ThreadSleep', 'jdk.ExecutionSample', OF_ALL];

  test('is that of their threads between their ends, and the pauses that overlap', async () => {
    const session = await open();
    const presentTypes = new Set(
      (await ask(session, { view: 'event-types', page: { limit: 0 } })).rows.map(({ type }) => type),
    );
    const askedTypes = types.filter((type) => presentTypes.has(type));
    ok(askedTypes.length >= 4, askedTypes.join());
    const all = await eventsOf(session, askedTypes);
    let count = 0;
    for (const type of askedTypes.filter((each) => each !== 'jdk.ExecutionSample'))
      for (const limit of [0, 1, 5, 20]) {
        const spans = all.filter((event) => event.type === type && event.end - event.start > limit * 1e6);
        const keptEvents = await eventsOf(session, askedTypes, `${type} and duration > ${limit}ms`);
        deepEqual(keptEvents.map(({ number }) => number).sort(), expectedEvents(spans, all).sort(), `${type} ${limit}`);
        count += keptEvents.length;
      }
    ok(count > 100, `${count} events`);
    await session.close();
  });

  test('of one event is what --at shows', async () => {
    const session = await open();
    const [{ number }] = await eventsOf(session, ['jdk.ThreadPark']);
    const question = { view: 'events' as const, options: { types: ['*'] }, page: { limit: 0 } };
    const during = await ask(session, { ...question, scope: [{ kind: 'during', events: number }] });
    deepEqual(during.rows, (await ask(session, { ...question, scope: [{ kind: 'at', event: number }] })).rows);
    ok(during.total > 0);
    await session.close();
  });

  test('says who held the monitors before, and how many stacks of these threads there are meanwhile', async () => {
    const session = await open();
    const typeRows = (await ask(session, { view: 'event-types', page: { limit: 0 } })).rows;
    const options = { types: typeRows.flatMap(({ type, count }) => (count > 0 ? [String(type)] : [])) };
    const { rows } = await ask(session, { view: 'events', options, page: { limit: 0 } });
    const waits = rows.filter(({ event }) => String(event).startsWith('jdk.JavaMonitorEnter#'));
    const owners = [...new Set(waits.map(({ previousOwner }) => String(previousOwner)))].map((owner) => {
      const spans = waits.filter(({ previousOwner }) => previousOwner === owner);
      const stacks = rows.filter(
        ({ stackTrace, eventThread, sampledThread, startTime }) =>
          stackTrace !== null &&
          (eventThread ?? sampledThread) === owner &&
          spans.some((span) => {
            const after = Number(startTime) - Number(span.startTime);
            return after >= 0 && after <= Number(span.duration);
          }),
      );
      return { owner, time: spans.reduce((sum, { duration }) => sum + Number(duration), 0), stacks: stacks.length };
    });
    owners.sort((one, other) => other.time - one.time);
    equal(owners.length, 5);
    const scope = [{ kind: 'during', events: 'jdk.JavaMonitorEnter' }] as const;
    const { notes } = await ask(session, { view: 'functions', scope });
    const text = noteTexts(notes.filter(({ code }) => code === 'previous-owners')).join();
    const inNote = [...text.matchAll(/([\w-]+) ([\d.,]+ ms) \((\d+|no) stacks? meanwhile/g)];
    deepEqual(
      inNote.map(([, owner, time, stacks]) => ({ owner, time, stacks: stacks === 'no' ? 0 : Number(stacks) })),
      owners.slice(0, 3).map(({ owner, time, stacks }) => ({ owner, time: formatValue(time, 'ns'), stacks })),
    );
    match(text, / and 2 more\.$/);
    await session.close();
  });

  test('says how many events there are, and selects nothing where none fit', async () => {
    const session = await open();
    const types = { view: 'events' as const, options: { types: ['jdk.ThreadPark'] } };
    const some = await ask(session, { ...types, scope: [{ kind: 'during', events: 'ThreadPark' }] });
    match(noteTexts(some.notes).join('\n'), /^During \d+ events of jdk\.ThreadPark on \d+ threads: [\d.,]+ m?s/m);
    const none = await ask(session, { ...types, scope: [{ kind: 'during', events: 'ThreadPark and duration > 1h' }] });
    equal(none.total, 0);
    match(noteTexts(none.notes).join('\n'), /^During 0 events of jdk\.ThreadPark: 0\.00 ms\./m);
    await session.close();
  });

  for (const [events, message] of [
    ['', /expected TYPE, or TYPE and CONDITION/],
    ['ThreadPark duration > 1ms', /expected TYPE, or TYPE and CONDITION/],
    ['ThreadPark and duraton > 1ms', /--during, character 16: no events have a field duraton/],
    ['ThreadPark and duration >', /--during, character 26: /],
    ['NoSuchType and duration > 1ms', /has no events of type NoSuchType/],
    ['jdk.ThreadPark#100000000', /has no event jdk.ThreadPark#100000000/],
  ] as const)
    test(`is refused for ${events === '' ? 'nothing' : events}`, async () => {
      const session = await open();
      await rejects(
        ask(session, { view: 'functions', scope: [{ kind: 'during', events }] }),
        (error) => error instanceof UsageError && message.test(commandLineText(error.text)),
      );
      await session.close();
    });

  test('of a recording with thread dumps are the waits, where the locks of dumps cannot be selected', async (t) => {
    const path = sharedData(t, 'shop/s17def.jfr');
    if (path === undefined) return;
    const session = await openSession([memorySource('s17def.jfr', readFileSync(path))]);
    const scope = [{ kind: 'during', events: 'acme.Request and duration > 150ms' }] as const;
    equal((await ask(session, { view: 'monitors' })).of, 'locks');
    const usual = await ask(session, { view: 'monitors', scope });
    deepEqual(usual.rows, (await ask(session, { view: 'monitors', scope, options: { contention: true } })).rows);
    ok(usual.of === 'contention' && usual.rows.length > 0);
    await session.close();
  });

  test('of all slow requests of a service are its waits, by its own counters', async (t) => {
    const path = sharedData(t, 'shop/s17def.jfr');
    if (path === undefined) return;
    const session = await openSession([memorySource('s17def.jfr', readFileSync(path))]);
    const types = ['acme.Request', 'jdk.JavaMonitorEnter', 'jdk.ObjectAllocationSample', OF_ALL];
    const all = await eventsOf(session, types);
    const slow = all.filter(({ type, start, end }) => type === 'acme.Request' && end - start > 150e6);
    const keptEvents = await eventsOf(session, types, 'acme.Request and duration > 150ms');
    deepEqual(keptEvents.map(({ number }) => number).sort(), expectedEvents(slow, all).sort());
    ok(slow.length > 10);
    await session.close();
  });
});
