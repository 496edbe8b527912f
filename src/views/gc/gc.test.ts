/** Collections of real recordings against what the JDK's own tool says of them, and of drawn events. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { memorySource } from '../../bytes/byte-source.js';
import { commandLineText } from '../../cli/render/spelling.js';
import { GC_EVENTS, GC_PHASE_EVENTS, HEAP_USE_EVENTS } from '../../models/events/gc.js';
import { StackBuilder } from '../../models/profile/stack-builder.js';
import { ProgramBuilder } from '../../models/program/program-builder.js';
import { ask, openSession, sessionOf } from '../../session/session.js';
import { printedAs } from '../../testing/jfr-view.js';
import { drawnRecording } from '../../testing/recordings.js';
import { ROOT, sharedData } from '../../testing/shared-data.js';

async function gcOf(path: string) {
  const bytes = readFileSync(path);
  const source = memorySource(path, bytes[0] === 0x1f ? gunzipSync(bytes) : bytes);
  const session = await openSession([source]);
  const result = await ask(session, { view: 'gc', page: { limit: 0 } });
  await session.close();
  return result;
}

const text = (path: string): string => gunzipSync(readFileSync(path)).toString('utf8');

/** Rows of `jfr view gc`: id, heap before, heap after, longest pause. */
function rowsOfJdk(views: string): { id: number; before: string[]; after: string[]; longest: string[] }[] {
  const [, table = ''] = views.split('### jfr view gc\n');
  const rows: { id: number; before: string[]; after: string[]; longest: string[] }[] = [];
  for (const line of (table.split('\n###')[0] ?? '').split('\n')) {
    const match = /^(?:\S+) +(\d+) .*? (N\/A|[\d.]+ \w+) +(N\/A|[\d.]+ \w+) +(N\/A|[\d.]+ \w+)$/.exec(line.trimEnd());
    if (match === null) continue;
    const [before = [], after = [], longest = []] = [2, 3, 4].map((group) => (match[group] ?? '').split(' '));
    rows.push({ id: Number(match[1]), before, after, longest });
  }
  return rows;
}

