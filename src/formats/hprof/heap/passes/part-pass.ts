/** Looks for a few objects in the sub-records of a dump, by their ids. */
import { type ObjectIds, RowLookup } from '../../../../models/heap/object-ids.js';
import { idAt } from '../../../../models/heap/values.js';
import { INSTANCE_DUMP, OBJECT_ARRAY_DUMP, PRIMITIVE_ARRAY_DUMP, PRIMITIVE_ARRAY_NODATA, TYPE_OF } from '../../tags.js';
import type { ReferenceFields } from './graph-columns.js';
import { SubRecords } from './sub-records.js';
import { ALL } from './windows.js';

/** What is found of each wanted object: shared memory. */
export interface PartColumns {
  /** Heap class, plus 2; 1 if unknown, 0 if the object was not found. */
  readonly class: Int32Array;
  readonly elements: Uint32Array;
  /** Serial of the allocation trace. */
  readonly trace: Int32Array;
  /** Number of the range that has it. */
  readonly range: Int32Array;
}

/** Looks for objects by their ids. */
export class PartPass extends SubRecords {
  readonly #rows: RowLookup;
  readonly #columns: PartColumns;
  readonly #fields: ReferenceFields;
  /** Number of the range that is read. */
  range = 0;

  constructor(idSize: number, ids: ObjectIds, fields: ReferenceFields, columns: PartColumns) {
    super(idSize);
    this.#rows = new RowLookup(ids);
    this.#columns = columns;
    this.#fields = fields;
  }

  window(view: DataView, from: number, end: number): number {
    return this.walk(view, from, end, ALL);
  }

  protected override object(view: DataView, at: number, tag: number): boolean {
    this.#look(view, at, tag);
    return true;
  }

  protected override small(view: DataView, at: number, tag: number): void {
    if (tag === PRIMITIVE_ARRAY_NODATA) this.#look(view, at, tag);
  }

  /** Notes the object at `at` if it is wanted and was not found before. */
  #look(view: DataView, at: number, tag: number): void {
    const { idSize } = this;
    const row = this.#rows.row(idAt(view, at + 1, idSize));
    if (row < 0 || this.#columns.class[row] !== 0) return;
    this.#columns.class[row] = this.#classOf(view, at, tag) + 2;
    this.#columns.elements[row] = tag === INSTANCE_DUMP ? 0 : view.getUint32(at + 5 + idSize);
    this.#columns.trace[row] = view.getInt32(at + 1 + idSize);
    this.#columns.range[row] = this.range;
  }

  #classOf(view: DataView, at: number, tag: number): number {
    const { idSize } = this;
    const { id, heapClass, arrayClass, primitiveClass } = this.#fields;
    if (tag === PRIMITIVE_ARRAY_DUMP || tag === PRIMITIVE_ARRAY_NODATA)
      return primitiveClass[TYPE_OF[view.getUint8(at + 9 + idSize)]];
    const isArray = tag === OBJECT_ARRAY_DUMP;
    const slot = id.indexOf(idAt(view, isArray ? at + 9 + idSize : at + 5 + idSize, idSize));
    if (slot >= 0) return isArray ? arrayClass[slot] : heapClass[slot];
    return isArray ? primitiveClass[this.typeCode(view, at)] : -1;
  }
}
