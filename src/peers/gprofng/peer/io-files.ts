/**
 * The files of calls of input and output, as gprofng numbers them: each opening of a file has a number of its own, whichever descriptor it reuses.
 */
import { inTimeOrder } from '../../../base/columns/order.js';
import { stringAt } from '../../../base/text.js';
import type { EventFacts, ExperimentDetails } from '../../../formats/experiment/index.js';
import { IO_EVENTS, IO_OPERATIONS } from '../../../models/events/io.js';
import { TIME } from '../../../models/events/shared-fields.js';
import type { Profile } from '../../../models/profile/profile.js';
import type { Program } from '../../../models/program/program.js';
import { columnOf, type Field, type Table } from '../../../models/table.js';
import { factsOf, recordedField } from './event-columns.js';

export interface IoFile {
  /** Undefined of pipes, sockets and descriptors that were open before. */
  readonly name: string | undefined;
  /** -1 if it has none. */
  readonly descriptor: number;
}

/** By number. */
export type IoFiles = ReadonlyMap<number, IoFile>;

/** The number of calls without a descriptor of their own, such as `fsync` and `unlink`. */
export const OTHER_CALLS = 4;
/** Lower ones are special. */
const FIRST = 10;
/** Of calls that close what no call before them opened, read or wrote. */
export const NO_FILE = 0;

const FILE = {
  key: 'io_file',
  title: 'File',
  holds: 'number',
  unit: 'none',
  meaning: 'number of an opening of a file; 4 of calls without one, 0 unknown',
} as const satisfies Field;

/** The number of the file of each call. */
export function fileNumbers(table: Table): ArrayLike<number> | undefined {
  return recordedField(table, FILE.key);
}

/** The profile with numbers of files. */
export function withIoFiles(
  profile: Profile,
  program: Program,
  details: ExperimentDetails,
): { readonly profile: Profile; readonly files: IoFiles } {
  const files = new Map<number, IoFile>();
  const facts = factsOf(details, IO_EVENTS.kind);
  const events = profile.events.map((table) => {
    if (table.kind !== IO_EVENTS.kind || facts === undefined) return table;
    const numbers = numbered(table, program, facts, files);
    return { ...table, fields: [...table.fields, FILE], columns: { ...table.columns, [FILE.key]: numbers } };
  });
  return { profile: { ...profile, events }, files };
}

function numbered(table: Table, { names }: Program, { process }: EventFacts, files: Map<number, IoFile>): Int32Array {
  const { operation, target } = IO_EVENTS.rows(table);
  const [descriptors, originals, errors] = ['descriptor', 'original', 'errors'].map((key) => recordedField(table, key));
  const times = columnOf(table, TIME);
  const order = times && inTimeOrder(times);
  const open = new Map<string, number>();
  const numbers = new Int32Array(table.length);
  const opened = (key: string | undefined, name: string | undefined, descriptor: number): number => {
    const number = FIRST + files.size;
    files.set(number, { name, descriptor });
    if (key !== undefined) open.set(key, number);
    return number;
  };
  for (let i = 0; i < table.length; i++) {
    const row = order?.[i] ?? i;
    const [call, descriptor, failed] = [IO_OPERATIONS[operation[row]], descriptors?.[row] ?? -1, errors?.[row] === 1];
    const keyOf = (number: number): string => `${process[row]} ${number}`;
    const key = descriptor < 0 ? undefined : keyOf(descriptor);
    const known = key === undefined ? undefined : open.get(key);
    const name = target[row] < 0 ? undefined : stringAt(names, target[row]);
    if (call === 'other-call') numbers[row] = OTHER_CALLS;
    else if (call === 'close') {
      numbers[row] = known ?? NO_FILE;
      if (key !== undefined) open.delete(key);
    } else if (call === 'open' && failed) numbers[row] = opened(undefined, name, descriptor);
    else if (call === 'open' && (name !== undefined || known === undefined)) {
      const original = files.get(open.get(keyOf(originals?.[row] ?? 0)) ?? NO_FILE);
      numbers[row] = opened(key, name ?? original?.name, descriptor);
    } else numbers[row] = known ?? opened(key, undefined, descriptor);
  }
  return numbers;
}
