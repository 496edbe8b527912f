/**
 * A header of a thread that goes on in the next line: its name has a line feed, or a terminal broke the line, at a blank
 * or anywhere.
 */
import { headerOf, LONGEST_HEADER, type ThreadHeader } from './header.js';

export interface PendingHeader {
  readonly text: string;
  readonly atBlanks: string;
  readonly anywhere: string;
  readonly offset: number;
  readonly lines: number;
}

/** Most lines of a header: each further line is parsed with all before it. */
const MOST_LINES = 64;

export function pendingHeader(text: string, offset: number): PendingHeader {
  return { text, atBlanks: text, anywhere: text, offset, lines: 1 };
}

export function pendingWith({ text, atBlanks, anywhere, offset, lines }: PendingHeader, line: string): PendingHeader {
  const rest = line.trimStart();
  return {
    text: `${text}\n${line}`,
    atBlanks: `${atBlanks} ${rest}`,
    anywhere: anywhere + rest,
    offset,
    lines: lines + 1,
  };
}

/** The header of these lines and its text, once it is whole. */
export function wholeHeader(
  pending: PendingHeader,
): { readonly header: ThreadHeader; readonly text: string } | undefined {
  for (const text of [pending.text, pending.atBlanks, pending.anywhere]) {
    const header = headerOf(text);
    if (header !== undefined) return { header, text };
  }
  return undefined;
}

export function mayGoOn({ text, lines }: PendingHeader): boolean {
  return text.length < LONGEST_HEADER && lines < MOST_LINES;
}
