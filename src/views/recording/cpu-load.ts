/** The load of processors over a recording, from the values that the recorder noted from time to time. */
import { z } from 'zod';
import { stringAt } from '../../base/text.js';
import type { Profile } from '../../models/profile/profile.js';
import { COUNTERS } from '../../models/profile/tables.js';
import { COUNTER_TRACKS } from '../../models/profile/tracks.js';
import type { Program } from '../../models/program/program.js';

export const cpuLoadShape = z.object({
  jvm: z.number().describe('mean share of all processors that the program used, in user and system mode'),
  machine: z.number().describe('mean share that all programs of the machine used'),
  values: z.number().describe('how often the load was noted'),
});

const LOADS: readonly string[] = [COUNTER_TRACKS.jvmUser, COUNTER_TRACKS.jvmSystem, COUNTER_TRACKS.machine].map(
  ({ name }) => name,
);

/** The means of the noted loads; null where none were noted. One pass over the counters. */
export function cpuLoad(profile: Profile | undefined, { names }: Program): z.input<typeof cpuLoadShape> | null {
  if (profile?.counters === undefined) return null;
  const { length, track, value } = COUNTERS.rows(profile.counters);
  const [sums, counts] = [new Float64Array(LOADS.length), new Float64Array(LOADS.length)];
  /** By name of a track: index into `LOADS`, or -1. */
  const loads = new Map<number, number>();
  for (let row = 0; row < length; row++) {
    const load = loads.get(track[row]) ?? LOADS.indexOf(stringAt(names, track[row]));
    loads.set(track[row], load);
    if (load < 0) continue;
    sums[load] += value[row];
    counts[load]++;
  }
  const [user = 0, system = 0, machine = 0] = sums.map((sum, load) => (counts[load] === 0 ? 0 : sum / counts[load]));
  const [, , values = 0] = counts;
  return values === 0 ? null : { jvm: user + system, machine, values };
}