describe('collections of recordings of JFR', () => {
  for (const name of ['warehouse-jdk17', 'warehouse-jdk25', 'multichunk-jdk21'])
    test(`${name}: heap and pauses of each as the JDK has them`, async (t) => {
      const folder = sharedData(t, 'interop/jfr');
      if (folder === undefined) return;
      const file = name === 'warehouse-jdk17' ? `${name}.jfr` : `${name}.jfr.gz`;
      const { rows } = await gcOf(join(folder, file));
      const byId = new Map(rows.map((row) => [row.id, row]));
      const expected = rowsOfJdk(text(join(folder, 'expected', `${name}.views.txt.gz`)));
      ok(expected.length > 200);
      for (const { id, before, after, longest } of expected) {
        const row = byId.get(id);
        ok(row, `collection ${id}`);
        ok(printedAs(row.before, before) && printedAs(row.after, after), `heap of ${id}`);
        ok(printedAs(row.longest, longest), `${row.longest} is not ${longest.join(' ')} in ${id}`);
      }
    });

  test('names, causes, sums of pauses and sizes as `jfr print` has them', async (t) => {
    const folder = sharedData(t, 'interop/jfr');
    if (folder === undefined) return;
    const { rows } = await gcOf(join(folder, 'warehouse-jdk17.jfr'));
    const expectedEvents: { recording: { events: { type: string; values: Record<string, string | number> }[] } } =
      JSON.parse(text(join(folder, 'expected', 'warehouse-jdk17.print.json.gz')));
    const ns = (duration: unknown): number => Math.round(Number(String(duration).replace(/^PT|S$/g, '')) * 1e9);
    const { events } = expectedEvents.recording;
    const expected = events
      .filter(({ type }) => type === 'jdk.GarbageCollection')
      .map(({ values }) => [values.gcId, values.name, values.cause, ns(values.sumOfPauses), ns(values.longestPause)]);
    const round = (value: number | null): number => Math.round(value ?? -1);
    deepEqual(
      rows.map((row) => [row.id, row.collector, row.cause, round(row.paused), round(row.longest)]),
      expected,
    );
    const used = (when: string) =>
      events
        .filter(({ type, values }) => type === 'jdk.GCHeapSummary' && values.when === when)
        .map(({ values }) => [values.gcId, values.heapUsed]);
    deepEqual(
      rows.map((row) => [row.id, row.before]),
      used('Before GC'),
    );
    deepEqual(
      rows.map((row) => [row.id, row.after]),
      used('After GC'),
    );
  });

  test('the used heap of a summary is that of the last collection, and the most of all', async (t) => {
    const folder = sharedData(t, 'interop/jfr');
    if (folder === undefined) return;
    const print: { recording: { events: { type: string; values: Record<string, number> }[] } } = JSON.parse(
      text(join(folder, 'expected', 'warehouse-jdk17.print.json.gz')),
    );
    const events = print.recording.events.filter(({ type }) => type === 'jdk.GCHeapSummary');
    const path = join(folder, 'warehouse-jdk17.jfr');
    const session = await openSession([memorySource(path, readFileSync(path))]);
    t.after(() => session.close());
    const { gc } = await ask(session, { view: 'summary' });
    const last = Math.max(...events.map(({ values }) => values.gcId));
    const after = events.find(({ values }) => values.gcId === last && String(values.when) === 'After GC');
    equal(gc?.used_after, after?.values.heapUsed);
    equal(gc?.used_most, Math.max(...events.map(({ values }) => values.heapUsed)));
  });

  // What `jfr view gc-pauses` of JDK 25 prints of these files.
  for (const [name, count, sum, p50, p90, p99, p999, max] of [
    ['churn-g1', 73, '141 ms', '0.558 ms', '2.02 ms', '52.3 ms', '52.3 ms', '52.3 ms'],
    ['churn-serial', 92, '37.8 ms', '0.297 ms', '0.440 ms', '6.66 ms', '6.66 ms', '6.66 ms'],
  ] as const)
    test(`${name}: percentiles of the JDK`, async () => {
      const { pauses, single, rows } = await gcOf(join(ROOT, 'examples', 'jfr', `${name}.jfr.gz`));
      ok(pauses !== null && single);
      equal(pauses.count, count);
      for (const [value, expected] of [
        [pauses.sum, sum],
        [pauses.p50, p50],
        [pauses.p90, p90],
        [pauses.p99, p99],
        [pauses.p999, p999],
        [pauses.max, max],
      ] as const)
        ok(printedAs(value, expected.split(' ')), `${value} is not ${expected}`);
      const paused = rows.reduce((all, row) => all + (row.paused ?? 0), 0);
      ok(Math.abs(paused - pauses.sum) < 1, 'each pause belongs to one collection');
    });

  test('no rows of phases, and shares that are less than their sums, are explained', async () => {
    const path = join(ROOT, 'src', 'formats', 'jfr', 'fixtures', 'warehouse-jdk25.jfr.gz');
    const session = await openSession([memorySource('zgc.jfr', gunzipSync(readFileSync(path)))]);
    const phases = await ask(session, { view: 'gc-groups', options: { by: 'phase' } });
    deepEqual(phases.rows, []);
    deepEqual(
      phases.notes.map(({ text: words }) => commandLineText(words)),
      ['No phase within a pause is in scope; `gc --by pause` has the pauses by their names.'],
    );
    for (const by of ['pause', 'concurrent', 'cause'] as const) {
      const { rows, span, notes } = await ask(session, { view: 'gc-groups', options: { by }, page: { limit: 0 } });
      const isLess = rows.some(({ sum, share }) => (share ?? 0) * span < sum - 1);
      equal(
        notes.some(({ code }) => code === 'time-once'),
        isLess,
        by,
      );
    }
    await session.close();
  });

  test('concurrent phases are no pauses: ZGC', async () => {
    const path = join(ROOT, 'src', 'formats', 'jfr', 'fixtures', 'warehouse-jdk25.jfr.gz');
    const { pauses, concurrent } = await gcOf(path);
    // `jfr view gc-pauses` and `gc-concurrent-phases`: 1,079 pauses of 5.36 ms; the longest phase has 30.8 ms.
    equal(pauses?.count, 1079);
    ok(printedAs(pauses?.sum ?? null, ['5.36', 'ms']) && printedAs(concurrent?.max ?? null, ['30.8', 'ms']));
    equal(concurrent?.count, 2088);
    const session = await openSession([memorySource(path, gunzipSync(readFileSync(path)))]);
    const scope = [{ kind: 'thread', pattern: '^main$' }] as const;
    equal((await ask(session, { view: 'gc', scope })).pauses?.count, 1079);
    await session.close();
  });
});

