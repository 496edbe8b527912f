/**
 * What every question about a metric asks of its table: how many events it has, which metric is usual, what is not counted. Each fact takes a pass over
 * rows the first time.
 */
import { sumOf } from '../base/columns/columns.js';
import { ALLOCATION_EVENTS } from '../models/events/allocation.js';
import { THREAD } from '../models/events/shared-fields.js';
import { METHOD_TIMING_EVENTS } from '../models/events/time.js';
import { summedDumps } from '../models/profile/moment.js';
import { otherStacks, type TypeOfEvents } from '../models/profile/other-stacks.js';
import { eventTable, type Metric, metricColumn, type Profile } from '../models/profile/profile.js';
import { recordedEvents, usualMetric } from '../models/profile/usual-metric.js';
import type { Program } from '../models/program/program.js';
import { type Column, columnOf, type Table } from '../models/table.js';
import { FactsOf } from './facts-of.js';

const usualIds = new FactsOf<Profile, string>();
const eventCounts = new FactsOf<Profile, number>();
const otherTypes = new FactsOf<Profile, readonly TypeOfEvents[]>();
const dumpCounts = new FactsOf<Table, number>();
const threadTables = new FactsOf<Table, boolean>();
const amounts = new FactsOf<Table, number>();
const earlierWeights = new FactsOf<Table, EarlierEvents>();

/** `usualMetric`, among these metrics of a profile. */
export function usualMetricOf(metrics: readonly Metric[], profile: Profile): Metric | undefined {
  const name = JSON.stringify(metrics.map(({ id }) => id));
  const usualId = usualIds.get(profile, name, () => usualMetric(metrics, profile)?.id ?? '');
  return metrics.find(({ id }) => id === usualId);
}

/** `recordedEvents`. */
export function recordedEventsOf(metric: Metric, profile: Profile): number {
  return eventCounts.get(profile, metric.table, () => recordedEvents(metric, profile));
}

/** `otherStacks`. */
export function otherStacksOf(profile: Profile, program: Program): readonly TypeOfEvents[] {
  return otherTypes.get(profile, '', () => otherStacks(profile, program));
}

/** `summedDumps`. */
export function summedDumpsOf(metric: Metric, table: Table): number {
  return dumpCounts.get(table, metric.nature === 'level' ? 'level' : '', () => summedDumps(metric, table));
}

/** Whether an event of a metric has a thread. */
export function hasThreads(metric: Metric, profile: Profile): boolean {
  const table = eventTable(profile, metric.table);
  if (table === undefined) return false;
  return threadTables.get(table, '', () => columnOf(table, THREAD)?.some((thread) => thread >= 0) === true);
}

/** The sum of a metric over all events, those without a stack included; of a metric without a field, their number. */
export function amountOf(metric: Metric, profile: Profile): number {
  const table = eventTable(profile, metric.table);
  if (table === undefined) return 0;
  return amounts.get(table, metric.field ?? '', () => {
    const values = metricColumn(metric, table);
    return values === undefined ? table.length : sumOf(values);
  });
}

/** Events whose weight is from before the recording began, and the sum of these weights. */
export interface EarlierEvents {
  readonly events: number;
  readonly sum: number;
}

/** Those of a table of allocations or of timed methods; none of others. */
export function earlierEvents(table: Table): EarlierEvents {
  return earlierWeights.get(table, '', () => {
    const weights = earlierColumn(table)?.filter((weight) => weight > 0) ?? new Int32Array();
    return { events: weights.length, sum: sumOf(weights) };
  });
}

function earlierColumn(table: Table): Column | undefined {
  if (table.kind === ALLOCATION_EVENTS.kind) return ALLOCATION_EVENTS.rows(table).earlier;
  return table.kind === METHOD_TIMING_EVENTS.kind ? METHOD_TIMING_EVENTS.rows(table).earlier : undefined;
}
