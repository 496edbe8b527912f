/** What the lines above a line of a drawn tree mean to it. Memory: 6 bytes a level of the deepest line. */

/** Of a level whose last line is nothing that others can stand below. */
export const NOTHING = 0;

/** Deeper lines are damage: real trees have about 70 levels; a chain that long would end in a line of 4 MB. */
const DEEPEST = 1 << 20;

/** By depth: what the last line there is (numbers of the format), its row, and 1 if it was drawn as a last child. */
export class TreeLevels {
  kinds = new Uint8Array(64);
  rows = new Int32Array(64);
  lasts = new Uint8Array(64);
  /** Depth of the last line; -1 before the first. */
  deepest = -1;

  /** Sets the row and kind of the line at a depth that `close` made room for. */
  set(depth: number, kind: number, row: number): void {
    this.kinds[depth] = kind;
    this.rows[depth] = row;
  }

  /** A line follows at this depth. */
  close(depth: number, isLast: boolean): void {
    if (depth >= this.kinds.length) this.#grow(depth);
    this.lasts[depth] = isLast ? 1 : 0;
    this.deepest = depth;
  }

  /** The lines between the last one and one deeper than its children are lost. Throws `RangeError` for depths that no tree has. */
  skipTo(depth: number): void {
    if (depth >= DEEPEST) throw new RangeError(`a line at depth ${depth}`);
    if (depth >= this.kinds.length) this.#grow(depth);
    for (let at = this.deepest + 1; at < depth; at++) {
      this.kinds[at] = NOTHING;
      this.lasts[at] = 1;
    }
    this.deepest = depth - 1;
  }

  #grow(depth: number): void {
    const length = Math.max(depth + 1, this.kinds.length * 2);
    const grow = <Column extends Uint8Array | Int32Array>(grown: Column, column: Column): Column => {
      grown.set(column);
      return grown;
    };
    this.kinds = grow(new Uint8Array(length), this.kinds);
    this.lasts = grow(new Uint8Array(length), this.lasts);
    this.rows = grow(new Int32Array(length), this.rows);
  }
}
