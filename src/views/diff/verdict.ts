/** The state of each row: new, gone, changed, or within the noise (analysis/noise.ts). */
import { FEWEST_EXECUTIONS, type Measured, measure, noiseOf, shareFloor, valueFloor } from '../../analysis/noise.js';
import { markedRows } from '../../base/columns/marks.js';
import type { Shared, ShareRows } from './shares.js';
import type { ValueRows } from './values.js';

export const STATES = ['new', 'gone', 'changed', 'noise', 'same'] as const;
export type VerdictState = (typeof STATES)[number];

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
  const counting = rows.counting?.map(({ values }) => values);
  const countingTotals = rows.counting?.flatMap((runCounting) => runCounting.totals ?? []);
  const self = seriesOf(rows.values, { ...rows, counting }, comparing);
  const totals = rows.totals && seriesOf(rows.totals, { ...rows, counting: countingTotals }, comparing);
  const all = totals === undefined ? [self] : [self, totals];
  const state = new Uint8Array(rows.length);
  const weight = new Float64Array(rows.length);
  const used = rowsWithValue(rows.length, [...rows.values, ...(rows.totals ?? [])]);
  const rounded = comparing.factors.length > 2 || comparing.factors.some((factor) => factor !== 1);
  for (const row of used) {
    state[row] = STATES.indexOf(stateOf(all, row, rounded));
    weight[row] = Math.abs(self.value[row] - self.base[row]);
  }
  return { rows: Array.from(used), self, totals, state, weight };
}

/** The rows that are not 0 in all columns: a few of all functions of a program. */
function rowsWithValue(length: number, columns: readonly Float64Array[]): Int32Array {
  const marks = new Uint8Array(length);
  for (const column of columns) for (let row = 0; row < length; row++) if (column[row] !== 0) marks[row] = 1;
  return markedRows(marks);
}

