/**
 * The metadata of a chunk: the types of all events and constants, with names, units and descriptions. It is a tree of elements
 * (class, field, annotation, setting) whose names and attributes are numbers of a table of strings.
 */
import type { Cursor } from './cursor.js';
import { CHECKPOINT_EVENT } from './header.js';
import { CHARS, ChunkStrings, LATIN1, UTF8 } from './strings.js';

/** Content types that a field's numbers have by its annotations, by their names in `jdk.jfr`. */
export interface FieldContent {
  /** `Timespan`, `Timestamp`, `DataAmount`, `Percentage`, `Unsigned`, …; empty if none. */
  readonly type: string;
  /** `TICKS`, `MILLISECONDS`, `BYTES`, …; empty if none. */
  readonly unit: string;
  readonly unsigned: boolean;
}

export interface MetaField {
  readonly name: string;
  /** Number of its type. */
  readonly type: number;
  /** The value is a key of the pool of its type. */
  readonly pooled: boolean;
  readonly array: boolean;
  readonly label: string;
  readonly description: string;
  readonly content: FieldContent;
  /** Its value holds for the events of its thread while its event lasts. */
  readonly isContextual?: true;
}

export interface MetaType {
  readonly id: number;
  /** Normalised: `jdk.*` for `com.oracle.jdk.*` of JDK 9. */
  readonly name: string;
  readonly isEvent: boolean;
  /** A wrapper of its only field. */
  readonly simple: boolean;
  readonly fields: readonly MetaField[];
  readonly label: string;
  readonly description: string;
  readonly category: readonly string[];
}

export interface Metadata {
  readonly types: ReadonlyMap<number, MetaType>;
  /** Number of types with the id of another one, or with several fields of one name: which is meant is unknown. */
  readonly ambiguous: number;
  /** What the clock of the machine was ahead of UTC, ms; absent if the recorder does not say. */
  readonly zoneOffset?: number;
}

interface Element {
  readonly name: string;
  /** Number of its class; NaN if it has none. */
  readonly type: number;
  /** Names and values, one after the other. */
  readonly attributes: readonly string[];
  readonly children: Element[];
}

const CONTENT_TYPES = new Set(['jdk.jfr.Timespan', 'jdk.jfr.Timestamp', 'jdk.jfr.DataAmount', 'jdk.jfr.Percentage']);

/** Deeper trees are not followed: a field with an annotation is four deep. */
const DEEPEST = 16;

/** Reads metadata, and knows those that it read last: the chunks of one run of a program mostly have the same. */
export class MetadataReader {
  #bytes: Uint8Array = new Uint8Array();
  #compressed = false;
  #metadata: Metadata | undefined;

  /** The metadata of an event whose payload the cursor is at; undefined if it is damaged. */
  read(cursor: Cursor): Metadata | undefined {
    for (let i = 0; i < 3; i++) cursor.long();
    if (cursor.isBehind) return undefined;
    const bytes = cursor.bytes.subarray(cursor.at, cursor.end);
    if (this.#compressed !== cursor.compressed || !isEqual(this.#bytes, bytes)) {
      this.#bytes = bytes.slice();
      this.#compressed = cursor.compressed;
      this.#metadata = readMetadata(cursor);
    }
    return this.#metadata;
  }
}

/** Whether two arrays have the same bytes; four at a time, since all chunks but the first ask. */
function isEqual(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false;
  const [ours, theirs] = [wordsOf(one), wordsOf(other)];
  for (let i = 0; i < ours.length; i++) if (ours[i] !== theirs[i]) return false;
  return true;
}

/** The bytes as words, which zeros fill up. */
function wordsOf(bytes: Uint8Array): Int32Array {
  const words = new Int32Array(Math.ceil(bytes.length / 4));
  new Uint8Array(words.buffer).set(bytes);
  return words;
}

function readMetadata(cursor: Cursor): Metadata | undefined {
  const strings = readStrings(cursor);
  const root = strings && new TreeReader(cursor, strings).read();
  return root && toMetadata(root);
}

const OTHER_THAN_ASCII = /[^\0-\x7f]/;

