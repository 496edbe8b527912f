/** Takes some fields of all instances of some classes out of the sub-records of a dump. */
import { idAt, numberAt } from '../../../../models/heap/values.js';
import { INSTANCE_DUMP } from '../../tags.js';
import { SubRecords } from './sub-records.js';
import { ALL } from './windows.js';

/** A field of a class: its place among the values of an instance, and its type; -1 where the class has none. */
export interface FieldAt {
  readonly at: number;
  readonly type: number;
}

/** Instances that are wanted, and what is found of them. */
export interface WantedFields {
  /** By class: the id that instances have for it, and its fields. */
  readonly classes: readonly { readonly id: number; readonly fields: readonly FieldAt[] }[];
  /** By field: shared memory for the values of all these instances. */
  readonly columns: readonly Float64Array[];
  /** Instances that were found. */
  readonly next: Int32Array;
}

export class FieldPass extends SubRecords {
  readonly #wanted: WantedFields;
  readonly #ids: readonly number[];
  /** By class: the bytes of an instance that its wanted fields may reach to. */
  readonly #reach: readonly number[];

  constructor(idSize: number, wanted: WantedFields) {
    super(idSize);
    this.#wanted = wanted;
    this.#ids = wanted.classes.map(({ id }) => id);
    this.#reach = wanted.classes.map(({ fields }) => Math.max(0, ...fields.map(({ at }) => at + 8)));
  }

  window(view: DataView, from: number, end: number): number {
    return this.walk(view, from, end, ALL);
  }

  protected override object(view: DataView, at: number, tag: number, head: number, end: number): boolean {
    if (tag !== INSTANCE_DUMP) return true;
    const number = this.#ids.indexOf(idAt(view, at + 5 + this.idSize, this.idSize));
    if (number < 0) return true;
    const bytes = view.getUint32(at + head - 4);
    if (at + head + Math.min(bytes, this.#reach[number]) > end) return false;
    this.#take(view, at + head, bytes, number);
    return true;
  }

  #take(view: DataView, values: number, bytes: number, number: number): void {
    const { classes, columns, next } = this.#wanted;
    const row = Atomics.add(next, 0, 1);
    classes[number].fields.forEach(({ at, type }, i) => {
      const isThere = at >= 0 && at + this.sizes[type] <= bytes;
      if (row < columns[i].length) columns[i][row] = isThere ? numberAt(view, values + at, type, this.idSize) : NaN;
    });
  }
}
