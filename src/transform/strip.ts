/**
 * Selects the entries of a PGO profile to keep, with the reasons for removing others, and their names. Types and
 * methods without entries are removed (`subset` of the format): in real profiles more than nine of ten methods, and two
 * thirds of the file, without losing counts. Cost: a few passes over the columns.
 */
import { originOf } from '../analysis/origin.js';
import { applyScope } from '../analysis/scope/scope.js';
import { functionByStack, stacksThrough } from '../analysis/stacks/stack-values.js';
import { UsageError } from '../base/errors.js';
import { phrase, theTransform } from '../base/phrase.js';
import type { RecordingPart, Subset, WritableEntryKind } from '../formats/capabilities/entries.js';
import type { Format } from '../formats/format.js';
import { FORMATS, formatOf } from '../formats/registry.js';
import { countedRows, forEachSite } from '../models/events/counted.js';
import type { Profile } from '../models/profile/profile.js';
import type { Recording } from '../models/recording.js';
import type { ScopeStep } from '../models/scope.js';
import type { Table } from '../models/table.js';
import { type AnonymiseOptions, anonymise } from './anonymise.js';

/** A format whose recordings can be stripped. */
type StrippableFormat = Format & Required<Pick<Format, 'entries' | 'writer'>>;

export interface StripOptions {
  /** Kinds of entries to keep, by word; all if not given. */
  readonly kinds?: readonly string[];
  /** Entries with a smaller sum of counts are removed. */
  readonly minimum?: number;
  /** Entries outside of these steps are removed. */
  readonly scope?: readonly ScopeStep[];
  /** If false, entries with a frame of the profiler's own code are removed. */
  readonly profiler?: boolean;
}

/** Reasons for removing an entry, in the order of the tests. */
export const STRIP_REASONS = ['kind', 'scope', 'profiler', 'minimum'] as const;
export type StripReason = (typeof STRIP_REASONS)[number];

export interface SelectedKind extends WritableEntryKind {
  readonly before: number;
  readonly after: number;
  readonly gone: Readonly<Record<StripReason, number>>;
}

/** The entries to keep, and the reasons for removing others. */
interface Selection extends Pick<Subset, 'entries' | 'dropped'> {
  readonly kinds: readonly SelectedKind[];
  /** Kinds without contexts, by word: `scope` does not apply to them. */
  readonly unscoped: readonly string[];
}

/** A stripped profile that is not written yet. */
export interface StrippedRecording {
  /** The whole recording as read, except for names. */
  readonly whole: Recording;
  readonly part: RecordingPart;
}

/** Words of the kinds of entries to choose from. */
export function strippableKinds(): string[] {
  return [...new Set(FORMATS.filter(isStrippable).flatMap(({ entries }) => entries.kinds.map(({ word }) => word)))];
}

/** The format of a recording as it was read. Throws `UsageError` if it cannot be stripped. */
export function strippableFormat(recording: Recording): StrippableFormat {
  const format = formatOf(recording.format);
  if (format === undefined || !isStrippable(format)) {
    const endings = FORMATS.filter(isStrippable).flatMap(({ extensions }) => extensions);
    throw new UsageError(`${recording.name} is not a PGO profile`, {
      code: 'not-strippable',
      advice: phrase`Only .${endings.join(', .')} files can be stripped; to write a part of another recording, use ${theTransform('convert')} with a scope.`,
    });
  }
  if (recording.residue === undefined)
    throw new UsageError(
      `${recording.name} was not read from one file; only a profile read from a file can be stripped`,
      { code: 'not-strippable', advice: 'Write it to a file, open that file and strip it.' },
    );
  return format;
}

function isStrippable(format: Format): format is StrippableFormat {
  return format.entries !== undefined && format.writer !== undefined;
}

/** Throws `UsageError` for a recording that is not a PGO profile, for unknown kinds, and for an invalid scope. */
export function selectEntries(recording: Recording, options: StripOptions = {}): Selection {
  const names = strippableFormat(recording).entries.kinds;
  const known = names.map(({ word }) => word);
  const { program, profile } = recording;
  const { kinds = known, scope = [] } = options;
  const unknown = kinds.find((word) => !known.includes(word));
  if (unknown !== undefined)
    throw new UsageError(`${unknown} is unknown; expected one of ${known.join(', ')}`, { code: 'unknown-kind' });
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

/** Whether there were entries to choose from, and none is left. */
export function isEmptied({ kinds: all, unscoped }: Selection): boolean {
  const kinds = all.filter(({ word }) => !unscoped.includes(word));
  return kinds.some(({ before }) => before > 0) && kinds.every(({ after }) => after === 0);
}

/**
 * The entries of a selection, with the symbols they use. `names`: names are replaced by hashes, and data that the
 * format does not explain is removed, since it could contain names. Throws `UsageError` like `selectEntries` and
 * `anonymise`.
 */
export function stripRecording(
  recording: Recording,
  selection: Selection,
  names?: AnonymiseOptions,
): StrippedRecording {
  const { subset } = strippableFormat(recording).entries;
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

/** 1 for each stack with a frame of the profiler's own code: its callees were counted only because of the profiler. */
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
