/** Text as bytes, a chunk at a time. Names are written as the bytes read: modified UTF-8 stays unchanged. */
import { ByteBuilder } from '../../../base/columns/columns.js';
import { encodeUtf8, type StringId, type StringTable } from '../../../base/text.js';

/** A chunk is full from this size on. */
const CHUNK = 1 << 20;

/** A name of the table, or text. */
export type TextName = StringId | string;

export class TextOut {
  readonly #names: StringTable | undefined;
  #bytes = new ByteBuilder(CHUNK + (CHUNK >> 4));

  /** `names`: what ids of names mean; without it, all names are text. */
  constructor(names?: StringTable) {
    this.#names = names;
  }

  get full(): boolean {
    return this.#bytes.length >= CHUNK;
  }

  /** The bytes since the last call. The caller owns the memory. */
  take(): Uint8Array {
    const chunk = this.#bytes.finish();
    this.#bytes = new ByteBuilder(CHUNK + (CHUNK >> 4));
    return chunk;
  }

  /** Writes ASCII unchanged, all other text as UTF-8. */
  text(text: string): this {
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code >= 0x80) {
        const rest = encodeUtf8(text.slice(i));
        this.#bytes.append(rest, 0, rest.length);
        return this;
      }
      this.#bytes.push(code);
    }
    return this;
  }

  /** Writes nothing for an id that names nothing. */
  name(name: TextName): this {
    if (typeof name === 'string') return this.text(name);
    const names = this.#names;
    if (name >= 0 && names !== undefined) this.#bytes.append(names.bytes, names.offsets[name], names.offsets[name + 1]);
    return this;
  }

  bytes(bytes: Uint8Array): this {
    this.#bytes.append(bytes, 0, bytes.length);
    return this;
  }

  /** Writes a number in a column, padded with blanks up to the width. */
  right(value: number | string, width: number): this {
    return this.text(String(value).padStart(width));
  }

  /** Hundredths of a percent as the agents print them: `%5.2f%%`. */
  percent(hundredths: number): this {
    return this.right(`${(hundredths / 100).toFixed(2)}%`, 6);
  }
}
