/** The constants of a chunk that events refer to, through other constants as well. */
import type { ChunkRows, ChunkTable } from '../chunk/chunk-data.js';
import { STRINGS } from '../chunk/plan.js';

export class Reach {
  /** By type: 1 for each constant that is referred to. */
  readonly marks = new Map<number, Uint8Array>();
  readonly #constants: ReadonlyMap<number, ChunkRows>;
  readonly #strings: number;
  /** Marked constants whose own references are still to be followed: pairs of type and row. */
  readonly #pending: number[] = [];

  constructor(constants: ReadonlyMap<number, ChunkRows>) {
    this.#constants = constants;
    this.#strings = [...constants.values()].find(({ type }) => type.name === STRINGS)?.type.id ?? NaN;
    for (const [id, { table }] of constants) this.marks.set(id, new Uint8Array(table.length));
  }

  /** Marks what an event refers to; `hidden`: the key of a text that is not written, if any. */
  add(table: ChunkTable, row: number, hidden?: string): void {
    for (const { key, holds, pool, pooled, values } of table.columns) {
      if (holds === 'constant') this.#mark(pool, values[row]);
      else if (pooled !== undefined && key !== hidden) this.#mark(this.#strings, pooled[row]);
    }
    for (const { first, count, elements } of table.arrays)
      for (let i = first[row]; i < first[row] + count[row]; i++) this.add(elements, i);
  }

  /** Marks what the marked constants refer to. */
  follow(): void {
    for (;;) {
      const row = this.#pending.pop();
      const type = this.#pending.pop();
      const table = type === undefined ? undefined : this.#constants.get(type)?.table;
      if (row === undefined || table === undefined) return;
      this.add(table, row);
    }
  }

  #mark(type: number, row: number): void {
    const marks = this.marks.get(type);
    if (marks === undefined || row < 0 || marks[row] === 1) return;
    marks[row] = 1;
    this.#pending.push(type, row);
  }
}
