/** Passes over files that run in threads. A thread loads this and what the pass needs, and no other format. */
import type { ReadAt } from './capabilities/file-pass.js';

/** By name: reads a file for a task (`FilePass`) and returns what is sent back. */
export const FILE_PASSES: Readonly<Record<string, (task: unknown, readAt: ReadAt) => Promise<unknown>>> = {
  'heap-pass': async (task, readAt) => (await import('./hprof/heap/passes/tasks.js')).runPassOf(task, readAt),
};
