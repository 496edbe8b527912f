/** The properties of events that filters and index objects can name. */
import type { EventFacts } from '../../../formats/experiment/index.js';
import { IO_EVENTS, IO_OPERATIONS } from '../../../models/events/io.js';
import { STACK } from '../../../models/events/shared-fields.js';
import { WAIT_EVENTS } from '../../../models/events/wait.js';
import type { Profile } from '../../../models/profile/profile.js';
import { columnOf, type Table } from '../../../models/table.js';
import { collections, samplesOf } from '../facts/samples.js';
import { pidOf } from '../index-objects.js';
import {
  bytesOf,
  clockColumns,
  durationOf,
  endsOf,
  heapColumns,
  isHeap,
  recordedField,
  waitColumns,
} from '../peer/event-columns.js';
import type { Experiment, PrintedProcess } from '../peer/experiment.js';
import type { EventProperties, Values } from './evaluate.js';

/** The events of one kind of an experiment, with their stacks in the current view mode. */
export interface FilteredTable {
  readonly experiment: Experiment;
  readonly profile: Profile;
  readonly table: Table;
  readonly facts: EventFacts;
}

/** A property of the event of a row; undefined if it lacks it. */
type Property = (of: FilteredTable, row: number, process: PrintedProcess) => number | undefined;

/** State of threads on Linux, where only their CPU time is recorded. */
const LINUX_CPU = 10;
const MICROSECOND = 1000;

const isClock = ({ table }: FilteredTable): boolean => table.kind === 'cpu-sample';
const isCounter = ({ table }: FilteredTable): boolean => table.kind === 'sample';
const isIo = ({ table }: FilteredTable): boolean => table.kind === IO_EVENTS.kind;
const isWait = ({ table }: FilteredTable): boolean => table.kind === WAIT_EVENTS.kind;
const time: Property = ({ table }, row) => endsOf(table)[row];
/** Clock events have one only where several ticks are one event. */
const spent: Property = (of, row) =>
  isIo(of) || isWait(of) || (isClock(of) && hasLongTicks(of)) ? durationOf(of.table, row) : undefined;
const longTicks = new WeakMap<Table, boolean>();
function hasLongTicks({ table }: FilteredTable): boolean {
  const known = longTicks.get(table) ?? clockColumns(table).count.some((count) => count > 1);
  longTicks.set(table, known);
  return known;
}
const heap =
  (value: (columns: ReturnType<typeof heapColumns>, row: number) => number | undefined): Property =>
  ({ table }, row) =>
    isHeap(table) ? value(heapColumns(table), row) : undefined;
const recorded =
  (is: (of: FilteredTable) => boolean, key: string): Property =>
  (of, row) =>
    is(of) ? recordedField(of.table, key)?.[row] : undefined;

/** As in packets of the recorder: the calls in its order, then the same ones that failed. */
const IO_TYPES = ['file-read', 'file-write', 'open', 'close', 'other-call'];
const ioType: Property = (of, row) => {
  if (!isIo(of)) return undefined;
  const type = IO_TYPES.indexOf(IO_OPERATIONS[IO_EVENTS.rows(of.table).operation[row]] ?? '');
  return type + (recordedField(of.table, 'errors')?.[row] === 1 ? IO_TYPES.length : 0);
};

const PROPERTIES: Readonly<Record<string, Property>> = {
  TSTAMP: time,
  ETSTAMP: ({ table }, row, { shift }) => endsOf(table)[row] - shift,
  TSTAMP_LO: (of, row, process) => (time(of, row, process) ?? 0) - (spent(of, row, process) ?? 0),
  /** gprofng adds the life of a block to heap events, which is not known here. */
  TSTAMP_HI: time,
  EVT_TIME: spent,
  THRID: ({ facts }, row) => facts.thread[row],
  LWPID: ({ facts }, row) => facts.lwp[row],
  CPUID: ({ facts }, row) => facts.cpu[row],
  EXPID: (_, __, { id }) => id,
  EXPID_CMP: (_, __, { id }) => id,
  EXPGRID: () => 1,
  PID: (_, __, process) => Number(pidOf(process)),
  SAMPLE_MAP: ({ table }, row, process) => {
    const at = endsOf(table)[row] - process.shift;
    return samplesOf(process).find(({ from, to }) => at >= from && at <= to)?.number ?? -1;
  },
  GCEVENT_MAP: ({ table }, row, process) => {
    const at = endsOf(table)[row] - process.shift;
    return collections(process).findIndex(({ from, to }) => at >= from && at <= to) + 1;
  },
  MSTATE: (of, row) => (isClock(of) ? (clockColumns(of.table).microstate?.[row] ?? LINUX_CPU) : undefined),
  NTICK: (of, row) => (isClock(of) ? clockColumns(of.table).count[row] : undefined),
  NTICK_USEC: (of, row) => (isClock(of) ? Math.round(clockColumns(of.table).cpu[row] / MICROSECOND) : undefined),
  OMPSTATE: (of, row) => {
    const state = isClock(of) ? of.facts.state[row] : -1;
    return state < 0 ? undefined : state;
  },
  HWCTAG: recorded(isCounter, 'counter'),
  HWCINT: recorded(isCounter, 'counted'),
  SOBJ: (of, row) => (isWait(of) ? waitColumns(of.table).address?.[row] : undefined),
  IOTYPE: ioType,
  IOFD: recorded(isIo, 'descriptor'),
  IONBYTE: (of, row) => (isIo(of) ? bytesOf(of.table, row) : undefined),
  IOHEAPBYTES: (of, row) => (isIo(of) || isHeap(of.table) ? bytesOf(of.table, row) : undefined),
  HTYPE: heap(({ step }, row) => step?.[row]),
  HSIZE: heap(({ bytes, unmapped }, row) => bytes[row] + (unmapped?.[row] ?? 0)),
  HVADDR: heap(({ address }, row) => address?.[row]),
  HOVADDR: heap(({ previous }, row) => previous?.[row] ?? 0),
  HLEAKED: heap(({ live }, row) => live[row]),
};

