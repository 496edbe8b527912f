/**
 * HEAP DUMP: objects, their references, roots. Ids are looked up in the order of the file, so references may precede
 * their objects. While it is read: 49 bytes an object and 9 a reference, and 12 to 40 an id for the look-up.
 */
import { ByteBuilder, Float64Builder, Int32Builder } from '../../../base/columns/columns.js';
import { ByteInterner } from '../../../base/columns/hash.js';
import { NONE } from '../../../base/flavor.js';
import { OBJECT_KINDS } from '../../../models/heap/heap.js';
import { type HeapGraph, REFERENCE_KINDS, ROOTS } from '../../../models/heap/heap-graph.js';
import { ROOT_KINDS } from '../../../models/heap/root-kinds.js';
import type { ProgramBuilder } from '../../../models/program/program-builder.js';
import { contentStart } from '../../shared/line-start.js';
import { ascii, type Cursor } from '../cursor.js';
import { ObjectIds } from '../object-ids.js';
import type { ThreadRows } from './threads.js';
import type { TraceRows } from './traces.js';

const ROOT = ascii('ROOT ');
const CLS = ascii('CLS ');
const OBJ = ascii('OBJ ');
const ARR = ascii('ARR ');
const KIND = ascii(' (kind=<');
const NAME = ascii(' (name=');
const SIZE = ascii(' (sz=');
const TRACE = ascii(', trace=');
const CLASS = ascii(', class=');
const ELEMENTS = ascii(', nelems=');
const ELEMENT_TYPE = ascii(', elem type=');
const STATIC = ascii('static ');
const CONSTANT = ascii('constant pool entry ');
const OLD_CONSTANT = ascii('constant[');

const TAB = 9;
const BLANK = 32;
/** As JVMTI, JDK 1.2 and JVMPI spell them. */
const PRIMITIVE_ARRAYS = ['boolean', 'char', 'float', 'double', 'byte', 'short', 'int', 'long'].flatMap((type) =>
  [`${type}[]`, `${type} []`, type].map(ascii),
);

const ROOT_WORDS = [
  'unknown',
  'thread',
  'JNI global ref',
  'JNI local ref',
  'Java stack',
  'native stack',
  'system class',
  'thread block',
  'busy monitor',
].map((word) => ascii(`${word}>`));

/** Lines below a class that are neither statics nor constants. */
const CLASS_WORDS = (['super', 'loader', 'signers', 'domain'] as const).map(
  (word) => [ascii(word), REFERENCE_KINDS.indexOf(word)] as const,
);
const FIELD = REFERENCE_KINDS.indexOf('field');
const ELEMENT = REFERENCE_KINDS.indexOf('element');
const STATIC_KIND = REFERENCE_KINDS.indexOf('static');
const CONSTANT_KIND = REFERENCE_KINDS.indexOf('constant');
const CLASS_OBJECT = OBJECT_KINDS.indexOf('class');
const INSTANCE = OBJECT_KINDS.indexOf('instance');
const OBJECT_ARRAY = OBJECT_KINDS.indexOf('object-array');
const PRIMITIVE_ARRAY = OBJECT_KINDS.indexOf('primitive-array');

/** The data of a heap dump beyond the model, for writing it back. */
export interface HeapResidue {
  /** Spelling of each object's class with its id: StringId of `java.lang.Object@5000032a`; -1 for class objects. */
  readonly classSpelling: Int32Array;
  /** Whether constants are spelled `constant[25]`; undefined if there are none. */
  readonly indexedConstants?: boolean | undefined;
}

export class HeapDumpRows {
  readonly #program: ProgramBuilder;
  readonly #threads: ThreadRows;
  readonly #traces: TraceRows;
  readonly #ids = new ObjectIds();
  readonly #address = new Int32Builder();
  readonly #class = new Int32Builder();
  readonly #kind = new ByteBuilder();
  readonly #size = new Float64Builder();
  readonly #elements = new Int32Builder();
  readonly #trace = new Int32Builder();
  readonly #spelling = new Int32Builder();
  readonly #first = new Int32Builder();
  readonly #target = new Int32Builder();
  readonly #referenceKind = new ByteBuilder();
  readonly #name = new Int32Builder();
  readonly #roots = ROOTS.builder();
  /** `name@id` of classes → class: one look-up for most objects. */
  readonly #spellings = new ByteInterner();
  readonly #spelledClass = new Int32Builder();
  readonly #spelledName = new Int32Builder();
  readonly #spelledPrimitive = new ByteBuilder();
  /** Whether further lines belong to the newest object. */
  #open = false;
  #indexed: boolean | undefined;

