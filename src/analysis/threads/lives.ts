/** When threads started and ended, who started them, and the CPU time that their load stands for. One pass over these events. */
import { NONE } from '../../base/flavor.js';
import { LIFE_STEPS, THREAD_LIFE_EVENTS, THREAD_LOAD_EVENTS } from '../../models/events/state.js';
import type { Profile } from '../../models/profile/profile.js';
import { timeSpan } from '../time-span.js';

export interface ThreadLives {
  /** In ns since the recording began; NaN of threads that started before it, or ended after it. */
  readonly start: Float64Array;
  readonly end: Float64Array;
  /** Thread that started it; -1 unknown. */
  readonly parent: Int32Array;
  /** ns of the recording in which the thread was alive, as far as its start and end are recorded. */
  readonly lived: Float64Array;
}

/** By thread; undefined if the profile has no starts and ends. */
export function threadLives(profile: Profile): ThreadLives | undefined {
  const events = THREAD_LIFE_EVENTS.of(profile);
  if (events === undefined) return undefined;
  const count = profile.threads?.length ?? 0;
  const unknown = (): Float64Array => new Float64Array(count).fill(Number.NaN);
  const [start, end] = [unknown(), unknown()];
  const parent = new Int32Array(count).fill(NONE);
  const begins = LIFE_STEPS.indexOf('start');
  for (let row = 0; row < events.length; row++) {
    const thread = events.thread[row];
    if (thread < 0 || thread >= count) continue;
    if (events.step[row] !== begins) end[thread] = events.time[row];
    else {
      start[thread] = events.time[row];
      parent[thread] = events.parent?.[row] ?? NONE;
    }
  }
  const last = timeSpan(profile, [])?.to ?? 0;
  const lived = start.map((from, thread) => {
    const to = Number.isNaN(end[thread]) ? last : end[thread];
    return Math.max(0, to - (Number.isNaN(from) ? 0 : from));
  });
  return { start, end, parent, lived };
}

/** Estimated CPU time in ns by thread, NaN of threads without load; undefined if the profile has none. */
export function loadTimes(profile: Profile): Float64Array | undefined {
  const loads = THREAD_LOAD_EVENTS.of(profile);
  if (loads?.cpu === undefined) return undefined;
  const times = new Float64Array(profile.threads?.length ?? 0).fill(Number.NaN);
  for (let row = 0; row < loads.length; row++) {
    const thread = loads.thread[row];
    if (thread >= 0 && thread < times.length)
      times[thread] = (Number.isNaN(times[thread]) ? 0 : times[thread]) + loads.cpu[row];
  }
  return times;
}
