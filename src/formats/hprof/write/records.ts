/**
 * Writes binary HPROF, record by record, as the producers of the four versions do: for agents that profile, tests and benches. The bytes go
 * to a sink while they are made: a dump of 5 GB takes a few MB of memory.
 *
 *   const writer = new HprofWriter({version: '1.0.2', idSize: 8}, sink);
 *   writer.utf8(1, 'java/lang/Object');
 *   writer.loadClass({serial: 1, id: 0x1000, name: 1});
 *   writer.classDump({id: 0x1000, …});
 *   writer.instance(0x2000, 0x1000, 4).u4(17);
 *   writer.endDump();
 *   writer.end();
 *
 * Sub-records open a heap dump where none is open. A file that is cut is a prefix of the bytes.
 */
import {
  CLASS_DUMP,
  FRAME,
  HEAP_DUMP,
  HEAP_DUMP_END,
  HEAP_DUMP_INFO,
  HEAP_DUMP_SEGMENT,
  INSTANCE_DUMP,
  LOAD_CLASS,
  OBJECT_ARRAY_DUMP,
  PRIMITIVE_ARRAY_DUMP,
  PRIMITIVE_ARRAY_NODATA,
  ROOT_JAVA_FRAME,
  ROOT_JNI_GLOBAL,
  ROOT_JNI_LOCAL,
  ROOT_JNI_MONITOR,
  ROOT_NATIVE_STACK,
  ROOT_THREAD_BLOCK,
  ROOT_THREAD_OBJECT,
  START_THREAD,
  TRACE,
  typeSizes,
  UTF8,
} from '../tags.js';
import { DumpBytes, putValue, type Sink } from './bytes.js';

/** 1.0: JDK 1.2 beta; 1.0.1: up to JDK 5, the agent; 1.0.2: HotSpot; 1.0.3: Android. */
export const VERSIONS = ['1.0', '1.0.1', '1.0.2', '1.0.3'] as const;
export type Version = (typeof VERSIONS)[number];

export interface HprofOptions {
  readonly version: Version;
  readonly idSize: 4 | 8;
  /** Ms since 1970. */
  readonly time?: number;
  /** Bytes after which a segment ends; without it: no limit before 1.0.2, 1 MiB in 1.0.2, 4096 in 1.0.3. */
  readonly segmentBytes?: number;
  /** Where segments end: between sub-records, or after exactly `segmentBytes`. */
  readonly segmentEnds?: 'between' | 'anywhere';
  /** The length in the head of the last heap record; given its true length. */
  readonly lastLength?: (bytes: number) => number;
  /** Whether a dump of segments ends with HEAP DUMP END. */
  readonly endRecord?: boolean;
}

/** Ids of names are those of `utf8`. Zero where left out. */
export interface WrittenClass {
  readonly id: number;
  readonly trace?: number;
  readonly parent?: number;
  readonly loader?: number;
  readonly signers?: number;
  readonly domain?: number;
  readonly instanceBytes: number;
  readonly constants?: readonly (TypedValue & { readonly index: number })[];
  readonly statics?: readonly ((TypedValue | TypedBytes) & { readonly name: number })[];
  readonly fields?: readonly { readonly name: number; readonly type: number }[];
}

export interface TypedValue {
  /** Code of 1.0.1 in all versions; 1.0 writes the character. */
  readonly type: number;
  readonly value: number;
}

/** A value as its bytes, big-endian. */
export interface TypedBytes {
  readonly type: number;
  readonly bytes: Uint8Array;
}

/** HotSpot's stack trace of all objects. */
const NO_TRACE = 1;
/** Memory before bytes go to the sink. */
const CHUNK = 4 << 20;
const HEAD = 9;
/** Numbers of four bytes after the id of a root; none for other tags. */
const ROOT_NUMBERS = new Map([
  [ROOT_JNI_LOCAL, 2],
  [ROOT_JAVA_FRAME, 2],
  [ROOT_NATIVE_STACK, 1],
  [ROOT_THREAD_BLOCK, 1],
  [ROOT_THREAD_OBJECT, 2],
  [ROOT_JNI_MONITOR, 2],
]);
/** By type: its character in a signature, for version 1.0. */
const SIGNATURES = '..L.ZCFDBSIJ';

export class HprofWriter {
  readonly #options: HprofOptions;
  readonly #sink: Sink;
  readonly #out: DumpBytes;
  readonly #segmentBytes: number;
  /** Place in the file of the first byte of `#out`. */
  #base = 0;
  /** Place in the file of the open heap record; -1 none. */
  #segment = -1;
  /** Place in the file of the last sub-record. */
  #last = 0;
  #inDump = false;
  /** Place in the file where the values of the last object must end; -1 if it has none. */
  #due = -1;
  readonly #sizes: Uint8Array;

