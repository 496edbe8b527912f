/** A path to each object that says whose it is, where the shortest one may lead through a thread or the stack of one. 8 bytes an object. */
import type { Work } from '../../../base/progress.js';
import { ROOT_KINDS } from '../../../models/heap/root-kinds.js';
import type { ChosenGraph } from '../reachable-edges.js';
import { IS_ROOT, PathSearch, type ShortestPaths } from '../shortest-paths.js';
import { STACK_ROOTS } from './stack-roots.js';

/**
 * The path to each object that a person would name: the shortest one that does not lead through a thread, else the shortest one through
 * its fields, then one from a local of its stack; through referents of references only where nothing else leads to the object.
 * `weak`: by heap class, 1 for classes of references. Throws the signal's reason if `work` is aborted.
 */
export async function namedPaths(chosen: ChosenGraph, weak: Uint8Array, work: Work = {}): Promise<ShortestPaths> {
  const strong = { ...chosen, skipsReferent: weak };
  const search = new PathSearch(chosen.graph.ids.length);
  const { threads, locals, others } = rootsByPart(chosen);
  // Nothing leads through a thread yet.
  for (const row of threads) search.above[row] = IS_ROOT;
  for (const row of others) search.begin(row);
  await search.followAll(strong, work);
  for (const row of threads) search.put(row);
  await search.followAll(strong, work);
  for (const row of locals) search.begin(row);
  await search.followAll(strong, work);
  search.enterReferents(chosen, weak);
  await search.followAll(chosen, work);
  return { above: search.above };
}

const THREAD = ROOT_KINDS.indexOf('thread');

/** Roots that are threads, those that only stacks hold, and the others; each once. */
function rootsByPart({ graph: { roots: kinds }, roots, isRoot }: ChosenGraph) {
  const parts = new Map<number, 'threads' | 'locals' | 'others'>();
  for (let i = 0; i < kinds.length; i++) {
    const row = kinds.row[i];
    if (((isRoot[row >>> 5] >>> (row & 31)) & 1) === 0 || parts.get(row) === 'threads') continue;
    const part = kinds.kind[i] === THREAD ? 'threads' : STACK_ROOTS.has(kinds.kind[i]) ? 'locals' : 'others';
    if (part !== 'locals' || !parts.has(row)) parts.set(row, part);
  }
  const rowsOf = (part: 'threads' | 'locals' | 'others') =>
    roots.filter((row) => (parts.get(row) ?? 'others') === part);
  return { threads: rowsOf('threads'), locals: rowsOf('locals'), others: rowsOf('others') };
}
