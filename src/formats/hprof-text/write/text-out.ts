/** Text as bytes, a chunk at a time. Names go out as the bytes that were read: modified UTF-8 stays what it was. */
import { ByteBuilder } from '../../../base/columns.js';
import { encodeUtf8, type StringId, type StringTable } from '../../../base/text.js';

/** A chunk is full from this size on. */
const CHUNK = 1 << 20;

export class TextOut {
  readonly #names: StringTable;
  #bytes = new ByteBuilder(CHUNK + (CHUNK >> 4));

  constructor(names: StringTable) {
    this.#names = names;
  }

  get full(): boolean {
    return this.#bytes.length >= CHUNK;
  }

  /** What was written since the last call. The memory is the caller's. */
  take(): Uint8Array {
    const chunk = this.#bytes.finish();
    this.#bytes = new ByteBuilder(CHUNK + (CHUNK >> 4));
    return chunk;
  }

  /** ASCII goes out as it is, anything else as UTF-8. */
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

  name(id: StringId): this {
    if (id >= 0) this.#bytes.append(this.#names.bytes, this.#names.offsets[id], this.#names.offsets[id + 1]);
    return this;
  }

  bytes(bytes: Uint8Array): this {
    this.#bytes.append(bytes, 0, bytes.length);
    return this;
  }

  /** A number in a column: blanks before it up to the width. */
  right(value: number | string, width: number): this {
    return this.text(String(value).padStart(width));
  }

  /** Hundredths of a percent as the agents print them: `%5.2f%%`. */
  percent(hundredths: number): this {
    return this.right(`${(hundredths / 100).toFixed(2)}%`, 6);
  }
}
