/** Names of tracks, of counters and of ranges, that several formats and views know. Tracks of other names are shown as they are. */
import type { Unit } from '../../base/units.js';

export interface CounterTrack {
  readonly name: string;
  readonly unit: Unit;
}

export const COUNTER_TRACKS = {
  heapUsed: { name: 'Heap used', unit: 'bytes' },
  jvmUser: { name: 'CPU of the JVM, user', unit: 'ratio' },
  jvmSystem: { name: 'CPU of the JVM, system', unit: 'ratio' },
  machine: { name: 'CPU of the machine', unit: 'ratio' },
  resident: { name: 'Resident memory', unit: 'bytes' },
  threads: { name: 'Java threads', unit: 'count' },
  classes: { name: 'Classes loaded', unit: 'count' },
  exceptions: { name: 'Exceptions since the start', unit: 'count' },
} as const satisfies Readonly<Record<string, CounterTrack>>;

export const RANGE_TRACKS = { compilation: 'Compilation', stall: 'Allocation stall' } as const;

/** The unit of the values of a track. */
export function unitOfTrack(name: string): Unit {
  return Object.values(COUNTER_TRACKS).find((track) => track.name === name)?.unit ?? 'none';
}
