/** Packets of the binary files of an experiment, in blocks of 64 KiB that no packet crosses. */
import { Fields } from './fields.js';

const BLOCK = 1 << 16;

/** Byte order, and bytes of an address. */
export interface MachineLayout {
  readonly littleEndian: boolean;
  readonly word: 4 | 8;
}

/** Makes packets one after the other and yields full blocks. */
export class PacketBlocks {
  readonly #machine: MachineLayout;
  #block = new Uint8Array(BLOCK);
  #length = 0;

  constructor(machine: MachineLayout) {
    this.#machine = machine;
  }

  /** A packet of `size` bytes, to be filled at once; the block before it if that is full. Sizes are multiples of 4 below 64 KiB. */
  packet(size: number, type: number): { readonly fields: Fields; readonly full: Uint8Array | undefined } {
    const full = this.#length + size > BLOCK ? this.#close() : undefined;
    const fields = new Fields(this.#block, this.#length, this.#machine.littleEndian);
    fields.half(0, size);
    fields.half(2, type);
    this.#length += size;
    return { fields, full };
  }

  /** The last block. */
  finish(): Uint8Array {
    return this.#close();
  }

  /** The last block without the rest, as a file that ends with its last packet has it. */
  finishShort(): Uint8Array {
    const length = this.#length;
    return this.#close().subarray(0, length);
  }

  /** The rest of a block is one filler: a packet of type 0. */
  #close(): Uint8Array {
    const rest = BLOCK - this.#length;
    if (rest >= 4 && rest < BLOCK) new Fields(this.#block, this.#length, this.#machine.littleEndian).half(0, rest);
    const closed = this.#block;
    this.#block = new Uint8Array(BLOCK);
    this.#length = 0;
    return closed;
  }
}
