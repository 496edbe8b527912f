/** Raw dumps: the events of each kind as they were recorded, with their stacks from the root on. */
import { eventEnds } from '../../../analysis/index-objects/event-values.js';
import { Int32Builder } from '../../../base/columns/columns.js';
import { stringAt } from '../../../base/text.js';
import type { EventFacts } from '../../../formats/experiment/index.js';
import { IO_EVENTS, IO_OPERATIONS, type IoOperation } from '../../../models/events/io.js';
import { MEMORY_STEPS } from '../../../models/events/memory.js';
import { STACK } from '../../../models/events/shared-fields.js';
import type { Profile, StackTable } from '../../../models/profile/profile.js';
import { columnOf, type Table } from '../../../models/table.js';
import { hex, nanos } from '../numbers.js';
import { clockColumns, factsOf, heapColumns, processorOf, recordedField, waitColumns } from '../peer/event-columns.js';
import type { Experiment, PrintedProcess } from '../peer/experiment.js';
import { fileNumbers, shownFile } from '../peer/io-files.js';
import { pidOf, programOf } from '../peer/process-names.js';
import type { PrintState } from '../state.js';
import type { Asked } from '../values.js';
import { NO_HEAP } from './heap-statistics.js';
import { javaThreads } from './java-threads.js';
import { placeNames } from './stack-text.js';
import { MICROSTATES } from './words.js';

/** One event to print. */
interface Dumped {
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
  /** Gives the lines before the stack. */
  readonly lines?: (table: Table, experiment: Experiment) => (event: Dumped) => string;
  /** Gives a line beside the data. */
  readonly notes?: (table: Table) => (event: Dumped) => string;
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
    lines: (table) => {
      const { microstate, count } = clockColumns(table);
      return ({ row }) => {
        const state = microstate?.[row] ?? -1;
        return `    mstate = ${state} (${MICROSTATES[state] ?? ''}), nticks = ${count[row]}`;
      };
    },
  },
  dheap: {
    table: HEAP,
    title: 'Heaptrace',
    lines: (table) => {
      const columns = heapColumns(table);
      return ({ row }) => {
        const step = columns.step?.[row] ?? -1;
        const size = columns.bytes[row] + (columns.unmapped?.[row] ?? 0);
        const [at, old] = [columns.address?.[row] ?? 0, columns.previous?.[row] ?? 0];
        return `    type = ${step} (${MEMORY_STEPS[step] ?? ''}), size = ${size} (0x${size.toString(16)}), VADDR = ${hex(at, 16)}, OVADDR = ${hex(old, 16)}`;
      };
    },
  },
  dsync: {
    table: 'wait',
    title: 'Synctrace',
    notes: (table) => {
      const { address, waited } = waitColumns(table);
      return ({ row }) => {
        const object = hex(address?.[row] ?? 0, 16);
        const delay = nanos(waited[row]).padStart(14);
        return `       synchronization object @ ${object};  synchronization delay ${delay}`;
      };
    },
  },
  diotrace: {
    table: IO_EVENTS.kind,
    title: 'IO trace',
    lines: (table, { program, strict }) => {
      const { operation, target, spent } = IO_EVENTS.rows(table);
      const files = fileNumbers(table);
      const recorded = (key: string): ((row: number) => number) => {
        const values = recordedField(table, key);
        return (row) => values?.[row] ?? 0;
      };
      const [errors, descriptor, original] = [recorded('errors'), recorded('descriptor'), recorded('original')];
      const [fileSystem, returned] = [recorded('file_system'), recorded('returned')];
      const processor = processorOf(table);
      return ({ row, at }) => {
        const call = CALLS[IO_OPERATIONS[operation[row]] ?? 'other-call'] + (errors(row) > 0 ? 'TraceError' : 'Trace');
        const numbers = `fd = ${descriptor(row)}, ofd = ${original(row)}, vfd = ${shownFile(files?.[row] ?? 0)}`;
        const name = target[row] < 0 ? 'NULL' : stringAt(program.names, target[row]);
        const requested = nanos(at - spent[row]).padStart(13);
        // gprofng prints the number of the processor there.
        const system = strict ? processor(row) : fileSystem(row);
        return `    ${call}: ${numbers}, fstype = ${system}, rqst =  ${requested}\n    filename = \`${name}', nbytes = ${returned(row)}`;
      };
    },
  },
  dhwc: {
    table: 'sample',
    title: 'HW Counter Profiling',
    missing: 'HWC Profiling',
    lines: ({ columns, fields }) => {
      const titles = new Map(fields.map(({ key, title }) => [key, title]));
      return ({ row }) => {
        const rejected = columns.rejected?.[row] ?? 0;
        const [count, tag] = [columns.counted?.[row] ?? 0, columns.counter?.[row] ?? -1];
        const name = titles.get(`counter_${tag}`) ?? '';
        const bits = rejected > 0 ? hex(BigInt(rejected) | INVALID, 16) : hex(count, 16);
        const value = String(count + rejected).padStart(10);
        const counted = `       count = ${value} (${bits}), tag = ${tag} (${name})${rejected > 0 ? ' $$' : ''}\n`;
        return `${counted}       va = ${hex(0, 16)}, pa = ${hex(0, 16)}`;
      };
    },
  },
};

/** Where a dump goes, part by part: it is longer than the recording. */
export interface DumpTarget {
  out(text: string): Promise<void>;
  note(line: string): void;
}

