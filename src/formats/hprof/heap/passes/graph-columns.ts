/** What the pass over references needs to know of classes, and the columns that it fills. */

/** How the values of instances are laid out, by heap class: where their references are. */
export interface ReferenceFields {
  /** Ids of the classes that instances name, and the heap class of each. */
  readonly id: Float64Array;
  readonly heapClass: Int32Array;
  /** The same for the classes that arrays of objects name; they differ in files of JVMPI agents. */
  readonly arrayClass: Int32Array;
  /** By type: heap class of arrays of primitives; -1. */
  readonly primitiveClass: Int32Array;
  /** References of heap class `c` are at `offset[first[c] .. first[c + 1]]` of the values; a referent is the first. */
  readonly first: Int32Array;
  readonly offset: Int32Array;
  /** By heap class: 1 if the first is a referent. */
  readonly referent: Uint8Array;
}

/** The columns that the threads fill: shared memory. */
export interface GraphColumns {
  readonly class: Uint16Array | Uint32Array;
  readonly elements: Uint32Array;
  readonly first: Uint32Array;
  readonly targets: Uint32Array;
  /** Of `targets`, how many places are in use; references without an object; objects that were left out. */
  readonly counters: Uint32Array;
  /** Serials of allocation traces; only if there are several. */
  readonly trace?: Int32Array;
}

/** Places of `GraphColumns.counters`. */
export const TARGETS = 0;
export const MISSING = 1;
