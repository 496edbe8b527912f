/**
 * The lines of a text file as UTF-8, whatever its encoding: UTF-8 with or without mark, UTF-16 of either order with its
 * mark. Cost: that of `eachLine`; about 5 ns per character more for UTF-16.
 */
import type { Problem } from '../../base/problems.js';
import { type ByteSource, readHead } from '../../bytes/byte-source.js';
import { eachLine, type LineOptions } from '../../bytes/lines.js';
import { encodingOf, lengthIn, textSource } from './encoding.js';

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

/** Calls `visit` for each line, and `tooLong` with offsets of the file. Returns what was wrong with the wrapping. */
export async function eachTextLine(
  source: ByteSource,
  visit: TextVisitor,
  options: Omit<LineOptions, 'skip'> = {},
): Promise<Problem | undefined> {
  const { encoding, mark } = encodingOf(await readHead(source, 3));
  if (encoding === 'utf-8')
    return eachLine(
      source,
      (bytes, from, to, offset, ended) => visit(bytes, from, to, offset, ended, offset + to - from, offset),
      {
        ...options,
        skip: mark,
      },
    );
  /** Offset of the next line in the file, and in the text. Between two lines is a line end of one or two characters. */
  let place = mark;
  let next = 0;
  const { tooLong } = options;
  return eachLine(
    textSource(source, encoding),
    (bytes, from, to, offset, ended) => {
      const start = place + (offset - next) * 2;
      place = start + lengthIn(encoding, bytes, from, to);
      next = offset + to - from;
      visit(bytes, from, to, start, ended, place, offset);
    },
    { ...options, ...(tooLong && { tooLong: (offset: number) => tooLong(place + (offset - next) * 2) }) },
  );
}
