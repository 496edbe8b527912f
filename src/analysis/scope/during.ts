/**
 * Keeps what happened during events: on the thread of each from its begin to its end, and what stopped all threads meanwhile.
 *
 *   thread A   ├─ request ─┤   ├── request ──┤      samples, waits and events that begin in the spans of their own thread
 *   thread B        ├─ request ─┤
 *   the VM     ├ pause ┤            ├ pause ┤       pauses, safepoints and collections that overlap a span of any thread
 */
import { GC_EVENTS, GC_PHASE_EVENTS } from '../../models/events/gc.js';
import { THREAD, TIME } from '../../models/events/shared-fields.js';
import { mapTables, type Profile } from '../../models/profile/profile.js';
import { threadLabel } from '../../models/profile/thread-label.js';
import type { Program } from '../../models/program/program.js';
import type { EventSpans, TimeSpans } from '../../models/scope.js';
import { overlaps } from '../spans.js';
import { durationsOf } from '../time-span.js';
import { InapplicableError } from './inapplicable.js';
import { keptRows } from './kept-rows.js';
import { filterColumn } from './rewrite.js';

/** Events of these kinds are of the whole program, whichever thread of the VM has them. */
const OF_PROGRAM: readonly string[] = [GC_EVENTS.kind, GC_PHASE_EVENTS.kind];

/**
 * Keeps the rows in the spans. Kinds of events without times stay whole, and are added to `unscoped`. Of kinds without threads, events that overlap a
 * span stay; they are added to `unscoped` if the spans are of threads. Throws `InapplicableError` if no events have times.
 */
export function keepDuring(program: Program, profile: Profile, spans: EventSpans, unscoped: Set<string>): Profile {
  const ofThread = spansOfThreads(program, profile, spans);
  let isApplicable = false;
  const selected = mapTables(profile, (table) => {
    const times = filterColumn(table, TIME);
    if (times === undefined) {
      unscoped.add(table.kind);
      return table;
    }
    if (profile.events.includes(table)) isApplicable = true;
    const threads = filterColumn(table, THREAD);
    const isOfProgram = table.isOfAllThreads === true || OF_PROGRAM.includes(table.kind);
    if (!isOfProgram && threads !== undefined)
      return keptRows(table, (row) => overlaps(ofThread(threads[row]), times[row], 0));
    if (!isOfProgram && spans.ofThread.size > 0) unscoped.add(table.kind);
    const durations = durationsOf(table);
    return keptRows(table, (row) => overlaps(spans.together, times[row], Math.max(0, durations?.[row] ?? 0)));
  });
  if (isApplicable) return selected;
  throw new InapplicableError('this recording has no times to select by', { code: 'step-not-applicable' });
}

/** By thread: the spans of its own events, and of those that have no thread. */
function spansOfThreads(
  program: Program,
  profile: Profile,
  { ofThread, ofAll }: EventSpans,
): (id: number) => TimeSpans {
  const count = profile.threads?.length ?? 0;
  const byThread = Array.from(
    { length: count },
    (_, id) => ofThread.get(threadLabel(profile, program, id) ?? '') ?? ofAll,
  );
  return (id) => byThread[id] ?? ofAll;
}
