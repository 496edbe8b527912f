/**
 * The form in which a text came: its encoding, its line ends, and what stands before each of its lines since it was quoted
 * in a mail or indented in a page. The start of a text decides. Readers of lines (`text-lines.ts`) and probes
 * (`head-text.ts`) take the form off; behind it they see the text as its program wrote it.
 */
import { type Encoding, encodingOf } from './encoding.js';

export interface TextForm {
  readonly encoding: Encoding;
  /** Length of the byte order mark. */
  readonly mark: number;
  /** Lines end with a carriage return alone. */
  readonly returns: boolean;
  /** ASCII before each line: blanks, tabs, signs of a quote; empty if there is nothing. */
  readonly margin: string;
  /** An empty line stands behind each line: line ends were doubled, or a page or an editor set them so. */
  readonly doubleSpaced: boolean;
}

/** Bytes of a text that decide. */
export const FORM_BYTES = 1 << 14;

/** Fewer lines do not show that something is before each line. */
const FEWEST_LINES = 3;
/** Fewer lines with an empty one behind each may be written so. */
const FEWEST_SPACED = 8;
const LINE_END = /\r\n|\n|\r/;
const QUOTE = /^(?:[ \t]*>)+[ \t]?/;

/** The form of a text with this beginning. `whole`: the beginning is all of it. */
export function textForm(head: Uint8Array, whole: boolean): TextForm {
  const encoded = encodingOf(head);
  const text = textOf(head, encoded.encoding);
  const returns = hasReturnsAlone(text);
  const doubleSpaced = isDoubleSpaced(text.split(returns ? '\r' : '\n'));
  return { ...encoded, returns, margin: marginOf(linesIn(text, whole)), doubleSpaced };
}

/** Whether an empty line stands behind each line from the first with words on. */
function isDoubleSpaced(lines: readonly string[]): boolean {
  const first = lines.findIndex((line) => !isEmpty(line));
  let count = 0;
  for (let i = first; i < lines.length; i++)
    if (!isEmpty(lines[i])) {
      if ((i - first) % 2 === 1) return false;
      count++;
    }
  return count >= FEWEST_SPACED;
}

function isEmpty(line: string): boolean {
  return /^[ \t>\r]*$/.test(line);
}

/** One character a byte, or a unit of UTF-16. */
function textOf(head: Uint8Array, encoding: Encoding): string {
  return new TextDecoder(encoding === 'utf-8' ? 'latin1' : encoding)
    .decode(head)
    .replace(/^(?:\ufeff|\u00ef\u00bb\u00bf)/, '');
}

function linesIn(text: string, whole: boolean): string[] {
  const lines = text.split(LINE_END);
  if (!whole) lines.pop();
  return lines;
}

/** What all lines with words begin with: the signs of a quote, or the same blanks and tabs. */
export function marginOf(lines: readonly string[]): string {
  let margin: string | undefined;
  let count = 0;
  for (const line of lines) {
    if (/^[ \t>]*$/.test(line)) continue;
    count++;
    margin = margin === undefined ? /^[ \t>]*/.exec(line)?.[0] : common(margin, line);
    if (margin === '') return '';
  }
  if (margin === undefined || count < FEWEST_LINES) return '';
  return margin.includes('>') ? (QUOTE.exec(margin)?.[0] ?? '') : margin;
}

function common(one: string, other: string): string {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return one.slice(0, length);
}

/** A line without the margin; editors take blanks at the end of a line away, so a line may have only a part of it. */
export function withoutMargin(line: string, margin: string): string {
  if (line.startsWith(margin)) return line.slice(margin.length);
  return margin.startsWith(line.trimEnd()) ? '' : line;
}

/** Whether lines end with carriage returns alone. One at the very end may be half of a line end in a file that was cut. */
function hasReturnsAlone(text: string): boolean {
  const first = text.indexOf('\r');
  return first >= 0 && first < text.length - 1 && !text.includes('\n');
}
