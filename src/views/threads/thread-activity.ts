/** Cells of `threads` from events of one recording: what threads waited for, allocated and what a metric counts of them. */
import { requireProfile } from '../../analysis/scope/scoped.js';
import { share } from '../../base/share.js';
import { allocationKind } from '../../models/events/allocation.js';
import { THREAD } from '../../models/events/shared-fields.js';
import { WAIT_EVENTS, type WaitEvents } from '../../models/events/wait.js';
import { momentOf } from '../../models/profile/moment.js';
import { eventTable, type Metric, metricColumn, type Profile } from '../../models/profile/profile.js';
import { columnOf } from '../../models/table.js';
import type { ViewInput } from '../question.js';
import { countedAllocations } from './counter-check.js';
import type { ThreadSheet } from './thread-sheet.js';

/** What a thread did by events of the one recording: waits, and a metric. */
export function activityCells(
  input: ViewInput,
  { shown: shownThreads, sides }: ThreadSheet,
  metric: Metric | undefined,
) {
  const profile = requireProfile(input);
  const count = sides[0].threads.length;
  const waits = sides.length > 1 ? undefined : waitsOf(WAIT_EVENTS.of(profile), count);
  const values = metric === undefined ? undefined : valuesByThread(profile, metric, count);
  const [allocated, contended] = (['allocated', 'contended'] as const).map((key) => {
    const activity = sides.length > 1 ? undefined : activityMetric(profile, key);
    return activity && valuesByThread(profile, activity, count);
  });
  const counted = sides.length > 1 ? undefined : countedAllocations(input);
  const sum = values?.reduce((all, value) => all + value, 0) ?? 0;
  return {
    waits: (i: number) => waits?.count[shownThreads[i]] ?? null,
    waited: (i: number) => waits?.time[shownThreads[i]] ?? null,
    allocated: (i: number) => allocated?.[shownThreads[i]] ?? null,
    counted: (i: number) => knownOf(counted?.grown[shownThreads[i]]),
    contended: (i: number) => contended?.[shownThreads[i]] ?? null,
    value: (i: number) => values?.[shownThreads[i]] ?? null,
    value_share: (i: number) => (values === undefined ? null : share(values[shownThreads[i]], sum)),
  };
}

/** Null for what is unknown. */
function knownOf(value: number | undefined): number | null {
  return value === undefined || Number.isNaN(value) ? null : value;
}

/** The metric that a column beside the chosen metric shows. */
export function activityMetric(profile: Profile, key: 'allocated' | 'contended'): Metric | undefined {
  const { kind, field } =
    key === 'allocated'
      ? { kind: allocationKind(profile)?.kind, field: 'bytes' }
      : { kind: WAIT_EVENTS.kind, field: key };
  return profile.metrics.find((metric) => metric.table === kind && metric.field === field);
}

/** How often and how long each thread waited, if the recording has every wait. */
function waitsOf(
  waits: WaitEvents | undefined,
  threads: number,
): { count: Int32Array; time: Float64Array } | undefined {
  if (waits === undefined) return undefined;
  const count = new Int32Array(threads);
  const time = new Float64Array(threads);
  const { length, thread, timeout, waited } = waits;
  for (let row = 0; row < length; row++) {
    if (thread[row] < 0) continue;
    if (timeout === undefined || timeout[row] >= 0) count[thread[row]]++;
    if (waited[row] !== -1) time[thread[row]] += waited[row];
  }
  return { count, time };
}

/** Levels of several dumps are those of the last one, as everywhere. */
function valuesByThread(profile: Profile, metric: Metric, threads: number): Float64Array {
  const values = new Float64Array(threads);
  const table = eventTable(profile, metric.table);
  const thread = table && columnOf(table, THREAD);
  if (table === undefined || thread === undefined) return values;
  const value = metricColumn(metric, table);
  const moment = momentOf(metric, table);
  for (let row = 0; row < table.length; row++)
    if (thread[row] >= 0 && (moment === undefined || moment.dumps[row] === moment.last))
      values[thread[row]] += value?.[row] ?? 1;
  return values;
}
