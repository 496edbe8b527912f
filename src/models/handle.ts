/**
 * Handles: short texts in the rows of answers that name what a row is about, so that the next question can be about exactly that. A handle is
 * valid in the snapshot that it comes from.
 *
 *   function#1234-5f2a      kind, row of its table, four digits of the hash of its name
 *
 * The digits tell a handle of another recording or snapshot, whose row may be anything, from one of this.
 */
import { hashBytes } from '../base/columns/hash.js';
import { UsageError } from '../base/errors.js';
import { encodeUtf8 } from '../base/text.js';

export const HANDLE_KINDS = ['function', 'thread', 'class'] as const;
export type HandleKind = (typeof HANDLE_KINDS)[number];

const DIGITS = 4;
const FORM = /^\w+#(\d{1,10})-([0-9a-f]{4})$/;

/** The handle of a row with a name. */
export function handleOf(kind: HandleKind, row: number, name: string): string {
  return `${kind}#${row}-${digitsOf(name)}`;
}

/** Whether a text has the form of a handle of a kind. */
export function isHandle(kind: HandleKind, text: string): boolean {
  return text.startsWith(`${kind}#`) && FORM.test(text);
}

/**
 * The row that a handle of a kind names; undefined for all other texts. `nameOf`: the name of a row, one of `length`. Throws `UsageError` for a handle
 * of another recording or snapshot.
 */
export function rowOfHandle(
  kind: HandleKind,
  text: string,
  length: number,
  nameOf: (row: number) => string,
): number | undefined {
  if (!isHandle(kind, text)) return undefined;
  const [, digits, check] = FORM.exec(text) ?? [];
  const row = Number(digits);
  if (row < length && digitsOf(nameOf(row)) === check) return row;
  throw new UsageError(
    `${text} is no handle of this recording`,
    'A handle is valid in the recording, and the snapshot of it, that an answer was about.',
  );
}

/** 16 bits of all 32. */
function digitsOf(name: string): string {
  const bytes = encodeUtf8(name);
  const hash = hashBytes(bytes, 0, bytes.length);
  return ((hash ^ (hash >>> 16)) & 0xffff).toString(16).padStart(DIGITS, '0');
}
