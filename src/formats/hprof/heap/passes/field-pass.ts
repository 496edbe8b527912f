/** Takes some fields of all instances of some classes out of the sub-records of a dump. */
import { idAt, numberAt } from '../../../../models/heap/values.js';
import { INSTANCE_DUMP, OBJECT_ARRAY_DUMP, PRIMITIVE_ARRAY_DUMP } from '../../tags.js';
import { SubRecords } from './sub-records.js';

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
    const { idSize, sizes } = this;
    let at = from;
    while (at < end) {
      const tag = view.getUint8(at);
      if (tag !== INSTANCE_DUMP && tag !== OBJECT_ARRAY_DUMP && tag !== PRIMITIVE_ARRAY_DUMP) {
        const length = this.other(view, at, end, tag);
        if (length === 0) return at;
        at += length;
        continue;
      }
      const head = tag === PRIMITIVE_ARRAY_DUMP ? 10 + idSize : 9 + 2 * idSize;
      if (at + head > end) return at;
      if (tag === INSTANCE_DUMP) {
        const number = this.#ids.indexOf(idAt(view, at + 5 + idSize, idSize));
        const bytes = view.getUint32(at + head - 4);
        if (number >= 0) {
          if (at + head + Math.min(bytes, this.#reach[number]) > end) return at;
          this.#take(view, at + head, bytes, number);
        }
        at += head + bytes;
      } else if (tag === OBJECT_ARRAY_DUMP)
        at += head + view.getUint32(at + 5 + idSize) * (sizes[this.typeCode(view, at)] || idSize);
      else at += head + view.getUint32(at + 5 + idSize) * sizes[view.getUint8(at + head - 1)];
    }
    return at;
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
