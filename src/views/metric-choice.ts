/** Chooses the metric of a view, and describes it in results. */
import { z } from 'zod';
import { requireDump } from '../analysis/scope/moment.js';
import { requireProfile } from '../analysis/scope/scoped.js';
import { MissingError, UsageError } from '../base/errors.js';
import { formatCount, plural } from '../base/units.js';
import { CALL_EVENTS } from '../models/events/call.js';
import { CLASS_EVENTS } from '../models/events/class.js';
import { SAMPLE_EVENTS } from '../models/events/sample.js';
import { STATE_EVENTS } from '../models/events/state.js';
import { summedDumps } from '../models/profile/moment.js';
import { eventTable, type Metric, metricColumn, type Profile } from '../models/profile/profile.js';
import { ARCS } from '../models/profile/tables.js';
import type { Recording } from '../models/recording.js';
import { column } from '../models/table.js';
import { type ViewInput, WITHOUT_STEPS } from './question.js';

/** A metric in results. */
export const METRIC_SHAPE = {
  id: z.string(),
  title: z.string(),
  unit: z.string(),
  nature: z.string(),
  resolution: z.number().optional().describe('the numbers are known in steps of this'),
};

export function metricOf({ id, title, unit, nature, resolution }: Metric) {
  return { id, title, unit, nature, ...(resolution === undefined ? {} : { resolution }) };
}

/**
 * Remarks that accompany a metric's numbers everywhere: those of its recorder, the number of dumps it is summed over,
 * few samples.
 */
export function metricRemarks(metric: Metric, profile: Profile): string[] {
  return [...sumNotes(dumpsOf(metric, profile)), ...fewNotes(metric, profile), ...ownRemarks(metric, profile)];
}

/** The remarks of a metric, and how much of its whole metric it does not count. */
export function ownRemarks(metric: Metric, profile: Profile): string[] {
  return [...restNotes(metric, profile), ...(metric.notes ?? [])];
}

function restNotes(metric: Metric, profile: Profile): string[] {
  const whole = profile.metrics.find(({ id }) => id === metric.whole?.metric);
  if (metric.whole === undefined || whole === undefined) return [];
  const rest = sumOf(whole, profile) - sumOf(metric, profile);
  if (rest === 0) return [];
  return [`Not counted: ${formatCount(rest)} ${metric.whole.rest} (--metric ${whole.id} counts them, too).`];
}

function sumOf(metric: Metric, profile: Profile): number {
  const table = eventTable(profile, metric.table);
  const values = table && metricColumn(metric, table);
  if (values === undefined) return table?.length ?? 0;
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}

/** How many dumps a metric's numbers are summed over. */
export function dumpsOf(metric: Metric, profile: Profile): number {
  const table = eventTable(profile, metric.table);
  return table === undefined ? 1 : summedDumps(metric, table);
}

/** The note on a sum over several dumps. */
export function sumNotes(dumps: number): string[] {
  return dumps === 1 ? [] : [`Summed over ${dumps} dumps (--dump N chooses one).`];
}

/** Samples below which a share says little: the interval of a half of 100 is 40 to 60 %. */
export const FEW = 100;

/** Says of samples that they are few. */
export function fewNotes(metric: Metric, profile: Profile): string[] {
  if (metric.table !== SAMPLE_EVENTS.kind) return [];
  const events = recordedEvents(metric, profile);
  return events === 0 || events >= FEW ? [] : [`Only ${plural(events, 'sample')}: shares are rough.`];
}

/** `chooseMetric` for one side of a question; a usage error if the scope could not be applied to its events. */
export function metricFor(
  side: Pick<ViewInput, 'profile' | 'recording' | 'unscoped' | 'dump'>,
  id: string | undefined,
  choice?: Choice,
): Metric {
  const { metrics } = requireProfile(side);
  const metric = chooseMetric(requireProfile(side), side.recording, id, choice);
  requireDump(side.recording, side.dump, metric.table);
  if (!side.unscoped.has(metric.table)) return metric;
  const others = metrics.filter((other) => hasStacks(other) && !side.unscoped.has(other.table));
  throw new UsageError(
    `${metric.title.toLowerCase()} of ${side.recording.name} cannot be selected by this scope`,
    others.length === 0 ? WITHOUT_STEPS : `Metrics that can: ${others.map((other) => other.id).join(', ')}.`,
  );
}

