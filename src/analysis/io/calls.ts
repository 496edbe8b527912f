/** What calls of input and output did: read, write, something else, or fail. */
import { IO_OPERATIONS, type IoEvents, type IoOperation } from '../../models/events/io.js';

/** A call that failed is of the last kind only. */
export const CALL_KINDS = ['read', 'write', 'other', 'error'] as const;
export type CallKind = (typeof CALL_KINDS)[number];

const READING: ReadonlySet<IoOperation | undefined> = new Set(['file-read', 'socket-read']);
const WRITING: ReadonlySet<IoOperation | undefined> = new Set(['file-write', 'socket-write']);

/** The kind of the call of a row. */
export function callKind({ operation, errors }: Pick<IoEvents, 'operation' | 'errors'>, row: number): CallKind {
  if (errors?.[row] === 1) return 'error';
  const name = IO_OPERATIONS[operation[row]];
  return READING.has(name) ? 'read' : WRITING.has(name) ? 'write' : 'other';
}

/** Bytes that the call of a row read or wrote. */
export function movedBytes({ read, written }: Pick<IoEvents, 'read' | 'written'>, row: number, kind: CallKind): number {
  if (kind === 'read') return read?.[row] ?? 0;
  return kind === 'write' ? (written?.[row] ?? 0) : 0;
}
