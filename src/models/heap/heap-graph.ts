/**
 * The objects of a heap as a text lists them: what each refers to by which name, and what holds them.
 *
 *   objects ──class──► classes of the program
 *      │ first[o] .. first[o+1]
 *      ▼
 *   references ──target──► objects (or none)        roots ──object──► objects
 *
 * Memory: 33 bytes per object, 9 per reference; 4 bytes more for each optional column.
 */
import type { StringTable } from '../../base/text.js';
import type { Table } from '../table.js';
import { defineTable } from '../table-kind.js';

/** How one object refers to another; `name` is the field or element. */
export const REFERENCE_KINDS = [
  'field',
  'element',
  'static',
  'constant',
  'super',
  'loader',
  'signers',
  'domain',
] as const;
export type ReferenceKind = (typeof REFERENCE_KINDS)[number];

export interface ObjectTable {
  readonly length: number;
  /** The recording's own id of the object. */
  readonly address: Float64Array;
  /** ClassId: its class; for a class object the class that it represents. */
  readonly class: Int32Array;
  /** Index into `OBJECT_KINDS` (heap.ts). */
  readonly kind: Uint8Array;
  /** Bytes as recorded; absent where the file has no sizes. */
  readonly size?: Float64Array;
  /** Elements of an array, else -1. */
  readonly elements: Int32Array;
  /** Row of the profile's traces: allocation trace; -1 if unknown. */
  readonly trace: Int32Array;
  /** Row of `texts`: the object as text; -1 unknown. */
  readonly text?: Int32Array;
  /** Object `o` refers to the rows `first[o]` up to `first[o + 1]` of the references. */
  readonly first: Int32Array;
}

export interface ReferenceTable {
  readonly length: number;
  /**
   * Row of an object, or -2 minus a row of `missing` for an object that is not in the dump; -1 for null, or a value that the file shows
   * only as `text`.
   */
  readonly target: Int32Array;
  /** Index into `REFERENCE_KINDS`. */
  readonly kind: Uint8Array;
  /** StringId of a field's name; the index of an element or constant, -1 if the file omits it. */
  readonly name: Int32Array;
  /** ClassId of the declared type of a field; -1 unknown. */
  readonly declared?: Int32Array;
  /** Row of `texts`: a value that is no object of the file; -1. */
  readonly text?: Int32Array;
}

export interface HeapGraph {
  /** Number of the dump in the recording, from 0. */
  readonly dump: number;
  readonly objects: ObjectTable;
  readonly references: ReferenceTable;
  /** Referenced ids without an object. */
  readonly missing: Float64Array;
  /** `ROOTS` */
  readonly roots: Table;
  /** Texts of objects and values. */
  readonly texts?: StringTable;
  /** Ids are numbers that the file gives its objects, from 0 on, not addresses. */
  readonly numbered?: true;
}

export const ROOTS = defineTable('root', 'Roots', [
  {
    key: 'object',
    title: 'Object',
    holds: 'row',
    unit: 'none',
    meaning: 'the object, or -2 minus a missing one; -1 a value that is no object of the file',
  },
  { key: 'kind', title: 'Kind', holds: 'number', unit: 'none', meaning: 'index into the root kinds' },
  { key: 'thread', title: 'Thread', holds: 'thread', unit: 'none', meaning: 'thread of the root; -1 unknown' },
  {
    key: 'frame',
    title: 'Frame',
    holds: 'number',
    unit: 'none',
    meaning: 'depth in the stack, 0 is innermost; -1 none',
  },
  { key: 'trace', title: 'Trace', holds: 'row', unit: 'none', meaning: 'row in the traces; -1 none' },
  {
    key: 'detail',
    title: 'Detail',
    holds: 'number',
    unit: 'none',
    meaning: "the kind's own number or string",
    wide: true,
  },
]);
