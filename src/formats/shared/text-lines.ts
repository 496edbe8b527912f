/**
 * The lines of a text file as UTF-8, whatever its form: UTF-8 or UTF-16 of either order, with or without a mark; lines
 * that end with LF, CR LF or CR; a margin before each line, if the reader has it taken off. Cost: that of `eachLine`;
 * about 5 ns per character more for UTF-16.
 */
import type { Problem } from '../../base/problems.js';
import { type ByteSource, readHead } from '../../bytes/byte-source.js';
import { eachLine, type LineOptions } from '../../bytes/lines.js';
import { lengthIn, textSource } from './encoding.js';
import { contentEnd } from './line-start.js';
import { FORM_BYTES, type TextForm, textForm } from './text-form.js';

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/**
 * As `LineVisitor`: `bytes[from .. to)` is the line in UTF-8. `offset` and `end` are where the line begins and ends in the
 * file, in the bytes of the file; `at` is where it begins in the text as UTF-8.
 */
export type TextVisitor = (
  bytes: Uint8Array,
  from: number,
  to: number,
  offset: number,
  ended: boolean,
  end: number,
  at: number,
) => void;

export interface TextOptions extends Omit<LineOptions, 'skip' | 'lineEnd'> {
  /**
   * Takes off what stands before each line, and an empty line behind each: the reader's format has neither an indentation of
   * all lines nor such empty lines.
   */
  readonly withoutMargin?: boolean;
}

/** Calls `visit` for each line, and `tooLong` with offsets of the file. Returns what was wrong with the wrapping. */
export async function eachTextLine(
  source: ByteSource,
  visit: TextVisitor,
  { withoutMargin = false, ...options }: TextOptions = {},
): Promise<Problem | undefined> {
  const head = await readHead(source, FORM_BYTES);
  const form = textForm(head, head.length < FORM_BYTES);
  const { encoding, mark, returns } = form;
  const lineEnd = returns ? CARRIAGE_RETURN : LINE_FEED;
  const single = withoutMargin && form.doubleSpaced ? withoutGaps(visit) : visit;
  const take = withoutMargin && form.margin !== '' ? withinMargin(single, form) : single;
  if (encoding === 'utf-8')
    return eachLine(
      source,
      (bytes, from, to, offset, ended) => take(bytes, from, to, offset, ended, offset + to - from, offset),
      { ...options, lineEnd, skip: mark },
    );
  /** Offset of the next line in the file, and in the text. Between two lines is a line end of one or two characters. */
  let place = mark;
  let next = 0;
  const { tooLong } = options;
  return eachLine(
    textSource(source, form),
    (bytes, from, to, offset, ended) => {
      const start = place + (offset - next) * 2;
      place = start + lengthIn(encoding, bytes, from, to);
      next = offset + to - from;
      take(bytes, from, to, start, ended, place, offset);
    },
    { ...options, lineEnd, ...(tooLong && { tooLong: (offset: number) => tooLong(place + (offset - next) * 2) }) },
  );
}

/** Passes lines without their margin, with the offsets at which the rest begins. */
function withinMargin(visit: TextVisitor, { margin, encoding }: TextForm): TextVisitor {
  const width = encoding === 'utf-8' ? 1 : 2;
  return (bytes, from, to, offset, ended, end, at) => {
    const length = marginIn(bytes, from, to, margin);
    // A margin behind the last line end is no line.
    if (ended || from + length < to) visit(bytes, from + length, to, offset + length * width, ended, end, at + length);
  };
}

/** Passes double-spaced lines without the empty one behind each, until two lines with words follow one another. */
function withoutGaps(visit: TextVisitor): TextVisitor {
  let inText = false;
  let inGaps = true;
  let isGap = false;
  return (...line) => {
    const [bytes, start, stop] = line;
    const hasWords = contentEnd(bytes, start, stop) > start;
    inText ||= hasWords;
    if (isGap && hasWords) inGaps = false;
    const isSkipped = isGap && inGaps;
    isGap = inText && inGaps && !isSkipped;
    if (!isSkipped) visit(...line);
  };
}

/** Bytes of the margin that a line has: none of it, all, or a part before the end of the line. */
function marginIn(bytes: Uint8Array, start: number, end: number, margin: string): number {
  let length = 0;
  while (length < margin.length && start + length < end && bytes[start + length] === margin.charCodeAt(length))
    length++;
  return length === margin.length || start + length === end ? length : 0;
}