describe('collections of drawn events', () => {
  /** Two collections; the second has no event of its own, and no size after it. */
  function drawn(withPhases = true) {
    const program = new ProgramBuilder();
    const names = (word: string): number => program.name(word);
    const gcs = GC_EVENTS.having(['cause', 'paused', 'longest']).builder();
    const gc = { part: 0, cause: names('Full'), duration: 50, paused: 30, longest: 20 };
    gcs.add({ ...gc, time: 100, collection: 1, name: names('Old') });
    gcs.add({ time: 400, collection: 2, name: names('young'), part: 1, duration: 10 });
    gcs.add({ time: 420, collection: 2, name: names('old'), part: 1, duration: 30 });
    const phases = GC_PHASE_EVENTS.builder();
    for (const [collection, time, duration, level, concurrent, name] of [
      [1, 100, 20, 0, 0, 'first'],
      [1, 101, 12, 1, 0, 'part'],
      [1, 130, 10, 0, 0, 'second'],
      [2, 400, 9, 0, 1, 'mark'],
      [2, 410, 4, 0, 0, 'end'],
    ] as const)
      phases.add({ collection, time, duration, level, concurrent, name: names(name) });
    const heap = HEAP_USE_EVENTS.builder();
    heap.add({ time: 100, collection: 1, when: names('Before GC'), used: 1000 });
    heap.add({ time: 150, collection: 1, when: names('After GC'), used: 300 });
    heap.add({ time: 400, collection: 2, when: names('Before GC'), used: 800 });
    const events = [gcs.finish(), ...(withPhases ? [phases.finish()] : []), heap.finish()];
    return drawnRecording({
      program: program.finish(),
      profile: { stacks: new StackBuilder().finish(), events, metrics: [] },
    });
  }

  const ofDrawn = (recording = drawn(), scope: { kind: 'time'; from: number; to: number }[] = []) =>
    ask(sessionOf([recording]), { view: 'gc', page: { limit: 0 }, scope });

  test('are joined by their number; unknown numbers are null', async () => {
    const { rows, pauses, concurrent, growth_rate, span } = await ofDrawn();
    const cellsOf = ({ time, id, collector, cause, paused, longest, phase, phase_time }: (typeof rows)[number]) => [
      ...[time, id, collector, cause, paused, longest, phase, phase_time],
    ];
    deepEqual(rows.map(cellsOf), [
      [100, 1, 'Old', 'Full', 30, 20, 'part', 12],
      [400, 2, 'young + old', null, 4, 4, 'end', 4],
    ]);
    deepEqual(
      rows.map(({ before, after, freed, allocated, concurrent, duration }) => [
        ...[before, after, freed, allocated, concurrent, duration],
      ]),
      [
        [1000, 300, 700, null, null, 50],
        [800, null, null, 500, 9, 50],
      ],
    );
    equal(span, 450);
    equal(pauses?.count, 3);
    equal(pauses?.sum, 34);
    equal(pauses?.share, 34 / 450);
    equal(concurrent?.sum, 9);
    equal(growth_rate, (500 / 250) * 1e9);
  });

  test('without single pauses the sums of collections count', async () => {
    const { pauses, single, notes } = await ofDrawn(drawn(false));
    equal(single, false);
    deepEqual([pauses?.count, pauses?.sum], [1, 30]);
    ok(notes.some(({ code }) => code === 'no-single-pauses'));
  });

  test('within a time', async () => {
    const { rows, span } = await ofDrawn(drawn(), [{ kind: 'time', from: 300, to: 430 }]);
    deepEqual(
      rows.map(({ id }) => id),
      [2],
    );
    equal(span, 130);
    // A pause of 20 that begins 5 before the end of the time.
    const end = await ofDrawn(drawn(), [{ kind: 'time', from: 95, to: 105 }]);
    deepEqual([end.pauses?.sum, end.pauses?.share], [20, 0.5]);
    const none = await ofDrawn(drawn(), [{ kind: 'time', from: 200, to: 210 }]);
    deepEqual([none.rows.length, none.pauses], [0, null]);
  });

  test('groups add up to all pauses, also beside a base', async () => {
    for (const by of ['all', 'collector', 'cause', 'pause'] as const) {
      const session = sessionOf([drawn(), drawn(false)]);
      const { rows } = await ask(session, { view: 'gc-groups', options: { by }, base: 'r2' });
      const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);
      equal(sum(rows.map((row) => row.sum)), 34, by);
      equal(sum(rows.map((row) => row.count)), 3, by);
      equal(sum(rows.map((row) => row.base_sum)), 30, by);
      equal(sum(rows.map((row) => row.change ?? 0)), 4, by);
      for (const row of rows) equal(row.base_mean, row.base_count === 0 ? null : row.base_sum / row.base_count);
    }
  });

  test('a recording without collections is refused', async () => {
    const empty = drawnRecording({ program: new ProgramBuilder().finish() });
    await ask(sessionOf([empty]), { view: 'gc' }).then(
      () => ok(false),
      (error: Error) => ok(error.message.includes('no events of garbage collection')),
    );
  });
});

