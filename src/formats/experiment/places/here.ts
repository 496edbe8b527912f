/** Whether an experiment was recorded on a machine that has not been restarted since: then the recorded paths are those of its files. */
import { ProblemLog } from '../../../base/problems.js';
import type { FileTree } from '../../../bytes/file-tree.js';
import type { FileSet, Here } from '../../capabilities/sets.js';
import { readLog } from '../log.js';
import { wholeFile } from '../markup.js';

/** The log has whole seconds, and clocks are set. */
const TOLERANCE = 5000;
const HALF = 2 ** 32;

/** When it began, in milliseconds since 1970; undefined if another machine recorded it, or this one before its last start. */
export async function recordedHere(tree: FileTree, set: FileSet, here: Here): Promise<number | undefined> {
  const path = set.parts.get('log.xml');
  if (path === undefined) return undefined;
  const problems = new ProblemLog();
  const source = await tree.open(path);
  try {
    const { system, start, startDate } = readLog(await wholeFile(source, problems), path, problems);
    if (start === undefined || startDate === undefined || system.get('hostname') !== here.host) return undefined;
    const since = (start.high * HALF + start.low) / 1e6;
    // Both clocks ran equally long since then.
    const [passed, counted] = [here.now - startDate * 1000, here.monotonic - since];
    return Math.abs(passed - counted) <= TOLERANCE ? startDate * 1000 : undefined;
  } finally {
    await source.close?.();
  }
}