  constructor(options: HprofOptions, sink: Sink) {
    this.#options = options;
    this.#sink = sink;
    this.#sizes = typeSizes(options.idSize);
    this.#out = new DumpBytes(options.idSize, 1 << 12);
    const usual = { '1.0': Infinity, '1.0.1': Infinity, '1.0.2': 1 << 20, '1.0.3': 4096 }[options.version];
    this.#segmentBytes = options.segmentBytes ?? usual;
    this.#out.text(`JAVA PROFILE ${options.version}`);
    this.#out.u1(0);
    this.#out.u4(options.idSize);
    this.#out.u8(options.time ?? 1_700_000_000_000);
  }

  /** Bytes so far. */
  get length(): number {
    return this.#base + this.#out.length;
  }

  /** A record beside the heap; it ends the segment, but not the dump. */
  record(tag: number, body: (out: DumpBytes) => void): void {
    this.#endSegment(false);
    const out = this.#out;
    out.u1(tag);
    out.u4(0);
    const length = out.length;
    out.u4(0);
    body(out);
    out.setU4(length, out.length - length - 4);
    this.#flush(CHUNK);
  }

  utf8(id: number, text: string): void {
    this.record(UTF8, (out) => {
      out.id(id);
      out.text(text);
    });
  }

  loadClass(loaded: {
    readonly serial: number;
    readonly id: number;
    readonly trace?: number;
    readonly name: number;
  }): void {
    this.record(LOAD_CLASS, (out) => {
      out.u4(loaded.serial);
      out.id(loaded.id);
      out.u4(loaded.trace ?? NO_TRACE);
      out.id(loaded.name);
    });
  }

  /** `ids`: frame, names of method, signature and source. */
  frame(ids: readonly [number, number, number, number], classSerial: number, line: number): void {
    this.record(FRAME, (out) => {
      for (const id of ids) out.id(id);
      out.u4(classSerial);
      out.u4(line);
    });
  }

  trace(serial: number, thread: number, frames: readonly number[]): void {
    this.record(TRACE, (out) => {
      for (const number of [serial, thread, frames.length]) out.u4(number);
      for (const frame of frames) out.id(frame);
    });
  }

  /** `names`: of the thread, its group and the group's parent. */
  startThread(serial: number, object: number, trace: number, names: readonly [number, number, number]): void {
    this.record(START_THREAD, (out) => {
      out.u4(serial);
      out.id(object);
      out.u4(trace);
      for (const name of names) out.id(name);
    });
  }

  /** A root; `numbers`: serial of the thread, then depth or serial of the trace, as far as the tag has them; -1 if left out. */
  root(tag: number, object: number, numbers: readonly number[] = []): void {
    const out = this.#begin(tag);
    out.id(object);
    if (tag === ROOT_JNI_GLOBAL) out.id(numbers[0] ?? 0);
    for (let i = 0; i < (ROOT_NUMBERS.get(tag) ?? 0); i++) out.u4(numbers[i] ?? -1);
  }

  /** Android: the heap that the next objects belong to. */
  heapInfo(heap: number, name: number): void {
    const out = this.#begin(HEAP_DUMP_INFO);
    out.u4(heap);
    out.id(name);
  }

