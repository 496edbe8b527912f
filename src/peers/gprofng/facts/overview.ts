/** The overview of an experiment: what it is of, and the sum of each metric. */
import { TIME } from '../../../models/events/shared-fields.js';
import { columnOf } from '../../../models/table.js';
import { functionGrouping } from '../functions.js';
import type { BaseMetric } from '../metrics.js';
import { fixed } from '../numbers.js';
import { factsOf } from '../peer/event-columns.js';
import { type Experiment, hasData, type PrintedProcess } from '../peer/experiment.js';
import { comparedMetrics, groupNames } from '../several/compare.js';
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
/** Width of the words at the left. */
const LABEL = 16;
/** Times above this share of the CPU time are hot, and all bytes of the heap. */
const HOT = 0.1;

export async function overviewText(asked: Asked, state: PrintState): Promise<string> {
  const { experiment } = asked;
  const groups = groupsOf(experiment, state);
  return `${[
    'Experiment(s):',
    '',
    ...groups.flatMap((group) => groupLines(experiment, group)),
    'Metrics:',
    '',
    `  Experiment Duration (Seconds): ${groups.map((group) => `[${fixed(durationOf(experiment, group), 3)}]`).join(' ')}`,
    ...(await metricLines(asked, state)),
    '',
    ...NOTES,
  ].join('\n')}\n`;
}

/** What is shown of itself: the first experiment or, in a comparison, the first one of each group. */
interface Group {
  readonly title: string;
  readonly founder: PrintedProcess;
  /** Of its group. */
  readonly processes: readonly PrintedProcess[];
}

function groupsOf({ processes }: Experiment, { compare }: PrintState): readonly Group[] {
  const numbers = compare === 'off' ? [0] : [...new Set(processes.map(({ group }) => group))];
  return numbers.flatMap((group, i): Group[] => {
    const members = processes.filter((process) => process.group === group);
    const [founder] = members;
    const number = numbers.length === 2 ? '' : ` ${i}`;
    const title = compare === 'off' ? 'Experiment' : i === 0 ? 'Base Group' : `Compare Group${number}`;
    return founder === undefined ? [] : [{ title, founder, processes: members }];
  });
}

function groupLines(experiment: Experiment, group: Group): string[] {
  const { title, founder, processes } = group;
  const { log } = founder;
  const system = `${log.system.get('hostname')} (${log.system.get('arch')}, ${log.system.get('os')})`;
  const more = processes.length - 1;
  const name = `${founder.experiment}${more === 0 ? '' : ` (plus ${more} more)`}`;
  return [
    `${title.padEnd(LABEL)}:${title === 'Experiment' ? '' : ' '}${name}`,
    `  Target        : '${log.command ?? ''}'`,
    `  Host          : ${system}`,
    `  Start Time    : ${startText(log.startDate)}`,
    `  Duration      : ${fixed(durationOf(experiment, group), 3)} Seconds`,
    '',
  ];
}

/** Seconds; a killed recorder may have written events after its last sample. */
function durationOf(experiment: Experiment, { founder }: Group): number {
  const { log, recorded, part } = founder;
  return (log.closed ? recorded.end : Math.max(recorded.end, lastEvent(experiment, part))) / 1e9;
}

/** Nanoseconds from the start of an experiment to its last event. */
function lastEvent({ profile, details, processes }: Experiment, part: number): number {
  const members = new Set(processes.flatMap((process) => (process.part === part ? [process.index] : [])));
  return profile.events.reduce((last, table) => {
    const owners = factsOf(details, table.kind)?.process;
    for (const [row, time] of columnOf(table, TIME)?.entries() ?? [])
      if (time > last && (owners === undefined || members.has(owners[row]))) last = time;
    return last;
  }, 0);
}

async function metricLines(asked: Asked, state: PrintState): Promise<string[]> {
  const { bases, metrics } = state;
  const groups = state.compare === 'off' ? [asked.experiment] : groupsOf(asked.experiment, state);
  const collections = groups.map(({ processes }) => {
    const spans = processes.flatMap(({ recorded }) => recorded.collections);
    return `[${fixed(spans.reduce((sum, { from, to }) => sum + to - from, 0) / 1e9, 3)}]`;
  });
  const lines = !hasData(asked.experiment, 'jprofile')
    ? []
    : [`  Java Garbage Collection Duration (Seconds): ${collections.join(' ')}`];
  const left = new Set(bases.filter(({ kind }) => kind !== 'static'));
  const clock = bases.find(({ id }) => id === 'totalcpu');
  const cpu = clock === undefined ? [] : await sumsOf(asked, clock, state);
  for (const { title, ids, hot } of GROUPS) {
    const own = [...left].filter(({ id }) => ids.test(id));
    if (own.length === 0) continue;
    const isCounters = title.startsWith('HW');
    lines.push(`  ${title}`, ...(isCounters ? ['    General Hardware Counters'] : []));
    for (const base of own) {
      left.delete(base);
      const totals = await sumsOf(asked, base, state);
      const mark = metrics.some((metric) => metric.base.id === base.id) ? 'X' : ' ';
      const isHot = (sum: number, i: number): boolean =>
        hot.test(base.id) &&
        (base === clock || (base.kind === 'time' ? sum > (cpu[i] ?? Number.POSITIVE_INFINITY) * HOT : sum > 0));
      const depth = isCounters ? 1 : own[0]?.id === 'total' ? depthOf(base.id) : 0;
      const values = totals.map((sum, i) => sumText(base, sum, isHot(sum, i)));
      lines.push(`${'  '.repeat(depth + 2)}[${mark}]${titleText(base)}: ${values.join(' ')}`);
    }
  }
  return lines;
}

/** Metrics of clock profiling are below those that they are parts of. */
function depthOf(id: string): number {
  if (id === 'total') return 0;
  return /^(?:user|system|trap)$/.test(id) ? 2 : 1;
}

async function sumsOf(asked: Asked, base: BaseMetric, { compare: mode }: PrintState): Promise<readonly number[]> {
  const shape = { base, flavour: 'e', value: true, share: false } as const;
  const sums: number[] = [];
  for (const { base: metric } of comparedMetrics([shape], { mode, names: groupNames(asked.experiment) }))
    sums.push((await asked.byRow(metric, functionGrouping(asked))).sum);
  return sums;
}

function titleText({ title, id, kind }: BaseMetric): string {
  return `${title} - ${id}${kind === 'time' ? ' (Seconds)' : ''}`;
}

function sumText({ kind }: BaseMetric, sum: number, isHot: boolean): string {
  const value = kind === 'time' ? fixed(sum / 1e6, 3) : kind === 'ratio' ? fixed(sum, 3) : String(sum);
  return `[${isHot ? '*' : ''}${value}]`;
}
