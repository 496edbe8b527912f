/** The processes of events, of recordings of several. */
import { NONE } from '../../base/flavor.js';
import { THREAD } from '../../models/events/shared-fields.js';
import type { Profile } from '../../models/profile/profile.js';
import { THREADS } from '../../models/profile/tables.js';
import { columnOf, type Table } from '../../models/table.js';

/** The number of the process of each row of a table of events, from 0; 0 if all are of one. */
export function processOfRow({ threads }: Profile, table: Table): (row: number) => number {
  const process = threads && THREADS.rows(threads).process;
  const thread = columnOf(table, THREAD);
  if (process === undefined || thread === undefined) return () => 0;
  return (row) => process[thread[row] ?? NONE] ?? 0;
}
