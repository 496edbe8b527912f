/** Differences of dumps: a dump is compared with a dump, whichever side names one; sums over dumps are called so. */
import { deepStrictEqual, equal, ok, rejects } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { memorySource } from '../../bytes/byte-source.js';
import { noteTexts } from '../../cli/render/spelling.js';
import type { ScopeStep } from '../../models/scope.js';
import { ask, openSession, type Question, sessionOf } from '../../session/session.js';
import { dumpedRecording } from '../../testing/pictures/dumped.js';

const recording = dumpedRecording([
  {
    samples: { f: 1000 },
    times: { f: 2e9 },
    waited: { f: 5e9 },
    live: { f: 4096 },
    threads: ['f', 'f'],
    heap: 'instance A 8',
  },
  { samples: { f: 700 }, times: { f: 1e9 }, waited: { f: 2e9 }, live: { f: 1024 }, threads: ['f', 'g'] },
  {
    samples: { f: 300 },
    times: { f: 4e9 },
    waited: { f: 1e9 },
    live: { f: 512 },
    threads: ['g'],
    heap: 'instance A 24',
  },
]);
const dump = (number: number): readonly ScopeStep[] => [{ kind: 'dump', number }];

async function diff(options: Question<'diff'>['options'], scopes: Pick<Question<'diff'>, 'scope' | 'baseScope'>) {
  const session = sessionOf([recording, recording]);
  const question = {
    view: 'diff',
    base: 'r2',
    options: { all: true, ...options },
    page: { limit: 0 },
    ...scopes,
  } as const;
  const { rows, notes } = await ask(session, question);
  const row = rows.find(({ name }) => name === (options?.by === 'class' ? 'A' : 'f'));
  return { values: [row?.base ?? 0, row?.value ?? 0], notes };
}

const WHICH = 'Dump 1 of 3 of the base, dump 3 of 3 of this.';

describe('--base-dump 1', () => {
  for (const [metric, values] of [
    ['samples', [1000, 300]],
    ['time', [2e9, 4e9]],
    ['contention', [5e9, 1e9]],
    ['live-bytes', [4096, 512]],
    ['threads', [2, 0]],
  ] as const)
    test(`compares ${metric} of the last dump with that dump, not with the sum`, async () => {
      const difference = await diff({ by: 'function', metric }, { baseScope: dump(1) });
      deepStrictEqual(difference.values, values);
      ok(noteTexts(difference.notes).includes(WHICH));
      ok(!noteTexts(difference.notes).some((note) => /Summed/.test(note)));
    });

  test('compares paths in the same way, and classes of heaps', async () => {
    const paths = await diff({ by: 'context', metric: 'samples' }, { baseScope: dump(1) });
    deepStrictEqual(paths.values, [1000, 300]);
    ok(noteTexts(paths.notes).includes(WHICH));
    const classes = await diff({ by: 'class' }, { baseScope: dump(1) });
    deepStrictEqual([classes.values, noteTexts(classes.notes).includes(WHICH)], [[8, 24], true]);
  });
});

test('a dump given only for the recording is compared with the last dump of the base', async () => {
  const difference = await diff({ by: 'function', metric: 'samples' }, { scope: dump(2), baseScope: [] });
  deepStrictEqual(difference.values, [300, 700]);
  ok(noteTexts(difference.notes).includes('Dump 3 of 3 of the base, dump 2 of 3 of this.'));
});

test('without --dump, sums are compared and labelled; levels are those of the last dump', async () => {
  const samples = await diff({ by: 'function', metric: 'samples' }, {});
  deepStrictEqual(samples.values, [2000, 2000]);
  ok(noteTexts(samples.notes).includes('Summed over 3 dumps (--dump N chooses one).'));
  const paths = await diff({ by: 'context', metric: 'samples' }, {});
  ok(noteTexts(paths.notes).includes('Summed over 3 dumps (--dump N chooses one).'));
  const live = await diff({ by: 'function', metric: 'live-bytes' }, {});
  deepStrictEqual(live.values, [512, 512]);
  ok(!noteTexts(live.notes).some((note) => /Summed/.test(note)));
});

/** Three histograms of one class, with 1, 2 and 3 objects, and one thread dump. */
const LOG = [1, 2, 3]
  .map(
    (count) =>
      ` num     #instances         #bytes  class name\n---\n   1:  ${count}  ${8 * count}  A\nTotal  ${count}  ${8 * count}\n`,
  )
  .join('\n')
  .concat(
    '\nFull thread dump VM (1):\n\n"main" #1 prio=5 tid=0x1 nid=0x7 runnable [0x0]\n   java.lang.Thread.State: RUNNABLE\n\tat A.b(A.java:1)\n\nJNI global refs: 1\n\n',
  );

describe('a log with more histograms than thread dumps', () => {
  const session = () => openSession([1, 2].map((i) => memorySource(`log-${i}`, Buffer.from(LOG))));

  test('compares histograms by their own numbers, the last one where none is named', async () => {
    const compared = async (number: number) => {
      const question = { view: 'diff', base: 'r2', options: { by: 'class', metric: 'live-objects' } } as const;
      const { rows, notes } = await ask(await session(), { ...question, baseScope: dump(number) });
      return [rows.map(({ base, value }) => [base, value]), noteTexts(notes).find((note) => note.startsWith('Dump'))];
    };
    deepStrictEqual(await compared(1), [[[1, 3]], 'Dump 1 of 3 of the base, dump 3 of 3 of this.']);
    deepStrictEqual(await compared(2), [[[2, 3]], 'Dump 2 of 3 of the base, dump 3 of 3 of this.']);
    await rejects(compared(4), /has no dump 4/);
  });

  test('has one thread dump: no view shows a second one', async () => {
    for (const question of [
      { view: 'threads' },
      { view: 'thread-groups' },
      { view: 'monitors' },
      { view: 'tree' },
      { view: 'functions' },
      { view: 'flame' },
    ] as const) {
      await ask(await session(), { ...question, scope: dump(1) });
      await rejects(ask(await session(), { ...question, scope: dump(2) }), {
        message: 'log-1 has no thread dump 2',
        advice: 'It has 1 thread dump, the first is 1.',
      });
    }
    const { changes } = await ask(await session(), { view: 'threads' });
    equal(changes, null);
  });

  test('beside a dump that is named, the last of each kind is meant', async () => {
    const question = { view: 'threads', base: 'r2', baseScope: dump(1) } as const;
    const { changes, rows } = await ask(await session(), question);
    deepStrictEqual([changes?.dumps.map((one) => one.dump), rows.length], [[1, 1], 1]);
  });
});
