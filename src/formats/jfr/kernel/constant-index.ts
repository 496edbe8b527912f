/** The index of constants by the kernel: their keys, and where their values begin. */
import type { KernelFunction } from '../../../base/kernel/kernel.js';
import type { DecodePlan } from '../chunk/plan.js';
import { type ConstantMemory, ROOM_BYTES } from './constant-memory.js';
import { skipProgram } from './steps.js';

/** A key and a place each. */
const MOST_CONSTANTS = ROOM_BYTES / 8;

/** Constants of one type in a block of bytes: their keys, and where their values begin in it. */
export interface IndexedConstants {
  readonly keys: Int32Array;
  readonly places: Int32Array;
}

export class ConstantIndex {
  readonly #memory: ConstantMemory;
  readonly #index: KernelFunction;
  readonly #skip: KernelFunction;

  constructor(memory: ConstantMemory) {
    this.#memory = memory;
    this.#index = memory.function('index');
    this.#skip = memory.function('skip');
  }

  /** `count` constants of a plan from `from` on, and where they end; undefined for those that it leaves to the caller. */
  of(
    block: Uint8Array,
    from: number,
    plan: DecodePlan,
    count: number,
  ): (IndexedConstants & { readonly end: number }) | undefined {
    const { program, block: start, room, buffer } = this.#memory;
    if (count > MOST_CONSTANTS || !this.#memory.load(block, skipProgram(plan, program))) return undefined;
    const places = room + 4 * MOST_CONSTANTS;
    const end = this.#index(start + from, start + block.length, program, count, room, places);
    if (end === 0) return undefined;
    return {
      keys: new Int32Array(buffer, room, count).slice(),
      places: new Int32Array(buffer, places, count).map((at) => at + from),
      end: end - start,
    };
  }

  /** Where `count` constants of a plan end that begin at `from`; undefined for those that it leaves to the caller. */
  behind(block: Uint8Array, from: number, plan: DecodePlan, count: number): number | undefined {
    const { program, block: start } = this.#memory;
    if (!this.#memory.load(block, skipProgram(plan, program))) return undefined;
    const end = this.#skip(start + from, start + block.length, program, count);
    return end === 0 ? undefined : end - start;
  }
}
