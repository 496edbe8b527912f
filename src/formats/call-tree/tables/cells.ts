/** One row of a table: where its cells are. No cell is quoted, so every comma ends one. Nothing is copied. */

const COMMA = 44;
const DIGIT_0 = 48;
const LARGEST = 0x7fff_ffff;

export class Cells {
  bytes: Uint8Array = new Uint8Array();
  length = 0;
  /** Cell `i` begins at `#starts[i]` and ends before the comma ahead of the next one. */
  #starts = new Int32Array(16);

  /** Finds the cells of a row. */
  split(bytes: Uint8Array, from: number, to: number): void {
    this.bytes = bytes;
    this.length = 0;
    this.#push(from);
    for (let at = from; at < to; at++) if (bytes[at] === COMMA) this.#push(at + 1);
    this.#push(to + 1);
    this.length--;
  }

  from(cell: number): number {
    return this.#starts[cell];
  }

  to(cell: number): number {
    return this.#starts[cell + 1] - 1;
  }

  isEmpty(cell: number): boolean {
    return this.from(cell) === this.to(cell);
  }

  /** A number up to 2^31 - 1; -1 if the cell is something else. */
  number(cell: number): number {
    const to = this.to(cell);
    let value = 0;
    for (let at = this.from(cell); at < to; at++) {
      const digit = this.bytes[at] - DIGIT_0;
      if (digit < 0 || digit > 9) return -1;
      value = value * 10 + digit;
      if (value > LARGEST) return -1;
    }
    return this.isEmpty(cell) ? -1 : value;
  }

  /** Whether the cell is `text`, which is ASCII. */
  is(cell: number, text: string): boolean {
    const from = this.from(cell);
    if (this.to(cell) - from !== text.length) return false;
    for (let i = 0; i < text.length; i++) if (this.bytes[from + i] !== text.charCodeAt(i)) return false;
    return true;
  }

  #push(start: number): void {
    if (this.length === this.#starts.length) {
      const grown = new Int32Array(this.length * 2);
      grown.set(this.#starts);
      this.#starts = grown;
    }
    this.#starts[this.length++] = start;
  }
}
