/** The overview of an experiment: what it is of, and the sum of each metric. */
import { TIME } from '../../../models/events/shared-fields.js';
import { columnOf } from '../../../models/table.js';
import { functionGrouping } from '../functions.js';
import type { BaseMetric } from '../metrics.js';
import { fixed } from '../numbers.js';
import { type Experiment, hasData } from '../peer/experiment.js';
import type { PrintState } from '../state.js';
import type { Asked } from '../values.js';
import { startText } from './header.js';

const NOTES = [
  "Notes: '*' indicates hot metrics, '[X]' indicates currently enabled metrics.",
  '       The metrics command can be used to change selections. The metric_list command lists all available metrics.',
];
const CLOCK = /^(?:total(?:cpu)?|user|system|trap|.*fault|stop|wait|sleep|lock)$/;
/** Kinds of data by the first metric of each, in the order of the overview; the metrics of a kind that may be hot. */
const GROUPS: readonly { readonly title: string; readonly ids: RegExp; readonly hot: RegExp }[] = [
  { title: 'Heap Tracing', ids: /^heap/, hot: /bytes$/ },
  { title: 'Clock Profiling', ids: CLOCK, hot: /^(?:totalcpu|.*fault|stop|wait)$/ },
  { title: 'Derived and Other Metrics', ids: /^masterthread$/, hot: /./ },
  { title: 'Synchronization Tracing', ids: /^syncn?$/, hot: /^sync$/ },
  { title: 'IO Tracing', ids: /^io/, hot: /time$/ },
  { title: 'OpenMP Profiling', ids: /^omp/, hot: /^omp(?:wait|ovhd)$/ },
  { title: 'Derived and Other Metrics', ids: /^(?:IPC|CPI)$/, hot: /^$/ },
  { title: 'HW Counter Profiling', ids: /./, hot: /^$/ },
];
/** Metrics above this share of the largest one of their kind are hot. */
const HOT = 0.1;
/** Microseconds of the shortest time that is not shown as 0. */
const SHOWN = 500;

export async function overviewText(asked: Asked, state: PrintState): Promise<string> {
  const { experiment } = asked;
  const [founder] = experiment.processes;
  if (founder === undefined) return '';
  const { log } = founder;
  const more = experiment.processes.length - 1;
  // A killed recorder may have written events after its last sample.
  const end = log.closed ? founder.recorded.end : Math.max(founder.recorded.end, lastEvent(experiment));
  const duration = end / 1e9;
  const system = `${log.system.get('hostname')} (${log.system.get('arch')}, ${log.system.get('os')})`;
  return `${[
    'Experiment(s):',
    '',
    `Experiment      :${experiment.name}${more === 0 ? '' : ` (plus ${more} more)`}`,
    `  Target        : '${log.command ?? ''}'`,
    `  Host          : ${system}`,
    `  Start Time    : ${startText(log.startDate)}`,
    `  Duration      : ${fixed(duration, 3)} Seconds`,
    '',
    'Metrics:',
    '',
    `  Experiment Duration (Seconds): [${fixed(duration, 3)}]`,
    ...(await metricLines(asked, state)),
    '',
    ...NOTES,
  ].join('\n')}\n`;
}

/** Nanoseconds from the start to the last event. */
function lastEvent({ profile }: Experiment): number {
  return profile.events.reduce((last, table) => {
    for (const time of columnOf(table, TIME) ?? []) if (time > last) last = time;
    return last;
  }, 0);
}

async function metricLines(asked: Asked, { bases, metrics }: PrintState): Promise<string[]> {
  const { processes } = asked.experiment;
  const gc = processes.reduce(
    (sum, process) => sum + process.recorded.collections.reduce((all, { from, to }) => all + to - from, 0),
    0,
  );
  const lines = !hasData(asked.experiment, 'jprofile')
    ? []
    : [`  Java Garbage Collection Duration (Seconds): [${fixed(gc / 1e9, 3)}]`];
  const left = new Set(bases.filter(({ kind }) => kind !== 'static'));
  for (const { title, ids, hot } of GROUPS) {
    const own = [...left].filter(({ id }) => ids.test(id));
    if (own.length === 0) continue;
    const isCounters = title.startsWith('HW');
    lines.push(`  ${title}`, ...(isCounters ? ['    General Hardware Counters'] : []));
    const sums = new Map<BaseMetric, number>();
    for (const base of own) sums.set(base, await sumOf(asked, base));
    const largest = Math.max(...[...sums].map(([{ id }, sum]) => (hot.test(id) ? sum : 0)));
    for (const [base, sum] of sums) {
      left.delete(base);
      const mark = metrics.some((metric) => metric.base.id === base.id) ? 'X' : ' ';
      const isHot = hot.test(base.id) && sum > largest * HOT && (base.kind !== 'time' || sum >= SHOWN);
      const depth = isCounters ? 1 : own[0]?.id === 'total' ? depthOf(base.id) : 0;
      lines.push(`${'  '.repeat(depth + 2)}[${mark}]${metricText(base, sum, isHot)}`);
    }
  }
  return lines;
}

/** Metrics of clock profiling are below those that they are parts of. */
function depthOf(id: string): number {
  if (id === 'total') return 0;
  return /^(?:user|system|trap)$/.test(id) ? 2 : 1;
}

async function sumOf(asked: Asked, base: BaseMetric): Promise<number> {
  return (await asked.byRow(base, functionGrouping(asked))).sum;
}

function metricText({ title, id, kind }: BaseMetric, sum: number, isHot: boolean): string {
  const value = kind === 'time' ? fixed(sum / 1e6, 3) : kind === 'ratio' ? fixed(sum, 3) : String(sum);
  return `${title} - ${id}${kind === 'time' ? ' (Seconds)' : ''}: [${isHot ? '*' : ''}${value}]`;
}