describe('a recording of the parallel collector', () => {
  const leak = join(ROOT, 'examples', 'jfr', 'leak.jfr.gz');

  test('what collections of the young generation copied to the old one', async () => {
    const { rows, headlines } = await gcOf(leak);
    // `jfr print --events PSHeapSummary`: growth of `oldObjectSpace.used` in each collection ParallelScavenge.
    const grown = rows.filter(({ promoted }) => (promoted ?? 0) > 0);
    deepEqual(
      grown.map(({ id, promoted }) => [id, promoted]),
      [
        ...[
          [2, 467136],
          [3, 49152],
          [4, 16384],
          [6, 863320],
          [7, 163840],
          [8, 8192],
          [9, 16384],
        ],
        ...[
          [10, 8192],
          [11, 16384],
          [13, 16384],
          [15, 8192],
          [16, 8192],
          [18, 16384],
          [20, 16384],
        ],
        ...[
          [22, 24576],
          [24, 16384],
          [26, 24576],
          [28, 16384],
          [29, 16384],
          [31, 16384],
          [32, 8192],
        ],
        ...[
          [33, 16384],
          [35, 16384],
          [36, 8192],
          [37, 16384],
          [38, 8192],
          [39, 16384],
        ],
      ],
    );
    equal(rows.find(({ collector }) => collector === 'ParallelOld')?.promoted, null);
    ok(headlines.some((line) => commandLineText(line).startsWith('Copied to the old generation')));
  });

  test('the summary has the share of pauses', async () => {
    const session = await openSession([memorySource(leak, gunzipSync(readFileSync(leak)))]);
    const { gc } = await ask(session, { view: 'summary' });
    // `jfr view gc-pauses`: 39 pauses, 99.7 ms, the longest 26.8 ms; `jfr view recording` and the last event: 1.19 s.
    equal(gc?.pauses, 39);
    ok(Math.abs((gc?.paused ?? 0) / 1e6 - 99.7) < 0.05 && Math.abs((gc?.longest ?? 0) / 1e6 - 26.8) < 0.05);
    ok(Math.abs((gc?.share ?? 0) - 0.0997 / 1.192) < 0.001);
    await session.close();
  });
});

describe('a request that a collection stopped', () => {
  const scope = [{ kind: 'at', event: 'acme.Request#2174' }] as const;

  test('has its pause with its phases; a thread has all pauses', async (t) => {
    const path = sharedData(t, 'shop/s17def.jfr');
    if (path === undefined) return;
    const session = await openSession([memorySource('s17def.jfr', readFileSync(path))]);
    const during = await ask(session, { view: 'gc', scope });
    // `jfr print`: the collection of 179 ms at 08:07:42.994; `jfr summary`: 46 GCPhasePause.
    equal(during.single, true);
    deepEqual(
      during.rows.map(({ id, cause, phase }) => [id, cause, phase]),
      [[15, 'Heap Inspection Initiated GC', 'Phase 1: Mark live objects']],
    );
    equal(
      during.notes.some(({ code }) => code === 'no-single-pauses'),
      false,
    );
    const between = [{ kind: 'time', from: 0, to: 1000 }] as const;
    const groups = await ask(session, { view: 'gc-groups', scope: between, options: { by: 'cause' } });
    deepEqual([groups.rows, groups.notes.filter(({ code }) => code === 'no-single-pauses')], [[], []]);
    const ofThread = await ask(session, { view: 'gc', scope: [{ kind: 'thread', pattern: 'http-worker-1' }] });
    equal(ofThread.single, true);
    equal(ofThread.pauses?.count, 46);
    await session.close();
  });

  test('has what the VM did meanwhile among its events; a thread alone has not', async (t) => {
    const path = sharedData(t, 'shop/s17def.jfr');
    if (path === undefined) return;
    const session = await openSession([memorySource('s17def.jfr', readFileSync(path))]);
    const { rows } = await ask(session, { view: 'events', options: { types: ['*'] }, scope });
    // `jfr print`: of thread http-worker-3, and of all threads, what began from 08:07:42.989 on, for 237 ms.
    deepEqual(rows.map(({ event }) => String(event).replace(/#.*/, '')).sort(), [
      'acme.Request',
      'jdk.ExecuteVMOperation',
      'jdk.GCPhasePause',
      'jdk.GarbageCollection',
      'jdk.ThreadSleep',
    ]);
    const thread = { kind: 'thread', pattern: '^http-worker-3$' } as const;
    const alone = await ask(session, {
      view: 'events',
      options: { types: ['*'] },
      scope: [thread],
      page: { limit: 0 },
    });
    equal(
      alone.rows.some(({ event }) => String(event).startsWith('jdk.GCPhasePause')),
      false,
    );
    await session.close();
  });
});
