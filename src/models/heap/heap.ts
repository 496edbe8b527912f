/**
 * A heap: its classes with what each fills (made by the first pass over a dump), and the graph of its objects, which a
 * later stage reads from the source.
 *
 *   heap classes ──class──► classes of the program          what fills the heap, how values are laid out
 *        ▲
 *   objects (rows by ascending id) ──targets──► objects     from `HeapReader.graph`
 *        ▲
 *   roots
 *
 * Memory: 90 bytes a class and 5 a field; the graph takes 12 bytes an object (10 with fewer than 65,535 classes), 4 a
 * reference, and the index of ids (object-ids.ts).
 */
import type { Work } from '../../base/progress.js';
import type { HeapGraph } from './heap-graph.js';
import type { HeapRecordSink } from './heap-records.js';
import type { ObjectId, ObjectIds } from './object-ids.js';

/** What an object is. `class`: the object of a class (its statics are its references). */
export const OBJECT_KINDS = ['instance', 'object-array', 'primitive-array', 'class'] as const;
export type ObjectKind = (typeof OBJECT_KINDS)[number];

/** Types of values; the numbers of binary HPROF and JVMPI (`VALUE_TYPES[type]`). */
export const VALUE_TYPES = [
  undefined,
  undefined,
  'object',
  undefined,
  'boolean',
  'char',
  'float',
  'double',
  'byte',
  'short',
  'int',
  'long',
] as const;
export const OBJECT_TYPE = 2;
/** By type: bytes of a value in a heap; of references in a dump with ids of 8 bytes. */
export const VALUE_BYTES = [0, 0, 8, 0, 1, 2, 4, 8, 1, 2, 4, 8];

/** How a class refers weakly: the kind of its field `referent`. */
export const REFERENT_KINDS = ['none', 'soft', 'weak', 'phantom', 'final'] as const;
export type ReferentKind = (typeof REFERENT_KINDS)[number];

/** In place of a class of the program: class objects, where a file lists them apart from instances. */
export const CLASS_OBJECTS = -2;

/** Classes of one dump; a class of the program may have several, by loader. A row is a heap class. */
export interface HeapClasses {
  readonly length: number;
  /** ClassId, or `CLASS_OBJECTS`. */
  readonly class: Int32Array;
  /** Id of the class object; -1 if there is none. */
  readonly address: Float64Array;
  /** Heap class that it extends; -1 none. */
  readonly parent: Int32Array;
  /** Id of its loader; 0 the boot loader; -1 unknown. */
  readonly loader: Float64Array;
  /** Index into `OBJECT_KINDS`, of its objects; never `class`. */
  readonly kind: Uint8Array;
  /** Type of the elements of arrays; 0 for instances. */
  readonly element: Uint8Array;
  /** Index into `REFERENT_KINDS`. */
  readonly referent: Uint8Array;
  /** Own fields of class `c`: `fieldFirst[c] .. fieldFirst[c + 1]`, in the order of their values. */
  readonly fieldFirst: Int32Array;
  /** StringId; -1 unknown. */
  readonly fieldName: Int32Array;
  readonly fieldType: Uint8Array;
  /** Static fields, likewise, with their values: halves of 32 bits. */
  readonly staticFirst: Int32Array;
  readonly staticName: Int32Array;
  readonly staticType: Uint8Array;
  readonly staticHigh: Uint32Array;
  readonly staticLow: Uint32Array;
  /** Instances or arrays; elements of all these arrays, NaN if unknown. */
  readonly objects: Float64Array;
  readonly elements: Float64Array;
  /** Bytes of the values of one instance as recorded; -1 if unknown. */
  readonly recordedBytes: Float64Array;
}

/** How the sizes of objects follow from their classes. Size of an array: `base + elements * width`, rounded up. */
export interface HeapSizes {
  /**
   * `vm`: as in the VM. `mat`: by the rule of Eclipse MAT. `recorded`: of each object, in the file. `unknown`: the file has none, and all
   * bytes are 0; views show no sizes then.
   */
  readonly rule: 'vm' | 'mat' | 'recorded' | 'unknown';
  /** By heap class: bytes of an instance, or of an array before its elements. */
  readonly base: Float64Array;
  /** By heap class: bytes of an element; 0 for instances. */
  readonly width: Uint8Array;
  /** By heap class: bytes of its class object. */
  readonly classObject: Float64Array;
  /** By heap class: bytes of all its objects. */
  readonly bytes: Float64Array;
  /** Bytes to which sizes of arrays are rounded up. */
  readonly alignment: number;
  /** By heap class: index into `SIZE_SOURCES`. */
  readonly source: Uint8Array;
  readonly layout: ObjectLayout;
  /** Instances of a class that have sizes of their own, larger than `base`. */
  readonly instanceSizes?: OwnSizes;
}

/** Sizes of the instances of one class. */
export interface OwnSizes {
  readonly heapClass: number;
  /** Ascending; if two are equal, the first counts. */
  readonly id: Float64Array;
  /** Bytes of each. */
  readonly bytes: Float64Array;
}

/** `rule`: computed from header and fields. `gap`: objects lie so close together. `recorded`: from the file. */
export const SIZE_SOURCES = ['rule', 'gap', 'recorded'] as const;

/** How a VM lays out objects. Bytes. */
export interface ObjectLayout {
  readonly header: number;
  readonly reference: number;
  /** Before the elements of arrays: of references, of 8-byte values, of smaller ones. */
  readonly referenceArray: number;
  readonly wideArray: number;
  readonly narrowArray: number;
  readonly alignment: number;
  /** What it follows from: `gaps` between objects, or `ids` of a size without any. */
  readonly from: 'gaps' | 'ids';
}

