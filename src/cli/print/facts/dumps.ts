/** Raw dumps: the events of each kind as they were recorded, with their stacks from the root on. */
import { stringAt } from '../../../base/text.js';
import type { EventFacts } from '../../../formats/experiment/index.js';
import { IO_EVENTS, IO_OPERATIONS, type IoOperation } from '../../../models/events/io.js';
import { STACK } from '../../../models/events/shared-fields.js';
import { columnOf, type Table } from '../../../models/table.js';
import { pidOf, programOf } from '../index-objects.js';
import { hex, nanos } from '../numbers.js';
import { clockColumns, endsOf, factsOf, heapColumns, recordedField, waitColumns } from '../peer/event-columns.js';
import type { Experiment, PrintedProcess } from '../peer/experiment.js';
import { fileNumbers } from '../peer/io-files.js';
import type { PrintState } from '../state.js';
import type { Asked } from '../values.js';
import { NO_HEAP } from './heap-statistics.js';
import { javaThreads } from './java-threads.js';
import { collections } from './samples.js';
import { placeNames, stackPath } from './stack-text.js';
import { HEAP_STEPS_BY_NUMBER, MICROSTATES } from './words.js';

/** One event to print. */
interface Dumped {
  readonly table: Table;
  readonly facts: EventFacts;
  readonly row: number;
  /** When it ended, in nanoseconds of the machine. */
  readonly at: number;
}

/** What a dump says of an event besides its time, place and stack. */
export interface DumpKind {
  readonly table: string;
  readonly title: string;
  /** The title where there are no such events. */
  readonly missing?: string;
  /** The lines before the stack. */
  readonly line?: (event: Dumped, experiment: Experiment) => string;
  /** A line beside the data. */
  readonly note?: (event: Dumped) => string;
}

const HEAP = 'native-memory';
const CALLS: Readonly<Record<IoOperation, string>> = {
  'file-force': 'OtherIO',
  'file-read': 'Read',
  'file-write': 'Write',
  'socket-read': 'Read',
  'socket-write': 'Write',
  open: 'Open',
  close: 'Close',
  'other-call': 'OtherIO',
};
/** The bit that marks the value of a counter as invalid. */
const INVALID = 1n << 63n;

/** By command. */
export const DUMPS: Readonly<Record<string, DumpKind>> = {
  dprofile: {
    table: 'cpu-sample',
    title: 'Clock Profiling',
    line: ({ table, row }) => {
      const { microstate, count } = clockColumns(table);
      const state = microstate?.[row] ?? -1;
      return `    mstate = ${state} (${MICROSTATES[state] ?? ''}), nticks = ${count[row]}`;
    },
  },
  dheap: {
    table: HEAP,
    title: 'Heaptrace',
    line: ({ table, row }) => {
      const columns = heapColumns(table);
      const step = columns.step?.[row] ?? -1;
      const size = columns.bytes[row] + (columns.unmapped?.[row] ?? 0);
      const [at, old] = [columns.address?.[row] ?? 0, columns.previous?.[row] ?? 0];
      return `    type = ${step} (${HEAP_STEPS_BY_NUMBER[step] ?? ''}), size = ${size} (0x${size.toString(16)}), VADDR = ${hex(at, 16)}, OVADDR = ${hex(old, 16)}`;
    },
  },
  dsync: {
    table: 'wait',
    title: 'Synctrace',
    note: ({ table, row }) => {
      const { address, waited } = waitColumns(table);
      const object = hex(address?.[row] ?? 0, 16);
      const delay = nanos(waited[row]).padStart(14);
      return `       synchronization object @ ${object};  synchronization delay ${delay}`;
    },
  },
  diotrace: {
    table: IO_EVENTS.kind,
    title: 'IO trace',
    line: ({ table, row, at }, { program, strict }) => {
      const { operation, target, spent } = IO_EVENTS.rows(table);
      const of = (key: string): number => recordedField(table, key)?.[row] ?? 0;
      const call = CALLS[IO_OPERATIONS[operation[row]] ?? 'other-call'] + (of('errors') > 0 ? 'TraceError' : 'Trace');
      const numbers = `fd = ${of('descriptor')}, ofd = ${of('original')}, vfd = ${fileNumbers(table)?.[row] ?? 0}`;
      const name = target[row] < 0 ? 'NULL' : stringAt(program.names, target[row]);
      const requested = nanos(at - spent[row]).padStart(15);
      // gprofng does not read it.
      const system = strict ? 0 : of('file_system');
      return `    ${call}: ${numbers}, fstype = ${system}, rqst = ${requested}\n    filename = \`${name}', nbytes = ${of('returned')}`;
    },
  },
  dhwc: {
    table: 'sample',
    title: 'HW Counter Profiling',
    missing: 'HWC Profiling',
    line: ({ table: { columns, fields }, row }) => {
      const rejected = columns.rejected?.[row] ?? 0;
      const [count, tag] = [columns.counted?.[row] ?? 0, columns.counter?.[row] ?? -1];
      const name = fields.find(({ key }) => key === `counter_${tag}`)?.title ?? '';
      const bits = rejected > 0 ? hex(BigInt(rejected) | INVALID, 16) : hex(count, 16);
      const value = String(count + rejected).padStart(10);
      const counted = `       count = ${value} (${bits}), tag = ${tag} (${name})${rejected > 0 ? ' $$' : ''}\n`;
      return `${counted}       va = ${hex(0, 16)}, pa = ${hex(0, 16)}`;
    },
  },
};