/** Properties that no event of gprofng on Linux has. */
const NEVER = [
  'SAMPLE',
  'GCEVENT',
  'VADDR',
  'PADDR',
  'VIRTPC',
  'PHYSPC',
  'EA_PAGESIZE',
  'MEM_LAT',
  'MEM_SRC',
  'RTYPE',
  'RID',
  'DID',
  'DTYPE',
];
const STACKS = ['STACK', 'LEAF', 'STACKID'];

export function isProperty(name: string): boolean {
  return Object.hasOwn(PROPERTIES, name) || NEVER.includes(name) || STACKS.includes(name) || name === 'JTHREAD';
}

/** Numbers of functions are above those that users write: gprofng has numbers of its own. */
const FUNCTIONS = 1n << 40n;
/** The function that all stacks begin with. */
const TOTAL = FUNCTIONS - 1n;

/** The number of a function in expressions. */
export function numberOfFunction(id: number): bigint {
  return FUNCTIONS + BigInt(id);
}

/** The number of a Java thread in expressions. */
export function numberOfThread(process: number, thread: number): bigint {
  return (1n << 60n) | (BigInt(process) << 32n) | BigInt(thread);
}

/** The properties of one event after another. */
export class TableProperties implements EventProperties {
  row = 0;
  readonly #of: FilteredTable;
  readonly #stacks: ArrayLike<number> | undefined;
  readonly #processes: ReadonlyMap<number, PrintedProcess>;
  readonly #known = new Map<number, Values>();

  constructor(of: FilteredTable) {
    this.#of = of;
    this.#stacks = columnOf(of.table, STACK);
    this.#processes = new Map(of.experiment.processes.map((process) => [process.index, process]));
  }

  values(name: string): Values | undefined {
    const stack = this.#stacks?.[this.row] ?? -1;
    if (name === 'STACK') return this.#stackOf(stack);
    if (name === 'LEAF') return this.#stackOf(stack).slice(0, 1);
    if (name === 'STACKID') return [BigInt(stack)];
    const process = this.#processes.get(this.#of.facts.process[this.row]);
    if (process === undefined) return undefined;
    if (name === 'JTHREAD') {
      const thread = this.#of.facts.thread[this.row];
      return thread <= javaThreads(process).length ? [numberOfThread(process.id, thread)] : undefined;
    }
    const value = PROPERTIES[name]?.(this.#of, this.row, process);
    return value === undefined || !Number.isFinite(value) ? undefined : [BigInt(Math.trunc(value))];
  }

  /** The functions of a stack, innermost first. */
  #stackOf(stack: number): Values {
    const known = this.#known.get(stack);
    if (known !== undefined) return known;
    const { stacks } = this.#of.profile;
    const { locations } = this.#of.experiment.program;
    const found: bigint[] = [];
    for (let id = stack; id >= 0; id = stacks.parent[id])
      found.push(numberOfFunction(locations.function[stacks.location[id]]));
    this.#known.set(stack, [...found, TOTAL]);
    return this.#known.get(stack) ?? [];
  }
}

/** The Java threads of a process by their numbers, from 1 on: each with what the log says of it. */
export function javaThreads({ log }: Pick<PrintedProcess, 'log'>): readonly ReadonlyMap<string, string>[] {
  const threads = new Map<string, ReadonlyMap<string, string>>();
  for (const { kind, attributes } of log.events) {
    const id = attributes.get('tid') ?? '';
    if (kind === 'jthread_start' && !threads.has(id)) threads.set(id, attributes);
  }
  return [...threads.values()];
}
