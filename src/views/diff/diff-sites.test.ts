/** Differences of PGO profiles at places of code and along contexts, on profiles drawn for each case; and their laws. */
import { deepStrictEqual, equal, ok, rejects } from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { MissingError, UsageError } from '../../base/errors.js';
import { noteTexts } from '../../cli/render/spelling.js';
import { type SmallIprof, smallIprof } from '../../formats/iprof/testing/small-iprof.js';
import type { Recording } from '../../models/recording.js';
import { ask, type Question, sessionOf } from '../../session/session.js';
import { runs } from '../../testing/amount.js';

type Options = NonNullable<Question<'diff'>['options']>;

const diff = (base: Recording, now: Recording, options: Options = {}) =>
  ask(sessionOf([base, now]), { view: 'diff', recording: 'r2', base: 'r1', options, page: { limit: 0 } });

async function both(before: SmallIprof, after: SmallIprof, options: Options) {
  return diff(await smallIprof(before), await smallIprof(after, 5000), options);
}

const rowTexts = (result: Awaited<ReturnType<typeof both>>) =>
  result.rows.map(({ name, state, what: shift }) => `${name} ${state}${shift === '' ? '' : ` ${shift}`}`);

describe('by branch', () => {
  const cases: readonly (readonly [string, readonly number[], readonly number[], string])[] = [
    ['another way is taken most', [17, 0, 900, 25, 1, 100], [17, 0, 100, 25, 1, 900], 'changed flip'],
    ['the same, run a thousand times more', [17, 0, 90, 25, 1, 10], [17, 0, 10000, 25, 1, 90000], 'changed flip'],
    ['a way that was never taken', [17, 0, 1000], [17, 0, 900, 25, 1, 100], 'changed bias'],
    ['from biased to mixed', [17, 0, 950, 25, 1, 50], [17, 0, 700, 25, 1, 300], 'changed bias'],
    ['mixed as before, but elsewhere', [17, 0, 800, 25, 1, 200], [17, 0, 600, 25, 1, 400], 'changed shares'],
    ['too little ran', [17, 0, 9], [25, 1, 9], 'noise'],
    ['a little of much', [17, 0, 1000], [17, 0, 1000, 25, 1, 5], 'noise'],
    ['shares of five percent are noise of large counts', [17, 0, 5e8, 25, 1, 5e8], [17, 0, 53e7, 25, 1, 47e7], 'noise'],
    ['not reached before', [17, 0, 0, 25, 1, 0], [17, 0, 50, 25, 1, 0], 'new'],
    ['not reached any more', [17, 0, 50, 25, 1, 0], [17, 0, 0], 'gone'],
    ['reached nine times', [17, 0, 0], [17, 0, 9], 'noise'],
    ['run ten times as often the same way', [17, 0, 50, 25, 1, 50], [17, 0, 500, 25, 1, 500], 'same'],
    [
      'cases of a switch that share a target are one way, whichever has the bytecode index',
      [40, 0, 300, -5, 0, 300, 60, 1, 400],
      [-5, 3, 600, 40, 3, 0, 60, 1, 400],
      'same',
    ],
    ['two numbers of one bytecode index are one way', [17, 0, 500, 17, 1, 500], [17, 0, 1000], 'same'],
    [
      'ways without a bytecode index are told apart by their number',
      [-6, 0, 900, -6, 1, 100],
      [-6, 0, 100, -6, 1, 900],
      'changed flip',
    ],
  ];
  for (const [title, before, after, expected] of cases)
    test(title, async () => {
      const result = await both(
        { branches: { 'A.m:11': before } },
        { branches: { 'A.m:11': after } },
        { by: 'branch', all: true },
      );
      deepStrictEqual(rowTexts(result), [`A.m():11 ${expected}`]);
    });

  test('an index without a bytecode index is an outcome of its own entry, not of another context', async () => {
    const result = await both(
      { branches: { 'A.m:11': [8, 0, 100, 30, 1, 100] } },
      { branches: { 'A.m:11': [8, 0, 95, 30, 1, 5], 'A.m:11<B.n:2': [30, 0, 5, -5, 0, 90, 8, 1, 5] } },
      { by: 'branch', all: true },
    );
    deepStrictEqual(rowTexts(result), ['A.m():11 same']);
  });

  test('contexts are folded, and outcomes shown in one order', async () => {
    const result = await both(
      { branches: { 'A.m:11': [17, 0, 500, 25, 1, 0], 'A.m:11<B.n:3': [17, 0, 400, 25, 1, 100] } },
      { branches: { 'A.m:11<C.o:9': [17, 0, 100, 25, 1, 900] } },
      { by: 'branch' },
    );
    const [row] = result.rows;
    deepStrictEqual([row?.base, row?.value, row?.what], [1000, 1000, 'flip']);
    deepStrictEqual(row?.before, [
      { name: '17', count: 900, share: 0.9 },
      { name: '25', count: 100, share: 0.1 },
    ]);
    deepStrictEqual(
      row?.after.map(({ name, count }) => [name, count]),
      [
        ['17', 100],
        ['25', 900],
      ],
    );
    ok(Math.abs((row?.shift ?? 0) - 0.8) < 1e-12 && (row?.noise ?? 1) < 0.2);
  });

  test('flips come before larger sites that only one side ran', async () => {
    const result = await both(
      { branches: { 'A.m:1': [5, 0, 100, 9, 1, 10] } },
      { branches: { 'A.m:1': [5, 0, 10, 9, 1, 100], 'B.n:1': [5, 0, 1e6] } },
      { by: 'branch' },
    );
    deepStrictEqual(rowTexts(result), ['A.m():1 changed flip', 'B.n():1 new']);
  });
});