/** The dump of one kind of events: of each process all events in the order of the file; text and notes. */
export async function dumpText(
  asked: Asked,
  state: PrintState,
  kind: DumpKind,
): Promise<{ readonly text: string; readonly notes: readonly string[] }> {
  const { experiment } = asked;
  const names = await placeNames(asked, state);
  const profile = await asked.profile();
  const table = profile.events.find((each) => each.kind === kind.table);
  const facts = factsOf(experiment.details, kind.table);
  const stacks = table && columnOf(table, STACK);
  const notes: string[] = [];
  if (kind.table === HEAP && table === undefined) return { text: `\n${NO_HEAP}`, notes };
  const none = ({ name }: PrintedProcess): string =>
    `\nNo ${kind.missing ?? kind.title} Packets in Experiment:  ${name}\n`;
  const parts = experiment.processes.map((process) => {
    if (table === undefined || facts === undefined || stacks === undefined) return none(process);
    const rows = rowsOf(table, facts, process);
    if (rows.length === 0) return none(process);
    const threads = experiment.hasOpenmp ? undefined : threadNumbers(facts, rows, process);
    const head = `\nTotal ${kind.title} Packets:  ${rows.length} Experiment:  ${process.name}\n`;
    const lines = rows.map((row, number) => {
      const path = stackPath(profile.stacks, stacks[row]).reverse();
      const frames = path.map((stack) => `          ${names(profile.stacks.location[stack])}\n`).join('');
      const event = { table, facts, row, at: endOf(process, table, row) };
      if (kind.note !== undefined) notes.push(kind.note(event));
      const line = kind.line === undefined ? '' : `${kind.line(event, experiment)}\n`;
      // The threads of OpenMP have their numbers before there is an event.
      const of = threads?.get(facts.thread[row]) ?? facts.thread[row];
      return `${headOf(process, event, { number, frames: path.length, thread: of })}${line}${frames}\n`;
    });
    return head + lines.join('');
  });
  return { text: parts.join(''), notes };
}

/** The rows of a process in the order of the file. */
function rowsOf(table: Table, facts: EventFacts, { index }: PrintedProcess): number[] {
  const rows: number[] = [];
  for (let row = 0; row < table.length; row++) if (facts.process[row] === index) rows.push(row);
  return rows;
}

/** Numbers of threads as they first appear among these events, after those of Java, which the log names. */
function threadNumbers(
  { thread }: EventFacts,
  rows: readonly number[],
  process: PrintedProcess,
): ReadonlyMap<number, number> {
  const java = javaThreads(process).length;
  const numbers = new Map<number, number>();
  let next = java + 1;
  for (const row of rows) {
    const known = thread[row];
    if (!numbers.has(known)) numbers.set(known, known <= java ? known : next++);
  }
  return numbers;
}

/** When an event ended, in nanoseconds of the machine. */
function endOf({ log: { start }, shift }: PrintedProcess, table: Table, row: number): number {
  return endsOf(table)[row] - shift + (start === undefined ? 0 : start.high * 2 ** 32 + start.low);
}

/** `#     0: 2871641601746,   0.053039281 (2871.641601746) t = 1, cpu = 1, frames = 3`. */
function headOf(
  process: PrintedProcess,
  { facts, row, at, table }: Dumped,
  { number, frames, thread }: { readonly number: number; readonly frames: number; readonly thread: number },
): string {
  const time = endsOf(table)[row] - process.shift;
  const where = `t = ${thread}, cpu = ${facts.cpu[row]}, frames = ${frames}`;
  return `#${String(number).padStart(6)}: ${at}, ${nanos(time).padStart(13)} (${nanos(at)}) ${where}\n`;
}

/** Garbage collections of each process. */
export function collectionsText({ processes }: Pick<Experiment, 'processes'>): string {
  const parts = processes.map((process, i) => {
    const all = collections(process);
    const head = `# ${all.length} events in experiment ${i}: ${process.name} (PID ${pidOf(process)}, ${programOf(process)})\n`;
    const lines = all.map(({ from, to }, number) => {
      const times = [from, to, to - from].map((time) => nanos(time).padStart(13)).join(', ');
      return `${String(i).padStart(5)}:${number}, ${times}\n`;
    });
    return `${head}# exp:idx     GC_start,        GC_end,   GC_duration\n${lines.join('')}`;
  });
  return parts.join('');
}
