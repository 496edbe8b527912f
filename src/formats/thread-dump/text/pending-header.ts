/**
 * A header of a thread that goes on in the next line: its name has a line feed, or a terminal broke the line, at a blank
 * or anywhere.
 */
import { threadInfoHeader } from '../dialects/management.js';
import { headerOf, LONGEST_HEADER, STACK_ADDRESS, type ThreadHeader, trimmed, vmHeader } from './header.js';
import { statusIn } from './thread-line.js';

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
    const header = headerOf(text) ?? threadInfoHeader(text.trimEnd());
    if (header !== undefined) return { header, text };
  }
  return undefined;
}

export function mayGoOn({ text, lines }: PendingHeader): boolean {
  return text.length < LONGEST_HEADER && lines < MOST_LINES;
}

/** Words of the VM about what a thread does, as they stand before the address of its stack. */
const WORDS =
  /^(?:runnable|sleeping|suspended|initialized|allocated|zombie|at breakpoint|waiting on condition|waiting for monitor entry|in Object\.wait\(\))?$/;

/**
 * A header with the line that follows it, where a terminal broke the header within its last words or before the
 * address; undefined where the line is no rest of it. The header must be complete without the line.
 */
export function withWrappedEnd(header: string, line: string): ThreadHeader | undefined {
  // The usual line behind a header.
  if (statusIn(line.trimStart()) !== undefined) return undefined;
  const end = trimmed(line);
  if (/^(?:on \S+@[0-9a-f]|owned by ")/.test(end)) return threadInfoHeader(`${header.trimEnd()} ${end}`);
  if (STACK_ADDRESS.test(trimmed(header)) || !/^[a-zA-Z. ()]{0,30}(?:\[0x[0-9a-f.,x]{1,40}\])?$/.test(end))
    return undefined;
  for (const joint of [' ', '']) {
    const joined = vmHeader(header + joint + end);
    if (joined !== undefined && WORDS.test(joined.words)) return joined;
  }
  return undefined;
}
