/** What runs in threads of its own: the entry of a thread. Each message is one task; the answer has its result or its error. */
import { closeSync, openSync, readSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { type SizesTask, TAKING_SIZES, takeSizes } from '../../analysis/heap/object-sizes.js';
import { type SectionFile, WRITING, writeSections } from '../../bytes/column-file.node.js';
import { osPath } from '../../bytes/path-bytes.node.js';
import type { FilePass } from '../../formats/capabilities/file-pass.js';
import { FILE_PASSES } from '../../formats/passes.js';

/** A message to a thread, and its answer. */
export interface ThreadTask {
  readonly task: string;
  readonly argument: unknown;
}
export type ThreadAnswer = { readonly result: unknown } | { readonly error: unknown };

/** Runs a pass of a format over a file. Reads with plain calls: the thread has nothing else to do. */
async function passOverFile(name: string, { path, task }: FilePass): Promise<unknown> {
  const pass = FILE_PASSES[name];
  if (pass === undefined) throw new Error(`there is no pass ${name}`);
  const file = openSync(osPath(path), 'r');
  try {
    return await pass(task, (offset, target) => readSync(file, target, 0, target.length, offset));
  } finally {
    closeSync(file);
  }
}

function isFilePass(argument: unknown): argument is FilePass {
  return typeof argument === 'object' && argument !== null && 'path' in argument && 'task' in argument;
}

function isSectionFile(argument: unknown): argument is SectionFile {
  return typeof argument === 'object' && argument !== null && 'sections' in argument;
}

function isSizesTask(argument: unknown): argument is SizesTask {
  return typeof argument === 'object' && argument !== null && 'into' in argument;
}

async function run(task: string, argument: unknown): Promise<unknown> {
  if (task === WRITING && isSectionFile(argument)) return writeSections(argument);
  if (task === TAKING_SIZES && isSizesTask(argument)) return takeSizes(argument);
  if (!isFilePass(argument)) throw new Error(`${task} is no pass over a file`);
  return passOverFile(task, argument);
}

parentPort?.on('message', async ({ task, argument }: ThreadTask) => {
  try {
    const result = await run(task, argument);
    parentPort?.postMessage({ result } satisfies ThreadAnswer);
  } catch (error) {
    parentPort?.postMessage({ error } satisfies ThreadAnswer);
  }
});
