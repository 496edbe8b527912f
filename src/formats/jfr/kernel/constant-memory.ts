/** The part of the kernel's memory for constants: programs, the bytes of a checkpoint, and room for what is made of them. */
import type { Kernel, KernelFunction } from '../../../base/kernel/kernel.js';

const PROGRAM_BYTES = 1 << 16;
const BLOCK_BYTES = 8 << 20;
/** Bytes behind a block: the kernel reads some of them. */
const BEHIND = 64;
/** With more, the memory of the kernel has 32 MiB: V8 collects garbage again and again when buffers of that size are new. */
export const ROOM_BYTES = 4 << 20;
export const CONSTANTS_BYTES = PROGRAM_BYTES + BLOCK_BYTES + BEHIND + ROOM_BYTES;

export class ConstantMemory {
  readonly buffer: ArrayBuffer;
  /** Addresses. */
  readonly program: number;
  readonly block: number;
  readonly room: number;
  readonly #kernel: Kernel;
  readonly #programs: Uint32Array;
  readonly #bytes: Uint8Array;
  #loaded: Uint8Array | undefined;

  constructor(kernel: Kernel, address: number) {
    this.#kernel = kernel;
    this.buffer = kernel.buffer;
    this.program = address;
    this.block = address + PROGRAM_BYTES;
    this.room = this.block + BLOCK_BYTES + BEHIND;
    this.#programs = new Uint32Array(kernel.buffer, address, PROGRAM_BYTES / 4);
    this.#bytes = new Uint8Array(kernel.buffer, this.block, BLOCK_BYTES + BEHIND);
  }

  function(name: string): KernelFunction {
    return this.#kernel.function(name);
  }

  /** Brings a block and a program into the memory; false if there is no room. */
  load(block: Uint8Array, program: readonly number[]): boolean {
    if (block.length > BLOCK_BYTES || program.length > this.#programs.length) return false;
    if (this.#loaded !== block) this.#bytes.set(block);
    this.#loaded = block;
    this.#programs.set(program);
    return true;
  }

  /** A word of the program. */
  word(at: number): number {
    return this.#programs[at];
  }

  /** Forgets the block: something else comes to its place, or its bytes change. */
  forget(): void {
    this.#loaded = undefined;
  }

  /** The place of the block, for something else of so many words; undefined if there is no room. */
  words(length: number): number | undefined {
    if (4 * length > BLOCK_BYTES) return undefined;
    this.forget();
    return this.block;
  }
}
