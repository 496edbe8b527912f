/** The files of calls of input and output, as gprofng numbers their openings. */
import { NO_DESCRIPTOR, openingsOf } from '../../../analysis/io/openings.js';
import { processOfRow } from '../../../analysis/threads/process-of.js';
import { inTimeOrder } from '../../../base/columns/order.js';
import { stringAt } from '../../../base/text.js';
import { IO_EVENTS, IO_OPERATIONS } from '../../../models/events/io.js';
import type { Profile } from '../../../models/profile/profile.js';
import type { Program } from '../../../models/program/program.js';
import type { Field, Table } from '../../../models/table.js';
import { recordedField } from './event-columns.js';

export interface IoFile {
  /** Undefined of pipes, sockets and descriptors that were open before. */
  readonly name: string | undefined;
  /** -1 if it has none. */
  readonly descriptor: number;
  /** Index of its process; that of the founder if it is not given. */
  readonly process?: number;
  /** Whether it is standard input, output or errors, or a copy of one. */
  readonly isStandard?: boolean;
  readonly isCopy?: boolean;
}

/** By number. */
export type IoFiles = ReadonlyMap<number, IoFile>;

/** The number of calls without a descriptor of their own, such as `fsync` and `unlink`. */
export const OTHER_CALLS = 4;
/** The first opening; lower numbers are special. */
const FIRST = 10;
/** Of calls that close what no call before them opened, read or wrote. */
export const NO_FILE = 0;
/** Of openings that failed without a name. */
const NONE_FAILED = -1;

const FILE = {
  key: 'io_file',
  title: 'File',
  holds: 'number',
  unit: 'none',
  meaning: 'number of an opening of a file; 4 of calls without one, 0 unknown',
} as const satisfies Field;

/** Standard input, output and errors have the numbers from 1 on. */
const STANDARD = ['<stdin>', '<stdout>', '<stderr>'];
/** Of the special numbers, each process has its own. */
const OF_PROCESS = 2 ** 32;

/** The number of a file as it is printed. */
export function shownFile(number: number): number {
  return number % OF_PROCESS;
}

/** The number of the file of each call. */
export function fileNumbers(table: Table): ArrayLike<number> | undefined {
  return recordedField(table, FILE.key);
}

/** The profile with numbers of files. */
export function withIoFiles(
  profile: Profile,
  { names }: Program,
  strict: boolean,
): { readonly profile: Profile; readonly files: IoFiles } {
  const files = new Map<number, IoFile>();
  const events = profile.events.map((table) => {
    if (strict && table.kind === IO_EVENTS.kind) return numbered(table, processOfRow(profile, table), files, names);
    const openings =
      table.kind === IO_EVENTS.kind ? openingsOf(IO_EVENTS.rows(table), processOfRow(profile, table)) : undefined;
    if (openings === undefined) return table;
    const { file, descriptor, ofCall } = openings;
    for (const [opening, name] of file.entries())
      files.set(FIRST + opening, {
        name: name < 0 ? undefined : stringAt(names, name),
        descriptor: descriptor[opening] ?? -1,
      });
    const numbers = ofCall.map((opening) =>
      opening >= 0 ? FIRST + opening : opening === NO_DESCRIPTOR ? OTHER_CALLS : NO_FILE,
    );
    return { ...table, fields: [...table.fields, FILE], columns: { ...table.columns, [FILE.key]: numbers } };
  });
  return { profile: { ...profile, events }, files };
}

/** The calls with the numbers of gprofng, which numbers the openings of one process after the other. */
function numbered(
  table: Table,
  processOf: (row: number) => number,
  files: Map<number, IoFile>,
  names: Program['names'],
): Table {
  const calls = IO_EVENTS.rows(table);
  const { descriptor: descriptors, operation, original, target, errors } = calls;
  if (descriptors === undefined) return table;
  const order = calls.time && inTimeOrder(calls.time);
  const rows = Array.from({ length: table.length }, (_, i) => order?.[i] ?? i);
  const numbers = new Float64Array(table.length);
  let next = 0;
  for (const process of [...new Set(rows.map(processOf))].sort((a, b) => a - b)) {
    next += FIRST;
    const numbering = new PeerNumbering(process, next, files);
    for (const row of rows)
      if (processOf(row) === process)
        numbers[row] = numbering.next({
          operation: IO_OPERATIONS[operation[row]],
          descriptor: descriptors[row],
          original: original?.[row] ?? 0,
          name: target[row] < 0 ? undefined : stringAt(names, target[row]),
          hasFailed: errors?.[row] === 1,
        });
    next = numbering.last;
  }
  return { ...table, fields: [...table.fields, FILE], columns: { ...table.columns, [FILE.key]: numbers } };
}

interface NumberedCall {
  readonly operation: (typeof IO_OPERATIONS)[number] | undefined;
  readonly descriptor: number;
  readonly original: number;
  readonly name: string | undefined;
  readonly hasFailed: boolean;
}

/** Numbers of the openings of one process. */
class PeerNumbering {
  readonly #files: Map<number, IoFile>;
  readonly #special: number;
  /** By descriptor, also by -1, which failed calls have. */
  readonly #open = new Map<number, number>();
  last: number;

  constructor(process: number, first: number, files: Map<number, IoFile>) {
    this.#files = files;
    this.#special = process * OF_PROCESS;
    this.last = first;
    for (const [descriptor, name] of STANDARD.entries()) {
      const number = this.#special + descriptor + 1;
      this.#open.set(descriptor, number);
      files.set(number, { name, descriptor, process, isStandard: true });
    }
  }

  next({ operation, descriptor, original, name, hasFailed }: NumberedCall): number {
    if (operation === 'other-call') return this.#special + OTHER_CALLS;
    const current = this.#open.get(descriptor);
    if (operation === 'close') {
      this.#open.delete(descriptor);
      return current ?? NO_FILE;
    }
    if (operation !== 'open') return current ?? this.#add(descriptor, { name: undefined, descriptor }, true);
    if (name !== undefined) return this.#add(descriptor, { name, descriptor }, !hasFailed);
    if (original > 0) {
      const copied = this.#files.get(this.#open.get(original) ?? NO_FILE);
      if (copied === undefined) return NO_FILE;
      const { name: ofOriginal, isStandard = false, isCopy = false } = copied;
      return this.#add(descriptor, { name: ofOriginal, descriptor, isCopy: isStandard || isCopy }, !hasFailed);
    }
    if (hasFailed) return NONE_FAILED;
    if (descriptor < 0) return NO_FILE;
    return current ?? this.#add(descriptor, { name: undefined, descriptor }, true);
  }

  #add(descriptor: number, file: IoFile, isOpen: boolean): number {
    const number = this.last++;
    this.#files.set(number, { ...file, process: this.#special / OF_PROCESS });
    if (isOpen) this.#open.set(descriptor, number);
    return number;
  }
}
