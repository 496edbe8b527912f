/**
 * The encodings of text files: UTF-8, and UTF-16 (files of Windows PowerShell), with a byte order mark or without, which is
 * converted to UTF-8 window by window. Lone surrogates become three bytes each, as `base/text` keeps them. Cost:
 * nothing for UTF-8, about 5 ns per character for UTF-16.
 */
import type { Problem } from '../../base/problems.js';
import type { ByteSource, ByteStream } from '../../bytes/byte-source.js';

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/** An encoding, and the length of the byte order mark. */
export interface TextEncoding {
  readonly encoding: Encoding;
  readonly mark: number;
}

/** Bytes of a file that show its encoding. */
export const ENCODING_BYTES = 1024;

/** The encoding according to the byte order mark or, without one, to the zeros of UTF-16. */
export function encodingOf(head: Uint8Array): TextEncoding {
  if (head[0] === 0xff && head[1] === 0xfe) return { encoding: 'utf-16le', mark: 2 };
  if (head[0] === 0xfe && head[1] === 0xff) return { encoding: 'utf-16be', mark: 2 };
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return { encoding: 'utf-8', mark: 3 };
  const sample = head.subarray(0, ENCODING_BYTES);
  if (isWide(sample, 0)) return { encoding: 'utf-16le', mark: 0 };
  return { encoding: isWide(sample, 1) ? 'utf-16be' : 'utf-8', mark: 0 };
}

/** Fewer units of two bytes do not show that they are characters. */
const FEWEST_UNITS = 16;

/** Whether nearly all units of two bytes are ASCII text; `low`: the place of the byte that is not zero. */
function isWide(sample: Uint8Array, low: 0 | 1): boolean {
  const units = sample.length >> 1;
  if (units < FEWEST_UNITS || sample[1 - low] !== 0) return false;
  let texts = 0;
  for (let at = 0; at + 1 < sample.length; at += 2) {
    const byte = sample[at + low];
    if (byte === 0 && sample[at + 1 - low] === 0) return false;
    if (sample[at + 1 - low] !== 0) continue;
    if (byte < 0x20 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13 && byte !== 27) return false;
    if (byte < 0x7f) texts++;
  }
  return texts >= units * 0.8;
}

/** Bytes that the UTF-8 `bytes[from .. to)` has in a file of this encoding. */
export function lengthIn(encoding: Encoding, bytes: Uint8Array, from: number, to: number): number {
  if (encoding === 'utf-8') return to - from;
  let units = 0;
  for (let i = from; i < to; i++) units += (bytes[i] & 0xc0) === 0x80 ? 0 : bytes[i] >= 0xf0 ? 2 : 1;
  return units * 2;
}

/**
 * Offsets in a file of positions in its text as UTF-8 without mark, which is read window by window. Cost: linear in the
 * text where positions rise.
 */
export class FileOffsets {
  readonly #encoding: Encoding;
  /** Where the window begins, in the file. */
  #base: number;
  /** The last position of this window that was asked for, and where it is in the file. */
  #position = 0;
  #file: number;

  constructor({ encoding, mark }: TextEncoding) {
    this.#encoding = encoding;
    this.#base = mark;
    this.#file = mark;
  }

  of(window: Uint8Array, position: number): number {
    if (position < this.#position) {
      this.#position = 0;
      this.#file = this.#base;
    }
    this.#file += lengthIn(this.#encoding, window, this.#position, position);
    this.#position = position;
    return this.#file;
  }

  /** The window moves on by `count` bytes. */
  moved(window: Uint8Array, count: number): void {
    this.#base = this.of(window, count);
    this.#position = 0;
  }
}

/** A text as UTF-8 without its mark. */
export function unmarked(source: ByteSource, encoded: TextEncoding): ByteSource {
  const { encoding, mark } = encoded;
  if (encoding !== 'utf-8' || mark === 0) return textSource(source, encoded);
  const open = async (): Promise<ByteStream> => {
    const stream = await source.open();
    await stream.read(new Uint8Array(mark));
    return stream;
  };
  return { name: source.name, size: source.size === undefined ? undefined : source.size - mark, open };
}

/** A text as UTF-8; a mark stays where it is UTF-8 already. */
export function textSource(source: ByteSource, { encoding, mark }: TextEncoding): ByteSource {
  if (encoding === 'utf-8') return source;
  const open = async (): Promise<ByteStream> =>
    new Transcoder(await source.open(), encoding === 'utf-16be' ? 1 : 0, mark);
  return { name: source.name, size: undefined, open };
}

/** Code units converted at once. */
const UNITS = 1 << 18;
/** Bytes of the longest code unit in UTF-8; a surrogate pair has four bytes for two units. */
const LONGEST = 3;

class Transcoder implements ByteStream {
  readonly #stream: ByteStream;
  readonly #low: number;
  readonly #mark: number;
  readonly #input = new Uint8Array(UNITS * 2);
  readonly #output = new Uint8Array(UNITS * LONGEST + 4);
  #from = 0;
  #to = 0;
  /** A high surrogate at the end of a window. */
  #held = 0;
  /** Bytes read; an odd number at the end means half a character. */
  #taken = 0;

  constructor(stream: ByteStream, low: number, mark: number) {
    this.#stream = stream;
    this.#low = low;
    this.#mark = mark;
  }

  async read(target: Uint8Array): Promise<number> {
    let filled = 0;
    while (filled < target.length) {
      if (this.#from === this.#to && !(await this.#refill())) break;
      const count = Math.min(target.length - filled, this.#to - this.#from);
      target.set(this.#output.subarray(this.#from, this.#from + count), filled);
      this.#from += count;
      filled += count;
    }
    return filled;
  }

  damage(): Problem | undefined {
    const damage = this.#stream.damage();
    if (damage !== undefined || this.#taken % 2 === 0) return damage;
    return {
      code: 'text-encoding',
      severity: 'error',
      offset: this.#taken - 1,
      message: 'the file ends inside a character of UTF-16',
    };
  }

  close(): Promise<void> {
    return this.#stream.close();
  }

  async #refill(): Promise<boolean> {
    const first = this.#taken === 0;
    const count = await this.#stream.read(this.#input);
    this.#taken += count;
    this.#from = 0;
    this.#to = 0;
    for (let at = first ? this.#mark : 0; at + 1 < count; at += 2)
      this.#unit(this.#input[at + this.#low] | (this.#input[at + 1 - this.#low] << 8));
    if (count < 2 && this.#held !== 0) this.#flushHeld();
    return count > 0 || this.#to > 0;
  }

  #unit(unit: number): void {
    const second = unit >= 0xdc00 && unit < 0xe000;
    if (this.#held !== 0 && second) {
      const code = 0x10000 + ((this.#held - 0xd800) << 10) + unit - 0xdc00;
      this.#push(0xf0 | (code >> 18), 0x80 | ((code >> 12) & 0x3f), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f));
      this.#held = 0;
      return;
    }
    if (this.#held !== 0) this.#flushHeld();
    if (unit >= 0xd800 && unit < 0xdc00) this.#held = unit;
    else this.#single(unit);
  }

  #flushHeld(): void {
    this.#single(this.#held);
    this.#held = 0;
  }

  #single(unit: number): void {
    if (unit < 0x80) this.#output[this.#to++] = unit;
    else if (unit < 0x800) this.#push(0xc0 | (unit >> 6), 0x80 | (unit & 0x3f));
    else this.#push(0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f));
  }

  #push(...bytes: readonly number[]): void {
    for (const byte of bytes) this.#output[this.#to++] = byte;
  }
}
