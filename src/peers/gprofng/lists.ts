/** Short lists: experiments, numbers of samples, threads and CPUs, metrics, load objects, types of index objects. */
import { processOfRow } from '../../analysis/threads/process-of.js';
import { plainPath } from '../../session/together/marked-path.js';
import { javaThreads } from './facts/java-threads.js';
import { type Selection, selectionText } from './filters/selections.js';
import { INDEX_TYPES } from './index-objects.js';
import { attributed, type BaseMetric, sortTitle, specOf, titleOf } from './metrics.js';
import type { ObjectDisplay } from './object-display.js';
import { processorOf } from './peer/event-columns.js';
import type { Experiment } from './peer/experiment.js';
import type { LoadObject } from './peer/load-objects.js';
import { hasRegions } from './regions.js';
import type { PrintState } from './state.js';

/** A table under headings, each cell as wide as its column, numbers at the right. */
function ruled(heads: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const widths = heads.map((head, i) =>
    rows.reduce((most, row) => Math.max(most, String(row[i] ?? '').length), head.length),
  );
  // The last column is not padded, only its rule.
  const line = (cells: readonly (string | number)[]): string =>
    cells
      .map((cell, i) => {
        const width = i === cells.length - 1 && typeof cell === 'string' ? 0 : (widths[i] ?? 0);
        return `${typeof cell === 'number' ? String(cell).padStart(width) : cell.padEnd(width)} `;
      })
      .join('');
  const rule = widths.map((width) => '='.repeat(width));
  return `${[line(heads), line(rule), ...rows.map(line)].join('\n')}\n`;
}

export function experimentList({ processes }: Experiment): string {
  const rows = processes.map(({ id, log, name }) => [id, 'yes', Number(log.process.get('pid') ?? 0), name] as const);
  const width = Math.max(...rows.map(([, , pid]) => String(pid).length));
  return ruled(['ID', 'Sel', 'PID'.padStart(width), 'Experiment'], rows);
}

function counted(
  { processes }: Experiment,
  {
    selection,
    first = 1,
    isBlind = false,
  }: { readonly selection?: Selection | undefined; readonly first?: number; readonly isBlind?: boolean },
  count: (index: number) => number,
): string {
  return ruled(
    ['Exp', 'Sel', 'Total'],
    processes.map(({ id, index }) => {
      // What was selected before anything was read stays as it was written, and nothing else is counted.
      const isNone = isBlind && selection?.get(id)?.length === 0;
      const last = isNone ? 0 : count(index);
      const range = isBlind ? { first: -1, last: Infinity } : { first, last };
      return [id, selectionText(selection, id, range), last];
    }),
  );
}

export function sampleList(experiment: Experiment, selection?: Selection): string {
  return counted(experiment, { selection }, (index) => {
    const process = experiment.processes.find((each) => each.index === index);
    return process === undefined ? 0 : process.samples.length;
  });
}

/** The lightweight processes or CPUs of the events of each process. */
function numbersByProcess(
  { profile, details }: Experiment,
  of: 'lwp' | 'cpu',
): ReadonlyMap<number, ReadonlySet<number>> {
  const found = new Map<number, Set<number>>();
  // Events near each other are mostly of one of them.
  let [lastProcess, lastNumber] = [Number.NaN, Number.NaN];
  const add = (process: number, number: number): void => {
    if (process === lastProcess && number === lastNumber) return;
    [lastProcess, lastNumber] = [process, number];
    found.set(process, (found.get(process) ?? new Set<number>()).add(number));
  };
  if (of === 'cpu')
    for (const table of profile.events) {
      const [processes, processors] = [processOfRow(profile, table), processorOf(table)];
      for (let row = 0; row < table.length; row++) add(processes(row), processors(row));
    }
  else
    for (const { process, lwp } of details.events.values())
      for (let row = 0; row < process.length; row++) add(process[row], lwp[row]);
  return found;
}

/** Numbers of threads, lightweight processes or CPUs that have events. */
export function distinctList(
  experiment: Experiment,
  of: 'thread' | 'lwp' | 'cpu',
  { selection, isBlind = false }: { readonly selection?: Selection | undefined; readonly isBlind?: boolean } = {},
): string {
  const found = of === 'thread' ? undefined : numbersByProcess(experiment, of);
  const { events } = experiment.details;
  // gprofng takes the numbers of CPUs to begin with 0, and to be as many as there are CPUs with events and one.
  return counted(experiment, { selection, isBlind, first: of === 'cpu' ? 0 : 1 }, (index) => {
    if (found !== undefined) return found.get(index)?.size ?? 0;
    // Threads of Java count without events.
    const process = experiment.details.processes[index];
    let most = process === undefined ? 0 : javaThreads(process).length;
    for (const facts of events.values())
      for (let row = 0; row < facts.process.length; row++)
        if (facts.process[row] === index) most = Math.max(most, facts.thread[row]);
    return most;
  });
}

export function currentMetrics({ metrics, sorting }: PrintState): string {
  const current = `Current metrics: ${metrics.map(specOf).join(':')}\n`;
  return `${current}Current Sort Metric: ${sortTitle(sorting)} ( ${sorting.reversed ? '-' : ''}${specOf(sorting.metric)} )\n`;
}

export function metricList(state: PrintState): string {
  const lines = state.bases.flatMap((base): [string, string][] => {
    if (base.kind === 'static') return [[base.title, base.id]];
    return (['e', 'i'] as const).map((flavour) => [titleOf({ base, flavour }), fullSpec(base, flavour)]);
  });
  const width = Math.max(...lines.map(([title]) => title.length));
  const listed = lines.map(([title, spec]) => `${title.padStart(width)}: ${spec}`).join('\n');
  return `${currentMetrics(state)}Available metrics:\n${listed}\n\n`;
}

function fullSpec(base: BaseMetric, flavour: 'e' | 'i'): string {
  return specOf({ base, flavour, value: true, share: base.kind !== 'ratio' });
}

export function callerMetricList({ metrics }: PrintState): string {
  const specs = attributed(metrics).map(specOf).join(':');
  return `Current caller-callee metrics: ${specs}\nCurrent caller-callee sort Metric: Name\n`;
}

export function indexTypeList(experiment: Experiment, { indexTypes }: Pick<PrintState, 'indexTypes'>): string {
  const lines = INDEX_TYPES.map(({ name, formula }) => `  ${name} \t${formula}`);
  if (hasRegions(experiment)) lines.push('  OpenMP Parallel Region (OMP_preg) \tCPRID');
  lines.push(...indexTypes.map(({ name, formula }) => `  ${name} \t${formula}`));
  return ` Index Object Types Available:\n${lines.join('\n')}\n`;
}

export function objectList(objects: readonly LoadObject[], display: ObjectDisplay): string {
  return ruled(
    ['Sel', 'Load Object', 'Index', 'Path'],
    objects.map(({ name, index, path }) => [display.get(index) ?? 'show', name, String(index), plainPath(path)]),
  );
}

export function objectLines({ objects }: Experiment): string {
  return `${objects.map(({ name, path }) => ` ${name} (${plainPath(path)})`).join('\n')}\n\n`;
}
