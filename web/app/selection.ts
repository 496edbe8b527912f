/** What a row of an answer stands for. */
import type { ResultRow } from '../../src/pictures/cells.js';
import type { FunctionSelection } from './store.js';

/** The function that a row stands for; undefined if for none. */
export function selectionOf(row: ResultRow): FunctionSelection | undefined {
  const name = row.function ?? row.method;
  if (typeof name !== 'string' || name === '') return undefined;
  return { name, handle: typeof row.handle === 'string' ? row.handle : name };
}
