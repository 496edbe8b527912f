/** The pass over a heap dump that finds its references. Threads share the columns; each reads other ranges of the file. */
import { LAST_REFERENCE, NO_REFERENT } from '../../../../models/heap/heap.js';
import { type ObjectIds, RowLookup } from '../../../../models/heap/object-ids.js';
import { idAt } from '../../../../models/heap/values.js';
import {
  CLASS_DUMP,
  INSTANCE_DUMP,
  OBJECT_ARRAY_DUMP,
  PRIMITIVE_ARRAY_DUMP,
  PRIMITIVE_ARRAY_NODATA,
  TYPE_OBJECT,
  TYPE_OF,
} from '../../tags.js';
import { ClassSlots } from '../class-slots.js';
import type { GraphKernel } from '../kernel/graph-kernel.js';
import { type GraphColumns, MISSING, type ReferenceFields, TARGETS } from './graph-columns.js';
import { SubRecords } from './sub-records.js';
import { ALL, alternate } from './windows.js';

/** References that are written at once. */
const BLOCK = 1 << 14;
const OBJECTS = 1 << 13;
/** Values of an instance longer than this are skipped: no class has so many fields. */
const LONGEST_VALUES = 1 << 21;

/** Fills the columns of a graph from the sub-records. */
export class ReferencePass extends SubRecords {
  readonly #kernel: GraphKernel | undefined;
  readonly #rows: RowLookup;
  readonly #fields: ReferenceFields;
  readonly #columns: GraphColumns;
  readonly #slots = new ClassSlots();
  /** References that are not written yet, and the objects that have them, with the first of each. */
  readonly #pending = new Uint32Array(BLOCK);
  readonly #owner = new Uint32Array(OBJECTS);
  readonly #start = new Uint32Array(OBJECTS);
  #references = 0;
  #owners = 0;
  /** The object whose references are read, and where they begin. */
  #row = 0;
  #from = 0;
  /** Where the next reference of an object with many goes in `targets`; -1 for others. */
  #direct = -1;
  /** End of the range that is read. */
  limit = 0;
  /** Elements that are still to be read of an array that goes on in the next window, and its row. */
  #left = 0;
  /** Rows that were seen since `takeRows`. */
  #least = 0xffffffff;
  #most = 0;
  #missing = 0;

  /** `kernel`: takes usual objects, if there is one. */
  constructor(idSize: number, ids: ObjectIds, fields: ReferenceFields, columns: GraphColumns, kernel?: GraphKernel) {
    super(idSize, kernel?.room);
    this.#kernel = kernel;
    this.#rows = new RowLookup(ids);
    this.#fields = fields;
    this.#columns = columns;
    for (const id of fields.id) this.#slots.add(Math.floor(id / 2 ** 32), id >>> 0);
  }

