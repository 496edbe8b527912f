/** Rows of the tables that have dumps. */
import { rowsWhere } from '../../base/columns/marks.js';
import type { Column } from '../../models/table.js';

/** The rows of a dump. */
export function ofDumps(dumps: Column, dump: number): Int32Array {
  return rowsWhere(dumps.length, (row) => dumps[row] === dump);
}
