/** Who is compared in a difference: the runs of both sides, and what of their programs is the same. */
import { MATCHES, type United, type UnitedPrograms, unite } from '../../analysis/identity/unite.js';
import { UsageError } from '../../base/errors.js';
import type { Metric } from '../../models/profile/profile.js';
import { hasStacks, usualMetric } from '../metric-choice.js';
import type { Subject, ViewInput } from '../question.js';

/** How a row was joined. `one side`: only the programs of one side have it. */
export const JOINS = ['exact', 'by name', 'ambiguous', 'one side'] as const;
export type Join = (typeof JOINS)[number];

export interface Sides {
  /** Of the base, then of what is compared with it. */
  readonly runs: readonly Subject[];
  /** How many of the runs are the base's. */
  readonly bases: number;
  readonly united: UnitedPrograms;
}

/** Throws `UsageError` where there is no base. */
export function sidesOf(input: ViewInput): Sides {
  const { base, baseRuns, runs } = input;
  if (base === undefined) throw new UsageError('diff needs a base to compare with', 'kansoku diff BASE FILE');
  const all = [base, ...baseRuns, input, ...runs];
  // Two dumps of one recording have one program, and in it even what has only a number is the same.
  const programs = [...new Set(all.map(({ recording }) => recording.program))];
  const places = all.map(({ recording }) => programs.indexOf(recording.program));
  const { functions, classes, loadObjects } = unite(programs);
  const byRun = (united: United): United => ({ ...united, rows: places.map((place) => united.rows[place]) });
  return {
    runs: all,
    bases: 1 + baseRuns.length,
    united: {
      functions: byRun(functions),
      classes: byRun(classes),
      loadObjects: places.map((place) => loadObjects[place]),
    },
  };
}

/** For each joined row the index into `JOINS`. */
export function joinsOf(united: United, bases: number): Uint8Array {
  const sides = new Uint8Array(united.length);
  united.rows.forEach((rows, run) => {
    for (const row of rows) sides[row] |= run < bases ? 1 : 2;
  });
  return sides.map((side, row) => {
    const match = MATCHES[united.match[row]];
    if (match === 'ambiguous') return JOINS.indexOf('ambiguous');
    return JOINS.indexOf(side !== 3 ? 'one side' : match === 'by name' ? 'by name' : 'exact');
  });
}

/** The metric of each run: the one that was asked for, or the usual one of those that all have. */
export function commonMetrics(runs: readonly Subject[], id: string | undefined): Metric[] {
  const [first = [], ...others] = [...runs].reverse().map(({ profile }) => (profile?.metrics ?? []).filter(hasStacks));
  const common = first.filter((metric) => others.every((list) => list.some((other) => other.id === metric.id)));
  const chosen = id === undefined ? usualMetric(common) : common.find((candidate) => candidate.id === id);
  if (chosen === undefined) throw noCommon(id, common);
  return runs.flatMap(({ profile }) => profile?.metrics.find((metric) => metric.id === chosen.id) ?? []);
}

export function noCommon(id: string | undefined, common: readonly { readonly id: string }[]): UsageError {
  const list = common.map((metric) => metric.id).join(', ');
  return new UsageError(
    id === undefined ? 'the recordings have no metric in common' : `not all recordings have the metric ${id}`,
    list === '' ? 'Compare recordings of one kind; `summary` lists their metrics.' : `All have: ${list}.`,
  );
}

/** What must be said of metrics of one name that are not of one kind. */
export function metricDifferences(metric: Metric, base: Metric): string[] {
  const said: string[] = [];
  if (metric.unit !== base.unit) said.push(`Units differ: the base is in ${base.unit}, this in ${metric.unit}.`);
  if (metric.nature !== base.nature)
    said.push(`The base counts ${metric.id} as ${base.nature}, this as ${metric.nature}.`);
  if (metric.period?.value !== base.period?.value || metric.period?.unit !== base.period?.unit)
    said.push('They were sampled with different periods: --normalise compares shares.');
  return said;
}

/** What one event adds to a value of the metric; 0 where that is not told. */
export function stepOf({ unit, period }: Metric): number {
  if (period !== undefined && period.unit === unit) return period.value;
  return unit === 'count' || unit === 'samples' ? 1 : 0;
}