  classDump(record: WrittenClass): void {
    const out = this.#begin(CLASS_DUMP);
    out.id(record.id);
    out.u4(record.trace ?? NO_TRACE);
    for (const id of [record.parent, record.loader, record.signers, record.domain, 0, 0]) out.id(id ?? 0);
    out.u4(record.instanceBytes);
    const { constants = [], statics = [], fields = [] } = record;
    out.u2(constants.length);
    for (const constant of constants) {
      out.u2(constant.index);
      this.#typed(constant);
    }
    out.u2(statics.length);
    for (const field of statics) {
      out.id(field.name);
      this.#typed(field);
    }
    out.u2(fields.length);
    for (const { name, type } of fields) {
      out.id(name);
      out.u1(this.#code(type));
    }
  }

  /** An instance whose values, `bytes` long, the caller puts into the result. */
  instance(id: number, type: number, bytes: number, trace = NO_TRACE): DumpBytes {
    const out = this.#begin(INSTANCE_DUMP);
    out.id(id);
    out.u4(trace);
    out.id(type);
    out.u4(bytes);
    this.#due = this.length + bytes;
    return out;
  }

  /** `type`: the class of the array; in files of JVMPI that of its elements, or 0. The caller puts the ids into the result. */
  objectArray(id: number, type: number, count: number, trace = NO_TRACE): DumpBytes {
    const out = this.#begin(OBJECT_ARRAY_DUMP);
    out.id(id);
    out.u4(trace);
    out.u4(count);
    out.id(type);
    this.#due = this.length + count * this.#options.idSize;
    return out;
  }

  /** The caller puts the values into the result. Version 1.0: an array of objects whose class is the type. */
  primitiveArray(id: number, type: number, count: number, trace = NO_TRACE): DumpBytes {
    const old = this.#options.version === '1.0';
    const out = old
      ? this.objectArray(id, type, count, trace)
      : this.#primitive(PRIMITIVE_ARRAY_DUMP, id, type, count, trace);
    this.#due = this.length + count * this.#sizes[type];
    return out;
  }

  /** Android: an array without its values. */
  arrayWithoutData(id: number, type: number, count: number, trace = 0): void {
    this.#primitive(PRIMITIVE_ARRAY_NODATA, id, type, count, trace);
  }

  #primitive(tag: number, id: number, type: number, count: number, trace: number): DumpBytes {
    const out = this.#begin(tag);
    out.id(id);
    out.u4(trace);
    out.u4(count);
    out.u1(type);
    return out;
  }

  #typed(value: TypedValue | TypedBytes): void {
    this.#out.u1(this.#code(value.type));
    if ('bytes' in value) this.#out.raw(value.bytes);
    else putValue(this.#out, value.type, value.value);
  }

  #code(type: number): number {
    return this.#options.version === '1.0' ? SIGNATURES.charCodeAt(type) : type;
  }

  /** Ends a dump: the next sub-record begins another one. */
  endDump(): void {
    this.#endSegment(true);
    const segments = this.#options.version === '1.0.2' || this.#options.version === '1.0.3';
    if (segments && this.#options.endRecord !== false) this.record(HEAP_DUMP_END, () => {});
    this.#inDump = false;
  }

  /** Gives all bytes to the sink. */
  flush(): void {
    this.#flush(0);
  }

  /** The end of the file. */
  end(): void {
    if (this.#inDump) this.endDump();
    this.#flush(0);
  }

  #begin(tag: number): DumpBytes {
    this.#split();
    this.#flush(CHUNK);
    if (this.#segment < 0) this.#beginSegment(this.length);
    this.#inDump = true;
    this.#last = this.length;
    this.#out.u1(tag);
    return this.#out;
  }

  /** Puts the head of a heap record at a place in the file that is still in memory. */
  #beginSegment(at: number): void {
    const { version } = this.#options;
    const place = this.#out.open(at - this.#base, HEAD);
    const head = this.#out
      .written()
      .subarray(place, place + HEAD)
      .fill(0);
    head[0] = version === '1.0' || version === '1.0.1' ? HEAP_DUMP : HEAP_DUMP_SEGMENT;
    this.#segment = at;
  }

  /** Ends segments that are too long, where they are to end. The last sub-record is complete, and still in memory. */
  #split(): void {
    if (this.#due >= 0 && this.#due !== this.length)
      throw new Error(`${this.length - this.#due} bytes of values too many`);
    this.#due = -1;
    if (this.#segment < 0) return;
    const anywhere = this.#options.segmentEnds === 'anywhere';
    while (this.length - this.#segment - HEAD > this.#segmentBytes) {
      const first = this.#segment + HEAD;
      const at = anywhere ? first + this.#segmentBytes : this.#last;
      if (at === first) return;
      this.#setLength(at - first);
      this.#beginSegment(at);
      if (!anywhere) this.#last = at + HEAD;
    }
  }

  #endSegment(lastOfDump: boolean): void {
    if (this.#segment < 0) return;
    this.#split();
    const bytes = this.length - this.#segment - HEAD;
    const { lastLength } = this.#options;
    this.#setLength(lastOfDump && lastLength ? lastLength(bytes) : bytes);
    this.#segment = -1;
  }

  /** Sets the length of the open heap record, modulo 2^32. */
  #setLength(bytes: number): void {
    const at = this.#segment + 5;
    if (at >= this.#base) {
      this.#out.setU4(at - this.#base, bytes);
      return;
    }
    const length = new DumpBytes(4, 4);
    length.u4(bytes);
    this.#sink.patch(at, length.written());
  }

  #flush(from: number): void {
    if (this.#out.length < from || this.#out.length === 0) return;
    this.#sink.write(this.#out.written());
    this.#base += this.#out.length;
    this.#out.length = 0;
  }
}