function stateOf(all: readonly Series[], row: number, rounded: boolean): VerdictState {
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

/** What the variances of values come from: the weight of one event by run, or by run and row the variance of counting. */
interface Weights {
  readonly length: number;
  readonly steps: readonly number[];
  readonly counting: readonly Float64Array[] | undefined;
}

function seriesOf(values: readonly Float64Array[], { length, steps, counting }: Weights, comparing: Comparing): Series {
  const series = emptySeries(length);
  const step = stepsOf(steps, comparing);
  const scaled = new Float64Array(values.length);
  // All columns of the other rows are 0.
  for (const row of rowsWithValue(length, values)) {
    for (let run = 0; run < scaled.length; run++) scaled[run] = values[run][row];
    const [base, now] = sidesOf(scaled, comparing);
    fill(series, row, base, now);
    const floors =
      counting?.length === values.length
        ? countedFloors(base, now, countingOf(counting, row, comparing), comparing.level)
        : valueFloors(base, now, step, comparing.level);
    series.noise[row] = noiseOf(base, now, floors);
  }
  return series;
}

/** The variance of counting of one run on each side, scaled: the mean of its runs. */
function countingOf(counting: readonly Float64Array[], row: number, { bases, factors }: Comparing): [number, number] {
  const scaled = counting.map((runCounts, run) => runCounts[row] * factors[run] ** 2);
  return [measure(scaled, 0, bases).mean, measure(scaled, bases).mean];
}

function countedFloors(
  base: Measured,
  now: Measured,
  counting: readonly [number, number],
  level: number | undefined,
): [number, number] | undefined {
  if (level === undefined) return undefined;
  return [counting[0] + valueFloor(base.mean, 0, level), counting[1] + valueFloor(now.mean, 0, level)];
}

/** The scaled weight of one event on each side: the mean over its runs, for the variance of their mean. */
function stepsOf(steps: readonly number[], comparing: Comparing): [base: number, now: number] {
  const [base, now] = sidesOf(Float64Array.from(steps), comparing);
  return [base.mean, now.mean];
}

/** Scales the values of a row, by run, and measures either side. */
function sidesOf(values: Float64Array, { bases, factors }: Comparing): [Measured, Measured] {
  for (let run = 0; run < values.length; run++) values[run] *= factors[run];
  return [measure(values, 0, bases), measure(values, bases)];
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
  const shiftKind = new Int8Array(rows.length).fill(-1);
  const used: number[] = [];
  const once = stepsOf(
    comparing.factors.map(() => 1),
    comparing,
  );
  const division = new Division(rows, comparing);
  for (let site = 0; site < rows.length; site++) {
    division.moveTo(site);
    const [base, now] = division.sides();
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
    const verdict = judgeDivision(division, by);
    shift[site] = verdict.shift;
    self.noise[site] = verdict.noise;
    state[site] = STATES.indexOf(verdict.state);
    shiftKind[site] = verdict.what === undefined ? -1 : SHIFTS.indexOf(verdict.what);
    weight[site] = verdict.moved * most;
  }
  return { rows: used, self, totals: undefined, state, weight, shift, what: shiftKind };
}

/** A cursor over sites: the executions of one, and its parts with their counts by side. */
class Division {
  readonly #rows: ShareRows;
  readonly #comparing: Comparing;
  /** Executions by run. */
  readonly #executed: Float64Array;
  /** Numbers of one part or site by run, while they are measured. */
  readonly #measured: Float64Array;
  #from = 0;
  /** Number of parts. */
  length = 0;
  /** Executions on either side. */
  base = 0;
  now = 0;

  constructor(rows: ShareRows, comparing: Comparing) {
    this.#rows = rows;
    this.#comparing = comparing;
    this.#executed = new Float64Array(rows.counts.length);
    this.#measured = new Float64Array(rows.counts.length);
  }

  moveTo(site: number): void {
    const { starts, counts, parts } = this.#rows;
    this.#from = starts[site];
    this.length = starts[site + 1] - this.#from;
    this.#executed.fill(0);
    this.base = 0;
    this.now = 0;
    for (let i = 0; i < this.length; i++) {
      const part = parts[this.#from + i];
      for (let run = 0; run < counts.length; run++) this.#executed[run] += counts[run][part];
      this.base += this.baseOf(i);
      this.now += this.nowOf(i);
    }
  }

  /** The scaled executions of either side. */
  sides(): [Measured, Measured] {
    this.#measured.set(this.#executed);
    return sidesOf(this.#measured, this.#comparing);
  }

  /** The count of part `i` in the base. */
  baseOf(i: number): number {
    return this.#sum(i, 0, this.#comparing.bases);
  }

  nowOf(i: number): number {
    return this.#sum(i, this.#comparing.bases, this.#rows.counts.length);
  }

  #sum(i: number, from: number, to: number): number {
    const { counts, parts } = this.#rows;
    let sum = 0;
    for (let run = from; run < to; run++) sum += counts[run][parts[this.#from + i]];
    return sum;
  }

  /** The share of part `i` in the runs of a side that executed the site. */
  #shares(i: number, from: number, to: number): Measured {
    const part = this.#rows.parts[this.#from + i];
    let runs = 0;
    for (let run = from; run < to; run++)
      if (this.#executed[run] !== 0) this.#measured[runs++] = this.#rows.counts[run][part] / this.#executed[run];
    return measure(this.#measured, 0, runs);
  }

  /** The limit of noise of the share of part `i`: 1 if there are too few executions to judge. */
  noiseOf(i: number): number {
    const { bases, level } = this.#comparing;
    const one = this.#shares(i, 0, bases);
    const other = this.#shares(i, bases, this.#rows.counts.length);
    if (level === undefined) return noiseOf(one, other, undefined);
    const [inBase, inNow] = [this.base / one.runs, this.now / other.runs];
    if (Math.min(inBase, inNow) < FEWEST_EXECUTIONS) return 1;
    const [base, now] = [this.baseOf(i), this.nowOf(i)];
    const pooled = (base + now) / (this.base + this.now);
    return noiseOf(one, other, [
      shareFloor(base / one.runs, inBase, pooled, level),
      shareFloor(now / other.runs, inNow, pooled, level),
    ]);
  }
}

function judgeDivision(division: Division, by: Shared) {
  let decisive = { shift: 0, noise: 0, excess: 0 };
  let appeared = false;
  let moved = 0;
  for (let i = 0; i < division.length; i++) {
    const [base, now] = [division.baseOf(i), division.nowOf(i)];
    const shift = Math.abs(now / division.now - base / division.base);
    moved += shift / 2;
    if (shift === 0) continue;
    const noise = division.noiseOf(i);
    const excess = shift / noise;
    if (excess > 1 && (base === 0) !== (now === 0)) appeared = true;
    if (excess > decisive.excess) decisive = { shift, noise, excess };
  }
  const state: VerdictState = moved === 0 ? 'same' : decisive.excess > 1 ? 'changed' : 'noise';
  const shift = state === 'changed' ? shiftOf(division, by, appeared) : undefined;
  return { ...decisive, moved, state, what: shift };
}

function shiftOf(division: Division, by: Shared, appeared: boolean): Shift {
  const bases = Array.from({ length: division.length }, (_, i) => division.baseOf(i));
  const nows = bases.map((_, i) => division.nowOf(i));
  if (by !== 'branch') {
    const kinds = (counts: readonly number[]) => Math.min(3, counts.filter((count) => count > 0).length);
    if (!appeared) return 'shares';
    return kinds(bases) === kinds(nows) ? 'classes' : 'shape';
  }
  const [mostBase, mostNow] = [Math.max(...bases), Math.max(...nows)];
  if (!bases.some((base, i) => base === mostBase && nows[i] === mostNow)) return 'flip';
  return biasOf(mostBase / division.base) === biasOf(mostNow / division.now) ? 'shares' : 'bias';
}

/** Share of the most frequent outcome from which a branch is biased. */
const BIASED = 0.9;

function biasOf(share: number): 'one-sided' | 'biased' | 'mixed' {
  return share === 1 ? 'one-sided' : share >= BIASED ? 'biased' : 'mixed';
}