/** No object, as a row of a graph. */
export const NO_ROW = 0xffffffff;
/** Marks the last reference of an object. */
export const LAST_REFERENCE = 0x80000000;
/** In place of a referent that is null: a `Reference` keeps the place of its referent, the first of its references. */
export const NO_REFERENT = 0x7fffffff;
/** Rows and references of one graph, at most. */
export const MOST_OBJECTS = NO_REFERENT;

/** The objects of a heap, without their references. Rows ascend with ids. */
export interface HeapObjects {
  readonly ids: ObjectIds;
  /** Heap class of each object; of a class object, that of `java.lang.Class`. `noClass(class)` if unknown. */
  readonly class: Uint16Array | Uint32Array;
  /** Elements of arrays; 0. */
  readonly elements: Uint32Array;
  /** By heap class: the row of its class object, or `NO_ROW`. */
  readonly classObject: Uint32Array;
  /** Rows of class objects, ascending, and the heap class of each. */
  readonly mirrorRow: Uint32Array;
  readonly mirrorClass: Uint32Array;
  readonly roots: GraphRoots;
  /** References to ids that no object has. */
  readonly missing: number;
  /** Objects with the id of another one, which are left out. */
  readonly twice: number;
  /** Ids are numbers of the file, not addresses: people see them in decimal. */
  readonly numbered?: true;
  /** Of recorded graphs: the object of the file in each row. */
  readonly listed?: Uint32Array;
  /** Row of the profile's traces of each object, -1 if unknown; absent if all have the same. */
  readonly trace?: Int32Array;
  /** Sizes of objects as recorded; absent if the file has none. */
  readonly recorded?: Float64Array;
  /** By range of the source: the smallest and largest row in it, to find the values of an object. */
  readonly ranges?: { readonly least: Uint32Array; readonly most: Uint32Array };
}

/** All references, but those to the classes of objects, which `class` has. */
export interface HeapReferences {
  /** Object `o` has its first reference at `first[o] - 1` of `targets`; 0 if it has none. */
  readonly first: Uint32Array;
  /** Rows; the last one of each object has `LAST_REFERENCE` added. */
  readonly targets: Uint32Array;
}

export type ObjectGraph = HeapObjects & HeapReferences;

export interface GraphRoots {
  readonly length: number;
  /** Row of the object. */
  readonly row: Uint32Array;
  /** Index into `ROOT_KINDS`. */
  readonly kind: Uint8Array;
  /** The recording's number of the thread; -1 none. */
  readonly thread: Float64Array;
  /** Depth of the frame; -1 none. */
  readonly frame: Int32Array;
  /** Of threads: row of the profile's traces; -1 none. */
  readonly trace: Int32Array;
  /** StringId of the field or method; absent if roots have no names. */
  readonly name?: Int32Array;
}

/** In the column `class` of a graph: unknown. */
export function noClass(column: Uint16Array | Uint32Array): number {
  return column.BYTES_PER_ELEMENT === 2 ? 0xffff : NO_ROW;
}

/** Rows of class objects, ascending, and their heap classes. `classObject`: by heap class. */
export function mirrorsOf(classObject: Uint32Array): Pick<HeapObjects, 'mirrorRow' | 'mirrorClass'> {
  const found = [...classObject.entries()].filter(([, row]) => row !== NO_ROW).sort((a, b) => a[1] - b[1]);
  return {
    mirrorRow: Uint32Array.from(found, ([, row]) => row),
    mirrorClass: Uint32Array.from(found, ([heapClass]) => heapClass),
  };
}

/** One dump of a recording. Plain data. */
export interface Heap {
  /** Number of the dump in the recording, from 0. */
  readonly dump: number;
  /** Bytes of an id in the file. */
  readonly idSize: number;
  readonly classes: HeapClasses;
  /** By the VM's rule, or as recorded. */
  readonly sizes: HeapSizes;
  readonly roots: number;
  /** By index into `ROOT_KINDS`: roots. */
  readonly rootKinds: Int32Array;
  /** The objects, where the file has their sizes and the names of all references. */
  readonly recorded?: HeapGraph;
  /** Bytes that its graph will take while it is read, about. */
  readonly graphBytes: number;
}

/** Reads the parts of heaps that are not in the recording from its source. Present while the source is open. */
export interface HeapReader {
  graph(dump: number, work?: Work): Promise<ObjectGraph>;
  /** Only the objects with these ids, where there are such: one pass over the source, in memory for these objects. */
  part(dump: number, ids: Iterable<number>, work?: Work): Promise<HeapObjects>;
  /**
   * Fields of all instances of some classes: one pass over the source. By name of the field a column, in any order of the
   * instances; references are ids, NaN stands for missing values.
   */
  fields(
    dump: number,
    classes: readonly number[],
    names: readonly number[],
    work?: Work,
  ): Promise<readonly Float64Array[]>;
  /**
   * The recorded values of objects, by row: the wanted bytes of each, as far as there are such. Class objects have none.
   * Reads only ranges of the source that may have one of them, each once.
   */
  values(
    dump: number,
    objects: HeapObjects,
    wanted: ReadonlyMap<ObjectId, ByteSpan>,
    work?: Work,
  ): Promise<ReadonlyMap<ObjectId, Uint8Array>>;
  /** Hands roots, classes and objects to a sink: two passes over the source. False if the last object is cut. */
  records(dump: number, sink: HeapRecordSink, work?: Work): Promise<boolean>;
}

/** Bytes `from .. to` of the values of an object. */
export interface ByteSpan {
  readonly from: number;
  readonly to: number;
}
