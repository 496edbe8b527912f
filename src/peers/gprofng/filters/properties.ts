/** The properties of events that filters and index objects can name. */
import { eventBytes, eventDuration, eventEnds } from '../../../analysis/index-objects/event-values.js';
import type { MemoryInUse } from '../../../analysis/memory/in-use.js';
import { spanAt } from '../../../analysis/processes/usage.js';
import { dictionary } from '../../../base/dictionary.js';
import type { EventFacts } from '../../../formats/experiment/index.js';
import { IO_EVENTS, IO_OPERATIONS } from '../../../models/events/io.js';
import { STACK } from '../../../models/events/shared-fields.js';
import { CPU_SAMPLE_EVENTS } from '../../../models/events/thread-samples.js';
import { WAIT_EVENTS } from '../../../models/events/wait.js';
import type { ProcessSpan } from '../../../models/processes.js';
import type { Profile } from '../../../models/profile/profile.js';
import { columnOf, type Table } from '../../../models/table.js';
import { heapUse } from '../facts/heap-use.js';
import { javaThreads } from '../facts/java-threads.js';
import { clockColumns, heapColumns, isHeap, processorOf, recordedField, waitColumns } from '../peer/event-columns.js';
import type { Experiment, PrintedProcess } from '../peer/experiment.js';
import { fileNumbers } from '../peer/io-files.js';
import { pidOf } from '../peer/process-names.js';
import { comparableId } from '../several/comparable.js';
import type { EventProperties, Values } from './evaluate.js';
import { placeNumber, recordedStacks, type StackName, stackName } from './stacks.js';

/** The events of one kind of an experiment, with their stacks in the current view mode. */
export interface FilteredTable {
  readonly experiment: Experiment;
  readonly profile: Profile;
  readonly table: Table;
  readonly facts: EventFacts;
}

/** Gives a property of the event of a row; NaN if it lacks it. */
export type NumberOf = (row: number) => number;

/** What a property needs of a table. */
interface Bound extends FilteredTable {
  readonly ends: Float64Array;
  /** The process of a row; undefined if it is unknown. */
  readonly processOf: (row: number) => PrintedProcess | undefined;
}

/** Undefined if no event of the table has it. */
type Property = (of: Bound) => NumberOf | undefined;

/** State of threads on Linux, where only their CPU time is recorded. */
const LINUX_CPU = 10;
const MICROSECOND = 1000;
/** Where states of OpenMP are recorded, but no regions. */
const NO_REGION = -1;

const isClock = ({ table }: Bound): boolean => table.kind === 'cpu-sample';
const isCounter = ({ table }: Bound): boolean => table.kind === 'sample';
const isIo = ({ table }: Bound): boolean => table.kind === IO_EVENTS.kind;
const isWait = ({ table }: Bound): boolean => table.kind === WAIT_EVENTS.kind;

/** The values of a column. */
const valuesOf =
  (column: ArrayLike<number> | undefined): NumberOf =>
  (row) =>
    column?.[row] ?? Number.NaN;
const time: Property = ({ ends }) => valuesOf(ends);
/** Clock events have one only where several ticks are one event. */
const spent: Property = (of) =>
  isIo(of) || isWait(of) || (isClock(of) && clockColumns(of.table).count.some((count) => count > 1))
    ? eventDuration(of.table)
    : undefined;
const heap =
  (values: (columns: ReturnType<typeof heapColumns>) => NumberOf): Property =>
  ({ table }) =>
    isHeap(table) ? values(heapColumns(table)) : undefined;
/** In 2.40 they are 0 for each event. */
const NO_VALUES = new Float64Array();
const uses = new WeakMap<Table, MemoryInUse>();
const ofHeap =
  (
    values: (use: MemoryInUse, strict: boolean, columns: ReturnType<typeof heapColumns>) => ArrayLike<number>,
  ): Property =>
  ({ table, facts, experiment }) => {
    if (!isHeap(table)) return undefined;
    const use = uses.get(table) ?? heapUse(table, facts, experiment.strict);
    uses.set(table, use);
    const chosen = values(use, experiment.strict, heapColumns(table));
    return (row) => chosen[row] ?? 0;
  };
/** When a wait or a call was asked for, in nanoseconds of the machine. */
const requested =
  (is: (of: Bound) => boolean): Property =>
  (of) => {
    const duration = eventDuration(of.table);
    return is(of) ? (row) => startOf(of.processOf(row)) + of.ends[row] - (duration?.(row) ?? 0) : undefined;
  };

function startOf(process: PrintedProcess | undefined): number {
  const start = process?.log.start;
  return process === undefined || start === undefined ? Number.NaN : start.high * 2 ** 32 + start.low - process.shift;
}

