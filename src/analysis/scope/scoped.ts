/** A recording within a scope: the first stage of every question, shared by all questions with the same steps. */
import { MissingError, UsageError } from '../../base/errors.js';
import { type Note, note } from '../../base/note.js';
import { phrase, theView } from '../../base/phrase.js';
import { atOnce, type Steps, withPauses } from '../../base/progress.js';
import { formatCount, formatValue, plural } from '../../base/units.js';
import type { Heap } from '../../models/heap/heap.js';
import type { Locks } from '../../models/locks/locks.js';
import { type Stage, type StageUse, type Subject, use } from '../../models/open-recording.js';
import type { Moment } from '../../models/profile/moment.js';
import type { Profile } from '../../models/profile/profile.js';
import type { Program } from '../../models/program/program.js';
import type { Recording } from '../../models/recording.js';
import type { EventSpans, ScopeStep, ViewMode } from '../../models/scope.js';
import { isPartOfNames } from '../identity/named-functions.js';
import { previousOwnerNotes } from '../locks/previous-owners.js';
import { totalLength } from '../spans.js';
import { absentValueNotes } from './absent-values.js';
import { heapAt, resolveMoment } from './moment.js';
import { isFunctionStep } from './names/unknown-names.js';
import { withNumbers } from './processes.js';
import { scopeSteps } from './scope.js';
import { scopeLocks } from './scoped-locks.js';

/** A recording after its scope was applied. */
export interface ScopedRecording {
  readonly recording: Recording;
  readonly profile: Profile | undefined;
  /** The locks of the dumps in the scope. */
  readonly locks: Locks | undefined;
  /** The heap of the dump in the scope, else of the last one. */
  readonly heap: Heap | undefined;
  readonly dump: Moment;
  /** Kinds of events that the scope could not be applied to; also `locks`, `heap` and `calls` if it could not be applied to them. */
  readonly unscoped: ReadonlySet<string>;
  /** Whether no event is left. */
  readonly empty: boolean;
  /** The effects of the scope, as notes of a result. */
  readonly scopeNotes: readonly Note[];
}

/** Bytes of a scoped row and of a scoped frame: more than any table or trie takes. */
const ROW = 64;
const FRAME = 9;

const scopedStage: Stage<ScopedRecording, void> = {
  name: 'scope',
  version: 1,
  key: () => '',
  run: ([{ snapshot, scope }], _, __, work) => {
    const { recording } = snapshot;
    return withPauses(scopingSteps(recording, scope), work, 'scope', recording.profile?.stacks.length ?? 0);
  },
  bytes: ({ recording, profile }) => {
    if (profile === undefined || profile === recording.profile) return 0;
    const rows = profile.events.reduce((sum, { length }) => sum + length, 0);
    return rows * ROW + (profile.stacks === recording.profile?.stacks ? 0 : profile.stacks.length * FRAME);
  },
};

const MODE_NOTES: Readonly<Record<ViewMode, string>> = {
  user: 'Stacks are those of the program.',
  expert: 'Stacks are those of the program, native where the runtime system worked.',
  machine: 'Stacks are native.',
};

/** The subject with its scope applied. */
export function scopedUse(subject: Subject): StageUse<ScopedRecording> {
  return use(scopedStage, [subject], undefined);
}

/** Applies the steps. Throws `UsageError` for steps that need data which the recording does not have. */
export function scopeRecording(recording: Recording, steps: readonly ScopeStep[]): ScopedRecording {
  return atOnce(scopingSteps(recording, steps));
}

/** The same in parts. */
function* scopingSteps(recording: Recording, steps: readonly ScopeStep[]): Steps<ScopedRecording> {
  const { program, profile } = recording;
  const dump = resolveMoment(recording, steps);
  const { threads: lockThreads, ...seen } = scopeLocks(program, recording.locks, steps);
  const heap = heapAt(recording, dump);
  // Objects have a dump, but no other property to filter by; reported calls have none.
  const selects = steps.some(({ kind }) => kind !== 'dump');
  const beside = [
    ...(recording.locks !== undefined && !seen.scoped ? ['locks'] : []),
    ...(heap !== undefined && selects ? ['heap'] : []),
    ...(recording.callGraph !== undefined && selects ? ['calls'] : []),
  ];
  const parts = { recording, locks: seen.locks, heap, dump };
  if (profile === undefined || steps.length === 0)
    return { ...parts, profile, unscoped: new Set(beside), empty: false, scopeNotes: [] };
  const numbered = steps.map((step) => (step.kind === 'process' ? withNumbers(recording, step) : step));
  const scoped = yield* scopeSteps(program, profile, numbered, lockThreads);
  const filters = steps.some(({ kind }) => kind !== 'depth' && kind !== 'view-mode');
  const count = (tables: Profile['events']): number =>
    tables.reduce((sum, table) => sum + (scoped.unscoped.has(table.kind) ? 0 : table.length), 0);
  const kept = count(scoped.profile.events);
  const mode = steps.findLast((step) => step.kind === 'view-mode')?.mode;
  const depth = steps.find((step) => step.kind === 'depth');
  return {
    ...parts,
    profile: scoped.profile,
    unscoped: new Set([...scoped.unscoped, ...beside]),
    empty: kept === 0,
    scopeNotes: [
      ...spanNotes(steps),
      ...(steps.some(({ kind }) => kind === 'during') ? previousOwnerNotes(program, profile, scoped.profile) : []),
      ...steps.filter(isFunctionStep).flatMap(({ pattern }) => partNote(program, pattern)),
      ...(filters ? [scopeNote(kept, count(profile.events))] : []),
      ...(kept === 0 ? absentValueNotes(program, profile, steps) : []),
      ...(mode === undefined ? [] : [note('view-mode', MODE_NOTES[mode])]),
      ...(depth === undefined
        ? []
        : [
            note(
              'depths-differ',
              `Stacks are truncated to ${plural(depth.frames, 'frame')} for the comparison: the depth limits differ.`,
            ),
          ]),
    ],
  };
}

