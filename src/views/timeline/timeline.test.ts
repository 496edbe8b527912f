/** Timelines of drawn events and of a real recording; their text and their picture. */
import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { int32Values } from '../../base/base64.js';
import { memorySource } from '../../bytes/byte-source.js';
import { noteTexts } from '../../cli/render/spelling.js';
import { timelineText } from '../../cli/render/timeline.js';
import { GC_PHASE_EVENTS } from '../../models/events/gc.js';
import { SAMPLE_EVENTS } from '../../models/events/sample.js';
import { LIFE_STEPS, THREAD_LIFE_EVENTS } from '../../models/events/state.js';
import { WAIT_EVENTS, WAIT_REASONS } from '../../models/events/wait.js';
import { StackBuilder } from '../../models/profile/stack-builder.js';
import { COUNTERS, RANGES, THREADS } from '../../models/profile/tables.js';
import { ProgramBuilder } from '../../models/program/program-builder.js';
import type { ScopeStep } from '../../models/scope.js';
import { type TimelineResult, tracksOf } from '../../pictures/timeline/picture.js';
import { timelineSvg } from '../../pictures/timeline/svg.js';
import { ask, openSession, sessionOf } from '../../session/session.js';
import { drawnRecording } from '../../testing/recordings.js';
import { ROOT } from '../../testing/shared-data.js';

function drawn() {
  const program = new ProgramBuilder();
  const threads = THREADS.having(['number']).builder();
  threads.add({ name: program.name('main <1>'), number: 1 });
  threads.add({ name: program.name(''), number: 35 });
  const waits = WAIT_EVENTS.having(['time']).builder();
  const reason = (word: (typeof WAIT_REASONS)[number]): number => WAIT_REASONS.indexOf(word);
  waits.add({ thread: 0, time: 10, reason: reason('park'), waited: 30 });
  waits.add({ thread: 0, time: 60, reason: reason('enter'), waited: 5 });
  waits.add({ thread: 1, time: 90, reason: reason('sleep'), waited: 10 });
  const samples = SAMPLE_EVENTS.having(['thread', 'time']).builder();
  for (const time of [1, 2, 45]) samples.add({ stack: -1, thread: 0, time, count: 1 });
  const lives = THREAD_LIFE_EVENTS.builder();
  lives.add({ stack: -1, thread: 1, time: 70, step: LIFE_STEPS.indexOf('start'), started: 1 });
  const phases = GC_PHASE_EVENTS.builder();
  phases.add({ time: 50, collection: 1, name: program.name('p'), level: 0, concurrent: 0, duration: 10 });
  phases.add({ time: 52, collection: 1, name: program.name('q'), level: 1, concurrent: 0, duration: 3 });
  const counters = COUNTERS.builder();
  for (const [time, value] of [
    [5, 7],
    [8, 3],
    [95, 10],
  ] as const)
    counters.add({ track: program.name('Heap used'), time, value });
  const ranges = RANGES.builder();
  ranges.add({ track: program.name('Warm-up'), thread: -1, time: 0, duration: 20 });
  return drawnRecording({
    program: program.finish(),
    profile: {
      stacks: new StackBuilder().finish(),
      events: [waits.finish(), samples.finish(), lives.finish(), phases.finish()],
      metrics: [],
      threads: threads.finish(),
      counters: counters.finish(),
      ranges: ranges.finish(),
    },
  });
}

function timeline(
  options: { buckets: number; rows?: boolean },
  scope: readonly ScopeStep[] = [],
  limit = 0,
): Promise<TimelineResult> {
  return ask(sessionOf([drawn()]), { view: 'timeline', options, scope, page: { limit } });
}

/** Values by track and state. */
function valuesOf(result: TimelineResult): Record<string, number[]> {
  return Object.fromEntries(
    tracksOf(result).flatMap(({ name, lanes }) =>
      lanes.map(({ state, values }) => [
        `${name}: ${state.name}`,
        [...values].map((value) => Math.round(value * 1e9) / 1e9),
      ]),
    ),
  );
}

