/** Index objects of experiments against the lists that gprofng prints, and of a recording of JFR. */
import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { GC_EVENTS } from '../../models/events/gc.js';
import { CPU_SAMPLE_EVENTS } from '../../models/events/thread-samples.js';
import { rootOf, StackBuilder } from '../../models/profile/stack-builder.js';
import { ProgramBuilder } from '../../models/program/program-builder.js';
import type { IndexKind } from '../../questions/options/recording.js';
import { openInputs } from '../../session/open.node.js';
import { ask, type Session, sessionOf } from '../../session/session.js';
import { drawnRecording } from '../../testing/recordings.js';
import { ROOT, sharedData } from '../../testing/shared-data.js';

async function opened(t: { after(run: () => Promise<void>): void }, path: string): Promise<Session> {
  const session = await openInputs([path], { cache: false, announce: () => undefined, work: {}, inlinedFrames: false });
  t.after(() => session.close());
  return session;
}

/** The first cell and the name of each row of a list of gprofng, without those of nothing. */
function rowsOfPeer(text: string): (readonly [cell: string, name: string])[] {
  return text.split('\n').flatMap((line) => {
    const [, cell = '', rest = ''] = /^ *([\d.]+) +((?:[\d.]+ +)*\S.*)$/.exec(line) ?? [];
    const name = rest.replace(/^(?:[\d.]+ +)+/, '');
    return cell === '' || Number(cell) === 0 || name.startsWith('<Total>') ? [] : [[cell, name] as const];
  });
}

/** Kinds whose events may be in none of their objects. */
const NUMBERED: ReadonlySet<IndexKind> = new Set(['sample', 'collection', 'region']);

interface Case {
  readonly experiment: string;
  readonly list: string;
  readonly by: IndexKind;
  readonly metric: string;
  /** The name that gprofng has for an object. */
  readonly name: (number: number | null, process: number | null) => RegExp;
}

const CASES: readonly Case[] = [
  {
    experiment: 'c-single',
    list: 'samples',
    by: 'sample',
    metric: 'cpu',
    name: (number) => (number === null ? /^Not in any Sample$/ : new RegExp(`^Sample ${number}$`)),
  },
  {
    experiment: 'threads-sync',
    list: 'seconds',
    by: 'second',
    metric: 'cpu',
    name: (number) => new RegExp(`^Second of execution ${number}$`),
  },
  {
    experiment: 'threads-sync',
    list: 'cpus',
    by: 'processor',
    metric: 'cpu',
    name: () => /^ /,
  },
  {
    experiment: 'java17',
    list: 'gcevents',
    by: 'collection',
    metric: 'cpu',
    name: (number) => (number === null ? /^Not in any GCEvent$/ : new RegExp(`^GCEvent ${number}$`)),
  },
  {
    experiment: 'synthetic-omp',
    list: 'omp_preg',
    by: 'region',
    metric: 'cpu',
    name: () => /^OpenMP Parallel Region from loop_region, line 10 in "team\.c"$/,
  },
];

