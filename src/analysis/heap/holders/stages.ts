/** The stages of the paths by which a person names objects, and of what may leak. */
import { type Heap, OBJECT_KINDS, REFERENT_KINDS } from '../../../models/heap/heap.js';
import { type Stage, type StageUse, type Subject, use } from '../../../models/open-recording.js';
import { className } from '../../../models/program/names.js';
import type { Program } from '../../../models/program/program.js';
import { keptColumns } from '../../../models/stage-store.js';
import { originOfClass } from '../../origin.js';
import { hasSizes } from '../object-sizes.js';
import type { ShortestPaths } from '../shortest-paths.js';
import {
  choiceKey,
  chosenGraph,
  dominatorsUse,
  graphUse,
  type HeapChoice,
  heapOf,
  INSTEAD,
  objectsOf,
  objectsUse,
  sizesOf,
} from '../stages.js';
import { namedPaths } from './named-paths.js';
import { CLASS_ROLES, heapSuspects, type Suspect } from './suspects.js';

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

const suspectStage: Stage<readonly Suspect[], HeapChoice> = {
  name: 'heap suspects',
  version: 1,
  key: choiceKey,
  // What needs most memory is refused first.
  needs: ([subject], choice) => [
    dominatorsUse(subject, choice),
    namedPathsUse(subject, choice),
    objectsUse(subject, choice.dump),
  ],
  cost: ([subject], { dump }) => ({ bytes: objectsOf(heapOf(subject, dump)) * 4, instead: INSTEAD }),
  run: async ([subject], choice, get) => {
    const { program } = subject.snapshot.recording;
    const heap = heapOf(subject, choice.dump);
    const dominators = await get(dominatorsUse(subject, choice));
    const paths = await get(namedPathsUse(subject, choice));
    const graph = await get(objectsUse(subject, choice.dump));
    const roles = Uint8Array.from({ length: heap.classes.length }, (_, row) => roleOf(program, heap, row));
    return heapSuspects({ graph, dominators, paths, roles, isSized: hasSizes(sizesOf(heap, graph, choice)) });
  },
  bytes: (suspects) => suspects.length * 100,
};

/** What may leak. */
export function suspectsUse({ source, snapshot }: Subject, choice: HeapChoice): StageUse<readonly Suspect[]> {
  return use(suspectStage, [{ source, snapshot, scope: [] }], choice);
}

const OBJECT_ARRAY = OBJECT_KINDS.indexOf('object-array');
const [OWN, LIBRARY, INNER] = CLASS_ROLES.map((_, i) => i);

/** Arrays of objects and nested classes of the JDK are inner parts of what holds them. */
function roleOf(program: Program, { classes }: Heap, row: number): number {
  if (classes.kind[row] === OBJECT_ARRAY) return INNER;
  const id = classes.class[row];
  const name = id < 0 ? '' : className(program, id);
  if (originOfClass(name) === 'own') return name === '' ? LIBRARY : OWN;
  return name.includes('$') ? INNER : LIBRARY;
}

/** For each object, a path that says whose it is (`namedPaths`). */
export function namedPathsUse({ source, snapshot }: Subject, choice: HeapChoice): StageUse<ShortestPaths> {
  return use(namedPathStage, [{ source, snapshot, scope: [] }], choice);
}
