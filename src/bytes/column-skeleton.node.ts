/**
 * Plain data taken apart for a column file: the large typed arrays, and a skeleton with everything else.
 *
 * The skeleton is what V8's structured clone writes, so Map, Set, bigint, NaN, -0, undefined, holes, cycles and objects
 * with several owners are restored exactly. For each typed array it has the type and a section: number 0 if the bytes
 * follow in the skeleton itself (small arrays, so that a million of them cost a few bytes each), else the row of the
 * section that holds them. Arrays over the same bytes of one buffer have one section and share their memory again.
 */
import { DefaultSerializer, Deserializer } from 'node:v8';

/** Arrays with fewer bytes stay in the skeleton. */
export const SMALLEST_SECTION = 1024;
/** Section 0 is the skeleton. */
const IN_SKELETON = 0;

type View = NodeJS.ArrayBufferView;

/** The types of arrays; a type's number in files is its index, so new ones go to the end. */
const TYPES: readonly (readonly [type: unknown, over: (buffer: ArrayBuffer) => View])[] = [
  [Int8Array, (buffer) => new Int8Array(buffer)],
  [Uint8Array, (buffer) => new Uint8Array(buffer)],
  [Uint8ClampedArray, (buffer) => new Uint8ClampedArray(buffer)],
  [Int16Array, (buffer) => new Int16Array(buffer)],
  [Uint16Array, (buffer) => new Uint16Array(buffer)],
  [Int32Array, (buffer) => new Int32Array(buffer)],
  [Uint32Array, (buffer) => new Uint32Array(buffer)],
  [Float32Array, (buffer) => new Float32Array(buffer)],
  [Float64Array, (buffer) => new Float64Array(buffer)],
  [BigInt64Array, (buffer) => new BigInt64Array(buffer)],
  [BigUint64Array, (buffer) => new BigUint64Array(buffer)],
  [DataView, (buffer) => new DataView(buffer)],
  [Buffer, (buffer) => Buffer.from(buffer)],
];
const TYPE_NUMBERS = new Map(TYPES.map(([type], number) => [type, number]));

/** A value taken apart. */
export interface TakenApart {
  readonly skeleton: Uint8Array;
  /** What sections 1, 2 … hold. Views of the value's own memory: it must not change while they are used. */
  readonly arrays: readonly View[];
}

/** Takes plain data apart. Throws if it contains anything but data, such as a function. */
export function takeApart(value: unknown): TakenApart {
  const writer = new SkeletonWriter();
  writer.writeHeader();
  writer.writeValue(value);
  return { skeleton: writer.releaseBuffer(), arrays: writer.arrays };
}

/** Puts a value together again; `sections[i]` holds the bytes of section `i`. Throws if they do not match. */
export function putTogether(skeleton: Uint8Array, sections: readonly ArrayBuffer[]): unknown {
  const reader = new SkeletonReader(skeleton, sections);
  reader.readHeader();
  return reader.readValue();
}

/** The default serializer hands typed arrays to `_writeHostObject`, each object once. */
class SkeletonWriter extends DefaultSerializer {
  readonly arrays: View[] = [];
  /** Buffer → start and length of the bytes → section. */
  readonly #sections = new Map<ArrayBufferLike, Map<string, number>>();

  _writeHostObject(view: View): void {
    const type = TYPE_NUMBERS.get(view.constructor);
    if (type === undefined) throw new TypeError(`arrays of type ${view.constructor.name} cannot be written`);
    this.writeUint32(type);
    if (view.byteLength >= SMALLEST_SECTION) {
      this.writeUint32(this.#sectionOf(view));
      return;
    }
    this.writeUint32(IN_SKELETON);
    this.writeUint32(view.byteLength);
    this.writeRawBytes(view);
  }

  #sectionOf(view: View): number {
    const sections = this.#sections.get(view.buffer) ?? new Map<string, number>();
    this.#sections.set(view.buffer, sections);
    const range = `${view.byteOffset} ${view.byteLength}`;
    const section = sections.get(range) ?? this.arrays.push(view);
    sections.set(range, section);
    return section;
  }
}

class SkeletonReader extends Deserializer {
  readonly #sections: readonly ArrayBuffer[];

  constructor(skeleton: Uint8Array, sections: readonly ArrayBuffer[]) {
    super(skeleton);
    this.#sections = sections;
  }

  _readHostObject(): View {
    const type = TYPES[this.readUint32()];
    const section = this.readUint32();
    const buffer = section === IN_SKELETON ? this.#copied() : this.#sections[section];
    if (type === undefined || buffer === undefined) throw new RangeError('no such type or section');
    return type[1](buffer);
  }

  #copied(): ArrayBuffer {
    const length = this.readUint32();
    const bytes = this.readRawBytes(length);
    const copy = new Uint8Array(length);
    copy.set(bytes);
    return copy.buffer;
  }
}
