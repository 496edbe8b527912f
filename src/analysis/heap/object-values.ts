/** Values of objects as fields, elements and texts: of the pages that views show, never of all objects. */
import { stringAt } from '../../base/text.js';
import {
  type ByteSpan,
  type Heap,
  type HeapObjects,
  noClass,
  OBJECT_KINDS,
  OBJECT_TYPE,
} from '../../models/heap/heap.js';
import { NO_OBJECT, type ObjectId, rowOfId } from '../../models/heap/object-ids.js';
import { charactersOf, type FieldPlace, fieldPlaces, idAt, numberAt, recordedBytes } from '../../models/heap/values.js';
import { className } from '../../models/program/names.js';
import type { Program } from '../../models/program/program.js';

/** Reads the wanted bytes of objects: one walk over the source a call. */
export type ReadValues = (wanted: ReadonlyMap<ObjectId, ByteSpan>) => Promise<ReadonlyMap<ObjectId, Uint8Array>>;

/** A heap with what names its objects. */
export interface NamedHeap {
  readonly program: Program;
  readonly heap: Heap;
  readonly graph: HeapObjects;
}

export const WHOLE: ByteSpan = { from: 0, to: 2 ** 32 };

const INSTANCE = OBJECT_KINDS.indexOf('instance');
const BYTE = 8;
/** boolean, byte, short, int, long. */
const INTEGERS: ReadonlySet<number> = new Set([4, BYTE, 9, 10, 11]);

/** The heap class of an object; -1 if unknown. */
export function heapClassOf({ heap, graph }: NamedHeap, row: ObjectId): number {
  const of = graph.class[row];
  return of === noClass(graph.class) || of >= heap.classes.length ? -1 : of;
}

/** The fields of an object; none of arrays and unknown classes. */
export function fieldsOf(named: NamedHeap, row: ObjectId): FieldPlace[] {
  const { classes, idSize } = named.heap;
  const of = heapClassOf(named, row);
  return of < 0 || classes.kind[of] !== INSTANCE ? [] : fieldPlaces(classes, of, idSize);
}

/** The fields of an object by name; of hidden ones that of the class itself. */
export class Fields {
  readonly #named: NamedHeap;
  readonly #view: DataView | undefined;
  readonly #places = new Map<string, FieldPlace>();

  constructor(named: NamedHeap, row: ObjectId, bytes: Uint8Array | undefined) {
    this.#named = named;
    this.#view = bytes && new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    for (const place of fieldsOf(named, row).reverse())
      if (place.name >= 0) this.#places.set(stringAt(named.program.names, place.name), place);
  }

  has(name: string): boolean {
    return this.#at(name) !== undefined;
  }

