/** Constants read by the kernel: their keys, their values and those of the elements of their arrays as columns. */
import type { KernelFunction } from '../../../base/kernel/kernel.js';
import type { DecodePlan } from '../chunk/plan.js';
import * as op from '../chunk/plan.js';
import type { Batch } from '../chunk/rows.js';
import { type ConstantMemory, ROOM_BYTES } from './constant-memory.js';
import { END, STEP_BYTES, stepsOf } from './steps.js';

/** As in `kernels/jfr/constants.ts`. */
const [VALUES, ARRAY] = [1, 2];
const WORD = 4;

/** For fewer, a program costs more than it saves. */
const FEWEST = 32;
const MOST_ROWS = 1 << 14;

/** The first constants of some, at least one; valid until others are read. */
export interface ConstantBatch {
  readonly keys: Int32Array;
  readonly rows: Batch;
  readonly length: number;
  /** Where the next one begins. */
  readonly end: number;
}

/** Addresses of columns by slot, with room for so many rows. */
interface Columns {
  readonly ints: readonly number[];
  readonly doubles: readonly number[];
  readonly room: number;
}

interface ArrayColumns {
  readonly firsts: number;
  readonly counts: number;
  readonly elements: Columns;
}

interface Layout {
  readonly keys: number;
  readonly rows: Columns;
  /** By slot. */
  readonly arrays: readonly ArrayColumns[];
  readonly program: readonly number[];
}

export class ConstantBatches {
  readonly #memory: ConstantMemory;
  readonly #constants: KernelFunction;
  /** Undefined for plans of constants that the kernel cannot read. */
  readonly #layouts = new WeakMap<DecodePlan, Layout | undefined>();

  constructor(memory: ConstantMemory) {
    this.#memory = memory;
    this.#constants = memory.function('constants');
  }

  /** Reads some of `count` constants of a plan from `from` on; undefined if the caller has to read the first one. */
  read(block: Uint8Array, from: number, plan: DecodePlan, count: number): ConstantBatch | undefined {
    if (count < FEWEST) return undefined;
    if (!this.#layouts.has(plan)) this.#layouts.set(plan, this.#layout(plan));
    const layout = this.#layouts.get(plan);
    if (layout === undefined || !this.#memory.load(block, layout.program)) return undefined;
    const { block: start, program } = this.#memory;
    const most = Math.min(count, layout.rows.room);
    const parts = program + STEP_BYTES;
    const end = this.#constants(start + from, start + block.length, parts, most, layout.keys, program);
    const length = this.#memory.word(0);
    return length === 0 ? undefined : { ...this.#batch(layout, length), length, end: end - start };
  }

  #batch({ keys, rows, arrays }: Layout, length: number): Pick<ConstantBatch, 'keys' | 'rows'> {
    const { buffer } = this.#memory;
    const columns = ({ ints, doubles, room }: Columns): Batch => ({
      ints: ints.map((at) => new Int32Array(buffer, at, room)),
      doubles: doubles.map((at) => new Float64Array(buffer, at, room)),
    });
    const elements = arrays.map((array) => {
      const firsts = new Int32Array(buffer, array.firsts, length);
      const counts = new Int32Array(buffer, array.counts, length);
      const last = length - 1;
      return { firsts, counts, rows: columns(array.elements), length: firsts[last] + counts[last] };
    });
    return { keys: new Int32Array(buffer, keys, length), rows: { ...columns(rows), arrays: elements } };
  }

  #layout(plan: DecodePlan): Layout | undefined {
    let at = this.#memory.room;
    const take = (bytes: number, rows: number): number => {
      const address = at;
      at += Math.ceil((bytes * rows) / STEP_BYTES) * STEP_BYTES;
      return address;
    };
    const columns = ({ ints, doubles }: DecodePlan, room: number): Columns => ({
      ints: Array.from({ length: ints }, () => take(4, room)),
      doubles: Array.from({ length: doubles }, () => take(8, room)),
      room,
    });
    const own = bytesOf(plan) + 4 + 8 * plan.arrays.length;
    const room = Math.min(MOST_ROWS, Math.floor(ROOM_BYTES / 2 / own));
    const keys = take(4, room);
    const rows = columns(plan, room);
    const heads = plan.arrays.map(() => ({ firsts: take(4, room), counts: take(4, room) }));
    const left = this.#memory.room + ROOM_BYTES - at;
    const all = plan.arrays.reduce((sum, array) => sum + bytesOf(array), 1);
    const most = Math.floor(left / all) - STEP_BYTES;
    if (room < 1 || most < 1) return undefined;
    const arrays = plan.arrays.map((array, i) => ({ ...heads[i], elements: columns(array, most) }));
    const program = programOf(plan, this.#memory.program, rows, arrays);
    return program && { keys, rows, arrays, program };
  }
}

/** The bytes of the columns of a row. */
function bytesOf({ ints, doubles }: DecodePlan): number {
  return 4 * ints + 8 * doubles;
}

/** The program at an address: room for the number of constants, parts, and what they are described by; undefined if the kernel cannot run it. */
function programOf(
  plan: DecodePlan,
  address: number,
  rows: Columns,
  arrays: readonly ArrayColumns[],
): readonly number[] | undefined {
  const parts = partsOf(plan, rows, arrays);
  if (parts === undefined) return undefined;
  const program = [0, 0];
  const described: number[] = [];
  const behind = address + (program.length + 2 * (parts.length + 1)) * WORD;
  for (const { kind, head, steps } of parts) {
    const at = behind + described.length * WORD;
    program.push(kind, at);
    // An array begins with the address of the program of its elements.
    if (kind === ARRAY) described.push(at + (head.length + 1) * WORD, ...head);
    described.push(...steps, END, 0);
  }
  return [...program, END, 0, ...described];
}

/** What comes next in a constant; of arrays what is behind the address of the program of their elements. */
interface Part {
  readonly kind: number;
  readonly head: readonly number[];
  readonly steps: readonly number[];
}

function partsOf(plan: DecodePlan, rows: Columns, arrays: readonly ArrayColumns[]): readonly Part[] | undefined {
  const parts: Part[] = [];
  let from = 0;
  for (let i = 0; i <= plan.operations.length; i++) {
    if (i < plan.operations.length && plan.operations[i] !== op.ROWS) continue;
    const steps = keptSteps(plan, rows, from, i);
    if (steps === undefined) return undefined;
    parts.push({ kind: VALUES, head: [], steps });
    from = i + 1;
    if (i === plan.operations.length) break;
    const { firsts, counts, elements } = arrays[plan.slots[i]];
    const ofElement = keptSteps(plan.arrays[plan.slots[i]], elements);
    if (ofElement === undefined) return undefined;
    parts.push({ kind: ARRAY, head: [firsts, counts, 0, elements.room, 0], steps: ofElement });
  }
  return parts;
}

/** Steps that keep values in columns; undefined for times and strings. */
function keptSteps(
  plan: DecodePlan,
  { ints, doubles }: Columns,
  from?: number,
  to?: number,
): readonly number[] | undefined {
  const keep = (operation: number, slot: number): readonly number[] | undefined =>
    operation === op.TICKS ? undefined : [operation, op.isWide(operation) ? doubles[slot] : ints[slot]];
  return stepsOf(plan, keep, from, to);
}
