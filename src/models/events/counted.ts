/** Counted events: common columns of their kinds, for code that treats all alike. */
import { eventTable, type Profile } from '../profile/profile.js';
import type { Column, Table } from '../table.js';
import { optional, rowsOf, type TableRows } from '../table-kind.js';
import { BRANCH_EVENTS, INDEX, TARGET } from './branch.js';
import { CALL_EVENTS } from './call.js';
import { INSTANCEOF_EVENTS } from './instanceof.js';
import { RECEIVER_EVENTS } from './receiver.js';
import { SAMPLE_EVENTS } from './sample.js';
import { COUNT, SITE, STACK, TYPE } from './shared-fields.js';
import { SYNCHRONISATION_EVENTS } from './synchronisation.js';

/** The kinds of counted events, by their names. */
export const COUNTED_EVENTS = {
  call: CALL_EVENTS,
  branch: BRANCH_EVENTS,
  receiver: RECEIVER_EVENTS,
  instanceof: INSTANCEOF_EVENTS,
  synchronisation: SYNCHRONISATION_EVENTS,
  sample: SAMPLE_EVENTS,
} as const;
export type CountedKind = keyof typeof COUNTED_EVENTS;

const FIELDS = [STACK, optional(SITE), optional(TYPE), optional(TARGET), optional(INDEX), COUNT] as const;

/** Rows of any kind of counted events: `type` exists if classes are counted, `target` and `index` if branches are. */
export type CountedRows = TableRows<(typeof FIELDS)[number]>;

export function countedRows(table: Table): CountedRows {
  return rowsOf(table, FIELDS);
}

/** The counted events of a kind; undefined if the profile has none. */
export function countedEvents(profile: Profile | undefined, kind: CountedKind): CountedRows | undefined {
  const table = profile && eventTable(profile, COUNTED_EVENTS[kind].kind);
  return table && countedRows(table);
}

/** Rows grouped into entries by `site`. */
export interface SiteRows {
  readonly length: number;
  readonly stack: Column;
  readonly site?: Column | undefined;
}

/**
 * Calls `visit` for each run of rows with the same `site`: the records of one entry of the file. If the table has no
 * entries, each row is one.
 */
export function forEachSite(
  rows: SiteRows,
  visit: (site: number, stack: number, from: number, to: number) => void,
): void {
  const { length, site, stack } = rows;
  for (let from = 0; from < length; ) {
    let to = from + 1;
    if (site !== undefined) while (to < length && site[to] === site[from]) to++;
    visit(site === undefined ? from : site[from], stack[from], from, to);
    from = to;
  }
}
