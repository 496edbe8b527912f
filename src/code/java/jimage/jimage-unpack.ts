/**
 * Compressed resources of a jimage (`jlink --compress`): layers, each after a header of 29 bytes that names its
 * compressor. `zip` is a zlib stream; `compact-cp` moves strings of the constant pools to the strings of the image. The
 * format is that of the JDK's `jdk.internal.jimage.decompressor`.
 *
 * Cost: the content twice in memory per layer. The claimed size of a layer is accepted up to the size of the largest
 * class and compared afterwards.
 */
import { ByteBuilder } from '../../../base/columns/columns.js';
import { decodeUtf8 } from '../../../base/text.js';
import { formatBytes } from '../../../base/units.js';
import { LARGEST_CLASS } from '../class-path/class-container.js';
import type { JImage } from './jimage.js';

/** Inflates a zlib stream that must give `size` bytes; returns a text if it is damaged or longer. */
export type Inflate = (bytes: Uint8Array, size: number) => Uint8Array | string;

/** The reason why a resource cannot be expanded. */
class UnsoundError extends Error {}

const LAYER_MAGIC = 0xcafefafa;
const LAYER_BYTES = 29;
/** Real resources have two layers. */
const MOST_LAYERS = 4;

/** Unpacks resources of one image. */
export class JImageUnpacker {
  readonly #image: JImage;
  readonly #inflate: Inflate;

  constructor(image: JImage, inflate: Inflate) {
    this.#image = image;
    this.#inflate = inflate;
  }

  /** The content of a resource of `size` bytes, or a text with the problem. */
  unpack(packed: Uint8Array, size: number): Uint8Array | string {
    let bytes = packed;
    try {
      for (let layers = 0; ; layers++) {
        const layer = this.#layer(bytes);
        if (layer === undefined) break;
        if (layers === MOST_LAYERS) return `it has more than ${MOST_LAYERS} layers of compression`;
        bytes = this.#unpackLayer(layer);
      }
    } catch (error) {
      if (error instanceof UnsoundError) return error.message;
      throw error;
    }
    if (bytes === packed) return 'its compression header is missing';
    return bytes.length === size ? bytes : `it expands to ${bytes.length} bytes, expected ${size}`;
  }

  #layer(bytes: Uint8Array): Layer | undefined {
    if (bytes.length < LAYER_BYTES) return undefined;
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    const { littleEndian } = this.#image.header;
    if (view.getUint32(0, littleEndian) !== LAYER_MAGIC) return undefined;
    const nameAt = view.getUint32(20, littleEndian);
    const size = Number(view.getBigUint64(12, littleEndian));
    const name = imageString(this.#image, nameAt);
    return {
      packer: decodeUtf8(name, 0, name.length),
      size,
      content: bytes.subarray(LAYER_BYTES),
    };
  }

  #unpackLayer({ packer, size, content }: Layer): Uint8Array {
    if (size > LARGEST_CLASS)
      throw new UnsoundError(`its ${packer} layer claims ${size} bytes; the limit is ${formatBytes(LARGEST_CLASS)}`);
    if (packer !== 'zip' && packer !== 'compact-cp')
      throw new UnsoundError(`unsupported compression ${packer}; zip and compact-cp are supported`);
    const bytes = packer === 'zip' ? this.#inflate(content, size) : restorePool(content, size, this.#image);
    if (typeof bytes === 'string') throw new UnsoundError(`its ${packer} layer cannot be inflated: ${bytes}`);
    if (bytes.length !== size)
      throw new UnsoundError(`its ${packer} layer expands to ${bytes.length} bytes, expected ${size}`);
    return bytes;
  }
}

interface Layer {
  readonly packer: string;
  /** Claimed size of its content. */
  readonly size: number;
  readonly content: Uint8Array;
}

const POOL_AT = 10;
const UTF8 = 1;
const LONG = 5;
const DOUBLE = 6;
/** Tags that class files do not have: a string, or a descriptor with its class names, of the image. */
const SHARED_STRING = 23;
const SHARED_DESCRIPTOR = 25;
/** Bytes of the other constants by tag (JVMS §4.4). */
const CONSTANT_BYTES = [0, 0, 0, 4, 4, 8, 8, 2, 2, 4, 4, 4, 4, 0, 0, 3, 2, 4, 4, 2, 2];
/** Bytes of a string of a constant pool (JVMS §4.4.7). */
const LONGEST_STRING = 0xffff;
const SLASH = 0x2f;
const L = 0x4c;