  window(view: DataView, from: number, end: number, base: number): number {
    const at = this.#left > 0 ? this.#elements(view, from, end) : from;
    const kernel = this.#kernel;
    if (kernel === undefined) return this.#plain(view, at, end, base, ALL);
    return alternate(
      at,
      end,
      (next) => (this.#left > 0 ? next : this.#usual(kernel, next, end)),
      (next) => this.#plain(view, next, end, base, 1),
    );
  }

  /** Reads at most so many sub-records. */
  #plain(view: DataView, from: number, end: number, base: number, most: number): number {
    const { idSize } = this;
    let at = from;
    for (let count = 0; count < most && at < end && this.#left === 0; count++) {
      const tag = view.getUint8(at);
      if (tag === INSTANCE_DUMP) {
        if (at + 9 + 2 * idSize > end) return at;
        const length = view.getUint32(at + 5 + 2 * idSize);
        const next = at + 9 + 2 * idSize + length;
        if (next > end && length <= LONGEST_VALUES) return at;
        this.#instance(view, at, length);
        at = next;
      } else if (tag === PRIMITIVE_ARRAY_DUMP) {
        if (at + 10 + idSize > end) return at;
        const count = view.getUint32(at + 5 + idSize);
        const code = view.getUint8(at + 9 + idSize);
        this.#object(view, at, this.#fields.primitiveClass[TYPE_OF[code]], count);
        at += 10 + idSize + count * this.sizes[code];
      } else if (tag === OBJECT_ARRAY_DUMP) {
        if (at + 9 + 2 * idSize > end) return at;
        const count = view.getUint32(at + 5 + idSize);
        const slot = this.#slot(view, at + 9 + idSize);
        const type = slot < 0 ? this.typeCode(view, at) : 0;
        const { arrayClass, primitiveClass } = this.#fields;
        const row = this.#object(view, at, slot < 0 ? primitiveClass[type] : arrayClass[slot], count);
        at += 9 + 2 * idSize;
        // Without a row of its own, for its id stands twice, an array is passed over.
        if (row < 0 || type > 0) at += count * (this.sizes[type] || idSize);
        else if (count > 0) {
          // An array that the file does not hold whole has only the elements that are there.
          this.#begin(row, Math.min(count, Math.max(0, Math.floor((this.limit - base - at) / idSize))));
          this.#left = count;
          at = this.#elements(view, at, end);
        }
      } else {
        const length = this.other(view, at, end, tag);
        if (length === 0) return at;
        if (tag === CLASS_DUMP) this.#classObject(view, at);
        else if (tag === PRIMITIVE_ARRAY_NODATA)
          this.#object(
            view,
            at,
            this.#fields.primitiveClass[TYPE_OF[view.getUint8(at + 9 + idSize)]],
            view.getUint32(at + 5 + idSize),
          );
        at += length;
      }
    }
    return at;
  }

  /** Takes objects with the kernel, and what it found. */
  #usual(kernel: GraphKernel, from: number, end: number): number {
    let at = from;
    do {
      at = kernel.readReferences(at, end);
      this.#add(kernel);
    } while (kernel.isFull);
    return at;
  }

  #add({ rows, classes, elements, starts, traces, targets, objects, references, missing }: GraphKernel): void {
    const columns = this.#columns;
    const base = references === 0 ? 0 : this.#reserve(references);
    columns.targets.set(targets.subarray(0, references), base);
    this.#missing += missing;
    let least = this.#least;
    let most = this.#most;
    for (let i = 0; i < objects; i++) {
      const row = rows[i];
      columns.class[row] = classes[i];
      if (elements[i] > 0) columns.elements[row] = elements[i];
      if (starts[i] > 0) columns.first[row] = base + starts[i];
      if (row < least) least = row;
      if (row > most) most = row;
    }
    if (columns.trace !== undefined) for (let i = 0; i < objects; i++) columns.trace[rows[i]] = traces[i];
    this.#least = least;
    this.#most = most;
  }

  #slot(view: DataView, at: number): number {
    return this.#slots.find(this.idSize === 8 ? view.getUint32(at) : 0, view.getUint32(at + this.idSize - 4));
  }

  /** Sets class and elements of the object at `at`; returns its row, -1 if its id is taken. */
  #object(view: DataView, at: number, heapClass: number, elements: number): number {
    const row = this.#rows.row(idAt(view, at + 1, this.idSize));
    if (row < 0) return -1;
    const { class: classes, trace } = this.#columns;
    // 0 is free, so that the columns need not be filled first; `finishGraph` subtracts the 1.
    if (classes[row] !== 0) return -1;
    classes[row] = heapClass < 0 ? 0xffffffff : heapClass + 1;
    if (elements > 0) this.#columns.elements[row] = elements;
    if (trace !== undefined) trace[row] = view.getInt32(at + 1 + this.idSize);
    if (row < this.#least) this.#least = row;
    if (row > this.#most) this.#most = row;
    return row;
  }

  #instance(view: DataView, at: number, length: number): void {
    const { idSize } = this;
    const slot = this.#slot(view, at + 5 + idSize);
    const heapClass = slot < 0 ? -1 : this.#fields.heapClass[slot];
    const row = this.#object(view, at, heapClass, 0);
    if (row < 0 || heapClass < 0 || length > LONGEST_VALUES) return;
    const { first, offset, referent } = this.#fields;
    const end = first[heapClass + 1];
    let field = first[heapClass];
    if (field === end) return;
    const values = at + 9 + 2 * idSize;
    // Values that are too short may leave a referent without its place in the file.
    this.#begin(row, Math.min(end - field, Math.floor(length / idSize) + 1));
    if (referent[heapClass] === 1) {
      const place = offset[field++];
      const id = place + idSize > length ? 0 : idAt(view, values + place, idSize);
      if (id === 0 || !this.#refer(id)) this.#emit(NO_REFERENT);
    }
    for (; field < end; field++) {
      // Values that are shorter than those of the class have the first fields only.
      if (offset[field] + idSize > length) continue;
      const place = values + offset[field];
      const high = idSize === 8 ? view.getUint32(place) : 0;
      const low = view.getUint32(place + idSize - 4);
      if (low !== 0 || high !== 0) this.#refer(high * 2 ** 32 + low);
    }
    this.#end();
  }

  /** Reads the elements of an array that are in this window. */
  #elements(view: DataView, from: number, end: number): number {
    const { idSize } = this;
    const count = Math.min(this.#left, Math.floor((end - from) / idSize));
    let at = from;
    for (let i = 0; i < count; i++, at += idSize) {
      const high = idSize === 8 ? view.getUint32(at) : 0;
      const low = view.getUint32(at + idSize - 4);
      if (low !== 0 || high !== 0) this.#refer(high * 2 ** 32 + low);
    }
    this.#left -= count;
    if (this.#left === 0) this.#end();
    return at;
  }

  /** References of a class object: its super class, loader, signers, protection domain, constants and statics. */
  #classObject(view: DataView, at: number): void {
    const { idSize } = this;
    const row = this.#object(view, at, -1, 0);
    if (row < 0) return;
    const places = [1, 2, 3, 4].map((i) => at + 5 + i * idSize);
    let next = at + 9 + 7 * idSize;
    for (let part = 0; part < 2; part++) {
      const count = view.getUint16(next);
      next += 2;
      for (let i = 0; i < count; i++) {
        next += part === 0 ? 2 : idSize;
        const code = view.getUint8(next++);
        if (TYPE_OF[code] === TYPE_OBJECT) places.push(next);
        next += this.sizes[code];
      }
    }
    this.#begin(row, places.length);
    for (const place of places) {
      const id = idAt(view, place, idSize);
      if (id !== 0) this.#refer(id);
    }
    this.#end();
  }

  /** Adds a reference; false if no object has this id. */
  #refer(id: number): boolean {
    const target = this.#rows.row(id);
    if (target < 0) this.#missing++;
    else this.#emit(target);
    return target >= 0;
  }

  /** Begins the references of an object, at most `most`. */
  #begin(row: number, most: number): void {
    this.#row = row;
    if (most > BLOCK) {
      this.#flush();
      this.#direct = this.#reserve(most);
      this.#from = this.#direct;
      return;
    }
    if (this.#references + most > BLOCK || this.#owners === OBJECTS) this.#flush();
    this.#from = this.#references;
  }

  #emit(target: number): void {
    if (this.#direct < 0) this.#pending[this.#references++] = target;
    else this.#columns.targets[this.#direct++] = target;
  }

  #end(): void {
    const direct = this.#direct;
    if (direct >= 0) {
      this.#direct = -1;
      if (direct === this.#from) return;
      this.#columns.targets[direct - 1] |= LAST_REFERENCE;
      this.#columns.first[this.#row] = this.#from + 1;
    } else if (this.#references > this.#from) {
      this.#pending[this.#references - 1] |= LAST_REFERENCE;
      this.#owner[this.#owners] = this.#row;
      this.#start[this.#owners++] = this.#from;
    }
  }

  /** Takes places in `targets`; other threads get others. */
  #reserve(places: number): number {
    const { counters, targets } = this.#columns;
    const from = Atomics.add(counters, TARGETS, places);
    if (from + places > targets.length) throw new Error('the heap has more references than at its first reading');
    return from;
  }

  #flush(): void {
    if (this.#references === 0) return;
    const { targets, first } = this.#columns;
    const base = this.#reserve(this.#references);
    for (let i = 0; i < this.#references; i++) targets[base + i] = this.#pending[i];
    for (let i = 0; i < this.#owners; i++) first[this.#owner[i]] = base + this.#start[i] + 1;
    this.#references = 0;
    this.#owners = 0;
  }

  /** The rows that were seen since the last call: of one range of the file. */
  takeRows(): { readonly least: number; readonly most: number } {
    const { least, most } = { least: this.#least, most: this.#most };
    this.#least = 0xffffffff;
    this.#most = 0;
    return { least, most };
  }

  /** Writes pending references, also of an array that is cut off. Call it after each range. */
  endRange(): void {
    if (this.#left > 0) this.#end();
    this.#left = 0;
    this.#flush();
    Atomics.add(this.#columns.counters, MISSING, this.#missing);
    this.#missing = 0;
  }
}
