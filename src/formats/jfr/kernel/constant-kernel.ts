/** What the kernel does with constants. */
import type { Kernel } from '../../../base/kernel/kernel.js';
import { ConstantBatches } from './constant-batches.js';
import { ConstantIndex } from './constant-index.js';
import { ConstantMemory } from './constant-memory.js';
import { KeyRows } from './key-rows.js';

export class ConstantKernel {
  readonly index: ConstantIndex;
  readonly batches: ConstantBatches;
  readonly rows: KeyRows;
  readonly #memory: ConstantMemory;

  constructor(kernel: Kernel, address: number) {
    this.#memory = new ConstantMemory(kernel, address);
    this.index = new ConstantIndex(this.#memory);
    this.batches = new ConstantBatches(this.#memory);
    this.rows = new KeyRows(this.#memory);
  }

  /** Forgets the bytes that it has: others may come to their place. */
  clear(): void {
    this.#memory.forget();
  }
}