  /** An integer or boolean; undefined if there is no such field, or its value was lost. */
  number(name: string): number | undefined {
    const place = this.#at(name);
    if (place === undefined || this.#view === undefined) return undefined;
    return INTEGERS.has(place.type) ? numberAt(this.#view, place.at, place.type, this.#named.heap.idSize) : undefined;
  }

  /** The object that a field refers to; `NO_OBJECT`. */
  object(name: string): ObjectId {
    const id = this.id(name);
    return id === 0 ? NO_OBJECT : rowOfId(this.#named.graph.ids, id);
  }

  /** The id that a field refers to; 0 for none. */
  id(name: string): number {
    const place = this.#at(name);
    return place === undefined || this.#view === undefined || place.type !== OBJECT_TYPE
      ? 0
      : idAt(this.#view, place.at, this.#named.heap.idSize);
  }

  #at(name: string): FieldPlace | undefined {
    const place = this.#places.get(name);
    if (place === undefined || this.#view === undefined) return undefined;
    return place.at + recordedBytes(place.type, this.#named.heap.idSize) <= this.#view.byteLength ? place : undefined;
  }
}

/** The text of a `java.lang.String`, or of an array of characters. */
export interface ObjectText {
  /** The first characters, or all. */
  readonly text: string;
  /** Characters of the whole. */
  readonly length: number;
  /** All of them are NUL: tools that redact dumps write that. */
  readonly redacted: boolean;
}

/** Whether an object is a string. */
export function isString(named: NamedHeap, row: ObjectId): boolean {
  const of = heapClassOf(named, row);
  const id = of < 0 ? -1 : named.heap.classes.class[of];
  return id >= 0 && className(named.program, id) === 'java.lang.String';
}

/** Where the characters of a string are. */
interface Characters {
  readonly array: ObjectId;
  readonly coder: number;
  /** In characters. */
  readonly offset: number;
  readonly length: number;
  readonly element: 'char' | 'byte';
}

/**
 * The texts of strings and arrays of chars, at most `most` characters each but all of that of `whole`; other objects have none. Strings have an array
 * of chars, up to JDK 6 with offset and count; from JDK 9 on one of bytes with a coder.
 */
export async function readTexts(
  named: NamedHeap,
  read: ReadValues,
  rows: Iterable<ObjectId>,
  most: number,
  whole?: ObjectId,
): Promise<ReadonlyMap<ObjectId, ObjectText>> {
  const mostOf = (row: ObjectId): number => (row === whole ? Infinity : most);
  const asked = new Set(rows);
  const strings = new Map([...asked].filter((row) => isString(named, row)).map((row) => [row, WHOLE]));
  const bytes = await read(strings);
  const places = new Map<ObjectId, Characters>();
  for (const row of asked) {
    const place = strings.has(row)
      ? charactersOfString(named, new Fields(named, row, bytes.get(row)))
      : charactersOfArray(named, row);
    if (place !== undefined) places.set(row, place);
  }
  const spans = new Map<ObjectId, ByteSpan>();
  for (const [row, place] of places)
    spans.set(place.array, widened(spans.get(place.array), spanOf(place, mostOf(row))));
  const arrays = await read(spans);
  const texts = new Map<ObjectId, ObjectText>();
  for (const [row, place] of places) {
    const there = arrays.get(place.array);
    const { from } = spans.get(place.array) ?? WHOLE;
    if (there === undefined) continue;
    const { from: start, to } = spanOf(place, mostOf(row));
    const text = charactersOf(there.subarray(start - from, to - from), place.element, place.coder);
    texts.set(row, { text, length: place.length, redacted: text !== '' && /^\0+$/.test(text) });
  }
  return texts;
}

function charactersOfString(named: NamedHeap, fields: Fields): Characters | undefined {
  const array = fields.object('value');
  if (array === NO_OBJECT) return undefined;
  const whole = wholeArray(named, array, fields.number('coder') ?? 0);
  // Android has a count whose lowest bit says something else, but no offset.
  if (whole === undefined || !fields.has('offset')) return whole;
  const offset = Math.max(0, fields.number('offset') ?? 0);
  const count = Math.max(0, fields.number('count') ?? 0);
  return { ...whole, offset, length: Math.min(count, Math.max(0, whole.length - offset)) };
}

/** Bytes that no string has are no text. */
function charactersOfArray(named: NamedHeap, row: ObjectId): Characters | undefined {
  const whole = wholeArray(named, row, 0);
  return whole?.element === 'char' ? whole : undefined;
}

function wholeArray(named: NamedHeap, array: ObjectId, coder: number): Characters | undefined {
  const of = heapClassOf(named, array);
  const type = of < 0 ? 0 : named.heap.classes.element[of];
  if (type !== 5 && type !== BYTE) return undefined;
  const elements = named.graph.elements[array];
  const length = type === BYTE && coder === 1 ? Math.floor(elements / 2) : elements;
  return { array, coder, offset: 0, length, element: type === BYTE ? 'byte' : 'char' };
}

function spanOf({ offset, length, element, coder }: Characters, most: number): ByteSpan {
  const width = element === 'char' || coder === 1 ? 2 : 1;
  return { from: offset * width, to: (offset + Math.min(length, most)) * width };
}

/** Strings of JDK 6 may share an array. */
function widened(known: ByteSpan | undefined, span: ByteSpan): ByteSpan {
  return known === undefined ? span : { from: Math.min(known.from, span.from), to: Math.max(known.to, span.to) };
}
