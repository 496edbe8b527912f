/** Times of files that count from a clock's zero, as times since the recording began. */
import { TIME } from '../../models/events/shared-fields.js';
import { columnOf, type Table } from '../../models/table.js';

/** The table with times since `start`, in the unit of the table; the same table if it has no times. */
export function timesSince(table: Table, start: number): Table {
  const times = columnOf(table, TIME);
  if (times === undefined) return table;
  const columns = { ...table.columns, [TIME.key]: Float64Array.from(times, (time) => time - start) };
  return { ...table, columns };
}
