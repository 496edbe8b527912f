/** Where threads enter the code of the application. */
import { NONE } from '../../base/flavor.js';
import { STACK, THREAD } from '../../models/events/shared-fields.js';
import type { Profile } from '../../models/profile/profile.js';
import { className } from '../../models/program/names.js';
import type { Program } from '../../models/program/program.js';
import { columnOf } from '../../models/table.js';
import { functionsOf } from '../origin.js';

/**
 * By thread: the outermost own method of the first event that has one, without the classes that the JVM makes of lambdas; -1 none. Cost: a
 * pass over stacks, and over the events with threads.
 */
export function ownEntries(program: Program, profile: Profile): Int32Array {
  const { stacks } = profile;
  const ownFunctions = functionsOf(program, ['own']);
  const entries = new Int32Array(stacks.length).fill(NONE);
  const isMade = (id: number): boolean => className(program, program.functions.class[id]).includes('$$Lambda');
  for (let stack = 0; stack < stacks.length; stack++) {
    const caller = stacks.parent[stack];
    const id = program.locations.function[stacks.location[stack]];
    if (caller >= 0 && entries[caller] >= 0) entries[stack] = entries[caller];
    else if (ownFunctions[id] === 1 && !isMade(id)) entries[stack] = id;
  }
  const byThread = new Int32Array(profile.threads?.length ?? 0).fill(NONE);
  for (const table of profile.events) {
    const [threads, leaves] = [columnOf(table, THREAD), columnOf(table, STACK)];
    if (threads === undefined || leaves === undefined) continue;
    for (let row = 0; row < table.length; row++) {
      const [thread, stack] = [threads[row], leaves[row]];
      if (thread >= 0 && stack >= 0 && byThread[thread] < 0) byThread[thread] = entries[stack];
    }
  }
  return byThread;
}
