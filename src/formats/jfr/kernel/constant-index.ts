/** The index of constants by the kernel: their keys, and where their values begin. It has a part of the memory of the kernel for itself. */
import type { Kernel, KernelFunction } from '../../../base/kernel/kernel.js';
import type { Plan } from '../chunk/plan.js';
import { skipProgram } from './skip-steps.js';

/** Of the kernel's memory: programs, bytes of a checkpoint with some behind them, keys and places. */
const PROGRAM_BYTES = 1 << 16;
const BLOCK_BYTES = 8 << 20;
const BEHIND = 16;
/** With more, the memory of the kernel has 32 MiB: V8 collects garbage again and again when buffers of that size are new. */
const MOST_CONSTANTS = 1 << 19;
export const INDEX_BYTES = PROGRAM_BYTES + BLOCK_BYTES + BEHIND + 8 * MOST_CONSTANTS;

/** Constants of one type in a block of bytes: their keys, and where their values begin in it. */
export interface IndexedConstants {
  readonly keys: Int32Array;
  readonly places: Int32Array;
}

export class ConstantIndex {
  readonly #index: KernelFunction;
  readonly #skip: KernelFunction;
  readonly #words: Uint32Array;
  readonly #bytes: Uint8Array;
  readonly #address: number;
  readonly #buffer: ArrayBuffer;
  /** The block that is in the memory. */
  #block: Uint8Array | undefined;

  constructor(kernel: Kernel, address: number) {
    this.#index = kernel.function('index');
    this.#skip = kernel.function('skip');
    this.#buffer = kernel.buffer;
    this.#address = address;
    this.#words = new Uint32Array(kernel.buffer, address, PROGRAM_BYTES / 4);
    this.#bytes = new Uint8Array(kernel.buffer, address + PROGRAM_BYTES, BLOCK_BYTES + BEHIND);
  }

  /** `count` constants of a plan from `from` on, and where they end; undefined for those that it leaves to the caller. */
  of(
    block: Uint8Array,
    from: number,
    plan: Plan,
    count: number,
  ): (IndexedConstants & { readonly end: number }) | undefined {
    if (count > MOST_CONSTANTS || !this.#load(block, plan)) return undefined;
    const start = this.#address + PROGRAM_BYTES;
    const keys = start + BLOCK_BYTES + BEHIND;
    const places = keys + 4 * MOST_CONSTANTS;
    const end = this.#index(start + from, start + block.length, this.#address, count, keys, places);
    if (end === 0) return undefined;
    return {
      keys: new Int32Array(this.#buffer, keys, count).slice(),
      places: new Int32Array(this.#buffer, places, count).map((at) => at + from),
      end: end - start,
    };
  }

  /** Where `count` constants of a plan end that begin at `from`; undefined for those that it leaves to the caller. */
  behind(block: Uint8Array, from: number, plan: Plan, count: number): number | undefined {
    if (!this.#load(block, plan)) return undefined;
    const start = this.#address + PROGRAM_BYTES;
    const end = this.#skip(start + from, start + block.length, this.#address, count);
    return end === 0 ? undefined : end - start;
  }

  /** Brings a block and the program of a plan into the memory; false if there is no room. */
  #load(block: Uint8Array, plan: Plan): boolean {
    const program = skipProgram(plan, this.#address);
    if (block.length > BLOCK_BYTES || program.length > this.#words.length) return false;
    if (this.#block !== block) this.#bytes.set(block);
    this.#block = block;
    this.#words.set(program);
    return true;
  }

  /** Forgets the block: another one may be at its place in memory. */
  clear(): void {
    this.#block = undefined;
  }
}
