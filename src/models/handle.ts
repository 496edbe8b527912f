/**
 * Handles: short texts in the rows of answers that name what a row is about, so that the next question can be about exactly that.
 *
 *   function#1234-5f2a07bd      kind, row of its table, hash of its name
 *
 * In the snapshot that it comes from, a handle is this row. In another one, or another reading of the same input, rows have other numbers: there it
 * is the only one with the name, if there is one.
 */
import { hashBytes } from '../base/columns/hash.js';
import { UsageError } from '../base/errors.js';
import { encodeUtf8 } from '../base/text.js';

export const HANDLE_KINDS = ['function', 'thread', 'class'] as const;
export type HandleKind = (typeof HANDLE_KINDS)[number];

const FORM = /^\w+#(\d{1,10})-([0-9a-f]{8})$/;

/** The handle of a row with a name. */
export function handleOf(kind: HandleKind, row: number, name: string): string {
  return `${kind}#${row}-${digitsOf(name)}`;
}

/** Whether a text has the form of a handle of a kind. */
export function isHandle(kind: HandleKind, text: string): boolean {
  return text.startsWith(`${kind}#`) && FORM.test(text);
}

/** The row that a handle of a kind names, of `length` rows with names; -1 if none, or several, may be meant; undefined for all other texts. */
export function rowOfHandle(
  kind: HandleKind,
  text: string,
  length: number,
  nameOf: (row: number) => string,
): number | undefined {
  if (!isHandle(kind, text)) return undefined;
  const [, digits, hash] = FORM.exec(text) ?? [];
  const row = Number(digits);
  if (row < length && digitsOf(nameOf(row)) === hash) return row;
  let onlyRow = -1;
  for (let id = 0; id < length; id++) {
    if (digitsOf(nameOf(id)) !== hash) continue;
    if (onlyRow >= 0) return -1;
    onlyRow = id;
  }
  return onlyRow;
}

/** The error for a handle that names nothing here. */
export function unknownHandle(text: string): UsageError {
  return new UsageError(`${text} is no handle of this recording`, {
    code: 'not-a-handle',
    advice: 'A handle is valid in the recording, and the snapshot of it, that an answer was about.',
  });
}

function digitsOf(name: string): string {
  const bytes = encodeUtf8(name);
  return (hashBytes(bytes, 0, bytes.length) >>> 0).toString(16).padStart(8, '0');
}
