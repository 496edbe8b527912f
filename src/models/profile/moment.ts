/**
 * Dumps: moments at which a recorder wrote its state. Levels are true at one of them: the selected dump, or the last.
 * Flows start again after each dump, so they are summed, and views add a note.
 */
import { DUMP } from '../events/shared-fields.js';
import { type Column, columnOf, type Table } from '../table.js';
import type { Metric } from './profile.js';

/** The dump of a question. */
export interface Moment {
  /**
   * Number of the dump, from 1 on; `last`: of each kind of events its last; undefined if the question selects none: all dumps,
   * for levels the last.
   */
  readonly moment: number | 'last' | undefined;
  /** Number of dumps of the recording. */
  readonly of: number;
}

/** The last of the dumps that the rows of a table belong to; -1 if there are none. */
export function lastDump(dumps: Column): number {
  let last = -1;
  for (const dump of dumps) if (dump > last) last = dump;
  return last;
}

/** The dumps of a question, from 0 on, of something that has `count` dumps. */
export function chosenDumps({ moment }: Moment, count: number): readonly number[] {
  if (moment === undefined) return Array.from({ length: count }, (_, dump) => dump);
  return [moment === 'last' ? count - 1 : moment - 1];
}

/** Number of the dump that a level is shown for: the selected one, else the last with rows; 0 if there is none. */
export function shownDump({ moment }: Moment, dumps: Column): number {
  return typeof moment === 'number' ? moment : lastDump(dumps) + 1;
}

/** The dump of the table that gives a level: the last one. Undefined if all rows count. */
export function momentOf(metric: Metric, table: Table): { readonly dumps: Column; readonly last: number } | undefined {
  const dumps = metric.nature === 'level' ? columnOf(table, DUMP) : undefined;
  return dumps && { dumps, last: lastDump(dumps) };
}

/** Number of dumps that a metric is summed over: 1 for levels, and for events without dumps. */
export function summedDumps(metric: Metric, table: Table): number {
  const dumps = metric.nature === 'level' ? undefined : columnOf(table, DUMP);
  return dumps === undefined ? 1 : Math.max(1, new Set(dumps).size);
}