/** Nearly all are ASCII, whose units are bytes, those of 16 bits as well where integers are compressed: such texts are parts of one. */
function readStrings(cursor: Cursor): readonly string[] | undefined {
  const count = cursor.int();
  if (count < 0 || count > cursor.end - cursor.at) return undefined;
  const { bytes, at: start, compressed } = cursor;
  const all = new TextDecoder('latin1').decode(bytes.subarray(start, cursor.end));
  const strings = new ChunkStrings(cursor);
  const texts: string[] = [];
  for (let i = 0; i < count && !cursor.isBehind; i++) {
    const { at } = cursor;
    const encoding = cursor.byte();
    if (encoding === UTF8 || encoding === LATIN1 || (encoding === CHARS && compressed)) {
      const length = cursor.int();
      const from = cursor.at - start;
      const text = length >= 0 && length <= cursor.end - cursor.at ? all.slice(from, from + length) : undefined;
      if (text !== undefined && !OTHER_THAN_ASCII.test(text)) {
        cursor.at += length;
        texts.push(text);
        continue;
      }
    }
    cursor.at = at;
    texts.push(strings.text(strings.read(() => 0)));
  }
  return cursor.isBehind ? undefined : texts;
}

/** Reads the tree of elements, which are integers to the end of the event. */
class TreeReader {
  readonly #strings: readonly string[];
  readonly #numbers: Int32Array;
  #at = 0;

  constructor(cursor: Cursor, strings: readonly string[]) {
    this.#strings = strings;
    this.#numbers = cursor.ints();
  }

  /** Undefined if it is not whole, or too deep. */
  read(): Element | undefined {
    const open: { readonly element: Element; left: number }[] = [];
    const root = this.#element();
    for (let next: Element | undefined = root; next !== undefined; ) {
      open.push({ element: next, left: this.#next() });
      let last = open.at(-1);
      while (last !== undefined && last.left <= 0) {
        open.pop();
        last = open.at(-1);
      }
      if (last === undefined) return this.#isBehind ? undefined : root;
      last.left--;
      next = open.length > DEEPEST ? undefined : this.#element();
      if (next !== undefined) last.element.children.push(next);
    }
    return undefined;
  }

  get #isBehind(): boolean {
    return this.#at > this.#numbers.length;
  }

  /** 0 behind the end. */
  #next(): number {
    return this.#numbers[this.#at++] ?? 0;
  }

  /** An element up to the number of its children. */
  #element(): Element | undefined {
    const name = this.#strings[this.#next()];
    const count = this.#next();
    if (name === undefined || count < 0 || 2 * count > this.#numbers.length - this.#at) return undefined;
    const attributes: string[] = [];
    for (let i = 0; i < 2 * count; i++) {
      const text = this.#strings[this.#next()];
      if (text === undefined) return undefined;
      attributes.push(text);
    }
    return { name, type: idIn(attributeOf(attributes, 'class')), attributes, children: [] };
  }
}

/** The value of the last attribute of a name. */
function attributeOf(attributes: readonly string[], name: string): string | undefined {
  for (let i = attributes.length - 2; i >= 0; i -= 2) if (attributes[i] === name) return attributes[i + 1];
  return undefined;
}

function toMetadata(root: Element): Metadata | undefined {
  const classes = root.children
    .filter(({ name }) => name === 'metadata')
    .flatMap(({ children }) => children.filter(({ name }) => name === 'class'));
  if (classes.length === 0) return undefined;
  const names = new Map(classes.map((element) => [idOf(element), normalName(textOf(element, 'name'))]));
  // Content types are marked by an annotation; async-profiler 2 leaves it out.
  const isContent = (element: Element): boolean =>
    annotated(element, 'jdk.jfr.ContentType', names) || CONTENT_TYPES.has(normalName(textOf(element, 'name')));
  const contentTypes = new Set(classes.filter(isContent).map((element) => idOf(element)));
  const types = new Map<number, MetaType>();
  let ambiguous = 0;
  for (const element of classes) {
    const id = idOf(element);
    // The format's own events have the ids below: no type of the metadata can be read by such an id.
    if (types.has(id) || hasTwins(element) || (isEventType(element) && id <= CHECKPOINT_EVENT)) ambiguous++;
    if (!Number.isNaN(id)) types.set(id, toType(element, id, names, contentTypes));
  }
  const region = root.children.find(({ name }) => name === 'region');
  const zone = region === undefined ? '' : textOf(region, 'gmtOffset');
  return { types, ambiguous, ...(isZone(zone) && { zoneOffset: Number(zone) }) };
}

