/** The files of calls of input and output, as gprofng numbers their openings. */
import { NO_DESCRIPTOR, openingsOf } from '../../../analysis/io/openings.js';
import { processOfRow } from '../../../analysis/threads/process-of.js';
import { stringAt } from '../../../base/text.js';
import { IO_EVENTS } from '../../../models/events/io.js';
import type { Profile } from '../../../models/profile/profile.js';
import type { Program } from '../../../models/program/program.js';
import type { Field, Table } from '../../../models/table.js';
import { recordedField } from './event-columns.js';

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
/** The first opening; lower numbers are special. */
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
  { names }: Program,
): { readonly profile: Profile; readonly files: IoFiles } {
  const files = new Map<number, IoFile>();
  const events = profile.events.map((table) => {
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
