/** The state of each row: new, gone, changed, or within the noise (analysis/noise.ts). */
import { FEWEST_EXECUTIONS, type Measured, measure, noiseOf, shareFloor, valueFloor } from '../../analysis/noise.js';
import type { Shared, ShareRows } from './shares.js';
import type { ValueRows } from './values.js';

export const STATES = ['new', 'gone', 'changed', 'noise', 'same'] as const;
export type State = (typeof STATES)[number];

/** Changes of the shares of a site, the most significant first. */
export const SHIFTS = ['flip', 'bias', 'shape', 'classes', 'shares'] as const;
type Shift = (typeof SHIFTS)[number];

export interface Comparing {
  /** Number of runs of the base; they come first. */
  readonly bases: number;
  /** By run: the factor of its values. */
  readonly factors: readonly number[];
  /** Part of every number that is noise; undefined for exact numbers. */
  readonly level: number | undefined;
}

/** The two sides of a number, by row: means, standard deviations of the runs, and the limit of noise. */
export interface Series {
  readonly base: Float64Array;
  readonly value: Float64Array;
  readonly baseSpread: Float64Array;
  readonly spread: Float64Array;
  readonly noise: Float64Array;
}

export interface Judged {
  /** Rows with a value on either side. */
  readonly rows: readonly number[];
  readonly self: Series;
  readonly totals: Series | undefined;
  /** Index into `STATES`, by row. */
  readonly state: Uint8Array;
  /** By row: the weight for ordering. */
  readonly weight: Float64Array;
}

export interface JudgedShares extends Judged {
  /** By row: the change of the share that exceeds its noise most; `self.noise` is the noise of this share. */
  readonly shift: Float64Array;
  /** Index into `SHIFTS`, by row; -1 if the shares did not change. */
  readonly what: Int8Array;
}

export function judgeValues(rows: ValueRows, comparing: Comparing): Judged {
  const self = seriesOf(rows.values, rows.steps, rows.length, comparing);
  const totals = rows.totals === undefined ? undefined : seriesOf(rows.totals, rows.steps, rows.length, comparing);
  const all = totals === undefined ? [self] : [self, totals];
  const state = new Uint8Array(rows.length);
  const weight = new Float64Array(rows.length);
  const used: number[] = [];
  const rounded = comparing.factors.length > 2 || comparing.factors.some((factor) => factor !== 1);
  for (let row = 0; row < rows.length; row++) {
    if (!rows.values.some((of) => of[row] !== 0) && !rows.totals?.some((of) => of[row] !== 0)) continue;
    used.push(row);
    state[row] = STATES.indexOf(stateOf(all, row, rounded));
    weight[row] = Math.abs(self.value[row] - self.base[row]);
  }
  return { rows: used, self, totals, state, weight };
}

function stateOf(all: readonly Series[], row: number, rounded: boolean): State {
  if (all.every(({ base, value }) => equal(base[row], value[row], rounded))) return 'same';
  if (all.every(({ base, value, noise }) => Math.abs(value[row] - base[row]) <= noise[row])) return 'noise';
  if (all.every(({ base }) => base[row] === 0)) return 'new';
  return all.every(({ value }) => value[row] === 0) ? 'gone' : 'changed';
}

/** Scaling and means round: numbers equal to nine digits count as equal. */
function equal(one: number, other: number, rounded: boolean): boolean {
  return one === other || (rounded && Math.abs(one - other) <= 1e-9 * Math.max(Math.abs(one), Math.abs(other)));
}

function emptySeries(length: number): Series {
  const column = () => new Float64Array(length);
  return { base: column(), value: column(), baseSpread: column(), spread: column(), noise: column() };
}

function seriesOf(
  values: readonly Float64Array[],
  steps: readonly number[],
  length: number,
  comparing: Comparing,
): Series {
  const series = emptySeries(length);
  const step = stepsOf(steps, comparing);
  for (let row = 0; row < length; row++) {
    // Most functions of a program have no value in any run; then all columns are 0.
    if (!values.some((of) => of[row] !== 0)) continue;
    const [base, now] = sidesOf(values, row, comparing);
    fill(series, row, base, now);
    series.noise[row] = noiseOf(base, now, valueFloors(base, now, step, comparing.level));
  }
  return series;
}

/** The scaled weight of one event on each side: the mean over its runs, for the variance of their mean. */
function stepsOf(steps: readonly number[], { bases, factors }: Comparing): [base: number, now: number] {
  const scaled = steps.map((step, run) => step * factors[run]);
  return [measure(scaled.slice(0, bases)).mean, measure(scaled.slice(bases)).mean];
}

/** The scaled values of a row on either side. */
function sidesOf(values: readonly Float64Array[], row: number, { bases, factors }: Comparing): [Measured, Measured] {
  const scaled = values.map((of, run) => of[row] * factors[run]);
  return [measure(scaled.slice(0, bases)), measure(scaled.slice(bases))];
}

function fill(series: Series, row: number, base: Measured, now: Measured): void {
  series.base[row] = base.mean;
  series.value[row] = now.mean;
  series.baseSpread[row] = Math.sqrt(base.variance);
  series.spread[row] = Math.sqrt(now.variance);
}

function valueFloors(
  base: Measured,
  now: Measured,
  step: readonly number[],
  level: number | undefined,
): [number, number] | undefined {
  if (level === undefined) return undefined;
  return [valueFloor(base.mean, step[0], level), valueFloor(now.mean, step[1], level)];
}

