/** Threads that threw OutOfMemoryError: a virtual machine that dumps its heap then puts the constructor of the error on top of the stack of the thread. */
import type { ThreadObject } from '../../../analysis/heap/thread-objects.js';
import { STACK_ENDINGS } from '../../../models/profile/profile.js';
import { THREADS, TRACES } from '../../../models/profile/tables.js';
import { locationName } from '../../../models/program/names.js';
import type { Recording } from '../../../models/recording.js';
import { framesOfTrace } from '../stack-locals.js';

const CONSTRUCTOR = /^java\.lang\.OutOfMemoryError\.<init>/;

/** By number of the thread: its frames below the constructor, innermost first. */
export function memoryErrorStacks({ program, profile }: Recording): ReadonlyMap<number, string[]> {
  const stacks = new Map<number, string[]>();
  const rows = profile?.traces && TRACES.rows(profile.traces);
  if (profile === undefined || rows === undefined) return stacks;
  const threads = profile.threads && THREADS.rows(profile.threads);
  const { ending, location } = profile.stacks;
  for (const [trace, stack] of rows.stack.entries()) {
    const thread = rows.thread[trace];
    // Traces of agents are of allocations, or of starts of threads.
    if (stack < 0 || thread < 0 || (threads?.started?.[thread] ?? -1) >= 0) continue;
    if (STACK_ENDINGS[ending[stack]] === 'failed' || !CONSTRUCTOR.test(locationName(program, location[stack])))
      continue;
    const frames = framesOfTrace(program, profile, trace);
    stacks.set(
      threads?.number?.[thread] ?? thread,
      frames.slice(frames.findIndex((frame) => !CONSTRUCTOR.test(frame))),
    );
  }
  return stacks;
}

/** The same with the names of the threads. */
export function memoryErrors(recording: Recording, threads: readonly ThreadObject[]) {
  return [...memoryErrorStacks(recording)].map(([number, stack]) => ({
    thread: threads.find((one) => one.number === number)?.name ?? String(number),
    stack,
  }));
}