function runningSum(values: ArrayLike<number>): Float64Array {
  let sum = 0;
  return Float64Array.from(values, (value) => (sum += value));
}

const recorded =
  (is: (of: Bound) => boolean, key: string): Property =>
  (of) =>
    is(of) ? valuesOf(recordedField(of.table, key)) : undefined;
const ofProcess =
  (value: (process: PrintedProcess) => number): Property =>
  ({ processOf }) =>
  (row) => {
    const process = processOf(row);
    return process === undefined ? Number.NaN : value(process);
  };

/** As in packets of the recorder: the calls in its order, then the same ones that failed. */
const IO_TYPES = ['file-read', 'file-write', 'open', 'close', 'other-call'];
const ioType: Property = (of) => {
  if (!isIo(of)) return undefined;
  const { operation } = IO_EVENTS.rows(of.table);
  const errors = recordedField(of.table, 'errors');
  const types = IO_OPERATIONS.map((name) => IO_TYPES.indexOf(name));
  return (row) => (types[operation[row]] ?? -1) + (errors?.[row] === 1 ? IO_TYPES.length : 0);
};

/** The first span of a process with the time of an event, from 1 on; `none` if there is none. */
const spanOf =
  (spansOf: (process: PrintedProcess) => readonly ProcessSpan[], none: number): Property =>
  ({ ends, processOf }) =>
  (row) => {
    const process = processOf(row);
    if (process === undefined) return Number.NaN;
    return spanAt(spansOf(process), ends[row] - process.shift) || none;
  };

const PROPERTIES = dictionary<Property>({
  TSTAMP: time,
  ETSTAMP:
    ({ ends, processOf }) =>
    (row) =>
      ends[row] - (processOf(row)?.shift ?? Number.NaN),
  TSTAMP_LO: (of) => {
    const length = spent(of);
    return (row) => of.ends[row] - (length?.(row) ?? 0);
  },
  /** gprofng adds the life of a block to heap events, which is not known here. */
  TSTAMP_HI: time,
  EVT_TIME: spent,
  THRID: ({ facts }) => valuesOf(facts.thread),
  LWPID: ({ facts }) => valuesOf(facts.lwp),
  CPUID: ({ table }) => processorOf(table),
  EXPID: ofProcess(({ id }) => id),
  EXPID_CMP:
    ({ processOf, experiment }) =>
    (row) => {
      const process = processOf(row);
      return process === undefined ? Number.NaN : comparableId(experiment, process);
    },
  EXPGRID: ofProcess(({ group }) => group + 1),
  PID: ofProcess((process) => Number(pidOf(process))),
  SAMPLE_MAP: spanOf(({ samples }) => samples, -1),
  GCEVENT_MAP: spanOf(({ recorded: { collections } }) => collections, 0),
  MSTATE: (of) => {
    if (!isClock(of)) return undefined;
    const { microstate } = clockColumns(of.table);
    return (row) => microstate?.[row] ?? LINUX_CPU;
  },
  NTICK: (of) => (isClock(of) ? valuesOf(clockColumns(of.table).count) : undefined),
  NTICK_USEC: (of) => {
    if (!isClock(of)) return undefined;
    const { cpu } = clockColumns(of.table);
    return (row) => Math.round(cpu[row] / MICROSECOND);
  },
  OMPSTATE: (of) => {
    if (!isClock(of)) return undefined;
    const { state } = of.facts;
    return (row) => (state[row] < 0 ? Number.NaN : state[row]);
  },
  CPRID: (of) => {
    if (!isClock(of)) return undefined;
    const { omp_region: region } = CPU_SAMPLE_EVENTS.rows(of.table);
    // Events without a state of OpenMP are of no region.
    return (row) => (of.facts.state[row] < 0 ? Number.NaN : (region?.[row] ?? NO_REGION));
  },
  FREQ_MHZ: ofProcess(({ recorded: { machine } }) => machine.clock || Number.NaN),
  ATSTAMP:
    ({ ends, processOf }) =>
    (row) => {
      const process = processOf(row);
      return startOf(process) + ends[row];
    },
  HWCTAG: recorded(isCounter, 'counter'),
  HWCINT: recorded(isCounter, 'counted'),
  SOBJ: (of) => (isWait(of) ? valuesOf(waitColumns(of.table).address) : undefined),
  IOTYPE: ioType,
  IOFD: recorded(isIo, 'descriptor'),
  IOOFD: recorded(isIo, 'original'),
  IOFSTYPE: recorded(isIo, 'file_system'),
  IOVFD: (of) => (isIo(of) ? valuesOf(fileNumbers(of.table)) : undefined),
  IONBYTE: (of) => (isIo(of) ? eventBytes(of.table) : undefined),
  IOHEAPBYTES: ({ table }) => eventBytes(table),
  TSTAMP2: (of) => (isHeap(of.table) ? valuesOf(of.ends) : undefined),
  HTYPE: heap(({ step }) => valuesOf(step)),
  HSIZE: heap(
    ({ bytes, unmapped }) =>
      (row) =>
        bytes[row] + (unmapped?.[row] ?? 0),
  ),
  HVADDR: heap(({ address }) => valuesOf(address)),
  HOVADDR: heap(
    ({ previous }) =>
      (row) =>
        previous?.[row] ?? 0,
  ),
  HLEAKED: heap(({ live }) => valuesOf(live)),
  HFREED: ofHeap(({ freed }) => freed),
  HMEM_USAGE: ofHeap(({ bytes }) => bytes),
  HCUR_ALLOCS: ofHeap(({ bytes }, strict) => (strict ? NO_VALUES : bytes)),
  HCUR_NET_ALLOC: ofHeap(({ freed }, strict, { bytes }) =>
    strict ? NO_VALUES : freed.map((size, row) => bytes[row] - size),
  ),
  HCUR_LEAKS: ofHeap((_, strict, { live }) => (strict || live === undefined ? NO_VALUES : runningSum(live))),
  SRQST: requested(isWait),
  IORQST: requested(isIo),
});

