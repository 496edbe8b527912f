/**
 * Entries of the sections of an `.iprof` file as event tables: the kinds of events of each, and their common columns.
 */
import { BRANCH_EVENTS, INDEX, TARGET } from '../../models/events/branch.js';
import { CALL_EVENTS } from '../../models/events/call.js';
import { INSTANCEOF_EVENTS } from '../../models/events/instanceof.js';
import { RECEIVER_EVENTS } from '../../models/events/receiver.js';
import { SAMPLE_EVENTS } from '../../models/events/sample.js';
import { COUNT, SITE, STACK, TYPE } from '../../models/events/shared-fields.js';
import { SYNCHRONISATION_EVENTS } from '../../models/events/synchronisation.js';
import { eventTable, type Profile } from '../../models/profile/profile.js';
import type { Table } from '../../models/table.js';
import { type Contract, optional, rowsOf, type TableRows } from '../../models/table-kind.js';
import type { EntryKind } from './rows.js';

/** Sections with entries, by their words, and the kind of events of their entries. */
export const ENTRY_EVENTS: Readonly<Record<EntryKind, Contract>> = {
  call: CALL_EVENTS,
  branch: BRANCH_EVENTS,
  receiver: RECEIVER_EVENTS,
  instanceof: INSTANCEOF_EVENTS,
  monitor: SYNCHRONISATION_EVENTS,
  sample: SAMPLE_EVENTS,
};

export const ENTRY_KINDS = ['call', 'branch', 'receiver', 'instanceof', 'monitor', 'sample'] as const;

/** The section that holds events of a kind; undefined if none does. */
export function entryKindOf(eventKind: string): EntryKind | undefined {
  return ENTRY_KINDS.find((kind) => ENTRY_EVENTS[kind].kind === eventKind);
}

/** The event table of the entries of a section, if the profile has one. */
export function entryTable(profile: Profile | undefined, kind: EntryKind): Table | undefined {
  return profile && eventTable(profile, ENTRY_EVENTS[kind].kind);
}

const FIELDS = [STACK, SITE, optional(TYPE), optional(TARGET), optional(INDEX), COUNT] as const;

/** Entries of any section as they are read: the rows of one `site` are the records of one entry. */
export type EntryEvents = TableRows<(typeof FIELDS)[number]>;

export function entryEvents(table: Table): EntryEvents {
  return rowsOf(table, FIELDS);
}

/** The entries of a section; undefined if the profile has none. */
export function entriesOf(profile: Profile | undefined, kind: EntryKind): EntryEvents | undefined {
  const table = entryTable(profile, kind);
  return table && entryEvents(table);
}
