/**
 * Differences of what events name: threads, allocation sites, classes of allocated objects, contended monitors. What has the same
 * name is one row, also within a run; classes and functions have their joined names. One pass over the events of each run.
 */
import { eachContention } from '../../analysis/locks/wait-sites.js';
import { Float64Builder } from '../../base/columns/columns.js';
import { IntTable } from '../../base/columns/hash.js';
import { NONE } from '../../base/flavor.js';
import { type Note, note } from '../../base/note.js';
import { stringAt } from '../../base/text.js';
import { ALLOCATION_EVENTS, TLAB_EVENTS } from '../../models/events/allocation.js';
import { CONTENTION_EVENTS } from '../../models/events/contention.js';
import { SINGLE_EVENT_KINDS } from '../../models/events/index.js';
import { OLD_OBJECT_EVENTS } from '../../models/events/memory.js';
import { CLASS, STACK, THREAD } from '../../models/events/shared-fields.js';
import { SITE_EVENTS } from '../../models/events/site.js';
import { STATE_EVENTS } from '../../models/events/state.js';
import { WAIT_EVENTS } from '../../models/events/wait.js';
import { momentOf } from '../../models/profile/moment.js';
import { eventTable, type Metric, metricColumn, type Profile, threadName } from '../../models/profile/profile.js';
import { columnOf, type Field } from '../../models/table.js';
import { metricNote, metricOf, metricRemarks } from '../metric-choice.js';
import type { Side } from '../question.js';
import { commonMetrics, metricDifferences, momentNotes, rareMetrics, type Sides, sideNotes, stepOf } from './runs.js';
import type { ValueRows } from './values.js';

export const NAMED_ROWS = {
  thread: threadRows,
  site: siteRows,
  'site-class': siteClassRows,
  monitor: monitorRows,
} as const;

const UNKNOWN = '<unknown>';
const UNNAMED = '<unnamed or unknown>';

function threadRows(sides: Sides, id: string | undefined): ValueRows {
  const metrics = commonMetrics(sides.runs, id, (metric, profile) => {
    const table = eventTable(profile, metric.table);
    return metric.table !== STATE_EVENTS.kind && table !== undefined && columnOf(table, THREAD) !== undefined;
  });
  const rowsAre = 'Each row is all threads of one name.';
  return rowsOf(sides, metrics, rowsAre, (run, profile) => {
    const { program } = sides.runs[run].recording;
    const sums = sumsBy(profile, metrics[run], [THREAD]);
    return { sums, name: (thread) => threadName(profile, program, thread) || UNNAMED };
  });
}

/** Kinds of events with a class and a stack for each allocation. */
const ALLOCATIONS: ReadonlySet<string> = new Set(
  [ALLOCATION_EVENTS, TLAB_EVENTS, OLD_OBJECT_EVENTS, SITE_EVENTS].map(({ kind }) => kind),
);

function allocationMetrics(sides: Sides, id: string | undefined): Metric[] {
  return rareMetrics(sides.runs, id, ({ table }) => ALLOCATIONS.has(table));
}

function siteRows(sides: Sides, id: string | undefined): ValueRows {
  const metrics = allocationMetrics(sides, id);
  const rowsAre =
    'Each row is a class of objects and the functions of the stack that allocated them, the innermost first.';
  return rowsOf(sides, metrics, rowsAre, (run, profile) => {
    const className = classNames(sides, run);
    const pathName = pathNames(sides, run, profile);
    const sums = sumsBy(profile, metrics[run], [CLASS, STACK]);
    return { sums, name: (type, stack) => `${className(type)} in ${pathName(stack)}` };
  });
}

function siteClassRows(sides: Sides, id: string | undefined): ValueRows {
  const metrics = allocationMetrics(sides, id);
  return rowsOf(sides, metrics, 'Each row is a class of allocated objects.', (run, profile) => ({
    sums: sumsBy(profile, metrics[run], [CLASS]),
    name: classNames(sides, run),
  }));
}

/** Waits for monitors and locks, without idle threads. */
function monitorRows(sides: Sides, id: string | undefined): ValueRows {
  const metrics = rareMetrics(
    sides.runs,
    id,
    ({ table, field }) =>
      (table === WAIT_EVENTS.kind && field === 'contended') || (table === CONTENTION_EVENTS.kind && field === 'waited'),
  );
  const rowsAre = 'Each row is the class of a monitor or lock, and the function where threads were blocked.';
  return rowsOf(sides, metrics, rowsAre, (run, profile) => {
    const { program } = sides.runs[run].recording;
    const className = classNames(sides, run);
    const sums = new KeyedSums();
    // Monitors without a class have a name, as -2 minus its number.
    const typeName = (type: number) => (type < -1 ? stringAt(program.names, -2 - type) : className(type));
    const contention = CONTENTION_EVENTS.of(profile);
    const waits = eventTable(profile, WAIT_EVENTS.kind);
    if (metrics[run].table === CONTENTION_EVENTS.kind && contention !== undefined) {
      const { class: type, name, stack } = contention;
      eachEvent(profile, metrics[run], (row, value) => {
        const classOrName = type[row] < 0 && name[row] >= 0 ? -2 - name[row] : type[row];
        sums.add(classOrName, profile.stacks.location[stack[row]] ?? NONE, value);
      });
    } else if (waits !== undefined)
      eachContention(waits, profile.stacks, program, ({ class: types, waited }, row, site) => {
        sums.add(types?.[row] ?? NONE, site, waited[row]);
      });
    return { sums, name: (type, site) => `${typeName(type)} in ${functionName(sides, run, site)}` };
  });
}