/** Judges sites by the shares of their parts; the number of executions is judged only if one side has none. */
export function judgeShares(rows: ShareRows, by: Shared, comparing: Comparing): JudgedShares {
  const self = emptySeries(rows.length);
  const state = new Uint8Array(rows.length);
  const weight = new Float64Array(rows.length);
  const shift = new Float64Array(rows.length);
  const what = new Int8Array(rows.length).fill(-1);
  const used: number[] = [];
  const once = stepsOf(
    comparing.factors.map(() => 1),
    comparing,
  );
  for (let site = 0; site < rows.length; site++) {
    const division = divide(rows, site, comparing.bases);
    const [base, now] = sidesOfSite(division.executed, comparing);
    if (base.mean === 0 && now.mean === 0) continue;
    used.push(site);
    fill(self, site, base, now);
    const most = Math.max(base.mean, now.mean);
    if (base.mean === 0 || now.mean === 0) {
      const noise = noiseOf(base, now, valueFloors(base, now, once, comparing.level));
      shift[site] = 1;
      self.noise[site] = noise / most;
      weight[site] = most;
      state[site] = STATES.indexOf(noise >= most ? 'noise' : base.mean === 0 ? 'new' : 'gone');
      continue;
    }
    const judged = judgeDivision(division, by, comparing);
    shift[site] = judged.shift;
    self.noise[site] = judged.noise;
    state[site] = STATES.indexOf(judged.state);
    what[site] = judged.what === undefined ? -1 : SHIFTS.indexOf(judged.what);
    weight[site] = judged.moved * most;
  }
  return { rows: used, self, totals: undefined, state, weight, shift, what };
}

/** A site's executions by run; its parts with their counts by run and by side. */
interface Division {
  readonly executed: readonly number[];
  readonly parts: readonly { readonly counts: readonly number[]; readonly base: number; readonly now: number }[];
  readonly base: number;
  readonly now: number;
}

function divide(rows: ShareRows, site: number, bases: number): Division {
  const parts = Array.from(rows.parts.subarray(rows.starts[site], rows.starts[site + 1]), (part) => {
    const counts = rows.counts.map((of) => of[part]);
    return { counts, base: sum(counts.slice(0, bases)), now: sum(counts.slice(bases)) };
  });
  return {
    executed: rows.counts.map((_, run) => sum(parts.map(({ counts }) => counts[run]))),
    parts,
    base: sum(parts.map((part) => part.base)),
    now: sum(parts.map((part) => part.now)),
  };
}

function sidesOfSite(executed: readonly number[], { bases, factors }: Comparing): [Measured, Measured] {
  const scaled = executed.map((count, run) => count * factors[run]);
  return [measure(scaled.slice(0, bases)), measure(scaled.slice(bases))];
}

function judgeDivision(division: Division, by: Shared, comparing: Comparing) {
  let decisive = { shift: 0, noise: 0, excess: 0 };
  let appeared = false;
  let moved = 0;
  for (const part of division.parts) {
    const before = part.base / division.base;
    const after = part.now / division.now;
    const shift = Math.abs(after - before);
    moved += shift / 2;
    if (shift === 0) continue;
    const noise = shareNoise(part, division, comparing);
    const excess = shift / noise;
    if (excess > 1 && (part.base === 0) !== (part.now === 0)) appeared = true;
    if (excess > decisive.excess) decisive = { shift, noise, excess };
  }
  const state: State = moved === 0 ? 'same' : decisive.excess > 1 ? 'changed' : 'noise';
  const what = state === 'changed' ? shiftOf(division, by, appeared) : undefined;
  return { ...decisive, moved, state, what };
}

/** The limit of noise of the share of a part: 1 if there are too few executions to judge. */
function shareNoise(part: Division['parts'][number], { executed, base, now }: Division, comparing: Comparing): number {
  const { bases, level } = comparing;
  const shares = part.counts.map((count, run) => (executed[run] === 0 ? undefined : count / executed[run]));
  const one = measure(shares.slice(0, bases).filter((share) => share !== undefined));
  const other = measure(shares.slice(bases).filter((share) => share !== undefined));
  if (level === undefined) return noiseOf(one, other, undefined);
  const [inBase, inNow] = [base / one.runs, now / other.runs];
  if (Math.min(inBase, inNow) < FEWEST_EXECUTIONS) return 1;
  const pooled = (part.base + part.now) / (base + now);
  return noiseOf(one, other, [
    shareFloor(part.base / one.runs, inBase, pooled, level),
    shareFloor(part.now / other.runs, inNow, pooled, level),
  ]);
}

function shiftOf({ parts, base, now }: Division, by: Shared, appeared: boolean): Shift {
  if (by !== 'branch') {
    const kinds = (of: (part: Division['parts'][number]) => number) =>
      Math.min(3, parts.filter((part) => of(part) > 0).length);
    if (!appeared) return 'shares';
    return kinds((part) => part.base) === kinds((part) => part.now) ? 'classes' : 'shape';
  }
  const mostBase = Math.max(...parts.map((part) => part.base));
  const mostNow = Math.max(...parts.map((part) => part.now));
  if (!parts.some((part) => part.base === mostBase && part.now === mostNow)) return 'flip';
  return biasOf(mostBase / base) === biasOf(mostNow / now) ? 'shares' : 'bias';
}

/** Share of the most frequent outcome from which a branch is biased. */
const BIASED = 0.9;

function biasOf(share: number): 'one-sided' | 'biased' | 'mixed' {
  return share === 1 ? 'one-sided' : share >= BIASED ? 'biased' : 'mixed';
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}
