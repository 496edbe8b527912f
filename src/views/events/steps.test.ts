/** Groups of events by steps of a number, against the rows of the events. */
import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { memorySource } from '../../bytes/byte-source.js';
import { ask, openSession, type Session } from '../../session/session.js';
import { ROOT } from '../../testing/shared-data.js';

const FIXTURE = join(ROOT, 'src', 'formats', 'jfr', 'fixtures', 'warehouse-jdk25.jfr.gz');
const TYPE = 'jdk.ThreadPark';

const open = () => openSession([memorySource('warehouse.jfr', gunzipSync(readFileSync(FIXTURE)))]);

async function groups(session: Session, by: readonly string[], scope: { from: number; to: number }[] = []) {
  return ask(session, {
    view: 'event-groups',
    options: { types: [TYPE], by: [...by] },
    scope: scope.map((time) => ({ kind: 'time', ...time })),
    page: { limit: 0 },
  });
}

async function eventRows(session: Session) {
  const { rows } = await ask(session, { view: 'events', options: { types: [TYPE] }, page: { limit: 0 } });
  return rows.map(({ startTime, duration }) => ({ time: Number(startTime), duration: Number(duration) }));
}

describe('groups by steps', () => {
  test('of time have each step of the recording, those without events too', async () => {
    const session = await open();
    const events = await eventRows(session);
    for (const width of [7e6, 100e6, 1e9]) {
      const { rows } = await groups(session, [`time:${width / 1e6}ms`]);
      deepEqual(
        rows.map(({ startTime }) => startTime),
        rows.map((_, i) => i * width),
        'from 0 on, without a gap',
      );
      const last = Number(rows.at(-1)?.startTime);
      ok(last + width > Math.max(...events.map(({ time }) => time)));
      for (const { startTime, events: count, sum, max } of rows) {
        const inStep = events.filter(({ time }) => time >= Number(startTime) && time < Number(startTime) + width);
        equal(count, inStep.length);
        equal(sum, inStep.length === 0 ? null : inStep.reduce((all, { duration }) => all + duration, 0));
        equal(max, inStep.length === 0 ? null : Math.max(...inStep.map(({ duration }) => duration)));
      }
      ok(rows.some(({ events: count }) => count === 0) || width > 7e6);
    }
    await session.close();
  });

  test('have the rate of the part of a step that is in the scope', async () => {
    const session = await open();
    const { rows } = await groups(session, ['time:100ms'], [{ from: 130e6, to: 450e6 }]);
    deepEqual(
      rows.map(({ startTime }) => startTime),
      [100e6, 200e6, 300e6, 400e6],
    );
    deepEqual(
      rows.map(({ rate, events }) => [Math.round(Number(rate) * 1e6), events]),
      rows.map(({ events }, i) => [Math.round((Number(events) / ([70, 100, 100, 50][i] ?? 0)) * 1e9), events]),
    );
    await session.close();
  });

  test('of a duration begin at the smallest', async () => {
    const session = await open();
    const events = await eventRows(session);
    const { rows } = await groups(session, ['duration:5ms']);
    const smallest = Math.min(...events.map(({ duration }) => duration));
    equal(rows[0]?.duration, Math.floor(smallest / 5e6) * 5e6);
    equal(
      rows.reduce((sum, { events: count }) => sum + Number(count), 0),
      events.length,
    );
    await session.close();
  });

  for (const [by, message] of [
    ['time:2MB', /startTime:2MB is no step of startTime/],
    ['eventThread:2', /is no number/],
    ['time:0s', /0 wide/],
    ['time:1ns', /rows, most of them empty/],
    ['nothing:1s', /no field nothing/],
  ] as const)
    test(`are refused for ${by}`, async () => {
      const session = await open();
      await rejects(groups(session, [by]), message);
      await session.close();
    });

  test('have times of day, as single events have', async () => {
    const session = await open();
    const times = { options: { types: [TYPE], clock: true }, page: { limit: 0 } };
    const events = await ask(session, { view: 'events', ...times });
    // `jfr summary`: 2026-11-21 09:35:41 (UTC) is the start of the recording; the summary has it in whole ms.
    const { started } = (await ask(session, { view: 'summary' })).metadata;
    match(String(started), /^2026-11-21T09:35:41/);
    const start = Date.parse(String(started));
    const isTimeOf = (clock: unknown, ns: number): boolean =>
      [0, 1].some((ms) => clock === new Date(Math.floor(start + ms + ns / 1e6)).toISOString().slice(11, 23));
    for (const { clock, startTime } of events.rows) ok(isTimeOf(clock, Number(startTime)), `${clock} ${startTime}`);
    const byTime = await ask(session, {
      view: 'event-groups',
      options: { ...times.options, by: ['time:100ms'] },
      page: { limit: 0 },
    });
    ok(isTimeOf(byTime.rows[3]?.clock, 300e6));
    deepEqual(
      [events, byTime].map(({ notes }) => notes.filter(({ code }) => code === 'zone').length),
      [1, 1],
    );
    await rejects(
      ask(session, { view: 'event-groups', options: { ...times.options, by: ['duration:5ms'] } }),
      /needs groups by steps of time/,
    );
    await session.close();
  });
});
