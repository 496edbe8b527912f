/**
 * Noise is called noise, and what was planted in it is found: real profiles against copies of themselves as another run
 * would have counted them (formats/iprof/testing/resample.ts), and several runs a side.
 */
import { deepStrictEqual, equal, ok, rejects } from 'node:assert/strict';
import { basename } from 'node:path';
import { describe, test } from 'node:test';
import { UsageError } from '../../base/errors.js';
import { fileSource } from '../../bytes/file.node.js';
import { noteTexts } from '../../cli/render/spelling.js';
import { plant } from '../../formats/iprof/testing/plant.js';
import { resampled, USUAL_RESAMPLING } from '../../formats/iprof/testing/resample.js';
import { smallIprof } from '../../formats/iprof/testing/small-iprof.js';
import type { Recording } from '../../models/recording.js';
import { ask, openSession, type Question, sessionOf } from '../../session/session.js';
import { amount } from '../../testing/amount.js';
import { picture } from '../../testing/pictures/picture.js';
import { drawnRecording } from '../../testing/recordings.js';
import { iprofFiles } from '../../testing/shared-data.js';

type Options = NonNullable<Question<'diff'>['options']>;
type Result = Awaited<ReturnType<typeof diff>>;

const diff = (bases: readonly Recording[], runs: readonly Recording[], options: Options = {}) => {
  const session = sessionOf([...bases, ...runs]);
  const [base = '', ...baseRuns] = session.ids.slice(0, bases.length);
  const [recording = '', ...others] = session.ids.slice(bases.length);
  const sides = { base, baseRuns, recording, runs: others };
  return ask(session, { view: 'diff', ...sides, options, page: { limit: 0 } });
};

const BY: readonly Options[] = [
  { by: 'function', metric: 'calls' },
  { by: 'context', metric: 'calls' },
  { by: 'branch' },
  { by: 'receiver' },
  { by: 'inlining' },
];

const alarms = ({ states }: Result): number => states.new + states.gone + states.changed;
const rowsOf = (result: Result): number => alarms(result) + result.states.noise + result.states.same;

const again = (recording: Recording, seed: number, level = USUAL_RESAMPLING.level) =>
  resampled(recording, { ...USUAL_RESAMPLING, level, seed });

let readRecordings: Promise<Recording[]> | undefined;

function profiles(): Promise<Recording[]> {
  readRecordings ??= readProfiles();
  return readRecordings;
}

async function readProfiles(): Promise<Recording[]> {
  const opened = await openSession(await Promise.all(iprofFiles().map((file) => fileSource(file))));
  // The profile without symbols has random counts of 10^13, which no program has.
  return opened.recordings.filter(({ program }) => program.functions.length > 20_000);
}

describe('two runs of one program', () => {
  test('a fifth of the records differ: fewer than 2 of 1,000 rows are not marked as noise', async () => {
    for (const recording of (await profiles()).slice(0, amount(Infinity, 1)))
      for (const options of amount(BY, BY.slice(1, 2))) {
        const result = await diff([again(recording, 1)], [again(recording, 2)], options);
        const alarmText = `${basename(recording.name)} by ${options.by}: ${alarms(result)} of ${rowsOf(result)}`;
        ok(alarms(result) < 0.002 * rowsOf(result) + 1, alarmText);
        // There is noise to be called so.
        ok(result.states.noise > rowsOf(result) / 25, alarmText);
      }
  });

  test('all records differ, or differ by twice the level: fewer than 1 of 100 rows are not marked as noise', async () => {
    for (const recording of (await profiles()).slice(0, 1))
      for (const how of amount([{ changed: 1 }, { level: 2 * USUAL_RESAMPLING.level }], [{ changed: 1 }])) {
        const [one, other] = [3, 4].map((seed) => resampled(recording, { ...USUAL_RESAMPLING, ...how, seed }));
        if (one === undefined || other === undefined) continue;
        for (const options of amount(BY, BY.slice(0, 2))) {
          const result = await diff([one], [other], options);
          ok(alarms(result) < 0.01 * rowsOf(result), `${recording.name} by ${options.by}`);
        }
      }
  });

  test('a variation by a third from run to run is detected with two runs a side', async () => {
    const [recording] = await profiles();
    if (recording === undefined) return;
    const runs = [5, 6, 7, 8].map((seed) => again(recording, seed, 0.33));
    const once = await diff(runs.slice(0, 1), runs.slice(2, 3), { by: 'context', metric: 'calls' });
    const twice = await diff(runs.slice(0, 2), runs.slice(2), { by: 'context', metric: 'calls' });
    ok(alarms(once) > 0.02 * rowsOf(once), `${alarms(once)} of ${rowsOf(once)}`);
    ok(alarms(twice) < 0.005 * rowsOf(twice), `${alarms(twice)} of ${rowsOf(twice)}`);
  });
});

