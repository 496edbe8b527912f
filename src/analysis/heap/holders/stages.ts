/** The stage of the paths by which a person names objects. */
import { REFERENT_KINDS } from '../../../models/heap/heap.js';
import { type Stage, type StageUse, type Subject, use } from '../../../models/open-recording.js';
import { keptColumns } from '../../../models/stage-store.js';
import type { ShortestPaths } from '../shortest-paths.js';
import { choiceKey, chosenGraph, graphUse, type HeapChoice, heapOf, INSTEAD, objectsOf } from '../stages.js';
import { namedPaths } from './named-paths.js';

const NOT_WEAK = REFERENT_KINDS.indexOf('none');

const namedPathStage: Stage<ShortestPaths, HeapChoice> = {
  name: 'heap holders',
  version: 1,
  key: choiceKey,
  needs: ([subject], { dump }) => [graphUse(subject, dump)],
  cost: ([subject], { dump }) => ({ bytes: objectsOf(heapOf(subject, dump)) * 8, instead: INSTEAD }),
  run: async ([subject], choice, get, work) => {
    const heap = heapOf(subject, choice.dump);
    const graph = await get(graphUse(subject, choice.dump));
    const weak = Uint8Array.from(heap.classes.referent, (kind) => (kind === NOT_WEAK ? 0 : 1));
    return namedPaths(chosenGraph(heap, graph, choice), weak, work);
  },
  bytes: ({ above }) => above.byteLength,
  columns: keptColumns<ShortestPaths>(['above']),
};

/** For each object, a path that says whose it is (`namedPaths`). */
export function namedPathsUse({ source, snapshot }: Subject, choice: HeapChoice): StageUse<ShortestPaths> {
  return use(namedPathStage, [{ source, snapshot, scope: [] }], choice);
}
