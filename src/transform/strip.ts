/**
 * A PGO profile without what is not needed: which entries stay and why the others go, under which names. Types and methods
 * go when no entry names them any more (the format's `subset`): in real profiles more than nine of ten methods, and two
 * thirds of the file, although nothing of what was counted does. Cost: a few passes over the columns.
 */

import { originOf } from '../analysis/origin.js';
import { applyScope } from '../analysis/scope/scope.js';
import { functionByStack, stacksThrough } from '../analysis/stacks/stack-values.js';
import { UsageError } from '../base/errors.js';
import type { EntryName, Format, Part, Subset } from '../formats/format.js';
import { FORMATS, formatOf } from '../formats/registry.js';
import { countedRows, forEachSite } from '../models/events/counted.js';
import type { Profile } from '../models/profile/profile.js';
import type { Recording } from '../models/recording.js';
import type { ScopeStep } from '../models/scope.js';
import type { Table } from '../models/table.js';
import { type AnonymiseOptions, anonymise } from './anonymise.js';

/** A format whose recordings can be stripped. */
type StrippableFormat = Format &
  Required<Pick<Format, 'entryNames' | 'fileSize' | 'prove' | 'subset' | 'unexplained' | 'write'>>;

export interface StripOptions {
  /** Words of the kinds of entries that stay; all where it is not given. */
  readonly kinds?: readonly string[];
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

export interface SelectedKind extends EntryName {
  readonly before: number;
  readonly after: number;
  readonly gone: Readonly<Record<StripReason, number>>;
}

/** Which entries stay, and why others do not. */
interface Selection extends Pick<Subset, 'entries' | 'dropped'> {
  readonly kinds: readonly SelectedKind[];
  /** Words of the kinds that no step of `scope` could be applied to: they have no contexts. */
  readonly unscoped: readonly string[];
}

/** A profile that was stripped, but not written yet. */
export interface StrippedRecording {
  /** What the part was taken from: as it was read, but for its names. */
  readonly whole: Recording;
  readonly part: Part;
}

/** Words of the kinds of entries that can be chosen from. */
export function strippableKinds(): string[] {
  return [...new Set(FORMATS.filter(isStrippable).flatMap(({ entryNames }) => entryNames.map(({ word }) => word)))];
}

/** The format of a recording as it was read. Throws `UsageError` where it is not of a kind that can be stripped. */
export function strippableFormat(recording: Recording): StrippableFormat {
  const format = formatOf(recording.format);
  if (format === undefined || !isStrippable(format)) {
    const endings = FORMATS.filter(isStrippable).flatMap(({ extensions }) => extensions);
    throw new UsageError(
      `${recording.name} is no PGO profile`,
      `Only .${endings.join(', .')} files are stripped; \`convert\` with a scope writes a part of other recordings.`,
    );
  }
  if (recording.residue === undefined)
    throw new UsageError(
      `${recording.name} is not as it stood in a file: only such profiles are stripped`,
      'Write it, open what was written and strip that.',
    );
  return format;
}

function isStrippable(format: Format): format is StrippableFormat {
  const { entryNames, fileSize, prove, subset, unexplained, write } = format;
  return [entryNames, fileSize, prove, subset, unexplained, write].every((capability) => capability !== undefined);
}

/** Throws `UsageError` for a recording that is no PGO profile, for kinds that it cannot have, and for a scope that is none. */
export function selectEntries(recording: Recording, options: StripOptions = {}): Selection {
  const names = strippableFormat(recording).entryNames;
  const known = names.map(({ word }) => word);
  const { program, profile } = recording;
  const { kinds = known, scope = [] } = options;
  const unknown = kinds.find((word) => !known.includes(word));
  if (unknown !== undefined) throw new UsageError(`${unknown} is unknown; expected one of ${known.join(', ')}`);
  const scoped = profile === undefined || scope.length === 0 ? undefined : applyScope(program, profile, scope);
  const noise = options.profiler === false && profile !== undefined ? profilersOwn(recording, profile) : undefined;
  const entries = new Map<string, Uint8Array>();
  const selected: SelectedKind[] = [];
  for (const table of profile?.events ?? []) {
    const name = names.find(({ kind }) => kind === table.kind);
    if (name === undefined) continue;
    const inScope = scoped?.profile.events.find(({ kind }) => kind === table.kind);
    const { marks, ...counts } = entriesOf(table, {
      kind: kinds.includes(name.word),
      scope: inScope === undefined ? undefined : sitesOf(inScope, table),
      noise,
      minimum: options.minimum,
    });
    entries.set(name.word, marks);
    selected.push({ ...name, ...counts });
  }
  return {
    entries,
    dropped: new Set(known.filter((word) => !kinds.includes(word))),
    kinds: selected,
    unscoped: [...(scoped?.unscoped ?? [])].map((kind) => names.find((name) => name.kind === kind)?.word ?? kind),
  };
}

/** Whether there were entries, and none is left of those that could be chosen from. */
export function isEmptied({ kinds: all, unscoped }: Selection): boolean {
  const kinds = all.filter(({ word }) => !unscoped.includes(word));
  return kinds.some(({ before }) => before > 0) && kinds.every(({ after }) => after === 0);
}

/**
 * The entries of a selection, with the symbols that they name. `names`: hashes take the place of names, and what the format
 * does not explain goes, since it could hold names. Throws `UsageError` as `selectEntries` and `anonymise` do.
 */
export function stripRecording(
  recording: Recording,
  selection: Selection,
  names?: AnonymiseOptions,
): StrippedRecording {
  const { subset } = strippableFormat(recording);
  const whole = names === undefined ? recording : { ...recording, program: anonymise(recording.program, names) };
  return { whole, part: subset(whole, { ...selection, unexplained: names === undefined }) };
}

/** The entries that a scope left of a table. */
function sitesOf(scoped: Table, whole: Table): Uint8Array {
  const marks = new Uint8Array(siteCount(whole));
  forEachSite(countedRows(scoped), (site) => {
    marks[site] = 1;
  });
  return marks;
}

function siteCount(table: Table): number {
  const { site, length } = countedRows(table);
  if (length === 0 || site === undefined) return length;
  return site[length - 1] + 1;
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
  const entries = countedRows(table);
  const { count } = entries;
  let before = 0;
  let after = 0;
  forEachSite(entries, (site, stack, from, to) => {
    before++;
    let sum = 0;
    for (let row = from; row < to; row++) sum += count[row];
    if (!tests.kind) gone.kind++;
    else if (tests.scope !== undefined && tests.scope[site] === 0) gone.scope++;
    else if (stack >= 0 && tests.noise?.[stack] === 1) gone.profiler++;
    else if (tests.minimum !== undefined && sum < tests.minimum) gone.minimum++;
    else {
      marks[site] = 1;
      after++;
    }
  });
  return { marks, gone, before, after };
}
