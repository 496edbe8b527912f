/**
 * Fields and elements of an object tree in the order of the file, which become the references of its heap, sorted by their owners.
 * Memory: 21 bytes a field or element, twice that while columns grow; 4 bytes more to sort them.
 */
import { ByteBuilder, Int32Builder } from '../../base/columns/columns.js';
import { membersOf } from '../../base/columns/lists.js';
import { NONE } from '../../base/flavor.js';
import type { ReferenceTable } from '../../models/heap/heap-graph.js';

/** Room for more rows is not reserved: 256 MiB a column. */
const MOST_RESERVED = 1 << 26;

/** How many rows to reserve where there will be about `times` as many. */
export function more(rows: number, times: number): number {
  return Math.max(0, Math.min(MOST_RESERVED, Math.ceil(rows * times)) - rows);
}

export class TreeReferences {
  readonly #owner = new Int32Builder();
  readonly #kind = new ByteBuilder();
  readonly #name = new Int32Builder();
  readonly #target = new Int32Builder();
  readonly #declared = new Int32Builder();
  readonly #value = new Int32Builder();

  /** Makes room for `times` as many rows, so that columns are not copied when they are full. */
  expect(times: number): void {
    for (const column of [this.#owner, this.#kind, this.#name, this.#target, this.#declared, this.#value])
      column.reserve(more(column.length, times));
  }

  /** By reference: row of an object; -1. */
  get targets(): Int32Array {
    return this.#target.values;
  }

  /** `kind`: index into `REFERENCE_KINDS`; `name`: of the field, or the index of the element; `value`: a row of the values' texts. */
  add(owner: number, kind: number, name: number, target: number, declared: number, value: number): number {
    this.#kind.push(kind);
    this.#name.push(name);
    this.#target.push(target);
    this.#declared.push(declared);
    this.#value.push(value);
    return this.#owner.push(owner);
  }

  /**
   * The references of `objects` objects, and where those of each begin. `classes`: ClassIds by type; `values`: where the texts of values
   * begin. Nothing can be added afterwards.
   */
  finish(objects: number, classes: Int32Array, values: number): { first: Int32Array; references: ReferenceTable } {
    const { start, members } = membersOf(this.#owner.finish(), objects);
    const { length } = members;
    // Each column is sorted into the memory of the one before.
    let free = this.#owner.finish();
    const sorted = (column: Int32Builder): Int32Array => {
      const to = free;
      const from = column.finish();
      for (let i = 0; i < length; i++) to[i] = from[members[i]];
      free = from;
      return to;
    };
    const declared = sorted(this.#declared);
    for (let i = 0; i < length; i++) declared[i] = declared[i] < 0 ? NONE : classes[declared[i]];
    const text = sorted(this.#value);
    for (let i = 0; i < length; i++) if (text[i] >= 0) text[i] += values;
    const kind = new Uint8Array(length);
    const kinds = this.#kind.bytes;
    for (let i = 0; i < length; i++) kind[i] = kinds[members[i]];
    const references = { length, kind, name: sorted(this.#name), target: sorted(this.#target), declared, text };
    return { first: start, references };
  }
}