/** Properties that no event of gprofng on Linux has. */
const NEVER = [
  'SAMPLE',
  'GCEVENT',
  'TSKID',
  'DOBJ',
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
export const JAVA_THREAD = 'JTHREAD';
const HIDDEN = /^HSTACK[LI]?$/;
const STACKS = ['STACK', 'STACKL', 'STACKI', 'LEAF', 'STACKID'];

/** Whether events of one stack have the same values of it. */
export function isOfStack(name: string): boolean {
  return STACKS.includes(name);
}

/** Whether its values are no plain numbers. */
export function isList(name: string): boolean {
  return STACKS.includes(name) || name === JAVA_THREAD || HIDDEN.test(name) || stackName(name) !== undefined;
}

export function isProperty(name: string): boolean {
  return Object.hasOwn(PROPERTIES, name) || NEVER.includes(name) || isList(name);
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

/** The properties of the events of a table. */
export class TableProperties implements EventProperties {
  row = 0;
  readonly #of: Bound;
  readonly #stacks: ArrayLike<number> | undefined;
  readonly #known = new Map<number, Values>();
  readonly #numbers = new Map<string, NumberOf | undefined>();

  constructor(of: FilteredTable) {
    const processes = new Map(of.experiment.processes.map((process) => [process.index, process]));
    const processOf = (row: number): PrintedProcess | undefined => processes.get(of.facts.process[row]);
    this.#of = { ...of, ends: eventEnds(of.table), processOf };
    this.#stacks = columnOf(of.table, STACK);
  }

  numbers(name: string): NumberOf | undefined {
    if (!this.#numbers.has(name)) this.#numbers.set(name, PROPERTIES[name]?.(this.#of));
    return this.#numbers.get(name);
  }

  stackId(): number {
    return this.#stacks?.[this.row] ?? -1;
  }

  values(name: string): Values | undefined {
    if (name === 'LEAF') return this.#stackOf(this.stackId()).slice(0, 1);
    // No event has hidden stacks.
    if (HIDDEN.test(name)) return [];
    const stack = stackName(name);
    if (stack !== undefined) return this.#namedStack(stack);
    if (name === 'STACKID') return [BigInt(this.stackId())];
    if (name === JAVA_THREAD) {
      const process = this.#of.processOf(this.row);
      const thread = this.#of.facts.thread[this.row];
      return process !== undefined && thread <= javaThreads(process).length
        ? [numberOfThread(process.id, thread)]
        : undefined;
    }
    const value = this.numbers(name)?.(this.row) ?? Number.NaN;
    return Number.isFinite(value) ? [BigInt(Math.trunc(value))] : undefined;
  }

  #namedStack({ field, unit }: StackName): Values {
    const { experiment, profile, table } = this.#of;
    if (field === undefined && unit === 'function') return this.#stackOf(this.stackId());
    const { stacks, column } =
      field === undefined
        ? { stacks: profile.stacks, column: this.#stacks }
        : recordedStacks(experiment, table.kind, field);
    const { function: functionOf } = experiment.program.locations;
    const numbers: bigint[] = [];
    for (let id = column?.[this.row] ?? -1; id >= 0; id = stacks.parent[id]) {
      const location = stacks.location[id];
      const isFunction = unit === 'function';
      numbers.push(isFunction ? numberOfFunction(functionOf[location]) : placeNumber(experiment, unit, location));
    }
    return [...numbers, TOTAL];
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
