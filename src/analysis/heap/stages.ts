/** The stages of a heap: its graph, what dominates each object, and the shortest path to each. */
import { UsageError } from '../../base/errors.js';
import { phrase, theView } from '../../base/phrase.js';
import type { Work } from '../../base/progress.js';
import type {
  Heap,
  HeapObjects,
  HeapReferences,
  HeapSizes,
  ObjectGraph,
  ReferentKind,
} from '../../models/heap/heap.js';
import { graphOfRecorded } from '../../models/heap/recorded-heap.js';
import { type Stage, type StageUse, type Subject, use } from '../../models/open-recording.js';
import { keptColumns } from '../../models/stage-store.js';
import { type Dominators, dominatorsOf } from './dominators.js';
import { withMatRoots } from './mat-roots.js';
import { matSizes } from './mat-sizes.js';
import { type ChosenGraph, chooseGraph } from './reachable-edges.js';
import { type ShortestPaths, shortestPaths } from './shortest-paths.js';

/** Which references, roots and sizes count. */
export interface HeapChoice {
  /** Number of the dump in the recording, from 0. */
  readonly dump: number;
  /** References of these kinds do not hold what they refer to. */
  readonly without: readonly Exclude<ReferentKind, 'none'>[];
  /** `vm`: as recorded. `mat`: as Eclipse MAT has them. */
  readonly roots: 'vm' | 'mat';
  readonly sizes: 'vm' | 'mat';
}

/** The heap of a dump. */
export function heapOf({ snapshot }: Subject, dump: number): Heap {
  const heap = snapshot.recording.heaps?.find((one) => one.dump === dump);
  if (heap === undefined)
    throw new UsageError(`${snapshot.recording.name} has no heap dump ${dump + 1}`, { code: 'no-dump' });
  return heap;
}

/** What needs no graph. */
export const INSTEAD = phrase`${theView('heap-histogram')} and ${theView('heap-inspect', { options: { graph: false } })} need little memory; KANSOKU_MEMORY sets another limit, such as 16GB.`;

/** Reads both parts of a graph at once. */
const readStage: Stage<ObjectGraph, number> = {
  name: 'heap graph',
  version: 1,
  key: String,
  cost: ([subject], dump) => ({ bytes: heapOf(subject, dump).graphBytes, instead: INSTEAD }),
  run: ([subject], dump, _get, work) => {
    const reader = subject.source.heaps;
    return reader === undefined ? graphOfRecorded(heapOf(subject, dump)) : reader.graph(dump, work);
  },
  bytes: () => 0,
  passing: true,
};

const objectStage: Stage<HeapObjects, number> = {
  name: 'heap objects',
  version: 2,
  key: String,
  needs: ([subject], dump) => [readUse(subject, dump)],
  run: async ([subject], dump, get) => {
    const { first: _, targets: __, ...objects } = await get(readUse(subject, dump));
    return objects;
  },
  bytes: ({ class: classes, elements, ids, trace, recorded, listed }) =>
    classes.byteLength +
    elements.byteLength +
    ids.words.byteLength +
    (ids.sorted?.byteLength ?? 0) +
    (trace?.byteLength ?? 0) +
    (recorded?.byteLength ?? 0) +
    (listed?.byteLength ?? 0),
  columns: keptColumns<HeapObjects>(['ids', 'class', 'elements', 'roots']),
};

const referenceStage: Stage<HeapReferences, number> = {
  name: 'heap references',
  version: 1,
  key: String,
  needs: ([subject], dump) => [readUse(subject, dump)],
  run: async ([subject], dump, get) => {
    const { first, targets } = await get(readUse(subject, dump));
    return { first, targets };
  },
  bytes: ({ first, targets }) => first.byteLength + targets.byteLength,
  columns: keptColumns<HeapReferences>(['first', 'targets']),
};

