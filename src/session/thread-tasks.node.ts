/** What runs in threads of its own: the entry of a thread. Each message is one task; the answer has its result or its error. */
import { closeSync, openSync, readSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { osPath } from '../bytes/path-bytes.node.js';
import type { FilePass } from '../formats/hprof/heap/crew.js';

/** A message to a thread, and its answer. */
export interface ThreadTask {
  readonly task: string;
  readonly argument: unknown;
}
export type ThreadAnswer = { readonly result: unknown } | { readonly error: unknown };

const TASKS: Readonly<Record<string, (argument: never) => Promise<unknown>>> = { 'heap-pass': passOverFile };

/** Reads with plain calls: the thread has nothing else to do. */
async function passOverFile({ path, task }: FilePass): Promise<unknown> {
  const { runPass } = await import('../formats/hprof/heap/tasks.js');
  const file = openSync(osPath(path), 'r');
  try {
    return await runPass(task, (offset, target) => readSync(file, target, 0, target.length, offset));
  } finally {
    closeSync(file);
  }
}

parentPort?.on('message', async ({ task, argument }: ThreadTask) => {
  try {
    const result = await TASKS[task](argument as never);
    parentPort?.postMessage({ result } satisfies ThreadAnswer);
  } catch (error) {
    parentPort?.postMessage({ error } satisfies ThreadAnswer);
  }
});
