/** The rows of a table that a step keeps. */
import { selectRows, type Table } from '../../models/table.js';

/** The table with the rows that are kept; the table itself if all are. */
export function keptRows(table: Table, isKept: (row: number) => boolean): Table {
  const rows = new Int32Array(table.length);
  let count = 0;
  for (let row = 0; row < table.length; row++) if (isKept(row)) rows[count++] = row;
  return count === table.length ? table : selectRows(table, rows.subarray(0, count));
}
