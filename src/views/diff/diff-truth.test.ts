/** Differences of two real profiles against a second reading: `JSON.parse`, plain maps, and the rule of noise written down again. */
import { deepStrictEqual, equal, ok } from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { fileSource } from '../../bytes/file.node.js';
import { type Frame, type IprofTruth, iprofTruth } from '../../formats/iprof/testing/iprof-truth.js';
import { ask, openSession, type Question, type Session } from '../../session/session.js';
import { sharedData } from '../../testing/shared-data.js';

type By = 'function' | 'context' | 'branch' | 'receiver' | 'inlining';

/** Names with different spellings in builds or runs: `analysis/identity` decides whether they are joined. */
const UNSTEADY = /0x|\$\$Lambda|Proxy|Accessor\d|_[0-9A-Za-z]{22}|<(?:method|type) |\*/;
const SECTIONS = {
  call: ['callCountProfiles'],
  branch: ['conditionalProfiles'],
  receiver: ['virtualInvokeProfiles'],
} as const;

interface Compared {
  readonly session: Session;
  readonly truths: readonly [IprofTruth, IprofTruth];
  /** Methods that differ only in their return type: the name does not distinguish them. */
  readonly twins: ReadonlySet<string>;
}

async function compared(t: TestContext): Promise<Compared | undefined> {
  const paths = ['iprof/f-cramer-some-compiler.iprof', 'iprof/lenborje-StreamTDI.iprof'].map((name) =>
    sharedData(t, name),
  );
  const [one, other] = paths;
  if (one === undefined || other === undefined) return undefined;
  const truths = [iprofTruth(one), iprofTruth(other)] as const;
  const twins = new Set<string>();
  for (const { methods } of truths) {
    const seenNames = new Set<string>();
    for (const name of methods.values()) {
      if (seenNames.has(name)) twins.add(name);
      seenNames.add(name);
    }
  }
  return { session: await openSession([await fileSource(one), await fileSource(other)]), truths, twins };
}

const diff = ({ session }: Compared, by: By, options: NonNullable<Question<'diff'>['options']> = {}) =>
  ask(session, {
    view: 'diff',
    recording: 'r2',
    base: 'r1',
    options: { by, all: true, ...options },
    page: { limit: 0 },
  });

/** The part of a context that a row represents, and the name of the row. */
interface Told {
  readonly frames: (frames: readonly Frame[]) => readonly Frame[];
  readonly key: (frames: readonly Frame[]) => string;
}

/** Sums of both sides by key; keys with unsteady or shared names are left out. */
function sums({ truths, twins }: Compared, section: keyof typeof SECTIONS, keys: Told) {
  const keySums = new Map<string, [number, number]>();
  truths.forEach((truth, side) => {
    for (const { frames, records } of truth.entries(...SECTIONS[section])) {
      const meant = keys.frames(frames);
      const key = keys.key(meant);
      if (meant.length === 0 || meant.some(({ method }) => twins.has(method)) || UNSTEADY.test(key)) continue;
      const pair = keySums.get(key) ?? [0, 0];
      pair[side === 0 ? 0 : 1] += records[0] ?? 0;
      keySums.set(key, pair);
    }
  });
  return [...keySums].filter(([, [base, value]]) => base !== 0 || value !== 0);
}

const sorted = <Row>(rows: readonly Row[]): string[] => rows.map((row) => JSON.stringify(row)).sort();
const LEVEL = 0.05;
const beyond = (a: number, b: number) => Math.abs(a - b) > 3 * Math.sqrt(a + b + LEVEL ** 2 * (a ** 2 + b ** 2));

function stateOf(base: number, value: number): string {
  if (base === value) return 'same';
  if (!beyond(base, value)) return 'noise';
  return base === 0 ? 'new' : value === 0 ? 'gone' : 'changed';
}

