/**
 * The lines of a thread start with line feeds in its name: the agents escape nothing, so its end may be lines later,
 * or, if the file is damaged, missing. At most 64 lines and 4 KiB are held.
 */
import { ByteBuilder } from '../../base/columns/columns.js';
import type { Cursor } from './cursor.js';

const MOST_LINES = 64;
const MOST_BYTES = 4096;
const LINE_FEED = 10;
/** The start of another record cannot be the rest of a name. */
const ANOTHER = /^(?:THREAD (?:START|END)|TRACE \d)/;
const latin1 = new TextDecoder('latin1');

export interface HeldLine {
  readonly bytes: Uint8Array;
  readonly from: number;
  readonly to: number;
  readonly offset: number;
  readonly ended: boolean;
}

export class HeldLines {
  readonly #bytes = new ByteBuilder(256);
  #lines: { readonly offset: number; readonly from: number; readonly ended: boolean }[] = [];

  get isOpen(): boolean {
    return this.#lines.length > 0;
  }

  begin(line: Cursor): void {
    this.#bytes.length = 0;
    this.#bytes.append(line.bytes, line.from, line.end);
    this.#lines = [{ offset: line.offset, from: 0, ended: true }];
  }

  /** Whether the line cannot belong to a name. */
  isAnother(bytes: Uint8Array, from: number, to: number): boolean {
    return ANOTHER.test(latin1.decode(bytes.subarray(from, Math.min(to, from + 14))));
  }

  /** Adds a line; `line` becomes the held text. Returns false if no further line is expected. */
  add(line: Cursor, bytes: Uint8Array, from: number, to: number, offset: number, ended: boolean): boolean {
    this.#bytes.push(LINE_FEED);
    this.#lines.push({ offset, from: this.#bytes.length, ended });
    this.#bytes.append(bytes, from, to);
    line.set(this.#bytes.bytes, 0, this.#bytes.length, this.#lines[0]?.offset ?? offset);
    return ended && this.#lines.length < MOST_LINES && this.#bytes.length < MOST_BYTES;
  }

  /** Returns the lines and holds none. */
  release(): HeldLine[] {
    const lines = this.#lines;
    this.#lines = [];
    const bytes = this.#bytes.finish();
    const endOf = (i: number): number => (lines[i + 1]?.from ?? bytes.length + 1) - 1;
    return lines.map((line, i) => ({ ...line, bytes, to: endOf(i) }));
  }
}
