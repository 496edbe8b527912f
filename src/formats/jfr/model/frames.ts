/** The frames of stack traces as locations of the recording. */
import { NONE } from '../../../base/flavor.js';
import type { LocationId } from '../../../models/program/program.js';
import type { ChunkArray } from '../chunk/chunk-data.js';
import { type ConstantValues, UNKNOWN } from './constant-rows.js';

/** Frames that are remembered; those of one slot push each other out. */
const SLOTS = 1 << 12;

/** Columns of frames. */
export interface FrameColumns {
  readonly method: ConstantValues;
  readonly line: ConstantValues;
  readonly bci: ConstantValues;
  readonly type: ConstantValues;
}

/** Finds the location of a frame; -1 stands for what is unknown. */
export type FindLocation = (method: number, line: number, bci: number, type: number) => LocationId;

/** Locations by frame. Stacks share most of their frames, so the last ones are remembered: one look-up a frame in place of three. */
export class Frames {
  /** By stack trace: the row of its innermost frame, and their number. */
  first: Int32Array;
  count: Int32Array;
  #columns: FrameColumns;
  readonly #find: FindLocation;
  /** By slot: method, line, bytecode index, type, location. */
  readonly #known = new Int32Array(5 * SLOTS).fill(UNKNOWN);

  constructor({ first, count }: Pick<ChunkArray, 'first' | 'count'>, columns: FrameColumns, find: FindLocation) {
    this.first = first;
    this.count = count;
    this.#columns = columns;
    this.#find = find;
  }

  /** Goes on with columns that begin with the rows so far. */
  next({ first, count }: Pick<ChunkArray, 'first' | 'count'>, columns: FrameColumns): void {
    this.first = first;
    this.count = count;
    this.#columns = columns;
  }

  /** The location of a row. */
  location(row: number): LocationId {
    const { method, line, bci, type } = this.#columns;
    return this.#of(valueAt(method, row), valueAt(line, row), valueAt(bci, row), valueAt(type, row));
  }

  /** How many of their outermost frames two traces share. */
  shared(one: number, other: number): number {
    const { method, line, bci, type } = this.#columns;
    const most = Math.min(this.count[one], this.count[other]);
    let a = this.first[one] + this.count[one] - 1;
    let b = this.first[other] + this.count[other] - 1;
    // Columns that are empty have no values that differ.
    for (let depth = 0; depth < most; depth++, a--, b--)
      if (method[a] !== method[b] || line[a] !== line[b] || bci[a] !== bci[b] || type[a] !== type[b]) return depth;
    return most;
  }

  #of(method: number, line: number, bci: number, type: number): LocationId {
    const known = this.#known;
    const hash = Math.imul(Math.imul(method, 31) + bci, 0x9e3779b1) ^ Math.imul(line, 0x85ebca6b) ^ type;
    const at = ((hash ^ (hash >>> 15)) & (SLOTS - 1)) * 5;
    if (known[at] === method && known[at + 1] === line && known[at + 2] === bci && known[at + 3] === type)
      return known[at + 4];
    const location = this.#find(method, line, bci, type);
    known[at] = method;
    known[at + 1] = line;
    known[at + 2] = bci;
    known[at + 3] = type;
    known[at + 4] = location;
    return location;
  }
}

/** Columns are empty where the type lacks the field. */
function valueAt(values: ConstantValues, row: number): number {
  return row < values.length ? values[row] : NONE;
}