describe('two real profiles', () => {
  const plain = (twins: ReadonlySet<string>, name: string): boolean =>
    !UNSTEADY.test(name) && !name.split(/ < | into /).some((part) => twins.has(part.replace(/:[\w-]+$/, '')));

  const numbered: readonly (readonly [By, Told])[] = [
    ['function', { frames: (all) => all.slice(0, 1), key: ([leaf]) => leaf?.method ?? '' }],
    [
      'context',
      {
        frames: (all) => all,
        key: (all) => all.map(({ method, bci }) => `${method}:${MARKS[-bci - 1] ?? bci}`).join(' < '),
      },
    ],
    [
      'inlining',
      {
        frames: (all) => (all.length === 1 ? [] : [...all.slice(0, 1), ...all.slice(-1)]),
        key: ([leaf, root]) => `${leaf?.method} into ${root?.method}`,
      },
    ],
  ];
  for (const [by, keys] of numbered)
    test(`by ${by}: values and states`, async (t) => {
      const files = await compared(t);
      if (files === undefined) return;
      const result = await diff(files, by, by === 'inlining' ? {} : { metric: 'calls' });
      const expected = sums(files, 'call', keys).map(([name, [base, value]]) => [
        name,
        base,
        value,
        by === 'inlining' && base > 0 && value > 0 ? 'same' : stateOf(base, value),
      ]);
      const rows = result.rows.filter(({ name }) => plain(files.twins, name));
      ok(rows.length > 3000, `${rows.length} rows`);
      deepStrictEqual(sorted(rows.map(({ name, base, value, state }) => [name, base, value, state])), sorted(expected));
      const all = files.truths.map((truth) =>
        truth.entries('callCountProfiles').reduce((sum, { records }) => sum + (records[0] ?? 0), 0),
      );
      deepStrictEqual([result.base.sum, result.sum], all);
    });

  test('by receiver: classes of every site', async (t) => {
    const files = await compared(t);
    if (files === undefined) return;
    const sites = parts(files, 'receiver', ({ typeName }, records) =>
      Array.from({ length: records.length / 2 }, (_, i) => [typeName(records[2 * i] ?? -1), records[2 * i + 1] ?? 0]),
    );
    const result = await diff(files, 'receiver');
    let checked = 0;
    for (const { name, before, after } of result.rows) {
      const truth = sites.get(name);
      if (truth === undefined || [...truth[0].keys(), ...truth[1].keys()].some((type) => UNSTEADY.test(type))) continue;
      deepStrictEqual(sorted(before.map((part) => [part.name, part.count])), sorted([...truth[0]]));
      deepStrictEqual(sorted(after.map((part) => [part.name, part.count])), sorted([...truth[1]]));
      checked++;
    }
    ok(checked > 200, `${checked} sites`);
  });

  test('by branch: targets of every site, and each flip', async (t) => {
    const files = await compared(t);
    if (files === undefined) return;
    const sites = parts(files, 'branch', (_, records) => {
      const numberedTargets = new Map<number, number>();
      for (let i = 0; i < records.length; i += 3)
        if ((records[i] ?? -1) >= 0 && !numberedTargets.has(records[i + 1] ?? 0))
          numberedTargets.set(records[i + 1] ?? 0, records[i] ?? 0);
      return Array.from({ length: records.length / 3 }, (_way, i) => {
        const [target = -1, index = 0, count = 0] = records.slice(3 * i, 3 * i + 3);
        const goes = target >= 0 ? target : numberedTargets.get(index);
        return [goes === undefined ? `?${index}` : String(goes), count];
      });
    });
    const result = await diff(files, 'branch');
    const flips: string[] = [];
    let checked = 0;
    for (const { name, before, after, what: shift } of result.rows) {
      const truth = sites.get(name);
      if (truth === undefined || [...truth[0].keys(), ...truth[1].keys()].some((way) => way.startsWith('?'))) continue;
      deepStrictEqual(sorted(before.map((part) => [part.name, part.count])), sorted([...truth[0]]));
      deepStrictEqual(sorted(after.map((part) => [part.name, part.count])), sorted([...truth[1]]));
      equal(shift === 'flip', flipped(truth[0], truth[1]), name);
      if (shift === 'flip') flips.push(name);
      checked++;
    }
    ok(checked > 2000 && flips.length > 20, `${checked} sites, ${flips.length} flips`);
  });
});

const MARKS = ['unwind', 'before', 'after', 'after-exception', 'unknown', 'invalid-bci'];

type Parts = Map<string, number>;

/** By site: counts of its parts in the base and now, those of 0 left out. */
function parts(
  { truths, twins }: Compared,
  section: 'branch' | 'receiver',
  partsOf: (truth: IprofTruth, records: readonly number[]) => (readonly [string, number])[],
): Map<string, [Parts, Parts]> {
  const sites = new Map<string, [Parts, Parts]>();
  truths.forEach((truth, side) => {
    for (const { frames, records } of truth.entries(...SECTIONS[section])) {
      const [leaf] = frames;
      if (leaf === undefined || UNSTEADY.test(leaf.method) || twins.has(leaf.method)) continue;
      const key = `${leaf.method}:${MARKS[-leaf.bci - 1] ?? leaf.bci}`;
      const site: [Parts, Parts] = sites.get(key) ?? [new Map(), new Map()];
      sites.set(key, site);
      const counts = site[side === 0 ? 0 : 1];
      for (const [name, count] of partsOf(truth, records))
        if (count > 0) counts.set(name, (counts.get(name) ?? 0) + count);
    }
  });
  return sites;
}

/** Whether another outcome is the most frequent, and a share changed beyond the noise of two proportions. */
function flipped(before: Parts, after: Parts): boolean {
  const [n, m] = [before, after].map((counts) => [...counts.values()].reduce((sum, count) => sum + count, 0));
  if (n === undefined || m === undefined || n < 10 || m < 10) return false;
  const most = [before, after].map((counts) => Math.max(...counts.values()));
  const ways = [...new Set([...before.keys(), ...after.keys()])];
  if (ways.some((way) => before.get(way) === most[0] && after.get(way) === most[1])) return false;
  return ways.some((way) => {
    const [a, b] = [before.get(way) ?? 0, after.get(way) ?? 0];
    const variance = (p: number, total: number): number => (p * (1 - p)) / total + 2 * (LEVEL * p * (1 - p)) ** 2;
    const pooled = (a + b) / (n + m);
    const noise = Math.max(variance(a / n, n), variance(pooled, n)) + Math.max(variance(b / m, m), variance(pooled, m));
    return Math.abs(a / n - b / m) > 3 * Math.sqrt(noise);
  });
}