describe('planted in noise', () => {
  test('every reversed branch, every method that doubled or vanished is found', async () => {
    for (const recording of await profiles()) {
      const planted = plant(again(recording, 11), 20);
      const base = again(recording, 12);
      const branches = await diff([base], [planted.recording], { by: 'branch' });
      const flips = branches.rows.filter(({ what: shift }) => shift === 'flip').map(({ name }) => name);
      deepStrictEqual(
        planted.turned.filter((name) => !flips.includes(name)),
        [],
      );
      ok(flips.length <= planted.turned.length + 2, `${flips.length} flips`);
      ok(branches.total <= planted.turned.length + 0.002 * rowsOf(branches) + 1, `${branches.total} rows`);
      const functions = await diff([base], [planted.recording], { by: 'function', metric: 'calls' });
      const changeLines = functions.rows.map(({ name, state, delta }) => `${name} ${state} ${Math.sign(delta)}`);
      const expected = [
        ...planted.doubled.map((name) => `${name} changed 1`),
        ...planted.vanished.map((name) => `${name} gone -1`),
      ];
      deepStrictEqual(
        expected.filter((row) => !changeLines.includes(row)),
        [],
      );
      ok(functions.total <= expected.length + 0.002 * rowsOf(functions) + 1, `${functions.total} rows`);
      equal(functions.pgo?.branches?.flip, flips.length);
    }
  });
});

describe('several runs a side', () => {
  const run = (calls: number, branch: readonly number[] = [17, 0, 500, 25, 1, 500]) =>
    smallIprof({ calls: { 'A.a:0': calls, 'B.b:0': 1000 }, branches: { 'A.a:5': branch } });
  const runs = (...calls: number[]) => Promise.all(calls.map((count) => run(count)));

  test('means, standard deviations and whether the difference exceeds them', async () => {
    const result = await diff(await runs(1000, 1100, 1200), await runs(2000, 2200), { by: 'function' });
    const [row] = result.rows;
    deepStrictEqual([row?.base, row?.value, row?.delta, row?.state], [1100, 2100, 1000, 'changed']);
    deepStrictEqual([row?.base_spread, row?.spread], [100, Math.sqrt(20_000)]);
    ok(row !== undefined && row.noise > 0 && row.noise < row.delta);
    deepStrictEqual(
      result.runs.map(({ side, sum }) => [side, sum]),
      [
        ['base', 2000],
        ['base', 2100],
        ['base', 2200],
        ['this', 3000],
        ['this', 3200],
      ],
    );
    for (const key of ['base_spread', 'spread']) ok(result.columns.some((column) => column.key === key));
    ok(noteTexts(result.notes).some((note) => /Means of 3 runs and 2 runs/.test(note)));
  });

  test('values that vary strongly within a side are noise', async () => {
    const swinging = await diff(await runs(500, 2000), await runs(1900, 4000), { all: true });
    equal(swinging.rows.find(({ name }) => name === 'A.a()')?.state, 'noise');
    const steady = await diff(await runs(1240, 1260), await runs(2950, 2950), {});
    deepStrictEqual(
      steady.rows.map(({ name, state }) => [name, state]),
      [['A.a()', 'changed']],
    );
  });

  test('runs that agree show smaller differences than one run', async () => {
    const single = await diff(await runs(10_000), await runs(11_500), {});
    const five = await diff(
      await runs(10_000, 10_010, 9_990, 10_005, 9_995),
      await runs(11_500, 11_490, 11_510, 11_505, 11_495),
    );
    deepStrictEqual([single.total, five.total], [0, 1]);
  });

  test('branches: shares of each run', async () => {
    const sides = (shares: readonly number[]) =>
      Promise.all(shares.map((share) => run(1000, [17, 0, 10_000 * share, 25, 1, 10_000 * (1 - share)])));
    const swinging = await diff(await sides([0.3, 0.7]), await sides([0.4, 0.9]), { by: 'branch', all: true });
    equal(swinging.rows[0]?.state, 'noise');
    const steady = await diff(await sides([0.3, 0.32]), await sides([0.7, 0.72]), { by: 'branch' });
    deepStrictEqual([steady.rows[0]?.what, steady.rows[0]?.before[0]?.count], ['flip', 6200]);
  });

  test('the sides can be swapped, and a recording against itself twice has no changes', async () => {
    const [one, other] = [await runs(1000, 1500, 900), await runs(3000, 2500)];
    const there = await diff(one, other, { all: true });
    const back = await diff(other, one, { all: true });
    deepStrictEqual(
      there.rows.map(({ name, delta, noise, spread }) => [name, delta, noise, spread]),
      back.rows.map(({ name, delta, noise, base_spread }) => [name, -delta + 0, noise, base_spread]),
    );
    equal((await diff(one, one)).total, 0);
  });

  test('normalised, each run is scaled', async () => {
    const scaled = async (times: number) => smallIprof({ calls: { 'A.a:0': 100 * times, 'B.b:0': 300 * times } });
    const result = await diff([await scaled(1), await scaled(3)], [await scaled(2), await scaled(4)], {
      normalise: true,
      same: true,
    });
    deepStrictEqual(
      result.runs.map(({ scale }) => scale),
      [3, 1, 1.5, 0.75],
    );
    deepStrictEqual(
      result.rows.map(({ state, base, spread }) => [state, base, spread]),
      [
        ['same', 300, 0],
        ['same', 900, 0],
      ],
    );
  });

  test('the order of the runs of a side does not matter', async () => {
    const large = await smallIprof({
      calls: { 'A.a:0': 1000, 'B.b:0': 9_999_000 },
      branches: { 'A.a:5': [17, 0, 900] },
    });
    const tiny = await smallIprof({ calls: { 'B.b:0': 100 }, branches: { 'B.b:5': [17, 0, 9] } });
    const now = [1, 2].map(() =>
      smallIprof({ calls: { 'A.a:0': 2000, 'B.b:0': 9_998_000 }, branches: { 'C.c:5': [3, 0, 40] } }),
    );
    for (const by of ['function', 'branch'] as const) {
      const [one, other] = await Promise.all(
        [
          [large, tiny],
          [tiny, large],
        ].map(async (bases) => diff(bases, await Promise.all(now), { by, normalise: true, all: true })),
      );
      ok((one?.rows.length ?? 0) > 1);
      const byName = (result: Result | undefined) => result?.rows.toSorted((a, b) => (a.name < b.name ? -1 : 1));
      deepStrictEqual(byName(one), byName(other));
    }
  });

  test('other views take one recording and one base', async () => {
    const recordings = await runs(1, 2, 3);
    await rejects(ask(sessionOf(recordings), { view: 'functions', base: 'r2', runs: ['r3'] }), UsageError);
    await rejects(ask(sessionOf(recordings), { view: 'diff', base: 'r2', runs: ['r8'] }), UsageError);
  });
});