  constructor(program: ProgramBuilder, threads: ThreadRows, traces: TraceRows) {
    this.#program = program;
    this.#threads = threads;
    this.#traces = traces;
  }

  get length(): number {
    return this.#class.length;
  }

  /** Reads a line of a dump; returns false for other lines. */
  add(line: Cursor): boolean {
    if (contentStart(line.bytes, line.at, line.end) > line.at) return this.#open && this.#reference(line);
    if (line.skip(OBJ)) return this.#instance(line);
    if (line.skip(ARR)) return this.#array(line);
    if (line.skip(ROOT)) return this.#root(line);
    return line.skip(CLS) && this.#classObject(line);
  }

  #id(line: Cursor): number {
    return line.hex() ? this.#ids.add(line.high, line.low) : NONE;
  }

  /** `5000053b (sz=16, trace=300007, class=java.lang.Object@5000032a)` */
  #instance(line: Cursor): boolean {
    const id = this.#id(line);
    if (id < 0 || !line.skip(SIZE)) return false;
    const size = line.count();
    const trace = this.#traceAfter(line, TRACE);
    if (!(size >= 0) || trace < 0 || !line.skip(CLASS)) return false;
    const spelling = this.#spelled(line, line.end - 1);
    return spelling >= 0 && this.#object(id, INSTANCE, size, -1, trace, spelling);
  }

  /** `50000534 (sz=8, trace=300195, nelems=4, elem type=char[])`, with `@id` after the type for arrays of objects. */
  #array(line: Cursor): boolean {
    const id = this.#id(line);
    if (id < 0 || !line.skip(SIZE)) return false;
    const size = line.count();
    const trace = this.#traceAfter(line, TRACE);
    if (!(size >= 0) || trace < 0 || !line.skip(ELEMENTS)) return false;
    const elements = line.count();
    if (!(elements >= 0) || elements >= 2 ** 31 || !line.skip(ELEMENT_TYPE)) return false;
    const spelling = this.#spelled(line, line.end - 1);
    if (spelling < 0) return false;
    const kind = this.#spelledPrimitive.bytes[spelling] === 1 ? PRIMITIVE_ARRAY : OBJECT_ARRAY;
    return this.#object(id, kind, size, elements, trace, spelling);
  }

  /** The serial of a trace after a word; -1 if there is none. */
  #traceAfter(line: Cursor, word: Uint8Array): number {
    if (!line.skip(word)) return NONE;
    const serial = line.count();
    return serial >= 0 ? serial : NONE;
  }

  /** The class spelled up to `end`, where the closing bracket must be: an id in `#spellings`, or -1. */
  #spelled(line: Cursor, end: number): number {
    if (end <= line.at || line.bytes[end] !== 41) return NONE;
    const known = this.#spellings.length;
    // With the end of the word before it (`class=`, `type=`), which distinguishes an array's type from an object's.
    const id = this.#spellings.add(line.bytes, line.at - 2, end);
    if (id < known) return this.#spelledClass.values[id] < 0 ? NONE : id;
    const { at: from, bytes } = line;
    const array = bytes[from - 2] === 101;
    const primitive = array && PRIMITIVE_ARRAYS.some((word) => line.sees(word) && from + word.length === end);
    const nameEnd = primitive ? end : this.#nameEnd(line, end);
    const names = this.#program.names;
    const sound = nameEnd > from && line.isName(from, nameEnd);
    this.#spelledClass.push(
      !sound
        ? NONE
        : this.#program.class(array ? this.#arrayName(bytes, from, nameEnd) : names.add(bytes, from, nameEnd)),
    );
    this.#spelledName.push(sound ? names.add(bytes, from, end) : NONE);
    this.#spelledPrimitive.push(primitive ? 1 : 0);
    return sound ? id : NONE;
  }

  /** The end of the name in a `name@id` that ends at `end`; -1 for other text. */
  #nameEnd(line: Cursor, end: number): number {
    const { at: from } = line;
    let at = end - 1;
    while (at > from && line.bytes[at] !== 64) at--;
    line.at = at + 1;
    const sound = line.hex() && line.at === end;
    line.at = from;
    return sound && at > from ? at : -1;
  }

  /** The JVMTI agent writes an array's own type, the JVMPI agent that of its elements. */
  #arrayName(bytes: Uint8Array, from: number, to: number): number {
    const names = this.#program.names;
    if (bytes[to - 1] === 93) return names.add(bytes, from, to);
    const [before, behind] = bytes[from] === 91 ? [[91], []] : [[], [91, 93]];
    const name = Uint8Array.from([...before, ...bytes.subarray(from, to), ...behind]);
    return names.add(name, 0, name.length);
  }

  #object(id: number, kind: number, size: number, elements: number, trace: number, spelling: number): boolean {
    this.#address.push(id);
    this.#class.push(spelling < 0 ? NONE : this.#spelledClass.values[spelling]);
    this.#spelling.push(spelling < 0 ? NONE : this.#spelledName.values[spelling]);
    this.#kind.push(kind);
    this.#size.push(size);
    this.#elements.push(elements);
    this.#trace.push(this.#traces.reference(trace));
    this.#first.push(this.#target.length);
    this.#open = true;
    return true;
  }

  /** The following lines about an object belong to none that is known. */
  endRecord(): void {
    this.#open = false;
  }

  /** `50001fae (name=java.lang.Shutdown$Lock, trace=300525)` */
  #classObject(line: Cursor): boolean {
    const id = this.#id(line);
    if (id < 0 || !line.skip(NAME)) return false;
    const nameStart = line.at;
    const nameEnd = line.lastOf(TRACE);
    if (nameEnd < 0 || !line.isName(nameStart, nameEnd)) return false;
    line.at = nameEnd;
    const trace = this.#traceAfter(line, TRACE);
    if (trace < 0 || line.bytes[line.at] !== 41 || line.at + 1 !== line.end) return false;
    this.#object(id, CLASS_OBJECT, 0, -1, trace, NONE);
    this.#class.values[this.length - 1] = this.#program.class(this.#program.names.add(line.bytes, nameStart, nameEnd));
    return true;
  }

  /** A line below an object: a reference. The id is the last word, after a tab or blanks. */
  #reference(line: Cursor): boolean {
    line.blanks();
    let value = line.end;
    while (value > line.at && !isBlank(line.bytes[value - 1])) value--;
    const start = line.at;
    let nameEnd = value;
    while (nameEnd > start && isBlank(line.bytes[nameEnd - 1])) nameEnd--;
    if (!line.isName(start, nameEnd)) return false;
    line.at = value;
    const id = this.#id(line);
    if (id < 0 || !line.atEnd) return false;
    const owner = this.#kind.bytes[this.length - 1];
    line.at = start;
    if (owner === CLASS_OBJECT) return this.#ofClass(line, nameEnd, id);
    if (line.bytes[start] === 91) return this.#numbered(line, start + 1, nameEnd, ELEMENT, id);
    return this.#refer(id, FIELD, this.#program.names.add(line.bytes, start, nameEnd));
  }

  #ofClass(line: Cursor, nameEnd: number, id: number): boolean {
    for (const [word, kind] of CLASS_WORDS)
      if (line.sees(word) && line.at + word.length === nameEnd) return this.#refer(id, kind, NONE);
    if (line.skip(STATIC))
      return nameEnd > line.at && this.#refer(id, STATIC_KIND, this.#program.names.add(line.bytes, line.at, nameEnd));
    if (line.skip(CONSTANT)) {
      this.#indexed ??= false;
      const index = line.count();
      return line.at === nameEnd && index >= 0 && index < 2 ** 31 && this.#refer(id, CONSTANT_KIND, index);
    }
    if (!line.skip(OLD_CONSTANT)) return false;
    this.#indexed ??= true;
    return this.#numbered(line, line.at, nameEnd, CONSTANT_KIND, id);
  }

  /** `12]` up to `end`. */
  #numbered(line: Cursor, from: number, end: number, kind: number, id: number): boolean {
    line.at = from;
    const index = line.count();
    const sound = index >= 0 && index < 2 ** 31 && line.bytes[line.at] === 93 && line.at + 1 === end;
    return sound && this.#refer(id, kind, index);
  }

  #refer(target: number, kind: number, name: number): boolean {
    this.#target.push(target);
    this.#referenceKind.push(kind);
    this.#name.push(name);
    return true;
  }

  /** `50001fb1 (kind=<Java stack>, thread=200000, frame=2)` */
  #root(line: Cursor): boolean {
    const object = this.#id(line);
    if (object < 0 || !line.skip(KIND)) return false;
    const kind = ROOT_WORDS.findIndex((word) => line.skip(word));
    if (kind < 0) return false;
    const row: Record<string, number> = { object, kind };
    const sound = this.#rootDetails(line, ROOT_KINDS[kind] ?? 'unknown', row);
    if (!sound || line.bytes[line.at] !== 41 || line.at + 1 !== line.end) return false;
    // Numbers become rows only now: a damaged line must not create threads and traces.
    if (row.thread !== undefined) row.thread = this.#threads.rowOf(row.thread);
    if (row.trace !== undefined) row.trace = this.#traces.reference(row.trace);
    this.#roots.add(row);
    return true;
  }

  #rootDetails(line: Cursor, kind: (typeof ROOT_KINDS)[number], row: Record<string, number>): boolean {
    switch (kind) {
      case 'unknown':
      case 'busy-monitor':
        return true;
      case 'thread':
        return this.#rootThread(line, ROOT_ID, row) && this.#rootTrace(line, row);
      case 'jni-global':
        if (!line.skip(ROOT_ID) || !line.hex()) return false;
        row.detail = (line.high >>> 0) * 2 ** 32 + (line.low >>> 0);
        return this.#rootTrace(line, row);
      case 'jni-local':
      case 'java-frame':
        if (!this.#rootThread(line, ROOT_THREAD, row) || !line.skip(ROOT_FRAME)) return false;
        row.frame = line.decimal();
        return row.frame >= -1 && row.frame < 2 ** 31;
      case 'native-stack':
      case 'thread-block':
        return this.#rootThread(line, ROOT_THREAD, row);
      case 'system-class':
        if (!line.skip(ROOT_NAME) || !line.isName(line.at, line.end - 1)) return false;
        row.detail = this.#program.names.add(line.bytes, line.at, line.end - 1);
        line.at = line.end - 1;
        return true;
      default:
        // The kinds of Android are never in text.
        return false;
    }
  }

  #rootThread(line: Cursor, word: Uint8Array, row: Record<string, number>): boolean {
    if (!line.skip(word)) return false;
    const number = line.count();
    if (!(number >= 0)) return false;
    row.thread = number;
    return true;
  }

  #rootTrace(line: Cursor, row: Record<string, number>): boolean {
    row.trace = this.#traceAfter(line, TRACE);
    return row.trace >= 0;
  }

  /**
   * `traceRows` turns `TraceRows.reference` into rows; `dump`: number of the dump in the file. If two objects have the
   * same id, references mean the first.
   */
  finish(traceRows: Int32Array, dump: number): { graph: HeapGraph; residue: HeapResidue; twice: number } {
    const length = this.length;
    const addresses = this.#address.finish();
    const rows = new Int32Array(this.#ids.length).fill(NONE);
    let twice = 0;
    for (let object = length - 1; object >= 0; object--) {
      if (rows[addresses[object]] >= 0) twice++;
      rows[addresses[object]] = object;
    }
    const missing = new Float64Builder(64);
    for (let id = 0; id < rows.length; id++) if (rows[id] < 0) rows[id] = -2 - missing.push(this.#ids.address(id));
    const address = new Float64Array(length);
    for (let object = 0; object < length; object++) address[object] = this.#ids.address(addresses[object]);
    const target = this.#target.finish();
    for (let i = 0; i < target.length; i++) target[i] = rows[target[i]];
    const roots = this.#roots.finish();
    const { object: rooted, trace: rootTrace } = ROOTS.rows(roots);
    for (let i = 0; i < roots.length; i++) {
      rooted[i] = rows[rooted[i]];
      if (rootTrace[i] >= 0) rootTrace[i] = traceRows[rootTrace[i]];
    }
    const trace = this.#trace.finish();
    for (let object = 0; object < length; object++) trace[object] = traceRows[trace[object]];
    this.#first.push(target.length);
    const graph: HeapGraph = {
      dump,
      objects: {
        length,
        address,
        class: this.#class.finish(),
        kind: this.#kind.finish(),
        size: this.#size.finish(),
        elements: this.#elements.finish(),
        trace,
        first: this.#first.finish(),
      },
      references: { length: target.length, target, kind: this.#referenceKind.finish(), name: this.#name.finish() },
      missing: missing.finish(),
      roots,
    };
    return { graph, residue: { classSpelling: this.#spelling.finish(), indexedConstants: this.#indexed }, twice };
  }
}

function isBlank(byte: number): boolean {
  return byte === TAB || byte === BLANK;
}

const ROOT_ID = ascii(', id=');
const ROOT_THREAD = ascii(', thread=');
const ROOT_FRAME = ascii(', frame=');
const ROOT_NAME = ascii(', name=');
