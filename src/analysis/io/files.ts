/** Which file each call of input and output is about, by name or by opening. */
import { IntTable } from '../../base/columns/hash.js';
import type { IoEvents } from '../../models/events/io.js';
import type { FileGroup } from '../../questions/options/recording.js';
import { NEVER_OPENED, NO_DESCRIPTOR } from './openings.js';
import type { IoCalls } from './stages.js';

/** Groups of calls, from 0 on in the order of their first calls. */
export interface CallFiles {
  readonly length: number;
  /** By call. */
  readonly group: Int32Array;
  /** By group: the row of its name in the names of the program, `UNNAMED` or `NO_FILE`. */
  readonly name: readonly number[];
  /** By group: the port of a host, -1 of files. */
  readonly port: readonly number[];
  /** By group: the opening, below 0 of several or none. */
  readonly opening: readonly number[];
}

/** Pipes, sockets, and descriptors that were open before the recording. */
export const UNNAMED = -1;
/** Calls without a descriptor, such as `unlink`. */
export const NO_FILE = -2;

/** The files of calls. By `opening`, the openings of a file are apart; recordings without descriptors have none. */
export function filesOf({ calls, openings, opening }: IoCalls, by: FileGroup): CallFiles {
  const groups = new IntTable();
  const files: { name: number; port: number; opening: number }[] = [];
  const group = new Int32Array(calls.length);
  for (let row = 0; row < calls.length; row++) {
    const name =
      openings === undefined ? targetOf(calls, row) : (openings.file[opening[row]] ?? nameless(opening[row]));
    const port = calls.port?.[row] ?? -1;
    const apart = by === 'opening' ? opening[row] : NEVER_OPENED;
    group[row] = groups.add(name, port, apart);
    if (group[row] === files.length) files.push({ name, port, opening: apart });
  }
  return {
    length: files.length,
    group,
    name: files.map((file) => file.name),
    port: files.map((file) => file.port),
    opening: files.map((file) => file.opening),
  };
}

function targetOf({ target }: IoEvents, row: number): number {
  return target[row] < 0 ? UNNAMED : target[row];
}

function nameless(opening: number): number {
  return opening === NO_DESCRIPTOR ? NO_FILE : UNNAMED;
}
