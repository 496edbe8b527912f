/** Which metric a view shows, and how results name it. */
import { z } from 'zod';
import { requireProfile } from '../analysis/scope/scoped.js';
import { MissingError, UsageError } from '../base/errors.js';
import { formatCount } from '../base/units.js';
import { CALL_EVENTS } from '../models/events/call.js';
import { CLASS_EVENTS } from '../models/events/class.js';
import { summedDumps } from '../models/profile/moment.js';
import { eventTable, type Metric, metricColumn, type Profile } from '../models/profile/profile.js';
import type { Recording } from '../models/recording.js';
import { type ViewInput, WITHOUT_STEPS } from './question.js';

/** A metric as results name it. */
export const METRIC_SHAPE = { id: z.string(), title: z.string(), unit: z.string(), nature: z.string() };

export function metricOf({ id, title, unit, nature }: Metric) {
  return { id, title, unit, nature };
}

/** What must be said wherever a metric's numbers are shown: what its recorder did to it, and over how many dumps it is summed. */
export function metricRemarks(metric: Metric, profile: Profile): string[] {
  return [...ownRemarks(metric, profile), ...sumNotes(dumpsOf(metric, profile))];
}

/** What a recorder did to a metric, and how much of the whole that it is a part of it does not count. */
export function ownRemarks(metric: Metric, profile: Profile): string[] {
  return [...(metric.note === undefined ? [] : [metric.note]), ...restNotes(metric, profile)];
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

/** Says of a sum over several dumps that it is one. */
export function sumNotes(dumps: number): string[] {
  return dumps === 1 ? [] : [`Summed over ${dumps} dumps (--dump N for one of them).`];
}

/** `chooseMetric` of one side of a question; a usage error where the scope could not be applied to its events. */
export function metricFor(side: Pick<ViewInput, 'profile' | 'recording' | 'unscoped'>, id: string | undefined): Metric {
  const metric = chooseMetric(requireProfile(side), side.recording, id);
  if (!side.unscoped.has(metric.table)) return metric;
  const others = requireProfile(side).metrics.filter((other) => hasStacks(other) && !side.unscoped.has(other.table));
  throw new UsageError(
    `${metric.title.toLowerCase()} of ${side.recording.name} cannot be selected by this scope`,
    others.length === 0 ? WITHOUT_STEPS : `Metrics that can: ${others.map((other) => other.id).join(', ')}.`,
  );
}

/** The metric along stacks that was asked for, or the recording's first; a usage error that lists what there is. */
export function chooseMetric(profile: Profile, recording: Recording, id: string | undefined): Metric {
  const stacked = profile.metrics.filter((metric) => hasStacks(metric));
  const metric = id === undefined ? stacked[0] : stacked.find((candidate) => candidate.id === id);
  if (metric !== undefined) return metric;
  if (profile.metrics.length === 0) throw new MissingError(`${recording.name} has no events to show`);
  if (stacked.length === 0 || profile.metrics.some((candidate) => candidate.id === id))
    throw new MissingError(
      `${recording.name} has no stacks${id === undefined ? '' : ` of ${id}`}, only objects by class`,
      'Ask `heap histogram`, or `diff` for what grew between two of them.',
    );
  throw new UsageError(
    `${recording.name} has no metric ${id ?? ''}`,
    `Its metrics: ${stacked.map((candidate) => candidate.id).join(', ')}.`,
  );
}

/**
 * The metric to show of a profile where code or calls are looked at and none is asked for: counted calls, also where a few
 * samples stand beside them; else the first one along stacks.
 */
export function usualMetric(metrics: readonly Metric[]): Metric | undefined {
  return metrics.find(({ table }) => table === CALL_EVENTS.kind) ?? metrics.find((metric) => hasStacks(metric));
}

/** Whether the values of a metric belong to stacks; class histograms have none. */
export function hasStacks(metric: Metric): boolean {
  return metric.table !== CLASS_EVENTS.kind;
}
