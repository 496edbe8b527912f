/** The time that a recording covers. */
import { TIME } from '../models/events/shared-fields.js';
import { rowParts } from '../models/packed-columns.js';
import type { Profile } from '../models/profile/profile.js';
import type { Recording } from '../models/recording.js';
import type { ScopeStep, TimeSpans } from '../models/scope.js';
import { type Column, keyIn, type Table } from '../models/table.js';
import { commonSpans, oneSpan } from './spans.js';

/** In ns since the recording began. */
export interface TimeSpan {
  readonly from: number;
  readonly to: number;
}

/** The time of a scope, which may be in several parts. */
export interface ScopedTime extends TimeSpan {
  readonly parts: TimeSpans;
}

/** Fields with the duration of an event from its time on. */
const DURATIONS = ['duration', 'waited', 'spent'];

/** The durations of the events of a table that has them. */
export function durationsOf(table: Table): ArrayLike<number> | undefined {
  const key = durationKey(table);
  return key === undefined ? undefined : table.columns[key];
}

function durationKey({ fields }: Table): string | undefined {
  return DURATIONS.find((word) => fields.some((field) => field.key === word && field.unit === 'ns'));
}

/** The end of the last event, if it is later than `last`. */
function lastOf(times: Column | undefined, durations: Column | undefined, last: number): number {
  let latest = last;
  for (let i = 0; times !== undefined && i < times.length; i++) {
    const end = durations === undefined ? times[i] : times[i] + Math.max(0, durations[i]);
    if (end > latest && end < Number.POSITIVE_INFINITY) latest = end;
    else if (times[i] > latest && times[i] < Number.POSITIVE_INFINITY) latest = times[i];
  }
  return latest;
}

/** From the start of the recording to its end, as its recorder says, else that of its last event, within the scope; undefined if both are unknown. */
export function recordedSpan(
  { clock, profile }: Pick<Recording, 'clock' | 'profile'>,
  scope: readonly ScopeStep[],
): ScopedTime | undefined {
  return clock === undefined || !(clock.length > 0) ? timeSpan(profile, scope) : withinScope(clock.length, scope);
}

/** From the start of the recording to the end of its last event, within the scope; undefined if no event has a time. */
export function timeSpan(profile: Profile | undefined, scope: readonly ScopeStep[]): ScopedTime | undefined {
  let last = -1;
  for (const table of [...(profile?.events ?? []), profile?.counters, profile?.ranges]) {
    if (table === undefined) continue;
    for (const { columns } of rowParts(table, [keyIn(table, TIME), durationKey(table)]))
      last = lastOf(columns[0], columns[1], last);
  }
  return last < 0 ? undefined : withinScope(last, scope);
}

function withinScope(last: number, scope: readonly ScopeStep[]): ScopedTime | undefined {
  let parts = oneSpan(0, last);
  for (const step of scope) {
    if (step.kind === 'time') parts = commonSpans(parts, oneSpan(step.from, step.to ?? Infinity));
    if (step.kind === 'during' && step.spans !== undefined) parts = commonSpans(parts, step.spans.together);
  }
  const { starts, ends } = parts;
  return starts.length === 0 ? undefined : { from: starts[0], to: ends[ends.length - 1], parts };
}
