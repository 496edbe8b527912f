/**
 * Blocks of a method as bits. Each loop holds those of the loops in it: the 6,500 nested ones that fit into 32 KB of
 * bytecode have 42 million blocks between them, which take 10 MB as bits and 1.4 GB as sets. Cost: a bit a block of the
 * method.
 */
export class BlockSet implements Iterable<number> {
  readonly #bits: Uint32Array;
  #size = 0;

  /** `blocks`: number of blocks of the method. */
  constructor(blocks: number) {
    this.#bits = new Uint32Array((blocks + 31) >>> 5);
  }

  get size(): number {
    return this.#size;
  }

  /** False for -1, which stands for code outside of blocks. */
  has(block: number): boolean {
    return block >= 0 && (this.#bits[block >>> 5] & (1 << (block & 31))) !== 0;
  }

  add(block: number): void {
    if (this.has(block)) return;
    this.#bits[block >>> 5] |= 1 << (block & 31);
    this.#size++;
  }

  /** In ascending order. */
  *[Symbol.iterator](): Generator<number> {
    for (const [word, bits] of this.#bits.entries())
      for (let left = bits; left !== 0; left &= left - 1) yield word * 32 + 31 - Math.clz32(left & -left);
  }
}
