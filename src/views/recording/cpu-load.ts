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

/** The means of the noted loads; null where none were noted. One pass over the counters. */
export function cpuLoad(profile: Profile | undefined, { names }: Program): z.input<typeof cpuLoadShape> | null {
  if (profile?.counters === undefined) return null;
  const { length, track, value } = COUNTERS.rows(profile.counters);
  const sums = new Map<number, { sum: number; count: number }>();
  for (let row = 0; row < length; row++) {
    const entry = sums.get(track[row]) ?? { sum: 0, count: 0 };
    sums.set(track[row], { sum: entry.sum + value[row], count: entry.count + 1 });
  }
  const meanOf = (name: string): { sum: number; count: number } =>
    [...sums].find(([id]) => stringAt(names, id) === name)?.[1] ?? { sum: 0, count: 0 };
  const [user, system, machine] = [COUNTER_TRACKS.jvmUser, COUNTER_TRACKS.jvmSystem, COUNTER_TRACKS.machine].map(
    (each) => meanOf(each.name),
  );
  if (user === undefined || system === undefined || machine === undefined || machine.count === 0) return null;
  const mean = ({ sum, count }: { sum: number; count: number }): number => (count === 0 ? 0 : sum / count);
  return { jvm: mean(user) + mean(system), machine: mean(machine), values: machine.count };
}