describe('timeline of drawn events', () => {
  test('shares of states, numbers of samples, least and largest values', async () => {
    const result = await timeline({ buckets: 5 });
    deepEqual([result.from, result.to, result.threads], [0, 100, 2]);
    deepEqual(valuesOf(result), {
      'Garbage collection: GC pause': [0, 0, 0.5, 0, 0],
      'Heap used: least': [3, Number.NaN, Number.NaN, Number.NaN, 10],
      'Heap used: most': [7, Number.NaN, Number.NaN, Number.NaN, 10],
      'Warm-up: lasting': [1, 0, 0, 0, 0],
      'main <1>: park': [0.5, 1, 0, 0, 0],
      'main <1>: enter': [0, 0, 0, 0.25, 0],
      'main <1>: Samples': [2, 0, 1, 0, 0],
      '#35: sleep': [0, 0, 0, 0, 0.5],
    });
  });

  test('with rows: what the values are made of', async () => {
    const { lanes, lane_rows: rows, tracks, states } = await timeline({ buckets: 1, rows: true });
    ok(rows !== null && !(typeof rows.first === 'string'));
    const [first, from, to, value] = [rows.first, rows.from, rows.to, rows.value].map((one) =>
      typeof one === 'string' ? [] : [...one.values],
    );
    const [track, state] = [int32Values(lanes.track), int32Values(lanes.state)];
    const laneRows = Object.fromEntries(
      Array.from({ length: lanes.length }, (_, lane) => [
        `${tracks[track[lane]]?.name}: ${states[state[lane]]?.name}`,
        [from, to, value].map((column) => column?.slice(first?.[lane], first?.[lane + 1])),
      ]),
    );
    deepEqual(laneRows, {
      'Garbage collection: GC pause': [[50], [60], [1]],
      'Heap used: least': [[], [], []],
      'Heap used: most': [
        [5, 8, 95],
        [5, 8, 95],
        [7, 3, 10],
      ],
      'Warm-up: lasting': [[0], [20], [1]],
      'main <1>: park': [[10], [40], [1]],
      'main <1>: enter': [[60], [65], [1]],
      'main <1>: Samples': [
        [1, 2, 45],
        [1, 2, 45],
        [1, 1, 1],
      ],
      '#35: sleep': [[90], [100], [1]],
    });
    equal((await timeline({ buckets: 1 })).lane_rows, null);
  });

  test('a time has the rest of waits that began before it', async () => {
    const result = await timeline({ buckets: 2 }, [{ kind: 'time', from: 30, to: 50 }]);
    deepEqual(valuesOf(result), {
      'main <1>: park': [1, 0],
      'main <1>: Samples': [0, 1],
      'Garbage collection: GC pause': [0, 0],
    });
    await rejects(timeline({ buckets: 2 }, [{ kind: 'time', from: 500, to: 600 }]), /nothing was recorded/);
  });

  test('chosen threads keep the pauses of all', async () => {
    const result = await timeline({ buckets: 1 }, [{ kind: 'thread', pattern: 'main' }]);
    deepEqual(
      result.tracks.map(({ name }) => name),
      ['Garbage collection', 'Heap used', 'Warm-up', 'main <1>'],
    );
    const unnamed = await timeline({ buckets: 1 }, [{ kind: 'thread', pattern: '^#35$' }]);
    deepEqual(unnamed.tracks.at(-1)?.name, '#35', 'by the number of one without a name');
    deepEqual(unnamed.threads, 1);
    const first = await timeline({ buckets: 1 }, [], 1);
    deepEqual(first.tracks.filter(({ kind }) => kind === 'thread').length, 1);
    ok(noteTexts(first.notes).some((note) => note.startsWith('1 of 2 threads')));
  });

  test('as text: large letters for most of a part', async () => {
    const text = timelineText(await timeline({ buckets: 10 }));
    const lines = text.split('\n').map((line) => [line.slice(0, 28).trimEnd(), line.slice(29)]);
    const line = (name: string): string | undefined => lines.find(([label]) => label === name)?.[1];
    equal(line('main <1>'), '#PPP# B');
    // It started at 70 of 100.
    equal(line('#35'), '       ··Z');
    match(text, /· alive, nothing else recorded/);
    equal(line('Garbage collection'), '     █');
    equal(line('Heap used'), '▆        █ max 10 B');
  });

  test('threads have their start and end', async () => {
    const { tracks } = await timeline({ buckets: 10 });
    deepEqual(
      tracks.filter(({ kind }) => kind === 'thread').map(({ name, start, end }) => [name, start, end]),
      [
        ['main <1>', null, null],
        ['#35', 70, null],
      ],
    );
    // The plot is 980 wide from 210 on.
    const grounds = timelineSvg(await timeline({ buckets: 10 }), []).match(
      /x="[\d.]+" y="\d+" width="[\d.]+" height="21" fill="#f4f4f6"/g,
    );
    deepEqual(
      grounds?.map((one) => /x="([\d.]+)".*width="([\d.]+)"/.exec(one)?.slice(1)),
      [...Array(4).fill(['210.00', '980.00']), ['896.00', '294.00']],
    );
  });

  test('as a picture: well formed, with the numbers as titles', async () => {
    const svg = timelineSvg(await timeline({ buckets: 10 }), []);
    match(svg, /<title>main &lt;1&gt;: parked, 100\.00 % of 0\.000010 ms to 0\.000040 ms<\/title>/);
    const open: string[] = [];
    for (const [, end, name = '', closed] of svg.matchAll(/<(\/?)(\w+)(?:[^<>"]|"[^"]*")*?(\/?)>/g)) {
      if (end === '/') equal(open.pop(), name);
      else if (closed !== '/') open.push(name);
    }
    deepEqual(open, []);
    ok(!/NaN|Infinity|undefined|href|url\(/.test(svg));
  });

  test('a recording without times is refused', async () => {
    const empty = drawnRecording({ program: new ProgramBuilder().finish() });
    await rejects(ask(sessionOf([empty]), { view: 'timeline' }), /no events with times/);
  });
});

test('pauses of a real recording: the sum of all shares is the sum of the pauses', async () => {
  const path = join(ROOT, 'examples', 'jfr', 'churn-g1.jfr.gz');
  const session = await openSession([memorySource(path, gunzipSync(readFileSync(path)))]);
  const result = await ask(session, { view: 'timeline', options: { buckets: 311 } });
  const lane = tracksOf(result)[0]?.lanes.find(({ state }) => state.name === 'GC pause');
  const sum = (lane?.values.reduce((all, share) => all + share, 0) ?? 0) * ((result.to - result.from) / 311);
  const { pauses } = await ask(session, { view: 'gc' });
  ok(Math.abs(sum - (pauses?.sum ?? 0)) < 1000, `${sum} of ${pauses?.sum}`);
  await session.close();
});