/** Restores the strings of the image in the constant pool of a class compressed by `compact-cp`. */
function restorePool(packed: Uint8Array, size: number, image: JImage): Uint8Array {
  const input = new Input(packed);
  const output = new Output(size, packed.length * 2);
  output.append(input.take(POOL_AT));
  const constants = (packed[8] << 8) | packed[9];
  for (let i = 1; i < constants; i++) {
    const tag = input.take(1)[0];
    if (tag === SHARED_STRING) {
      output.utf8([imageString(image, input.number())]);
    } else if (tag === SHARED_DESCRIPTOR) {
      output.utf8(descriptorParts(input, image));
    } else {
      const length = tag === UTF8 ? 2 + input.peekShort() : CONSTANT_BYTES[tag];
      if (length === undefined || length === 0) throw new UnsoundError(`its constant ${i} has the unknown tag ${tag}`);
      output.append(Uint8Array.of(tag));
      output.append(input.take(length));
      if (tag === LONG || tag === DOUBLE) i++;
    }
  }
  output.append(input.rest());
  return output.finish();
}

function imageString(image: JImage, offset: number): Uint8Array {
  if (offset >= image.strings.length)
    throw new UnsoundError(`it refers to string ${offset}, beyond the ${image.strings.length} bytes of strings`);
  const string = image.strings.subarray(offset, offset + LONGEST_STRING + 1);
  const end = string.indexOf(0);
  if (end < 0)
    throw new UnsoundError(
      `it refers to string ${offset}, which is unterminated or longer than ${LONGEST_STRING} bytes`,
    );
  return string.subarray(0, end);
}

/**
 * A descriptor is stored without its class names; after each `L` belong a package and a class, whose offsets follow.
 */
function descriptorParts(input: Input, image: JImage): Uint8Array[] {
  const descriptor = imageString(image, input.number());
  const names = new Input(input.take(input.number()));
  const parts: Uint8Array[] = [];
  let from = 0;
  for (let at = descriptor.indexOf(L); at >= 0; at = descriptor.indexOf(L, at + 1)) {
    const folder = imageString(image, names.number());
    parts.push(descriptor.subarray(from, at + 1), folder);
    if (folder.length > 0) parts.push(Uint8Array.of(SLASH));
    parts.push(imageString(image, names.number()));
    from = at + 1;
  }
  parts.push(descriptor.subarray(from));
  return parts;
}

const ENDS_EARLY = 'its compressed content is truncated';

class Input {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  take(count: number): Uint8Array {
    if (this.#at + count > this.#bytes.length) throw new UnsoundError(ENDS_EARLY);
    this.#at += count;
    return this.#bytes.subarray(this.#at - count, this.#at);
  }

  /** The next 16-bit number, without consuming it. */
  peekShort(): number {
    const [high, low] = this.take(2);
    this.#at -= 2;
    return (high << 8) | low;
  }

  /**
   * A number of one to three bytes, the first with a marker, their count and five bits; or of four bytes without a
   * marker.
   */
  number(): number {
    const first = this.take(1)[0];
    const marked = (first & 0x80) !== 0;
    const more = (marked ? (first >> 5) & 3 : 4) - 1;
    let value = marked ? first & 0x1f : first;
    for (const byte of this.take(Math.max(0, more))) value = value * 256 + byte;
    return value;
  }

  rest(): Uint8Array {
    return this.take(this.#bytes.length - this.#at);
  }
}

/** Output bytes up to a claimed length: memory grows with the data. */
class Output {
  readonly #bytes: ByteBuilder;
  readonly #limit: number;

  constructor(limit: number, likely: number) {
    this.#bytes = new ByteBuilder(Math.min(limit, likely));
    this.#limit = limit;
  }

  append(bytes: Uint8Array): void {
    if (this.#bytes.length + bytes.length > this.#limit)
      throw new UnsoundError(`its compact-cp layer expands to more than the ${this.#limit} bytes it claims`);
    this.#bytes.append(bytes, 0, bytes.length);
  }

  /** A UTF-8 constant from parts. */
  utf8(parts: readonly Uint8Array[]): void {
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    if (length > LONGEST_STRING) throw new UnsoundError(`a string of its constant pool is too long: ${length} bytes`);
    this.append(Uint8Array.of(UTF8, length >> 8, length & 0xff));
    for (const part of parts) this.append(part);
  }

  finish(): Uint8Array {
    return this.#bytes.bytes.subarray(0, this.#bytes.length);
  }
}