/** Which metrics a view can show; where `only` is false, others where those have few events. */
export interface Choice {
  readonly fits: (metric: Metric) => boolean;
  readonly only: boolean;
}

/** The metric along stacks that the question names, or the default; a usage error that lists the metrics. */
export function chooseMetric(
  profile: Profile,
  recording: Recording,
  id: string | undefined,
  choice: Choice = { fits: () => true, only: false },
): Metric {
  const stacked = profile.metrics.filter((metric) => hasStacks(metric));
  const metric =
    id === undefined ? chosenMetric(stacked, profile, choice) : stacked.find((candidate) => candidate.id === id);
  if (metric !== undefined) return metric;
  if (profile.metrics.length === 0) throw new MissingError(`${recording.name} has no events to show`);
  if (stacked.length === 0 || profile.metrics.some((candidate) => candidate.id === id))
    throw new MissingError(
      `${recording.name} has no stacks${id === undefined ? '' : ` of ${id}`}, only objects by class`,
      'Use `heap histogram`, or `diff` to compare two of them.',
    );
  throw new UsageError(
    `${recording.name} has no metric ${id ?? ''}`,
    `Its metrics: ${stacked.map((candidate) => candidate.id).join(', ')}.`,
  );
}

function chosenMetric(metrics: readonly Metric[], profile: Profile, { fits, only }: Choice): Metric | undefined {
  const fitting = usualMetric(metrics.filter(fits), profile);
  if (fitting !== undefined && (only || recordedEvents(fitting, profile) >= FEW)) return fitting;
  return usualMetric(metrics, profile);
}

/**
 * The metric to show where none is asked for: counted calls, else the one with the most recorded events; of several with as many
 * the first. What is true at a moment (levels, states of threads) or belongs to places comes behind what adds up over time, unless only that has
 * at least `FEW` events.
 */
export function usualMetric(metrics: readonly Metric[], profile: Profile): Metric | undefined {
  const stacked = metrics.filter((metric) => hasStacks(metric));
  const calls = stacked.find(({ table }) => table === CALL_EVENTS.kind);
  if (calls !== undefined) return calls;
  const events = new Map(stacked.map((metric) => [metric, recordedEvents(metric, profile)]));
  const order = (metric: Metric): number => ((events.get(metric) ?? 0) >= FEW ? 0 : 2) + (isSecond(metric) ? 1 : 0);
  // A stable sort: ties stay in the order of the file.
  return stacked.sort((a, b) => order(a) - order(b) || (events.get(b) ?? 0) - (events.get(a) ?? 0))[0];
}

/** Levels and states; and what is counted at places (branches, virtual calls), which does not add up along stacks. */
function isSecond({ nature, table }: Metric): boolean {
  return nature === 'level' || nature === 'site' || table === STATE_EVENTS.kind;
}

/**
 * How many events a metric's table has: the sum of what its rows count, else its rows. Metrics of one table have as many. One pass
 * over the table.
 */
function recordedEvents(metric: Metric, profile: Profile): number {
  const table = metric.table === ARCS.kind ? profile.arcs : eventTable(profile, metric.table);
  if (table === undefined) return 0;
  const counts = table.fields.find(
    ({ unit, nature }) => (unit === 'count' || unit === 'samples') && (nature === 'flow' || nature === 'site'),
  );
  if (counts === undefined) return table.length;
  let sum = 0;
  for (const count of column(table, counts.key)) sum += count;
  return sum;
}

/** Whether the values of a metric belong to stacks; class histograms have none. */
export function hasStacks(metric: Metric): boolean {
  return metric.table !== CLASS_EVENTS.kind;
}