/** Characters of a part. */
const PART = 1 << 16;

/** Prints one kind of events: of each process all events in the order of the file. */
export async function dump(asked: Asked, state: PrintState, kind: DumpKind, to: DumpTarget): Promise<void> {
  const { experiment } = asked;
  const profile = await asked.profile();
  const table = profile.events.find((each) => each.kind === kind.table);
  const facts = factsOf(experiment.details, kind.table);
  const stacks = table && columnOf(table, STACK);
  if (kind.table === HEAP && table === undefined) return to.out(`\n${NO_HEAP}`);
  const stackFrames = new StackFrames(profile, await placeNames(asked, state));
  const [lineOf, noteOf] = [table && kind.lines?.(table, experiment), table && kind.notes?.(table)];
  for (const process of experiment.processes) {
    const rows = table && facts && rowsOf(table, facts, process);
    if (table === undefined || facts === undefined || stacks === undefined || !rows?.length) {
      await to.out(`\nNo ${kind.missing ?? kind.title} Packets in Experiment:  ${process.name}\n`);
      continue;
    }
    const threads = experiment.hasOpenmp ? undefined : threadNumbers(facts, rows, process);
    let text = `\nTotal ${kind.title} Packets:  ${rows.length} Experiment:  ${process.name}\n`;
    for (const [number, row] of rows.entries()) {
      const { text: frames, depth } = stackFrames.of(stacks[row]);
      const event = { row, at: endOf(process, table, row) };
      if (noteOf !== undefined) to.note(noteOf(event));
      const line = lineOf === undefined ? '' : `${lineOf(event)}\n`;
      // The threads of OpenMP have their numbers before there is an event.
      const thread = threads?.get(facts.thread[row]) ?? facts.thread[row];
      text += `${headOf(event, process, { number, frames: depth, thread, cpu: processorOf(table)(row) })}${line}${frames}\n`;
      if (text.length < PART) continue;
      await to.out(text);
      text = '';
    }
    await to.out(text);
  }
}

/** Lines of stacks, outermost first: those of a stack are those of its parent and one more, so all are parts of each other. */
class StackFrames {
  readonly #stacks: StackTable;
  readonly #names: (location: number) => string;
  readonly #texts: string[] = [];
  readonly #depths: Int32Array;

  constructor({ stacks }: Profile, names: (location: number) => string) {
    this.#stacks = stacks;
    this.#names = names;
    this.#depths = new Int32Array(stacks.length);
  }

  /** The lines of a stack, and how many there are. */
  of(leaf: number): { readonly text: string; readonly depth: number } {
    if (leaf < 0) return { text: '', depth: 0 };
    const { parent, location } = this.#stacks;
    const open: number[] = [];
    let stack = leaf;
    while (stack >= 0 && this.#depths[stack] === 0) {
      open.push(stack);
      stack = parent[stack];
    }
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      this.#texts[next] = `${this.#texts[stack] ?? ''}          ${this.#names(location[next])}\n`;
      this.#depths[next] = (stack < 0 ? 0 : this.#depths[stack]) + 1;
      stack = next;
    }
    return { text: this.#texts[leaf] ?? '', depth: this.#depths[leaf] };
  }
}

/** The rows of a process in the order of the file. */
function rowsOf(table: Table, facts: EventFacts, { index }: PrintedProcess): Int32Array {
  const rows = new Int32Builder();
  for (let row = 0; row < table.length; row++) if (facts.process[row] === index) rows.push(row);
  return rows.finish();
}

/** Numbers of threads as they first appear among these events, after those of Java, which the log names. */
function threadNumbers({ thread }: EventFacts, rows: Int32Array, process: PrintedProcess): ReadonlyMap<number, number> {
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
function endOf(process: PrintedProcess, table: Table, row: number): number {
  return eventEnds(table)[row] - process.shift + startOf(process);
}

function startOf({ log: { start } }: PrintedProcess): number {
  return start === undefined ? 0 : start.high * 2 ** 32 + start.low;
}

/** `#     0: 2871641601746,   0.053039281 (2871.641601746) t = 1, cpu = 1, frames = 3`. */
function headOf(
  { at }: Dumped,
  process: PrintedProcess,
  of: { readonly number: number; readonly frames: number; readonly thread: number; readonly cpu: number },
): string {
  const time = nanos(at - startOf(process)).padStart(13);
  const where = `t = ${of.thread}, cpu = ${of.cpu}, frames = ${of.frames}`;
  return `#${String(of.number).padStart(6)}: ${at}, ${time} (${nanos(at).padStart(14)}) ${where}\n`;
}

/** Garbage collections of each process. */
export function collectionsText({ processes }: Pick<Experiment, 'processes'>): string {
  const parts = processes.map((process, i) => {
    const all = process.recorded.collections;
    const head = `# ${all.length} events in experiment ${i}: ${process.name} (PID ${pidOf(process)}, ${programOf(process)})\n`;
    const lines = all.map(({ from, to }, number) => {
      const times = [from, to, to - from].map((time) => nanos(time).padStart(13)).join(', ');
      return `${String(i).padStart(5)}:${number}, ${times}\n`;
    });
    return `${head}# exp:idx     GC_start,        GC_end,   GC_duration\n${lines.join('')}`;
  });
  return parts.join('');
}
