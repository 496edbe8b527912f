/** What is known of a chunk while its rows are read: keys and strings that they share. */
import { IntTable } from '../../../base/columns/hash.js';
import { Cursor } from './cursor.js';
import type { ChunkHeader } from './header.js';
import { ChunkStrings } from './strings.js';

/** What the rows of all types of a chunk share. */
export class ChunkState {
  readonly header: ChunkHeader;
  readonly cursor: Cursor;
  readonly strings: ChunkStrings;
  /** Keys of pools that are no numbers of 31 bits: (lower half, upper half) by `-1 -` their code. */
  readonly #wideKeys = new IntTable(16);
  /** Codes of the keys of strings that are in the pool of strings, by `-2 -` the value in a column of strings. */
  #pooledStrings = new IntTable(16);
  #missing = new IntTable(16);

  constructor(header: ChunkHeader) {
    this.header = header;
    this.cursor = new Cursor(header.compressed);
    this.strings = new ChunkStrings(this.cursor);
  }

  /** Begins the next part of a chunk that grows: strings and keys stay, values of columns that stand for others do not. */
  beginPart(): void {
    this.#pooledStrings = new IntTable(16);
    this.#missing = new IntTable(16);
  }

  /** A key of a pool as one integer, without loss. */
  keyCode(low: number, high: number): number {
    return high === 0 && low >= 0 ? low : -1 - this.#wideKeys.add(low, high);
  }

  /** The value of a column of rows for a code of a key that has no constant so far. */
  missing(code: number): number {
    return -2 - this.#missing.add(code);
  }

  /** Codes of such keys, by `-2 -` that value. */
  missingKeys(): Int32Array {
    return this.#missing.column(0);
  }

  readonly pooledString = (low: number, high: number): number => this.#pooledStrings.add(this.keyCode(low, high));

  /** Codes of the keys of pooled strings. */
  pooledStrings(): Int32Array {
    return this.#pooledStrings.column(0);
  }
}
