/** Entries of the sections of an `.iprof` file as event tables: the kind of events of each. */
import { eventTable, type Profile } from '../../models/profile/profile.js';
import type { Table } from '../../models/table.js';
import type { EntryKind } from './rows.js';

/** Sections with entries, by the words that stand for them, and the kind of events that their entries are. */
export const ENTRY_EVENTS: Readonly<Record<EntryKind, Pick<Table, 'kind'>>> = {
  call: { kind: 'call' },
  branch: { kind: 'branch' },
  receiver: { kind: 'receiver' },
  instanceof: { kind: 'instanceof' },
  monitor: { kind: 'monitor' },
  sample: { kind: 'sample' },
};

export const ENTRY_KINDS = ['call', 'branch', 'receiver', 'instanceof', 'monitor', 'sample'] as const;

/** The section that holds events of a kind; undefined where none does. */
export function entryKindOf(eventKind: string): EntryKind | undefined {
  return ENTRY_KINDS.find((kind) => ENTRY_EVENTS[kind].kind === eventKind);
}

/** The event table of the entries of a section, if the profile has one. */
export function entryTable(profile: Profile | undefined, kind: EntryKind): Table | undefined {
  return profile && eventTable(profile, ENTRY_EVENTS[kind].kind);
}
