/** Which metric of a recording is meant if none is named: the same one in views and in written files. */
import { sumOf } from '../../base/columns/columns.js';
import { ALLOCATION_EVENTS, OBJECT_ALLOCATION_EVENTS, TLAB_EVENTS } from '../events/allocation.js';
import { CALL_EVENTS } from '../events/call.js';
import { CLASS_EVENTS, CLASS_LOAD_EVENTS } from '../events/class.js';
import { ERROR_EVENTS, EXCEPTION_EVENTS, OTHER_EVENTS } from '../events/exception.js';
import { IO_EVENTS } from '../events/io.js';
import { NATIVE_MEMORY_EVENTS, OLD_OBJECT_EVENTS } from '../events/memory.js';
import { STATE_EVENTS, THREAD_LIFE_EVENTS } from '../events/state.js';
import { NATIVE_SAMPLE_EVENTS, SAMPLE_KINDS, WALL_SAMPLE_EVENTS } from '../events/thread-samples.js';
import { METHOD_TIMING_EVENTS, METHOD_TRACE_EVENTS } from '../events/time.js';
import { WAIT_EVENTS } from '../events/wait.js';
import { rowParts } from '../packed-columns.js';
import { eventTable, type Metric, type Profile } from './profile.js';
import { ARCS } from './tables.js';

/** Samples below which a share says little: the interval of a half of 100 is 40 to 60 %. */
export const FEW = 100;

/** Samples below which they are no answer, if there is another: one sample is all of the time. */
const HARDLY_ANY = 10;

/**
 * The metric to show or write if none is named: the one that the recording names, counted calls, else the one with the most recorded events; of several with
 * as many the first. Levels, counts of places and states of threads come after them, unless only they have at least `FEW` events; what is
 * noted beside samples (waits, allocations) comes after `HARDLY_ANY` of them, so that a scope seldom changes the answer's metric.
 * Undefined if none of `metrics` belongs to stacks.
 */
export function usualMetric(metrics: readonly Metric[], profile: Profile): Metric | undefined {
  const stacked = metrics.filter((metric) => hasStacks(metric));
  const usual = stacked.find((metric) => metric.usual === true);
  if (usual !== undefined) return usual;
  const calls = stacked.find(({ table }) => table === CALL_EVENTS.kind);
  if (calls !== undefined) return calls;
  const events = new Map(stacked.map((metric) => [metric, recordedEvents(metric, profile)]));
  const hasMore = stacked.some((metric) => isBesideSamples(metric) && (events.get(metric) ?? 0) > 0);
  const order = (metric: Metric): number => {
    const count = events.get(metric) ?? 0;
    if (LAST.has(metric.table)) return 6;
    if (isBesideSamples(metric)) return 4;
    if (hasMore && SAMPLE_KINDS.has(metric.table) && count < HARDLY_ANY) return 5;
    return (count >= FEW ? 0 : 2) + (isSecond(metric) ? 1 : 0);
  };
  // A stable sort: ties stay in the order of the file.
  return stacked.sort((a, b) => order(a) - order(b) || (events.get(b) ?? 0) - (events.get(a) ?? 0))[0];
}

/** What recorders of running code note beside its samples, often many more events than samples. */
const BESIDE_SAMPLES: ReadonlySet<string> = new Set(
  [
    ...[
      NATIVE_SAMPLE_EVENTS,
      WALL_SAMPLE_EVENTS,
      OBJECT_ALLOCATION_EVENTS,
      ALLOCATION_EVENTS,
      TLAB_EVENTS,
      WAIT_EVENTS,
    ],
    ...[IO_EVENTS, EXCEPTION_EVENTS, ERROR_EVENTS, NATIVE_MEMORY_EVENTS, OLD_OBJECT_EVENTS, METHOD_TRACE_EVENTS],
  ].map(({ kind }) => kind),
);

/** Whether a metric is of what is noted beside samples: its times are those of waits, input and output, and not of running. */
export function isBesideSamples({ table }: Metric): boolean {
  return BESIDE_SAMPLES.has(table);
}

/** What says nothing of where the program spent its resources, or of some chosen methods only. */
const LAST: ReadonlySet<string> = new Set(
  [METHOD_TIMING_EVENTS, CLASS_LOAD_EVENTS, THREAD_LIFE_EVENTS, OTHER_EVENTS].map(({ kind }) => kind),
);

/** Levels; states of threads; what is counted at places (branches, virtual calls), which does not add up along stacks. */
function isSecond({ nature, table }: Metric): boolean {
  return nature === 'level' || nature === 'site' || table === STATE_EVENTS.kind;
}

/**
 * How many events a metric's table has: the sum of what its rows count, else its rows. Metrics of one table have as many. One pass
 * over the table.
 */
export function recordedEvents(metric: Metric, profile: Profile): number {
  const table = metric.table === ARCS.kind ? profile.arcs : eventTable(profile, metric.table);
  if (table === undefined) return 0;
  const counts = table.fields.find(
    ({ unit, nature }) => (unit === 'count' || unit === 'samples') && (nature === 'flow' || nature === 'site'),
  );
  if (counts === undefined) return table.length;
  let sum = 0;
  for (const { columns } of rowParts(table, [counts.key])) sum += columns[0] === undefined ? 0 : sumOf(columns[0]);
  return sum;
}

/** Whether the values of a metric belong to stacks; class histograms have none. */
export function hasStacks(metric: Metric): boolean {
  return metric.table !== CLASS_EVENTS.kind;
}

/**
 * Whether the nodes of a call tree have totals of a metric. Levels are those of one moment there, at which the values below a frame add up. Inverted, a
 * node's total is a part of its root's self value, which may be summed for any metric.
 */
export function addsUp({ nature }: Pick<Metric, 'nature'>, inverted: boolean): boolean {
  return inverted || nature === 'flow' || nature === 'level';
}

/** Whether a flame graph can show a metric: its numbers belong to stacks, and widths add up. */
export function isDrawable(metric: Metric, inverted: boolean): boolean {
  return metric.table !== ARCS.kind && metric.arcField === undefined && addsUp(metric, inverted);
}
