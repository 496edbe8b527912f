/**
 * Handles: short texts in the rows of answers that name what a row is about, so that the next question can be about exactly that.
 *
 *   function#1234-5f2a07bd      kind, row of its table, hash of its name
 *   stack#1234.3-5f2a07bd       what is no row of a table has several numbers
 *
 * In the snapshot that it comes from, a handle is this row. In another one, or another reading of the same input, rows have other numbers: there it
 * is the only one with the name, if there is one.
 */
import { hashBytes } from '../base/columns/hash.js';
import { UsageError } from '../base/errors.js';
import { encodeUtf8 } from '../base/text.js';

export const HANDLE_KINDS = ['function', 'thread', 'class', 'stack', 'site', 'place', 'lock', 'monitor'] as const;
export type HandleKind = (typeof HANDLE_KINDS)[number];

const FORM = /^\w+#(\d{1,10}(?:\.\d{1,10})*)-([0-9a-f]{8})$/;

/** What the text of a handle says. */
export interface HandleParts {
  /** The row, or several numbers. */
  readonly numbers: readonly number[];
  /** Hash of the name, 32 bits without sign. */
  readonly hash: number;
}

/** The handle of a row with a name. */
export function handleOf(kind: HandleKind, row: number, name: string): string {
  return handleOfParts(kind, { numbers: [row], hash: hashOfName(name) });
}

/** The handle of something with numbers. */
export function handleOfParts(kind: HandleKind, { numbers, hash }: HandleParts): string {
  return `${kind}#${numbers.join('.')}-${hash.toString(16).padStart(8, '0')}`;
}

/** What a handle of a kind says; undefined for all other texts. */
export function partsOfHandle(kind: HandleKind, text: string): HandleParts | undefined {
  const parts = text.startsWith(`${kind}#`) ? FORM.exec(text) : null;
  if (parts === null) return undefined;
  const [, numbers = '', digits = ''] = parts;
  return { numbers: numbers.split('.').map(Number), hash: Number.parseInt(digits, 16) };
}

/** Whether a text has the form of a handle of a kind. */
export function isHandle(kind: HandleKind, text: string): boolean {
  return partsOfHandle(kind, text) !== undefined;
}

/** The row that a handle of a kind names, of `length` rows with names; -1 if none, or several, may be meant; undefined for all other texts. */
export function rowOfHandle(
  kind: HandleKind,
  text: string,
  length: number,
  nameOf: (row: number) => string,
): number | undefined {
  const parts = partsOfHandle(kind, text);
  if (parts === undefined) return undefined;
  const { numbers, hash } = parts;
  const [row = length] = numbers;
  if (row < length && hashOfName(nameOf(row)) === hash) return row;
  let onlyRow = -1;
  for (let id = 0; id < length; id++) {
    if (hashOfName(nameOf(id)) !== hash) continue;
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

/** The hash of a name in a handle. */
export function hashOfName(name: string): number {
  const bytes = encodeUtf8(name);
  return hashBytes(bytes, 0, bytes.length) >>> 0;
}
