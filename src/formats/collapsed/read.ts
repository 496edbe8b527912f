/**
 * Reads collapsed stacks (docs/formats/collapsed.md) of any size in one pass.
 *
 * Cost: 1 to 10 ns of CPU per byte, less if lines repeat or neighbouring lines share frames; memory of the distinct frames
 * and stacks (see `stacks.ts`), 12 to 24 bytes per line, up to 96 MiB of distinct lines, and a window of 1 MiB that grows
 * for a longer line.
 */
import { FormatError } from '../../base/errors.js';
import { ProblemLog } from '../../base/problems.js';
import type { Work } from '../../base/progress.js';
import { decodeUtf8 } from '../../base/text.js';
import { type ByteSource, readHead } from '../../bytes/byte-source.js';
import type { Recording } from '../../models/recording.js';
import { ENCODING_BYTES, type Encoding, encodingOf, textSource } from '../shared/encoding.js';
import { eachTextLine, type TextVisitor } from '../shared/text-lines.js';
import { CountScanner, isComment, isDifferential, ONE_COUNT, trimmedEnd } from './line.js';
import { StackReader } from './stacks.js';

/** Bytes that decide whether a file is differential. */
export const DECIDED_WITHIN = 1 << 16;
const LONGEST_LINE = 64 << 20;

/** Plain data of a recording that was read from collapsed stacks: data without a place in the models. */
export interface CollapsedResidue {
  /** Comments that are not written back. */
  readonly comments: number;
}

/** Reads all complete lines. Throws `FormatError` if there are lines but none is a stack with a count. */
export async function readCollapsed(source: ByteSource, work: Work = {}): Promise<Recording> {
  const encoded = encodingOf(await readHead(source, ENCODING_BYTES));
  const { encoding, mark } = encoded;
  const text = textSource(source, encoded);
  const head = await readHead(text, DECIDED_WITHIN);
  const start = encoding === 'utf-8' ? mark : 0;
  const differential = isDifferential(head.subarray(start), head.length < DECIDED_WITHIN);
  const lines = new LineReader(encoding, differential);
  const damage = await eachTextLine(source, lines.visit, { work, longest: LONGEST_LINE, tooLong: lines.tooLong });
  if (damage !== undefined) lines.problems.add(damage);
  return lines.finish(source.name, damage?.severity !== 'error');
}

class LineReader {
  readonly problems = new ProblemLog();
  readonly #stacks = new StackReader((offset, text) => this.#illegible(offset, text));
  readonly #counts = new CountScanner();
  readonly #encoding: Encoding;
  readonly #differential: boolean;
  #comments = 0;
  #lost = false;
  #firstLost = 0;
  /** The line continues after this offset: it is too long. */
  #cutAt = -1;

  constructor(encoding: Encoding, differential: boolean) {
    this.#encoding = encoding;
    this.#differential = differential;
  }

  readonly tooLong = (offset: number): void => {
    this.#cutAt = offset;
  };

  readonly visit: TextVisitor = (bytes, from, to, offset, _ended, end, at) => {
    if (this.#cutAt === offset) {
      this.#lose('collapsed-too-large', offset, `the line is longer than ${LONGEST_LINE >> 20} MiB`);
      this.#cutAt = end;
    } else this.#line(bytes, from, to, offset, at);
  };

  finish(name: string, complete: boolean): Recording {
    if (this.#stacks.rows === 0 && this.#lost) {
      throw new FormatError({
        format: 'collapsed',
        offset: this.#firstLost,
        expected: 'lines of frames joined by semicolons, a space and a number',
        found: `no such line (${this.problems.finish().list[0]?.message ?? ''})`,
      });
    }
    const residue: CollapsedResidue = { comments: this.#comments };
    const metadata = [
      ...(this.#differential ? [{ key: 'counts', value: 'two: before (base), after (samples)' }] : []),
      ...(this.#encoding === 'utf-8' ? [] : [{ key: 'encoding', value: this.#encoding.toUpperCase() }]),
    ];
    const sections = [{ name: 'lines', entries: this.#stacks.rows }];
    return {
      name,
      format: 'collapsed',
      metadata,
      sections,
      ...this.#stacks.finish(this.#differential),
      problems: this.problems.finish(),
      complete: complete && !this.#lost,
      residue,
    };
  }

  #line(bytes: Uint8Array, from: number, to: number, offset: number, at: number): void {
    if (isComment(bytes, from, to)) {
      if (decodeUtf8(bytes, from, Math.min(to, from + ONE_COUNT.length + 1)) !== ONE_COUNT) this.#comments++;
      return;
    }
    const counts = this.#counts;
    const end = counts.take(bytes, from, to, this.#differential);
    if (end < 0) {
      if (trimmedEnd(bytes, from, to) > from) this.#uncounted(bytes, from, to, offset);
      return;
    }
    if (counts.count < 0 || counts.base < 0) this.#negative(offset);
    if (Math.abs(counts.count) > Number.MAX_SAFE_INTEGER || Math.abs(counts.base) > Number.MAX_SAFE_INTEGER)
      this.#inexact(offset);
    // Adding 0 turns -0 into 0.
    this.#stacks.add(bytes, from, end, at, counts.count + 0, counts.base + 0);
  }

  #uncounted(bytes: Uint8Array, from: number, to: number, place: number): void {
    const shown = decodeUtf8(bytes, from, Math.min(to, from + 60));
    const single = this.#differential && this.#counts.take(bytes, from, to, false) >= 0;
    if (single) this.#lose('collapsed-one-count', place, `expected two numbers, found one: ${shown}`);
    else this.#lose('collapsed-no-count', place, `expected a stack and a number, found: ${shown}`);
  }

  #lose(code: string, offset: number, message: string): void {
    if (!this.#lost) this.#firstLost = offset;
    this.#lost = true;
    this.problems.add({ code, severity: 'error', offset, message: `${message}; line skipped` });
  }

  /** Such frames are shown with replacement characters, and written back unchanged. */
  #illegible(offset: number, text: string): void {
    this.problems.add({
      code: 'collapsed-encoding',
      severity: 'warning',
      offset,
      message: `frame is neither UTF-8 nor Java's modified UTF-8: ${text.slice(0, 60)}`,
    });
  }

  #negative(offset: number): void {
    this.problems.add({
      code: 'collapsed-negative-count',
      severity: 'warning',
      offset,
      message: 'negative count; flame graphs cannot show it',
    });
  }

  #inexact(offset: number): void {
    this.problems.add({
      code: 'collapsed-inexact',
      severity: 'warning',
      offset,
      message: 'count above 2^53 is rounded to the nearest double',
    });
  }
}
