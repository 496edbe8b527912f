/** The dump of a question, resolved once for the events, the locks and the heaps of a recording. */
import { UsageError } from '../../base/errors.js';
import { plural } from '../../base/units.js';
import { DUMP } from '../../models/events/shared-fields.js';
import type { HeapGraph } from '../../models/heap/heap-graph.js';
import { lastDump, type Moment } from '../../models/profile/moment.js';
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

/** The dump that the steps ask for. Throws `UsageError` where they ask for two, or for one that is not there. */
export function resolveMoment(recording: Recording, steps: readonly ScopeStep[]): Moment {
  const moment = dumpOf(steps);
  const of = dumpCount(recording);
  if (moment === undefined || (moment >= 1 && moment <= of)) return { moment, of };
  const advice = of === 0 ? 'It has no dumps.' : `It has ${plural(of, 'dump')}, the first is 1.`;
  throw new UsageError(`${recording.name} has no dump ${moment}`, advice);
}

/** The dump that the steps ask for, whether it is there or not. */
function dumpOf(steps: readonly ScopeStep[]): number | undefined {
  const numbers = new Set(steps.flatMap((step) => (step.kind === 'dump' ? [step.number] : [])));
  if (numbers.size > 1) throw new UsageError('--dump can be given only once');
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
  return number < 2 ? steps : [...steps, { kind: 'dump', number }];
}

/** The heap of the dump, if it has one; without a dump, the last heap. */
export function heapAt({ heaps = [] }: Recording, { moment }: Moment): HeapGraph | undefined {
  return moment === undefined ? heaps.at(-1) : heaps.find(({ dump }) => dump === moment - 1);
}
