/** The durations of single events in a listing: their number, the longest, and percentiles, where `--durations` asks for them. */
import { z } from 'zod';
import { type Durations, hasDurations } from '../analysis/stacks/durations.js';
import { UsageError } from '../base/errors.js';
import { phrase, theOption } from '../base/phrase.js';
import type { Unit } from '../base/units.js';
import type { Metric } from '../models/profile/profile.js';
import { detail, type ResultColumn } from './listing.js';
import { type Fits, metricFor } from './metric-choice.js';
import type { ViewInput } from './question.js';

/** Fields of rows; `whose` says which events. They are in rows only if asked for, since they take a pass over all events. */
export function durationFields(whose: string) {
  const durationField = (title: string, unit: Unit, meaning: string) =>
    z
      .number()
      .nullable()
      .optional()
      .meta({ title, unit, description: `${meaning}, of ${whose}; null if there are none` });
  return {
    events: durationField('Events', 'count', 'events with a duration'),
    longest: durationField('Longest', 'ns', 'longest duration'),
    p50: durationField('p50', 'ns', 'half of the durations do not exceed it, between two in proportion'),
    p90: detail(1, durationField('p90', 'ns', '90 per cent of the durations do not exceed it')),
    p99: detail(1, durationField('p99', 'ns', '99 per cent of the durations do not exceed it')),
  };
}

const KEYS = ['events', 'longest', 'p50', 'p90', 'p99'] as const;

/** The cells of the fields in a row. */
export function durationCells(durationsOf: (row: number) => Durations | undefined) {
  const rowDurations = new Map<number, Durations | undefined>();
  const cell = (key: keyof Durations) => (row: number) => {
    if (!rowDurations.has(row)) rowDurations.set(row, durationsOf(row));
    return rowDurations.get(row)?.[key] ?? null;
  };
  return {
    events: cell('events'),
    longest: cell('longest'),
    p50: cell('p50'),
    p90: cell('p90'),
    p99: cell('p99'),
  };
}

/** The columns, with those of durations only if they were asked for. */
export function withDurations(columns: readonly ResultColumn[], showsDurations: boolean): ResultColumn[] {
  return columns.filter(({ key }) => showsDurations || !KEYS.some((durationKey) => durationKey === key));
}

/** The metric of a question; a usage error if durations are asked of one whose events have none. */
export function durationMetric(
  input: ViewInput,
  id: string | undefined,
  needsDurations: boolean,
  fits: Fits = () => true,
): Metric {
  const metric = metricFor(input, id, needsDurations ? (each) => hasDurations(each) && fits(each) : fits);
  if (!needsDurations || hasDurations(metric)) return metric;
  const others = (input.profile?.metrics ?? []).filter(hasDurations);
  throw new UsageError(`${metric.title} of ${input.recording.name}: no durations of single events`, {
    code: 'no-durations',
    ...(others.length === 0
      ? { advice: phrase`Omit ${theOption('durations')}.`, action: { omit: ['durations'] } }
      : {
          advice: `Metrics that have them: ${others.map((other) => other.id).join(', ')}.`,
          action: { choose: ['metric'] },
        }),
  });
}