/** That a text is taken as a part of names of functions, where it is. */
export function partNote(program: Program, pattern: string): Note[] {
  if (!isPartOfNames(program, pattern)) return [];
  return [note('part-of-names', `No name matches ${pattern} as a pattern: it is taken as a part of names.`)];
}

/** How many events the scope is about, on how many threads, and how long they took together; its times of day: as notes of a result. */
export function spanNotes(steps: readonly ScopeStep[]): Note[] {
  return steps.flatMap((step) => {
    if (step.kind === 'time' && step.words !== undefined) return [note('time-of-day', `${step.words}.`)];
    return step.kind === 'during' && step.spans !== undefined ? spanNote(step.spans) : [];
  });
}

function spanNote({ name, count, untimed, ofThread, ofAll, together }: EventSpans): Note[] {
  const threads = ofThread.size === 0 ? '' : ` on ${plural(ofThread.size, 'thread')}`;
  const sum = [...ofThread.values(), ...(ofThread.size === 0 ? [ofAll] : [])].reduce(
    (all, spans) => all + totalLength(spans),
    0,
  );
  const inAll = ofThread.size > 1 ? `, ${formatValue(totalLength(together), 'ns')} by the clock` : '';
  const left = untimed === 0 ? '' : ` Without ${plural(untimed, 'event')} of unknown time.`;
  return [
    note('during', `During ${plural(count, 'event')} of ${name}${threads}: ${formatValue(sum, 'ns')}${inAll}.${left}`),
  ];
}

/** How much of the events the scope leaves, as a note of a result. */
export function scopeNote(kept: number, of: number): Note {
  const said = kept === 0 ? 'nothing matches.' : 'shares refer to these.';
  return note(
    kept === 0 ? 'scope-empty' : 'scope',
    `In scope: ${formatCount(kept)} of ${plural(of, 'event')}; ${said}`,
  );
}

/** The profile of a recording, or a usage error if it has none. */
export function requireProfile(input: Pick<ScopedRecording, 'profile' | 'recording'>): Profile {
  const { profile, recording } = input;
  if (profile !== undefined) return profile;
  throw new UsageError(`${recording.name} has no samples, counts or other events: it is ${recording.format}`, {
    code: 'no-events',
    advice:
      recording.callGraph === undefined
        ? phrase`${theView('summary')} shows what it has.`
        : phrase`\`calls\`, ${theView('tree')} and ${theView('callers')} answer questions about reported calls.`,
  });
}

/** The recording within a scope, for writing to a file; the recording itself if there are no steps. */
export function withinScope(
  recording: Recording,
  steps: readonly ScopeStep[],
): { readonly recording: Recording; readonly notes: readonly Note[] } {
  if (steps.length === 0) return { recording, notes: [] };
  if (recording.profile === undefined)
    throw new MissingError(`${recording.name} has no events to select from`, { code: 'no-events' });
  const { profile, locks, heap, dump, scopeNotes, unscoped } = scopeRecording(recording, steps);
  const left =
    unscoped.size === 0 ? [] : [note('unscoped', `Written in full, ignoring the scope: ${[...unscoped].join(', ')}.`)];
  // Residue belongs to all events of the file, so it is dropped.
  const scoped: Recording = {
    ...recording,
    ...(profile && { profile }),
    ...(locks && { locks }),
    ...(dump.moment !== undefined && recording.heaps && { heaps: heap === undefined ? [] : [heap] }),
    residue: undefined,
  };
  return { recording: scoped, notes: [...scopeNotes, ...left] };
}
