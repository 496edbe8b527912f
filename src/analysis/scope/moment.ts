/** The dump of a question, resolved once for the events, the locks and the heaps of a recording. */
import { UsageError } from '../../base/errors.js';
import { phrase, theStep } from '../../base/phrase.js';
import { plural } from '../../base/units.js';
import { CLASS_EVENTS } from '../../models/events/class.js';
import { DUMP } from '../../models/events/shared-fields.js';
import { STATE_EVENTS } from '../../models/events/state.js';
import type { Heap } from '../../models/heap/heap.js';
import { lastDump, type Moment } from '../../models/profile/moment.js';
import { eventTable } from '../../models/profile/profile.js';
import type { Recording } from '../../models/recording.js';
import type { ScopeStep } from '../../models/scope.js';
import { columnOf } from '../../models/table.js';

/** The number of dumps of a recording. One pass over the rows of its events. */
export function dumpCount({ profile, locks, heaps = [] }: Recording): number {
  const columns = profile?.events.flatMap((table) => columnOf(table, DUMP) ?? []) ?? [];
  const last = columns.reduce((most, dumps) => Math.max(most, lastDump(dumps)), -1);
  const heap = heaps.reduce((most, { dump }) => Math.max(most, dump), -1);
  return Math.max(last + 1, heap + 1, locks?.snapshots.length ?? 0);
}

/**
 * How many dumps a recording has of a kind of events, or of `locks`: as many as of all kinds, unless each kind numbers its
 * dumps by itself.
 */
export function dumpCountOf(recording: Recording, kind: string): number {
  const { dumpsByKind, profile, locks } = recording;
  if (dumpsByKind !== true) return dumpCount(recording);
  if (kind === 'locks' || kind === STATE_EVENTS.kind) return locks?.snapshots.length ?? 0;
  const table = profile && eventTable(profile, kind);
  const dumps = table && columnOf(table, DUMP);
  return dumps === undefined ? 0 : lastDump(dumps) + 1;
}

/** Throws `UsageError` where the question is about a dump that this kind of events does not have. */
export function requireDump(recording: Recording, { moment }: Moment, kind: string): void {
  const of = dumpCountOf(recording, kind);
  if (typeof moment !== 'number' || moment <= of) return;
  const advice = `It has ${counted(recording, kind)}${of === 0 ? '' : ', the first is 1'}.`;
  throw new UsageError(`${recording.name} has no ${NOUNS[kind] ?? 'dump'} ${moment}`, { code: 'no-dump', advice });
}

function counted(recording: Recording, kind: string): string {
  return plural(dumpCountOf(recording, kind), NOUNS[kind] ?? 'dump');
}

const NOUNS: Readonly<Record<string, string>> = {
  locks: 'thread dump',
  [STATE_EVENTS.kind]: 'thread dump',
  [CLASS_EVENTS.kind]: 'class histogram',
};

/** The dump that the steps select. Throws `UsageError` if they select two, or one that does not exist. */
export function resolveMoment(recording: Recording, steps: readonly ScopeStep[]): Moment {
  const moment = dumpOf(steps);
  const of = dumpCount(recording);
  if (typeof moment !== 'number' || (moment >= 1 && moment <= of)) return { moment, of };
  const { dumpsByKind = false } = recording;
  const has = dumpsByKind
    ? `${counted(recording, STATE_EVENTS.kind)} and ${counted(recording, CLASS_EVENTS.kind)}`
    : plural(of, 'dump');
  const advice = of === 0 ? 'It has no dumps.' : `It has ${has}, the first is 1.`;
  throw new UsageError(`${recording.name} has no dump ${moment}`, { code: 'no-dump', advice });
}

/** The dump that the steps select, whether it exists or not. */
function dumpOf(steps: readonly ScopeStep[]): number | 'last' | undefined {
  const numbers = new Set(steps.flatMap((step) => (step.kind === 'dump' ? [step.number] : [])));
  if (numbers.size > 1) throw new UsageError(phrase`${theStep('dump')} can be given only once`, { code: 'two-dumps' });
  return [...numbers][0];
}

/**
 * The steps of a recording that is compared with one under `others`: where only those name a dump, its last one is
 * meant, since a dump is compared with a dump and not with the sum of several.
 */
export function stepsBeside(
  recording: Recording,
  steps: readonly ScopeStep[],
  others: readonly ScopeStep[],
): readonly ScopeStep[] {
  if (dumpOf(others) === undefined || dumpOf(steps) !== undefined) return steps;
  const number = dumpCount(recording);
  return number < 2 ? steps : [...steps, { kind: 'dump', number: recording.dumpsByKind === true ? 'last' : number }];
}

/** The heap of the dump, if it has one; without a dump, the last heap. */
export function heapAt({ heaps = [] }: Recording, { moment }: Moment): Heap | undefined {
  return typeof moment !== 'number' ? heaps.at(-1) : heaps.find(({ dump }) => dump === moment - 1);
}
