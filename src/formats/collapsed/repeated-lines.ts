/**
 * Texts of stacks that occurred before: files of several recordings, and of recorders that write a line a sample, repeat
 * them. A text is found by a sample of its bytes and then compared as a whole, several times faster than frame by frame.
 *
 * Memory: the distinct texts, up to 96 MiB; texts beyond that, or longer than 4 MiB, are not kept. Whoever chooses the
 * texts can make samples collide: after a few texts of one sample no more are kept, so this costs a few comparisons a line.
 */
import { Int32Builder } from '../../base/columns/columns.js';
import { sameBytes, viewOf } from './bytes.js';

const FIRST_BLOCK = 1 << 14;
const LARGEST_BLOCK = 4 << 20;
const MOST_BYTES = 96 << 20;
/** Of so many bytes, four are in the sample: fewer than most frames have. */
const STRIDE = 32;
/** Slots that are tried. */
const MOST_PROBES = 8;
const FIRST_SLOTS = 1 << 8;

export class RepeatedLines {
  readonly #blocks: { readonly bytes: Uint8Array; readonly view: DataView }[] = [];
  /** Bytes of the last block, those in use, and those of all blocks. */
  #size = 0;
  #filled = 0;
  #bytes = 0;
  /** Of each text: its block, its start there, its length, its hash. */
  readonly #block = new Int32Builder();
  readonly #start = new Int32Builder();
  readonly #length = new Int32Builder();
  readonly #hash = new Int32Builder();
  #slots = new Int32Array(FIRST_SLOTS);

  /** Hash of the last text looked for. */
  #lastHash = 0;

  /** The number of a text that was added, or -1. */
  find(view: DataView, from: number, to: number): number {
    const length = to - from;
    const hash = sampleOf(view, from, length);
    this.#lastHash = hash;
    const mask = this.#slots.length - 1;
    for (let probe = 0; probe < MOST_PROBES; probe++) {
      const line = this.#slots[(hash + probe) & mask] - 1;
      if (line < 0) return -1;
      if (this.#hash.values[line] !== hash || this.#length.values[line] !== length) continue;
      const block = this.#blocks[this.#block.values[line]];
      if (sameBytes(view, from, block.view, this.#start.values[line], length)) return line;
    }
    return -1;
  }

  /** Keeps the text that `find` looked for last. Returns its number, which ascend from 0, or -1 if there is no room. */
  add(bytes: Uint8Array, from: number, to: number): number {
    const length = to - from;
    if (length === 0 || (this.#filled + length > this.#size && !this.#addBlock(length))) return -1;
    const line = this.#hash.length;
    if (line * 2 >= this.#slots.length) this.#grow();
    if (!this.#link(this.#lastHash, line)) return -1;
    this.#blocks[this.#blocks.length - 1].bytes.set(bytes.subarray(from, to), this.#filled);
    this.#block.push(this.#blocks.length - 1);
    this.#start.push(this.#filled);
    this.#length.push(length);
    this.#hash.push(this.#lastHash);
    this.#filled += length;
    return line;
  }

  /** Each block is twice as large as the one before, up to the largest. */
  #addBlock(length: number): boolean {
    const size = Math.max(length, Math.min(LARGEST_BLOCK, this.#size * 2 || FIRST_BLOCK));
    if (length > LARGEST_BLOCK || this.#bytes + size > MOST_BYTES) return false;
    const bytes = new Uint8Array(size);
    this.#blocks.push({ bytes, view: viewOf(bytes) });
    this.#size = size;
    this.#filled = 0;
    this.#bytes += size;
    return true;
  }

  #link(hash: number, line: number): boolean {
    const mask = this.#slots.length - 1;
    for (let probe = 0; probe < MOST_PROBES; probe++) {
      const slot = (hash + probe) & mask;
      if (this.#slots[slot] !== 0) continue;
      this.#slots[slot] = line + 1;
      return true;
    }
    return false;
  }

  #grow(): void {
    this.#slots = new Int32Array(this.#slots.length * 2);
    for (let line = 0; line < this.#hash.length; line++) this.#link(this.#hash.values[line], line);
  }
}

function sampleOf(view: DataView, from: number, length: number): number {
  let hash = length;
  for (let at = 0; at + 4 <= length; at += STRIDE) hash = mixed(hash, view.getInt32(from + at));
  if (length >= 4) hash = mixed(hash, view.getInt32(from + length - 4));
  return hash ^ (hash >>> 15);
}

function mixed(hash: number, word: number): number {
  const next = Math.imul(hash ^ word, 0x9e3779b1);
  return next ^ (next >>> 15);
}
