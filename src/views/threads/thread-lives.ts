/** Cells of `threads` from events of one recording: starts and ends of threads, and the CPU time that their load stands for. */
import type { ThreadTimes } from '../../analysis/threads/stages.js';
import { type Note, note } from '../../base/note.js';
import { threadName } from '../../models/profile/profile.js';
import type { ViewInput } from '../question.js';
import type { ThreadSheet } from './thread-sheet.js';

export interface LifeCells {
  /** Columns that the recording has anything for. */
  readonly columns: ReadonlySet<string>;
  readonly notes: readonly Note[];
  readonly cells: {
    readonly started_at: (i: number) => number | null;
    readonly ended_at: (i: number) => number | null;
    readonly lived: (i: number) => number | null;
    readonly started_by: (i: number) => string | null;
  };
  /** Of row `i`; null if unknown. */
  readonly cpu: (i: number) => number | null;
  readonly cpuShare: (i: number) => number | null;
}

const CPU_ESTIMATED = note(
  'cpu-estimated',
  'CPU is estimated by the recorded load of each thread; loads below 1 ms a period are missing.',
  { about: { column: 'cpu' } },
);

/** Of one recording; none of several, which have no `times`. */
export function lifeCells(
  { recording, profile }: Pick<ViewInput, 'recording' | 'profile'>,
  { shown: shownThreads }: ThreadSheet,
  times: ThreadTimes | undefined,
): LifeCells {
  const whole = times === undefined ? undefined : recording.profile;
  const { lives, cpu } = times ?? {};
  const at = (values: Float64Array | undefined) => (i: number) => {
    const value = values?.[shownThreads[i]] ?? Number.NaN;
    return Number.isNaN(value) ? null : value;
  };
  const [cpuOf, livedOf] = [at(cpu), at(lives?.lived)];
  return {
    columns: new Set([
      ...(lives === undefined ? [] : ['started_at', 'ended_at', 'lived', 'started_by']),
      ...(cpu === undefined ? [] : ['cpu']),
      ...(cpu === undefined || lives === undefined || profile !== whole ? [] : ['cpu_share']),
    ]),
    notes: cpu === undefined ? [] : [CPU_ESTIMATED],
    cells: {
      started_at: at(lives?.start),
      ended_at: at(lives?.end),
      lived: livedOf,
      started_by: (i) => {
        const parent = lives?.parent[shownThreads[i]] ?? -1;
        return whole === undefined || parent < 0 ? null : (threadName(whole, recording.program, parent) ?? null);
      },
    },
    cpu: cpuOf,
    cpuShare: (i) => {
      const [used, lived] = [cpuOf(i), livedOf(i)];
      return used === null || lived === null || lived <= 0 || profile !== whole ? null : used / lived;
    },
  };
}
