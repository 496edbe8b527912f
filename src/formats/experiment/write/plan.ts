/** Which numbers of a profile an experiment holds: one metric of time as clock profiling, others as counters. */
import { STACK } from '../../../models/events/shared-fields.js';
import { SAMPLE_KINDS } from '../../../models/events/thread-samples.js';
import { eventTable, type Metric, metricColumn, type Profile } from '../../../models/profile/profile.js';
import { hasStacks, isBesideSamples } from '../../../models/profile/usual-metric.js';
import { type Column, hasField, type Table } from '../../../models/table.js';

/** Counters that an experiment may have. */
const MOST_COUNTERS = 20;
const MICROSECOND = 1000;

export interface WrittenMetric {
  readonly metric: Metric;
  readonly table: Table;
  /** Undefined if each row counts 1. */
  readonly values: Column | undefined;
}

export interface ClockMetric extends WrittenMetric {
  /** Microseconds of a tick. */
  readonly tick: number;
  /** Nanoseconds that 1 of the values stands for. */
  readonly scale: number;
}

export interface WritePlan {
  readonly clock: ClockMetric | undefined;
  /** Their names are those of the counters, by tag. */
  readonly counters: readonly (WrittenMetric & { readonly name: string })[];
  readonly dropped: readonly string[];
}

export function planOf(profile: Profile): WritePlan {
  const all = profile.metrics.flatMap((metric): WrittenMetric[] => {
    const table = eventTable(profile, metric.table);
    if (table === undefined || !hasField(table, STACK.key) || !hasStacks(metric)) return [];
    return [{ metric, table, values: metricColumn(metric, table) }];
  });
  const flows = all.filter(({ metric }) => metric.nature === 'flow');
  const timed = flows.find(({ metric }) => isTime(metric));
  const clock = timed && { ...timed, ...ticksOf(timed) };
  const rest = flows.filter((each) => each !== timed && !(clock !== undefined && isCountOf(each, clock)));
  const kept = rest.slice(0, MOST_COUNTERS);
  const lost = profile.metrics.filter(
    ({ id }) => id !== timed?.metric.id && !rest.some(({ metric }) => metric.id === id) && !isCount(id, all, clock),
  );
  const names = new Set<string>();
  return {
    clock,
    counters: kept.map((each) => ({ ...each, name: counterName(each.metric.id, names) })),
    dropped: [
      ...(lost.length > 0 ? [`metrics that do not add up along stacks: ${lost.map(({ id }) => id).join(', ')}`] : []),
      ...(rest.length > kept.length ? [`${rest.length - kept.length} metrics beyond ${MOST_COUNTERS} counters`] : []),
    ],
  };
}

/** Samples of a known interval of time, and times themselves; gprofng shows them as CPU time, so no waits. */
function isTime(metric: Metric): boolean {
  const { table, unit, period } = metric;
  if (isBesideSamples(metric)) return false;
  return unit === 'ns' || (SAMPLE_KINDS.has(table) && period?.unit === 'ns');
}

function ticksOf({ metric, values }: WrittenMetric): { readonly tick: number; readonly scale: number } {
  const period = metric.period?.unit === 'ns' ? metric.period.value : undefined;
  const scale = metric.unit === 'ns' ? 1 : (period ?? 1);
  const isWhole = period !== undefined && period % MICROSECOND === 0;
  // Ticks of the recorded interval, if all values are multiples of it.
  const fits = isWhole && (values === undefined || values.every((value) => (value * scale) % period === 0));
  return { tick: fits && period !== undefined ? period / MICROSECOND : 1, scale };
}

/** Whether a metric is the number of the ticks that the clock has anyway. */
function isCountOf({ metric, table, values }: WrittenMetric, clock: ClockMetric): boolean {
  if (metric.unit !== 'samples' || table !== clock.table || clock.values === undefined) return false;
  const { scale, tick } = clock;
  const times = clock.values;
  return times.every((time, row) => time * scale === (values?.[row] ?? 1) * tick * MICROSECOND);
}

function isCount(id: string, all: readonly WrittenMetric[], clock: ClockMetric | undefined): boolean {
  const own = all.find(({ metric }) => metric.id === id);
  return own !== undefined && clock !== undefined && isCountOf(own, clock);
}

/** A name of letters, digits and `_`, which begins with a letter. */
function counterName(id: string, taken: Set<string>): string {
  const plain = id.replace(/\W/g, '_').replace(/^(?![A-Za-z])/, 'm');
  let name = plain;
  for (let number = 2; taken.has(name); number++) name = `${plain}_${number}`;
  taken.add(name);
  return name;
}
