/**
 * dyntext: for each function that was made at run time a header with its address and time, then its code, its table of lines and the name of its source,
 * as far as they are known. Of compiled Java methods the lines are bytecode indexes. Memory: 8 bytes a line; code is skipped unless it is asked for.
 *
 *   header (type 1: i64 time, u64 address) ─► code (2) ─► source (4: text) ─► lines (3: pairs of u32 offset, u32 line) ─► next header
 */
import type { ProblemLog } from '../../../base/problems.js';
import { decodeUtf8 } from '../../../base/text.js';
import type { Wide } from '../log.js';

/** What is known of the code that was made at an address. */
export interface DynamicCode {
  /** Nanoseconds since the process was recorded. */
  readonly time: number;
  source: string | undefined;
  /** Where the code is in the file. */
  code: { readonly from: number; readonly to: number } | undefined;
  /** By entry, in the order of offsets: bytes from the start of the function, and line. */
  lines: { readonly offset: number; readonly line: number }[];
}

const HEADER = 1;
const CODE = 2;
const LINES = 3;
const SOURCE = 4;
/** Type and size of a record. */
const HEAD = 8;
const LARGEST_LINE = 2 ** 31;

export class DynamicCodes {
  /** By address, `high:low`, in the order of the file. */
  readonly #codes = new Map<string, DynamicCode[]>();

  /** The latest code that was made at an address up to a time; else the first, since records are written after the code. */
  at({ high, low }: Wide, time: number): DynamicCode | undefined {
    const codes = this.#codes.get(`${high >>> 0}:${low >>> 0}`);
    return codes?.findLast((code) => code.time <= time) ?? codes?.[0];
  }

  add({ high, low }: Wide, code: DynamicCode): void {
    const key = `${high >>> 0}:${low >>> 0}`;
    const known = this.#codes.get(key);
    if (known === undefined) this.#codes.set(key, [code]);
    else known.push(code);
  }
}

/** Reads dyntext. A damaged record ends it, since nothing says where the next one begins. */
export function readDynamicCodes(
  bytes: Uint8Array,
  file: string,
  { littleEndian, problems }: { readonly littleEndian: boolean; readonly problems: ProblemLog },
): DynamicCodes {
  const codes = new DynamicCodes();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let last: DynamicCode | undefined;
  for (let at = 0; at + HEAD <= bytes.length; ) {
    const type = view.getUint32(at, littleEndian);
    const size = view.getUint32(at + 4, littleEndian);
    if (size < HEAD || at + size > bytes.length || (type === HEADER && size < HEAD + 16)) {
      const message = `${file}: a record of ${size} bytes; lines of code made at run time are unknown from here on`;
      problems.add({ code: 'experiment-dynamic-code', severity: 'warning', message, offset: at });
      break;
    }
    const end = at + size;
    const high = (from: number): number => view.getUint32(from + (littleEndian ? 4 : 0), littleEndian);
    const low = (from: number): number => view.getUint32(from + (littleEndian ? 0 : 4), littleEndian);
    if (type === HEADER) {
      last = { time: (high(at + 8) | 0) * 2 ** 32 + low(at + 8), source: undefined, code: undefined, lines: [] };
      codes.add({ high: high(at + 16), low: low(at + 16) }, last);
    } else if (type === CODE && last !== undefined) last.code = { from: at + HEAD, to: end };
    else if (type === SOURCE && last !== undefined) last.source = textAt(bytes, at + HEAD, end);
    else if (type === LINES && last !== undefined) last.lines = linesAt(view, at + HEAD, end, littleEndian);
    at = end;
  }
  return codes;
}

function textAt(bytes: Uint8Array, from: number, end: number): string | undefined {
  const zero = bytes.subarray(from, end).indexOf(0);
  return decodeUtf8(bytes, from, zero < 0 ? end : from + zero) || undefined;
}

function linesAt(view: DataView, from: number, end: number, littleEndian: boolean): DynamicCode['lines'] {
  const lines: DynamicCode['lines'] = [];
  for (let at = from; at + 8 <= end; at += 8) {
    const line = view.getUint32(at + 4, littleEndian);
    if (line < LARGEST_LINE) lines.push({ offset: view.getUint32(at, littleEndian), line });
  }
  return lines.sort((a, b) => a.offset - b.offset);
}
