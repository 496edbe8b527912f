/**
 * Which entries of a PGO profile stay when it is stripped, and why the others go. Types and methods go when no entry names
 * them any more (`subsetIprof`): in real profiles more than nine of ten methods, and two thirds of the file, although
 * nothing of what was counted does. Cost: a few passes over the columns.
 */

import { originOf } from '../analysis/origin.js';
import { applyScope } from '../analysis/scope/scope.js';
import { functionByStack, stacksThrough } from '../analysis/stacks/stack-values.js';
import { UsageError } from '../base/errors.js';
import { ENTRY_KINDS, entryEvents, entryKindOf } from '../formats/iprof/entry-events.js';
import type { EntryKind } from '../formats/iprof/rows.js';
import { forEachSite } from '../models/events/counted.js';
import type { Profile } from '../models/profile/profile.js';
import type { Recording } from '../models/recording.js';
import type { ScopeStep } from '../models/scope.js';
import type { Table } from '../models/table.js';

export interface StripOptions {
  /** Kinds of entries that stay; all where it is not given. */
  readonly kinds?: readonly EntryKind[];
  /** Entries whose counts sum to less go. */
  readonly minimum?: number;
  /** Entries that do not pass these go. */
  readonly scope?: readonly ScopeStep[];
  /** Entries with a frame of the profiler's own code go. */
  readonly profiler?: boolean;
}

/** Why an entry goes, in the order in which the reasons are tried. */
export const STRIP_REASONS = ['kind', 'scope', 'profiler', 'minimum'] as const;
export type StripReason = (typeof STRIP_REASONS)[number];

export interface SelectedKind {
  readonly kind: EntryKind;
  readonly before: number;
  readonly gone: Readonly<Record<StripReason, number>>;
}

/** Which entries stay, and why others do not. */
export interface Selection {
  /** By kind, 1 for each entry that stays. */
  readonly entries: ReadonlyMap<EntryKind, Uint8Array>;
  /** Kinds that do not stay at all. */
  readonly dropped: ReadonlySet<EntryKind>;
  readonly kinds: readonly SelectedKind[];
  /** Kinds that no option of `scope` could be applied to: they have no contexts. */
  readonly unscoped: readonly string[];
}

/** Throws `UsageError` for a recording that is no `.iprof`, and for a scope that is none. */
export function selectEntries(recording: Recording, options: StripOptions): Selection {
  if (recording.format !== 'iprof')
    throw new UsageError(
      `${recording.name} is no PGO profile`,
      'Only .iprof files are stripped; `convert` with a scope writes a part of other recordings.',
    );
  const { program, profile } = recording;
  const { kinds = ENTRY_KINDS, scope = [] } = options;
  const scoped = profile === undefined || scope.length === 0 ? undefined : applyScope(program, profile, scope);
  const noise = options.profiler === false && profile !== undefined ? profilersOwn(recording, profile) : undefined;
  const entries = new Map<EntryKind, Uint8Array>();
  const told: SelectedKind[] = [];
  for (const table of profile?.events ?? []) {
    const kind = entryKindOf(table.kind);
    if (kind === undefined) continue;
    const inScope = scoped?.profile.events.find((other) => other.kind === table.kind);
    const { marks, gone, before } = entriesOf(table, {
      kind: kinds.includes(kind),
      scope: inScope === undefined ? undefined : sitesOf(inScope, table),
      noise,
      minimum: options.minimum,
    });
    entries.set(kind, marks);
    told.push({ kind, before, gone });
  }
  return {
    entries,
    dropped: new Set(ENTRY_KINDS.filter((kind) => !kinds.includes(kind))),
    kinds: told,
    unscoped: [...(scoped?.unscoped ?? [])].map((kind) => entryKindOf(kind) ?? kind),
  };
}

/** The entries that a scope left of a table. */
function sitesOf(scoped: Table, whole: Table): Uint8Array {
  const marks = new Uint8Array(siteCount(whole));
  for (const site of entryEvents(scoped).site) marks[site] = 1;
  return marks;
}

function siteCount(table: Table): number {
  return table.length === 0 ? 0 : entryEvents(table).site[table.length - 1] + 1;
}

/** 1 for each stack with a frame of the profiler's own code: what that calls is counted for its sake only. */
function profilersOwn({ program }: Recording, { stacks }: Profile): Uint8Array {
  const own = Uint8Array.from({ length: program.functions.length }, (_, id) =>
    originOf(program, id) === 'profiler' ? 1 : 0,
  );
  return stacksThrough(stacks, functionByStack(stacks, program), own);
}

interface Tests {
  readonly kind: boolean;
  readonly scope: Uint8Array | undefined;
  readonly noise: Uint8Array | undefined;
  readonly minimum: number | undefined;
}

function entriesOf(table: Table, tests: Tests) {
  const marks = new Uint8Array(siteCount(table));
  const gone: Record<StripReason, number> = { kind: 0, scope: 0, profiler: 0, minimum: 0 };
  const entries = entryEvents(table);
  const { count } = entries;
  let before = 0;
  forEachSite(entries, (site, stack, from, to) => {
    before++;
    let sum = 0;
    for (let row = from; row < to; row++) sum += count[row];
    if (!tests.kind) gone.kind++;
    else if (tests.scope !== undefined && tests.scope[site] === 0) gone.scope++;
    else if (stack >= 0 && tests.noise?.[stack] === 1) gone.profiler++;
    else if (tests.minimum !== undefined && sum < tests.minimum) gone.minimum++;
    else marks[site] = 1;
  });
  return { marks, gone, before };
}
