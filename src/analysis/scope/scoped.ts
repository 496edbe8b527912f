/** A recording within a scope: the first stage of every question, made once for all questions with the same steps. */
import { MissingError, UsageError } from '../../base/errors.js';
import { formatCount, plural } from '../../base/units.js';
import { DUMP } from '../../models/events/shared-fields.js';
import type { Locks } from '../../models/locks/locks.js';
import { type Stage, type Subject, type Use, use } from '../../models/open-recording.js';
import { lastDump } from '../../models/profile/moment.js';
import type { Profile } from '../../models/profile/profile.js';
import type { Recording } from '../../models/recording.js';
import type { ScopeStep } from '../../models/scope.js';
import { columnOf } from '../../models/table.js';
import { applyScope, scopeLocks } from './scope.js';

/** What the scope left of a recording. */
export interface ScopedRecording {
  readonly recording: Recording;
  readonly profile: Profile | undefined;
  /** Of the dumps in the scope. */
  readonly locks: Locks | undefined;
  /** Number of the dump that the scope asks for, from 1 on; undefined where it does not. */
  readonly dump: number | undefined;
  /** Tables of events that the scope could not be applied to; `locks` where that is so of the locks. */
  readonly unscoped: ReadonlySet<string>;
  /** What the scope did, in words for the notes of a result. */
  readonly scopeNotes: readonly string[];
}

/** Bytes of a scoped row and of a scoped frame: more than any table or trie takes. */
const ROW = 64;
const FRAME = 9;

const scopedStage: Stage<ScopedRecording, void> = {
  name: 'scope',
  version: 1,
  key: () => '',
  run: ([{ snapshot, scope }]) => scopeRecording(snapshot.recording, scope),
  bytes: ({ recording, profile }) => {
    if (profile === undefined || profile === recording.profile) return 0;
    const rows = profile.events.reduce((sum, { length }) => sum + length, 0);
    return rows * ROW + (profile.stacks === recording.profile?.stacks ? 0 : profile.stacks.length * FRAME);
  },
};

/** The subject with its scope applied. */
export function scopedUse(subject: Subject): Use<ScopedRecording> {
  return use(scopedStage, [subject], undefined);
}

/** Applies the steps. Throws `UsageError` for steps that the recording has nothing for. */
export function scopeRecording(recording: Recording, steps: readonly ScopeStep[]): ScopedRecording {
  const { program, profile } = recording;
  const dump = dumpOf(steps);
  const seen = recording.locks && scopeLocks(recording.locks, steps);
  const locks = seen?.locks;
  const unscoped: ReadonlySet<string> = new Set(seen?.scoped === false ? ['locks'] : []);
  if (profile === undefined || steps.length === 0) return { recording, profile, locks, dump, unscoped, scopeNotes: [] };
  refuseMissingDump(recording, dump);
  const beside = (recording.heaps?.length ?? 0) + (locks?.snapshots.length ?? 0);
  const scoped = applyScope(program, profile, steps, beside);
  const count = (tables: Profile['events']): number =>
    tables.reduce((sum, table) => sum + (scoped.unscoped.has(table.kind) ? 0 : table.length), 0);
  const kept = formatCount(count(scoped.profile.events));
  const note = `Within the scope: ${kept} of ${plural(count(profile.events), 'event')}; shares are of these.`;
  return {
    recording,
    profile: scoped.profile,
    locks,
    dump,
    unscoped: new Set([...scoped.unscoped, ...unscoped]),
    scopeNotes: [note],
  };
}

/** The profile of a recording, or a usage error where it has none. */
export function requireProfile(input: Pick<ScopedRecording, 'profile' | 'recording'>): Profile {
  if (input.profile === undefined) throw new UsageError(`${input.recording.name} has no profile to answer this from`);
  return input.profile;
}

/** The recording within a scope, as it is written to a file; itself where there are no steps. */
export function withinScope(
  recording: Recording,
  steps: readonly ScopeStep[],
): { readonly recording: Recording; readonly notes: readonly string[] } {
  if (steps.length === 0) return { recording, notes: [] };
  if (recording.profile === undefined) throw new MissingError(`${recording.name} has no events to select from`);
  const { profile, scopeNotes, unscoped } = scopeRecording(recording, steps);
  const left = unscoped.size === 0 ? [] : [`Written without regard to the scope: ${[...unscoped].join(', ')}.`];
  // What the file had beyond the models is of all its events.
  const scoped: Recording = { ...recording, ...(profile === undefined ? {} : { profile }), residue: undefined };
  return { recording: scoped, notes: [...scopeNotes, ...left] };
}

/** Asking for a missing dump is an error, not an empty result. One without any dumps is refused by the scope itself. */
function refuseMissingDump(recording: Recording, dump: number | undefined): void {
  if (dump === undefined) return;
  const dumps = recording.profile?.events.flatMap((table) => columnOf(table, DUMP) ?? []) ?? [];
  const last = dumps.reduce((most, values) => Math.max(most, lastDump(values)), -1);
  const count = Math.max(last + 1, recording.heaps?.length ?? 0, recording.locks?.snapshots.length ?? 0);
  if (count > 0 && (dump < 1 || dump > count))
    throw new UsageError(`${recording.name} has no dump ${dump}`, `It has ${plural(count, 'dump')}, the first is 1.`);
}

/** The dump that the steps ask for; a usage error where they ask for two. */
function dumpOf(steps: readonly ScopeStep[]): number | undefined {
  const numbers = new Set(steps.flatMap((step) => (step.kind === 'dump' ? [step.number] : [])));
  if (numbers.size > 1) throw new UsageError('one dump at a time can be asked for');
  return [...numbers][0];
}
