/**
 * Dumps: moments at which a recorder wrote what it had. Levels are true at one of them, so of several the one that is
 * asked for counts, else the last; flows began again after each, so they are summed, and views say so.
 */
import { DUMP } from '../events/shared-fields.js';
import { type Column, columnOf, type Table } from '../table.js';
import type { Metric } from './profile.js';

/** Which dump a question is about. */
export interface Moment {
  /** Number of the dump, from 1 on; undefined where the question names none: all of them, of levels the last. */
  readonly moment: number | undefined;
  /** How many dumps the recording has. */
  readonly of: number;
}

/** The last of the dumps that the rows of a table belong to; -1 where there are none. */
export function lastDump(dumps: Column): number {
  let last = -1;
  for (const dump of dumps) if (dump > last) last = dump;
  return last;
}

/** Number of the dump that a level is shown of: the one that is asked for, else the last that has rows; 0 where none has. */
export function shownDump({ moment }: Moment, dumps: Column): number {
  return moment ?? lastDump(dumps) + 1;
}

/** The dump whose rows of its table a level is told by: the last one there is. Undefined where all rows count. */
export function momentOf(metric: Metric, table: Table): { readonly dumps: Column; readonly last: number } | undefined {
  const dumps = metric.nature === 'level' ? columnOf(table, DUMP) : undefined;
  return dumps && { dumps, last: lastDump(dumps) };
}

/** How many dumps the values of a metric are summed over: 1 for levels, and where its events know no dumps. */
export function summedDumps(metric: Metric, table: Table): number {
  const dumps = metric.nature === 'level' ? undefined : columnOf(table, DUMP);
  return dumps === undefined ? 1 : Math.max(1, new Set(dumps).size);
}