/** Joined names of the classes of a run. */
function classNames({ united }: Sides, run: number): (id: number) => string {
  const { rows, name } = united.classes;
  return (id) => (id < 0 ? UNKNOWN : name(rows[run][id]));
}

function functionName({ runs, united }: Sides, run: number, location: number): string {
  const functionId = location < 0 ? -1 : runs[run].recording.program.locations.function[location];
  return functionId < 0 ? UNKNOWN : united.functions.name(united.functions.rows[run][functionId]);
}

/** Joined names of the functions of each stack, as `b < a` for a stack in which a called b. Stacks are named when first asked for. */
function pathNames(sides: Sides, run: number, { stacks }: Profile): (stack: number) => string {
  const stackNames = new Map<number, string>();
  return (stack) => {
    let name = stackNames.get(stack);
    if (name === undefined) {
      const frames: string[] = [];
      for (let id = stack; id >= 0; id = stacks.parent[id]) frames.push(functionName(sides, run, stacks.location[id]));
      name = frames.length === 0 ? UNKNOWN : frames.join(' < ');
      stackNames.set(stack, name);
    }
    return name;
  };
}

/** Sums of values, and of their squares, by two numbers that name events. */
class KeyedSums {
  readonly keys = new IntTable();
  readonly sums = new Float64Builder();
  readonly squares = new Float64Builder();

  add(a: number, b: number, value: number): void {
    const key = this.keys.add(a, b);
    if (key === this.sums.length) for (const column of [this.sums, this.squares]) column.push(0);
    this.sums.values[key] += value;
    this.squares.values[key] += value ** 2;
  }
}

/** The sums of a run, and the name of each of their keys. */
interface NamedSums {
  readonly sums: KeyedSums;
  readonly name: (a: number, b: number) => string;
}

/** Visits the events that a metric counts: levels of several dumps are those of the last one. */
function eachEvent(profile: Profile, metric: Metric, visit: (row: number, value: number) => void): void {
  const table = eventTable(profile, metric.table);
  if (table === undefined) return;
  const value = metricColumn(metric, table);
  const moment = momentOf(metric, table);
  for (let row = 0; row < table.length; row++)
    if (moment === undefined || moment.dumps[row] === moment.last) visit(row, value?.[row] ?? 1);
}

function sumsBy(profile: Profile, metric: Metric, fields: readonly [Field, Field?]): KeyedSums {
  const table = eventTable(profile, metric.table);
  const [a, b] = fields.map((field) => (table && field ? columnOf(table, field) : undefined));
  const sums = new KeyedSums();
  eachEvent(profile, metric, (row, value) => sums.add(a?.[row] ?? NONE, b?.[row] ?? NONE, value));
  return sums;
}

function rowsOf(
  sides: Sides,
  metrics: readonly Metric[],
  rowsAre: string,
  read: (run: number, profile: Profile) => NamedSums,
): ValueRows {
  const { runs, bases } = sides;
  const rows = new Map<string, number>();
  const names: string[] = [];
  const sums: number[][] = runs.map(() => []);
  const squares: number[][] = runs.map(() => []);
  for (const [run, { profile }] of runs.entries()) {
    if (profile === undefined) continue;
    const { sums: runSums, name: nameOf } = read(run, profile);
    for (let key = 0; key < runSums.keys.length; key++) {
      const name = nameOf(runSums.keys.key(key, 0), runSums.keys.key(key, 1));
      const row = rows.get(name) ?? names.push(name) - 1;
      rows.set(name, row);
      sums[run][row] = (sums[run][row] ?? 0) + runSums.sums.values[key];
      squares[run][row] = (squares[run][row] ?? 0) + runSums.squares.values[key];
    }
  }
  // Rows that a run lacks are holes.
  const columns = (rowsOfRuns: readonly (readonly number[])[]) =>
    rowsOfRuns.map((values) => Float64Array.from({ length: names.length }, (_, row) => values[row] ?? 0));
  const values = columns(sums);
  const isSingle = SINGLE_EVENT_KINDS.has(metrics[bases].table);
  return {
    metric: metricOf(metrics[bases]),
    length: names.length,
    values,
    totals: undefined,
    sums: values.map((column) => column.reduce((all, value) => all + value, 0)),
    steps: metrics.map(stepOf),
    ...(isSingle && { counting: columns(squares).map((column) => ({ values: column, totals: undefined })) }),
    name: (row) => names[row] ?? UNKNOWN,
    join: (row) => (inBoth(values, bases, row) ? 'exact' : 'one side'),
    names: () => 1,
    notes: [
      ...momentNotes(sides),
      ...metricDifferences(metrics[bases], metrics[0]),
      ...sideNotes(remarksOf(runs[0], metrics[0]), remarksOf(runs[bases], metrics[bases])),
      note('rows', rowsAre),
    ],
  };
}

function inBoth(values: readonly Float64Array[], bases: number, row: number): boolean {
  const has = (runColumns: readonly Float64Array[]): boolean => runColumns.some((column) => column[row] !== 0);
  return has(values.slice(0, bases)) && has(values.slice(bases));
}

function remarksOf({ profile }: Side, metric: Metric): Note[] {
  const title = metricNote(metric);
  return profile === undefined ? [title] : [title, ...metricRemarks(metric, profile)];
}