const graphStage: Stage<ObjectGraph, number> = {
  name: 'whole heap graph',
  version: 1,
  key: String,
  needs: ([subject], dump) => [objectsUse(subject, dump), referencesUse(subject, dump)],
  run: async ([subject], dump, get) => {
    const [objects, references] = await Promise.all([
      get(objectsUse(subject, dump)),
      get(referencesUse(subject, dump)),
    ]);
    return { ...objects, ...references };
  },
  bytes: () => 0,
  passing: true,
};

function readUse({ source, snapshot }: Subject, dump: number): StageUse<ObjectGraph> {
  return use(readStage, [{ source, snapshot, scope: [] }], dump);
}

function referencesUse({ source, snapshot }: Subject, dump: number): StageUse<HeapReferences> {
  return use(referenceStage, [{ source, snapshot, scope: [] }], dump);
}

/** The objects of a dump, without the scope: objects have no stack, thread or time. */
export function objectsUse({ source, snapshot }: Subject, dump: number): StageUse<HeapObjects> {
  return use(objectStage, [{ source, snapshot, scope: [] }], dump);
}

/** The objects of a dump with their references, likewise. */
export function graphUse({ source, snapshot }: Subject, dump: number): StageUse<ObjectGraph> {
  return use(graphStage, [{ source, snapshot, scope: [] }], dump);
}

/** Sizes of the objects by the chosen rule. */
export function sizesOf(heap: Heap, graph: HeapObjects, { sizes }: HeapChoice): HeapSizes {
  return sizes === 'mat' ? matSizes(heap, graph) : heap.sizes;
}

/** The references and roots that count. */
export function chosenGraph(heap: Heap, graph: ObjectGraph, { without, roots }: HeapChoice): ChosenGraph {
  if (roots === 'vm') return chooseGraph(graph, heap.classes, without);
  const like = withMatRoots(graph, heap.classes);
  return chooseGraph(like.graph, heap.classes, without, like.roots);
}

/** Bytes an object at the peak of the search. */
const DOMINATOR_BYTES = 28;

const dominatorStage: Stage<Dominators, HeapChoice> = {
  name: 'heap dominators',
  version: 2,
  key: choiceKey,
  needs: ([subject], { dump }) => [graphUse(subject, dump)],
  cost: ([subject], { dump }) => ({ bytes: objectsOf(heapOf(subject, dump)) * DOMINATOR_BYTES, instead: INSTEAD }),
  run: async ([subject], choice, get, work: Work) => {
    const heap = heapOf(subject, choice.dump);
    const graph = await get(graphUse(subject, choice.dump));
    return dominatorsOf(chosenGraph(heap, graph, choice), sizesOf(heap, graph, choice), work);
  },
  bytes: ({ dominator, retained }) => dominator.byteLength + retained.byteLength,
  columns: keptColumns<Dominators>(['dominator', 'retained', 'unit']),
};

export function dominatorsUse({ source, snapshot }: Subject, choice: HeapChoice): StageUse<Dominators> {
  return use(dominatorStage, [{ source, snapshot, scope: [] }], choice);
}

const pathStage: Stage<ShortestPaths, HeapChoice> = {
  name: 'heap paths',
  version: 1,
  key: choiceKey,
  needs: ([subject], { dump }) => [graphUse(subject, dump)],
  cost: ([subject], { dump }) => ({ bytes: objectsOf(heapOf(subject, dump)) * 8, instead: INSTEAD }),
  run: async ([subject], choice, get, work) => {
    const graph = await get(graphUse(subject, choice.dump));
    return shortestPaths(chosenGraph(heapOf(subject, choice.dump), graph, choice), work);
  },
  bytes: ({ above }) => above.byteLength,
  columns: keptColumns<ShortestPaths>(['above']),
};

export function pathsUse({ source, snapshot }: Subject, choice: HeapChoice): StageUse<ShortestPaths> {
  return use(pathStage, [{ source, snapshot, scope: [] }], choice);
}

export function choiceKey({ dump, without, roots, sizes }: HeapChoice): string {
  return JSON.stringify([dump, [...without].sort(), roots, sizes]);
}

/** Instances and arrays, class objects among them. */
export function objectsOf({ classes }: Heap): number {
  return classes.objects.reduce((sum, count) => sum + count, 0);
}