describe('kinds of noise', () => {
  test('levels are exact: only --noise applies', async () => {
    const level = (bytes: number) =>
      drawnRecording(picture(`@bytes  ${bytes}\n        Main.main`, { nature: 'level' }));
    equal((await diff([level(1000)], [level(1001)])).total, 1);
    equal((await diff([level(1000)], [level(1001)])).noise, null);
    equal((await diff([level(1000)], [level(1001)], { noise: 0.01 })).total, 0);
  });

  test('--noise 0 leaves the variation of counting', async () => {
    const stateOf = async (before: number, after: number) =>
      (
        await diff(
          [await smallIprof({ calls: { 'A.a:0': before } })],
          [await smallIprof({ calls: { 'A.a:0': after } })],
          { noise: 0 },
        )
      ).total;
    deepStrictEqual([await stateOf(10_000, 10_400), await stateOf(10_000, 10_500)], [0, 1]);
  });

  test('sampled times vary by the root of their samples', async () => {
    const sampled = (samples: number) => {
      const { program, profile } = picture(`@time_spent  ${samples * 1e7}\n             Main.main`);
      const [metric] = profile.metrics;
      if (metric === undefined) throw new Error('no metric');
      const timed = { ...metric, unit: 'ns', period: { value: 1e7, unit: 'ns' } } as const;
      return drawnRecording({ program, profile: { ...profile, metrics: [timed] } });
    };
    const [row] = (await diff([sampled(100)], [sampled(130)], { noise: 0, all: true })).rows;
    equal(row?.state, 'noise');
    equal(Math.round((row?.noise ?? 0) / 1e5), Math.round(3 * Math.sqrt(230) * 100));
    equal((await diff([sampled(100)], [sampled(150)], { noise: 0 })).total, 1);
  });
});
