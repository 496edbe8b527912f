/** Levels are true at a moment: of the dumps that a table is of, the last one that is left counts. */
import { DUMP } from '../events/shared-fields.js';
import { type Column, columnOf, type Table } from '../table.js';
import type { Metric } from './profile.js';

/** The last of the dumps that the rows of a table belong to; -1 where there are none. */
export function lastDump(dumps: Column): number {
  let last = -1;
  for (const dump of dumps) if (dump > last) last = dump;
  return last;
}

/** The dump whose rows of its table a level is told by: the last one there is. Undefined where all rows count. */
export function momentOf(metric: Metric, table: Table): { readonly dumps: Column; readonly last: number } | undefined {
  const dumps = metric.nature === 'level' ? columnOf(table, DUMP) : undefined;
  return dumps && { dumps, last: lastDump(dumps) };
}