/** ms up to 18 hours in either direction, as of the zones that JDKs know. */
function isZone(text: string): boolean {
  return /^-?\d{1,9}$/.test(text) && Math.abs(Number(text)) <= 18 * 3_600_000;
}

function isEventType(element: Element): boolean {
  return normalName(textOf(element, 'superType')) === 'jdk.jfr.Event';
}

function hasTwins({ children }: Element): boolean {
  const names = children.filter(({ name }) => name === 'field').map((field) => textOf(field, 'name'));
  return new Set(names).size < names.length;
}

function toType(
  element: Element,
  id: number,
  names: ReadonlyMap<number, string>,
  contentTypes: ReadonlySet<number>,
): MetaType {
  const category = annotation(element, 'jdk.jfr.Category', names);
  const fields = element.children.filter(({ name }) => name === 'field');
  return {
    id,
    name: names.get(id) ?? '',
    isEvent: isEventType(element) && id > CHECKPOINT_EVENT,
    simple: textOf(element, 'simpleType') === 'true',
    fields: fields.map((field) => toField(field, names, contentTypes)),
    label: annotationText(element, 'jdk.jfr.Label', names),
    description: annotationText(element, 'jdk.jfr.Description', names),
    category: category === undefined ? [] : valuesOf(category),
  };
}

function toField(field: Element, names: ReadonlyMap<number, string>, contentTypes: ReadonlySet<number>): MetaField {
  const dimension = textOf(field, 'dimension');
  const unsigned = annotated(field, 'jdk.jfr.Unsigned', names);
  const isContent = (one: Element): boolean =>
    one.name === 'annotation' && contentTypes.has(one.type) && !isNamed(one, 'jdk.jfr.Unsigned', names);
  const content = field.children.find(isContent);
  const type = content === undefined ? '' : (names.get(content.type) ?? '').replace(/^.*\./, '');
  return {
    name: textOf(field, 'name'),
    type: field.type,
    pooled: textOf(field, 'constantPool') === 'true',
    array: dimension !== '' && dimension !== '0',
    label: annotationText(field, 'jdk.jfr.Label', names),
    description: annotationText(field, 'jdk.jfr.Description', names),
    ...(annotated(field, 'jdk.jfr.Contextual', names) && { isContextual: true as const }),
    content: {
      type,
      unit: content === undefined ? '' : (valuesOf(content)[0] ?? ''),
      // No address is negative.
      unsigned: unsigned || type === 'MemoryAddress',
    },
  };
}

/** JDK 9 has the names of Oracle's packages. */
export function normalName(name: string): string {
  return name.replace(/^com\.oracle\.(?=jdk\.)/, '').replace(/^(?:com\.)?oracle\.jfr\./, 'jdk.');
}

function textOf({ attributes }: Element, key: string): string {
  return attributeOf(attributes, key) ?? '';
}

function idOf(element: Element): number {
  return idIn(attributeOf(element.attributes, 'id'));
}

function idIn(text: string | undefined): number {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : NaN;
}

function isNamed(element: Element, name: string, names: ReadonlyMap<number, string>): boolean {
  return names.get(element.type) === name;
}

function annotation({ children }: Element, name: string, names: ReadonlyMap<number, string>): Element | undefined {
  return children.find((child) => child.name === 'annotation' && isNamed(child, name, names));
}

function annotated(element: Element, name: string, names: ReadonlyMap<number, string>): boolean {
  return annotation(element, name, names) !== undefined;
}

function annotationText(element: Element, name: string, names: ReadonlyMap<number, string>): string {
  const found = annotation(element, name, names);
  return found === undefined ? '' : (valuesOf(found)[0] ?? '');
}

/** The values of an annotation: attribute `value`, or `value-0`, `value-1`, … of an array. */
function valuesOf({ attributes }: Element): string[] {
  const single = attributeOf(attributes, 'value');
  if (single !== undefined) return [single];
  const values: string[] = [];
  for (let i = 0; ; i++) {
    const value = attributeOf(attributes, `value-${i}`);
    if (value === undefined) return values;
    values.push(value);
  }
}
