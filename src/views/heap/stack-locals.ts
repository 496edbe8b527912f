/** Stacks of threads in a heap dump, with the objects that their frames hold. */
import { z } from 'zod';
import { STACK_ROOTS } from '../../analysis/heap/holders/stack-roots.js';
import type { GraphRoots, HeapObjects } from '../../models/heap/heap.js';
import type { ObjectId } from '../../models/heap/object-ids.js';
import { type Profile, STACK_ENDINGS } from '../../models/profile/profile.js';
import { THREADS, TRACES } from '../../models/profile/tables.js';
import { locationName } from '../../models/program/names.js';
import type { Program } from '../../models/program/program.js';

/** An object as other answers refer to it. */
export const objectShape = z.object({
  address: z.string(),
  object: z.string().describe('class of the object, and its text if the file shows it'),
  retained: z
    .number()
    .nullable()
    .describe('bytes that would be freed with it; null for unreachable objects, and without sizes'),
  retained_objects: z
    .number()
    .nullable()
    .describe('objects that would go with it, itself included; null for unreachable ones, and where sizes are known'),
});
export type ShownObject = z.input<typeof objectShape>;

export const stackShape = z.array(
  z.object({
    frame: z.string().nullable().describe('null for objects that no known frame holds'),
    locals: z.array(objectShape).describe('objects that the frame holds'),
  }),
);
export type ShownStack = z.input<typeof stackShape>;

/** The frames of a trace, the innermost first; none if it is unknown or has none. */
export function framesOfTrace(program: Program, { traces, stacks }: Profile, trace: number): string[] {
  const rows = traces && TRACES.rows(traces);
  const frames: string[] = [];
  let at = rows === undefined || trace < 0 ? -1 : rows.stack[trace];
  if (at >= 0 && STACK_ENDINGS[stacks.ending[at]] === 'failed') return frames;
  for (; at >= 0; at = stacks.parent[at]) frames.push(locationName(program, stacks.location[at]));
  return frames;
}

/**
 * The frames of a thread, innermost first, from a dump of a virtual machine. Agents, which record the start of threads, give the
 * trace of the place where it was started instead. `isRow`: the number is a row of the profile's threads.
 */
export function framesOfThread(
  program: Program,
  profile: Profile | undefined,
  { number, trace }: { readonly number: number; readonly trace: number },
  isRow: boolean,
): string[] {
  if (profile?.traces === undefined || trace < 0) return [];
  const threadRow = TRACES.rows(profile.traces).thread[trace];
  const threads = profile.threads && THREADS.rows(profile.threads);
  const isOwn =
    threadRow >= 0 &&
    (isRow ? threadRow : threads?.number?.[threadRow]) === number &&
    (threads?.started?.[threadRow] ?? -1) < 0;
  return isOwn ? framesOfTrace(program, profile, trace) : [];
}

/** Objects that frames hold, by number of the thread: one pass over the roots. */
export function localsByThread(roots: GraphRoots): ReadonlyMap<number, readonly number[]> {
  const locals = new Map<number, number[]>();
  for (let i = 0; i < roots.length; i++) {
    if (!STACK_ROOTS.has(roots.kind[i])) continue;
    const rootRows = locals.get(roots.thread[i]);
    if (rootRows === undefined) locals.set(roots.thread[i], [i]);
    else rootRows.push(i);
  }
  return locals;
}

/** The stack of a thread with its locals. `roots`: rows of its locals among the roots. */
export function stackWithLocals(
  frames: readonly string[],
  { roots }: HeapObjects,
  rows: readonly number[],
  object: (row: ObjectId) => ShownObject,
): ShownStack {
  const shownFrames: { frame: string | null; locals: ShownObject[] }[] = frames.map((frame) => ({ frame, locals: [] }));
  const others: ShownObject[] = [];
  for (const at of rows) (shownFrames[roots.frame[at]]?.locals ?? others).push(object(roots.row[at]));
  return others.length === 0 ? shownFrames : [...shownFrames, { frame: null, locals: others }];
}
