/** Rows of constants by their keys, by the kernel. Keys of a JVM are large and far apart, so they need a hash table. */
import type { KernelFunction } from '../../../base/kernel/kernel.js';
import { type ConstantMemory, ROOM_BYTES } from './constant-memory.js';

const WORD = 4;
/** Keys at a time. */
const MOST_KEYS = ROOM_BYTES / WORD;
/** For fewer, a table costs more than it saves. */
const FEWEST = 32;

export class KeyRows {
  readonly #memory: ConstantMemory;
  readonly #tableOf: KernelFunction;
  readonly #rowsOf: KernelFunction;
  readonly #keys: Int32Array;

  constructor(memory: ConstantMemory) {
    this.#memory = memory;
    this.#tableOf = memory.function('tableOf');
    this.#rowsOf = memory.function('rowsOf');
    this.#keys = new Int32Array(memory.buffer, memory.room, MOST_KEYS);
  }

  /**
   * Looks codes of keys up among `known`, whose rows are in this order. Returns how many but 0 have none; undefined if the caller has to look
   * them up. `keep` gets the rows, -1 for none, of the keys from an index on.
   */
  look(known: Int32Array, codes: Int32Array, keep?: (rows: Int32Array, from: number) => void): number | undefined {
    if (codes.length < FEWEST || known.length > MOST_KEYS) return undefined;
    const slots = 2 ** Math.ceil(Math.log2(2 * known.length + 1));
    const table = this.#memory.words(2 * slots);
    if (table === undefined) return undefined;
    const { room } = this.#memory;
    this.#keys.set(known);
    if (this.#tableOf(room, known.length, table, slots - 1) === 0) return undefined;
    let missing = 0;
    for (let from = 0; from < codes.length; from += MOST_KEYS) {
      const part = codes.subarray(from, from + MOST_KEYS);
      this.#keys.set(part);
      missing += this.#rowsOf(room, part.length, table, slots - 1);
      keep?.(this.#keys.subarray(0, part.length), from);
    }
    return missing;
  }
}