describe('index objects', () => {
  for (const { experiment, list, by, metric, name } of CASES)
    test(`by ${by} of ${experiment} have the values that gprofng prints`, async (t) => {
      const folder = sharedData(t, 'experiments');
      if (folder === undefined) return;
      const session = await opened(t, join(folder, `${experiment}.er.tar.gz`));
      const expected = rowsOfPeer(readFileSync(join(folder, 'expected', experiment, `${list}.txt`), 'utf8'));
      ok(expected.length > 0);
      const { rows } = await ask(session, { view: 'index-objects', options: { by, metric }, page: { limit: 0 } });
      const found = rows
        .filter(({ value }) => value > 0)
        .map((row) => {
          const peer = expected.find(([, text]) => name(row.number, row.process).test(text));
          // Processors have the names of gprofng.
          return [(row.value / 1e9).toFixed(3), peer?.[1] ?? row.name];
        });
      deepEqual(found.sort(), [...expected].sort());
      for (const row of rows.filter(({ number }) => number === null && NUMBERED.has(by)))
        equal(row.name, `outside of all ${by}s`);
    });

  test('by size and by duration: ranges as gprofng has them', async (t) => {
    const folder = sharedData(t, 'experiments');
    if (folder === undefined) return;
    const session = await opened(t, join(folder, 'heap-leaks.er.tar.gz'));
    const { rows, sum } = await ask(session, {
      view: 'index-objects',
      options: { by: 'size', metric: 'heap-bytes' },
      page: { limit: 0 },
    });
    equal(sum, 481709);
    deepEqual(
      rows
        .filter(({ value }) => value > 0)
        .map(({ name, value, events }) => [name, value, events])
        .slice(0, 2),
      [
        ['4 B to 16 B', 48, 3],
        ['16 B to 64 B', 72192, 1504],
      ],
    );
  });

  test('of descendants are apart', async (t) => {
    const session = await opened(t, join(ROOT, 'examples', 'experiment', 'store.er.tar.gz'));
    const options = { by: 'process', metric: 'io-writes' } as const;
    const { rows } = await ask(session, { view: 'index-objects', options });
    deepEqual(
      rows.map(({ process, name, value }) => [process, name, value]),
      [
        [1, 'store', 401],
        [2, '(fork)', 100],
      ],
    );
    const samples = await ask(session, { view: 'index-objects', options: { ...options, by: 'sample' } });
    deepEqual(
      samples.rows.map(({ process, number }) => [process, number]),
      [
        [1, 1],
        [2, 1],
      ],
    );
  });

  test('by second of events without times are refused', async (t) => {
    const session = await opened(t, join(ROOT, 'examples', 'krisfoster-binary-tree.iprof'));
    await rejects(ask(session, { view: 'index-objects', options: { by: 'second' } }), /does not say the times/);
  });

  test('of recordings without processes, collections are those of their events', async () => {
    const program = new ProgramBuilder();
    const stacks = new StackBuilder();
    const collections = GC_EVENTS.builder();
    const name = program.name('G1');
    collections.add({ time: 100, collection: 1, name, part: 0, duration: 50 });
    collections.add({ time: 300, collection: 2, name, part: 0, duration: 10 });
    const samples = CPU_SAMPLE_EVENTS.having(['time']).builder();
    const stack = stacks.add(
      rootOf('whole'),
      program.location(program.function(program.class(program.name('A')), program.name('run'))),
    );
    for (const time of [99, 100, 150, 151, 305, 400]) samples.add({ stack, time, count: 1, cpu: time });
    const profile = {
      stacks: stacks.finish(),
      events: [collections.finish(), samples.finish()],
      metrics: [CPU_SAMPLE_EVENTS.metric('cpu', { id: 'cpu', title: 'CPU' })],
    };
    const session = sessionOf([drawnRecording({ program: program.finish(), profile })]);
    const { rows } = await ask(session, { view: 'index-objects', options: { by: 'collection' } });
    deepEqual(
      rows.map((row) => [row.name, row.value, row.start, row.duration]),
      [
        ['outside of all collections', 99 + 151 + 400, null, null],
        ['collection 1', 250, 100, 50],
        ['collection 2', 305, 300, 10],
      ],
    );
  });

  test('of JFR: seconds and durations, and nothing that it does not say', async (t) => {
    const session = await opened(t, join(ROOT, 'examples', 'jfr', 'shop.jfr.gz'));
    const about = (by: IndexKind) => ask(session, { view: 'index-objects', options: { by, metric: 'io-time' } });
    const [seconds, durations] = [await about('second'), await about('duration')];
    ok(seconds.rows.length > 3 && durations.rows.length > 1);
    equal(
      Math.round(seconds.rows.reduce((sum, { value }) => sum + value, 0)),
      Math.round(durations.rows.reduce((sum, { value }) => sum + value, 0)),
    );
    await rejects(about('process'), /does not say the processes/);
    await rejects(about('region'), /does not say the parallel regions/);
  });

  test('a recording without times has no seconds', async (t) => {
    const session = await opened(t, join(ROOT, 'examples', 'points-to', 'shop.collapsed'));
    await rejects(ask(session, { view: 'index-objects', options: { by: 'second' } }), /does not say the times/);
  });
});