describe('by receiver', () => {
  const cases: readonly (readonly [string, Record<string, number>, Record<string, number>, string])[] = [
    ['one class becomes two', { P: 1000 }, { P: 600, Q: 400 }, 'changed shape'],
    ['three classes become one', { P: 500, Q: 300, R: 200 }, { P: 1000 }, 'changed shape'],
    ['one class gives way to another', { P: 1000 }, { Q: 1000 }, 'changed classes'],
    ['the same classes in other shares', { P: 800, Q: 200 }, { P: 200, Q: 800 }, 'changed shares'],
    ['a class that was met twice', { P: 1000 }, { P: 1000, Q: 2 }, 'noise'],
    ['numbers of lambdas mean nothing', { 'L$$Lambda$1/0x1': 1000 }, { 'L$$Lambda$7/0x2': 1000 }, 'same'],
  ];
  for (const [title, before, after, expected] of cases)
    test(title, async () => {
      const result = await both(
        { receivers: { 'A.m:4': before } },
        { receivers: { 'A.m:4': after } },
        { by: 'receiver', all: true },
      );
      deepStrictEqual(rowTexts(result), [`A.m():4 ${expected}`]);
    });
});

describe('by inlining', () => {
  const before: SmallIprof = {
    calls: {
      'R.root:0': 50,
      'A.a:0<R.root:3': 500,
      'B.b:0': 300,
      'C.c:0<R.root:9': 5,
      'S.gone:0': 20,
      'A.a:0<S.gone:1': 70,
      'D.d:0<R.root:4': 80,
    },
  };
  const after: SmallIprof = {
    calls: {
      'R.root:0': 60,
      'A.a:0': 450,
      'B.b:0<R.root:7': 290,
      'B.b:0<X.x:1<R.root:8': 10,
      'T.new:0': 20,
      'B.b:0<T.new:2': 40,
      'E.e:0<R.root:5': 30,
    },
  };

  test('methods newly inlined, no longer inlined, and changes that are not decisions of the compiler', async () => {
    const result = await both(before, after, { by: 'inlining', all: true });
    deepStrictEqual(rowTexts(result).sort(), [
      'A.a() into R.root() gone not inlined',
      'A.a() into S.gone() gone root gone',
      'B.b() into R.root() new inlined',
      'B.b() into T.new() new root new',
      'C.c() into R.root() noise',
      'D.d() into R.root() gone method gone',
      'E.e() into R.root() new method new',
    ]);
    deepStrictEqual(
      result.rows.slice(0, 2).map(({ name, base, value }) => [name, base, value]),
      [
        ['A.a() into R.root()', 500, 0],
        ['B.b() into R.root()', 0, 300],
      ],
    );
  });

  test('calls of methods inlined on both sides are shown but not judged', async () => {
    const result = await both(
      { calls: { 'A.a:0<R.r:1': 10 } },
      { calls: { 'A.a:0<R.r:2': 90_000 } },
      { by: 'inlining', all: true },
    );
    deepStrictEqual(rowTexts(result), ['A.a() into R.r() same']);
    equal(result.rows[0]?.delta, 89_990);
  });

  test('by context each path is a row', async () => {
    const result = await both(before, after, { by: 'context', match: '^B' });
    deepStrictEqual(rowTexts(result), [
      'B.b():0 gone',
      'B.b():0 < R.root():7 new',
      'B.b():0 < T.new():2 new',
      'B.b():0 < X.x():1 < R.root():8 new',
    ]);
  });
});

