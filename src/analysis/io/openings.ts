/**
 * The openings of files that calls belong to. A descriptor is used again, so each opening has a number of its own, from 0 on in the order of time:
 *
 *   open a → 3   read 3   close 3   open b → 3   read 3        calls
 *   0            0        0         1            1             openings
 *
 * A descriptor that nothing opened, such as that of a pipe or of a file that was open before, is an opening without a name from its first call on.
 * Cost: one pass in the order of time; memory: 4 bytes a call, an entry an opening.
 */
import { inTimeOrder } from '../../base/columns/order.js';
import { IO_OPERATIONS, type IoEvents } from '../../models/events/io.js';

export interface Openings {
  /** By call: its opening, `NO_DESCRIPTOR` or `NEVER_OPENED`. */
  readonly ofCall: Int32Array;
  /** By opening: the row of its file in the names of the program, -1 unknown; the descriptor, -1 if it was opened in vain; the process. */
  readonly file: readonly number[];
  readonly descriptor: readonly number[];
  readonly process: readonly number[];
}

/** Of calls that are about no descriptor, such as `unlink`. */
export const NO_DESCRIPTOR = -1;
/** Of calls that close what no recorded call opened, read or wrote. */
export const NEVER_OPENED = -2;

/** The openings of calls by descriptor; undefined if the recorder has no descriptors. `processOf`: the process of a call. */
export function openingsOf(calls: IoEvents, processOf: (row: number) => number): Openings | undefined {
  const { descriptor: descriptors } = calls;
  if (descriptors === undefined) return undefined;
  const order = calls.time && inTimeOrder(calls.time);
  const numbering = new Numbering();
  const ofCall = new Int32Array(calls.length);
  for (let i = 0; i < calls.length; i++) {
    const row = order?.[i] ?? i;
    ofCall[row] = numbering.next({
      operation: IO_OPERATIONS[calls.operation[row]],
      process: processOf(row),
      descriptor: descriptors[row],
      original: calls.original?.[row] ?? 0,
      file: calls.target[row],
      hasFailed: calls.errors?.[row] === 1,
    });
  }
  const { file, descriptor, process } = numbering;
  return { ofCall, file, descriptor, process };
}

interface Call {
  readonly operation: (typeof IO_OPERATIONS)[number] | undefined;
  readonly process: number;
  readonly descriptor: number;
  readonly original: number;
  readonly file: number;
  readonly hasFailed: boolean;
}

class Numbering {
  readonly file: number[] = [];
  readonly descriptor: number[] = [];
  readonly process: number[] = [];
  /** Opening by process and descriptor. */
  readonly #open = new Map<string, number>();

  /** The opening of the call that comes next in time. */
  next(call: Call): number {
    const { operation, process, descriptor, original, file, hasFailed } = call;
    if (operation === 'other-call') return NO_DESCRIPTOR;
    const key = descriptor < 0 ? undefined : `${process} ${descriptor}`;
    const current = key === undefined ? undefined : this.#open.get(key);
    if (operation === 'close') {
      if (key !== undefined) this.#open.delete(key);
      return current ?? NEVER_OPENED;
    }
    if (operation === 'open' && hasFailed) return this.#add(undefined, call);
    if (operation === 'open' && (file >= 0 || current === undefined)) {
      const copied = this.#open.get(`${process} ${original}`);
      const name = file >= 0 || copied === undefined ? file : (this.file[copied] ?? -1);
      return this.#add(key, { ...call, file: name });
    }
    return current ?? this.#add(key, { ...call, file: -1 });
  }

  #add(key: string | undefined, { process, descriptor, file }: Call): number {
    const opening = this.file.length;
    this.file.push(file);
    this.descriptor.push(descriptor);
    this.process.push(process);
    if (key !== undefined) this.#open.set(key, opening);
    return opening;
  }
}
