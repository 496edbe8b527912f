/** The time that a recording covers. */
import { TIME } from '../models/events/shared-fields.js';
import type { Profile } from '../models/profile/profile.js';
import type { ScopeStep } from '../models/scope.js';
import { columnOf, type Table } from '../models/table.js';

/** In ns since the recording began. */
export interface TimeSpan {
  readonly from: number;
  readonly to: number;
}

/** Fields with the duration of an event from its time on. */
const DURATIONS = ['duration', 'waited', 'spent'];

/** The durations of the events of a table that has them. */
export function durationsOf(table: Table): ArrayLike<number> | undefined {
  const key = DURATIONS.find((word) => table.fields.some((field) => field.key === word && field.unit === 'ns'));
  return key === undefined ? undefined : table.columns[key];
}

/** From the start of the recording to the end of its last event, within the scope; undefined if no event has a time. */
export function timeSpan(profile: Profile | undefined, scope: readonly ScopeStep[]): TimeSpan | undefined {
  let last = -1;
  for (const table of [...(profile?.events ?? []), profile?.counters, profile?.ranges]) {
    const times = table && columnOf(table, TIME);
    if (table === undefined || times === undefined) continue;
    const durations = durationsOf(table);
    for (let i = 0; i < times.length; i++) {
      const end = times[i] + Math.max(0, durations?.[i] ?? 0);
      if (end > last && end < Number.POSITIVE_INFINITY) last = end;
      else if (times[i] > last && times[i] < Number.POSITIVE_INFINITY) last = times[i];
    }
  }
  if (last < 0) return undefined;
  let span = { from: 0, to: last };
  for (const step of scope)
    if (step.kind === 'time') span = { from: Math.max(span.from, step.from), to: Math.min(span.to, step.to) };
  return span.to > span.from ? span : undefined;
}