describe('by function', () => {
  test('notes report changes of other kinds', async () => {
    const result = await both(
      {
        calls: { 'A.m:0': 100, 'B.n:0<A.m:3': 90 },
        branches: { 'A.m:11': [17, 0, 900] },
        receivers: { 'A.m:4': { P: 500 } },
      },
      {
        calls: { 'A.m:0': 110, 'B.n:0': 90 },
        branches: { 'A.m:11': [25, 1, 900] },
        receivers: { 'A.m:4': { P: 300, Q: 300 } },
      },
      {},
    );
    deepStrictEqual([result.by, result.metric.id, result.total], ['function', 'calls', 0]);
    deepStrictEqual(result.pgo?.branches, { flip: 1, bias: 0, shares: 0 });
    deepStrictEqual(result.pgo?.receivers, { shape: 1, classes: 0, shares: 0 });
    equal(result.pgo?.inlining?.['not inlined'], 1);
    for (const note of [
      /^Branches: 1 flipped, .*--by branch/,
      /^Virtual calls: 1 .*--by receiver/,
      /^Inlining: 0 new, 1 gone \(--by inlining/,
    ])
      ok(
        noteTexts(result.notes).some((text) => note.test(text)),
        String(note),
      );
  });

  test('new and vanished methods, and methods that only one program has', async () => {
    const result = await both({ calls: { 'A.a:0': 100, 'B.b:0': 50 } }, { calls: { 'A.a:0': 0, 'C.c:0': 70 } }, {});
    deepStrictEqual(
      result.rows.map(({ name, state, match }) => [name, state, match]),
      [
        ['A.a()', 'gone', 'exact'],
        ['C.c()', 'new', 'one side'],
        ['B.b()', 'gone', 'one side'],
      ],
    );
    deepStrictEqual(result.joined, { exact: 1, 'by name': 0, ambiguous: 0, 'one side': 2 });
  });

  test('methods without a name are never the same', async () => {
    const result = await both({ calls: { '?6099:0': 100 } }, { calls: { '?6099:0': 100 } }, {});
    deepStrictEqual(
      result.rows.map(({ name, state }) => `${name} ${state}`),
      ['<method 1006099> gone', '<method 1006099> new'],
    );
  });

  test('a hash of the build is joined by name if there is one candidate', async () => {
    const [one, other] = ['a', 'b'].map((digit) => `A.stub_${digit.repeat(40)}:0`);
    const result = await both({ calls: { [one ?? '']: 100 } }, { calls: { [other ?? '']: 300 } }, {});
    deepStrictEqual(
      result.rows.map(({ name, match, base, value }) => [name, match, base, value]),
      [['A.stub_*()', 'by name', 100, 300]],
    );
    ok(result.columns.some(({ key }) => key === 'match'));
    ok(noteTexts(result.notes).some((note) => /joined by name/.test(note)));
  });
});

test('questions that cannot be answered have an error with the reason', async () => {
  const [one, other] = [await smallIprof({ calls: { 'A.a:0': 1 } }), await smallIprof({ calls: { 'A.a:0': 1 } })];
  await rejects(
    diff(one, other, { by: 'branch' }),
    (error) => error instanceof MissingError && /branch counts/.test(error.message),
  );
  await rejects(diff(one, other, { by: 'inlining', metric: 'calls' }), UsageError);
});

describe('laws', () => {
  const count = fc.integer({ min: 0, max: 3000 });
  const frame = fc.constantFrom('A.a', 'B.b', 'C.c', 'D.d_9fedd3898f1e4bd0a4e1b9a4a5cf2b0d7f0c1e22', '?7');
  const context = fc
    .array(fc.tuple(frame, fc.integer({ min: 0, max: 3 })), { maxLength: 2 })
    .map((callers) => callers.map(([name, bci]) => `<${name}:${bci}`).join(''));
  const keyed = <Value>(bci: fc.Arbitrary<number>, value: fc.Arbitrary<Value>) =>
    fc
      .array(
        fc.tuple(
          fc.tuple(frame, bci, context).map(([name, at, rest]) => `${name}:${at}${rest}`),
          value,
        ),
        { maxLength: 8 },
      )
      .map((entries) => Object.fromEntries(entries));
  const profiles = fc.record({
    calls: keyed(fc.constant(0), count).map((calls) => ({ ...calls, 'A.a:0': 40 })),
    branches: keyed(
      fc.integer({ min: 1, max: 2 }),
      fc.tuple(count, count).map(([a, b]) => [17, 0, a, 25, 1, b]),
    ).map((branches) => ({ ...branches, 'A.a:5': [9, 0, 30] })),
    receivers: keyed(
      fc.integer({ min: 1, max: 2 }),
      fc.dictionary(fc.constantFrom('P', 'Q', 'R'), count, { minKeys: 1 }),
    ).map((receivers) => ({ ...receivers, 'A.a:6': { P: 10 } })),
  });
  const KINDS = ['function', 'context', 'branch', 'receiver', 'inlining'] as const;
  const OPPOSITE: Record<string, string> = {
    new: 'gone',
    gone: 'new',
    inlined: 'not inlined',
    'not inlined': 'inlined',
    'root new': 'root gone',
    'root gone': 'root new',
    'method new': 'method gone',
    'method gone': 'method new',
  };
  const turned = (word: string): string => OPPOSITE[word] ?? word;

  test('a profile does not differ from itself', async () => {
    await fc.assert(
      fc.asyncProperty(profiles, fc.constantFrom(...KINDS), async (profile, by) => {
        const recording = await smallIprof(profile);
        const { rows, states } = await diff(recording, recording, { by });
        deepStrictEqual([rows, states.noise], [[], 0]);
      }),
      runs(60),
    );
  });

  test('swapped sides give swapped changes', async () => {
    await fc.assert(
      fc.asyncProperty(profiles, profiles, fc.constantFrom(...KINDS), async (before, after, by) => {
        const [one, other] = [await smallIprof(before), await smallIprof(after, 300)];
        const there = await diff(one, other, { by, all: true });
        const back = await diff(other, one, { by, all: true });
        const rows = (result: typeof there, forth: boolean) =>
          result.rows
            .map((row) => ({
              name: row.name,
              delta: (forth ? row.delta : -row.delta) + 0,
              pair: forth ? [row.base, row.value] : [row.value, row.base],
              state: forth ? row.state : turned(row.state),
              what: forth ? row.what : turned(row.what),
              noise: row.noise,
              shift: row.shift,
              match: row.match,
              parts: forth ? [row.before, row.after] : [row.after, row.before],
            }))
            .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
        deepStrictEqual(rows(there, true), rows(back, false));
        deepStrictEqual(there.joined, back.joined);
      }),
      runs(120),
    );
  });
});
