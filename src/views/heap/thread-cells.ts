/** What a heap dump adds to the rows of `threads`: names and states from the objects, what each thread retains, its stack with locals. */
import { type Dominators, retainedOf } from '../../analysis/heap/dominators.js';
import { dominatorsUse, objectsUse } from '../../analysis/heap/stages.js';
import { type ThreadObject, threadObjectsUse } from '../../analysis/heap/thread-objects.js';
import { MissingError } from '../../base/errors.js';
import { phrase, theView } from '../../base/phrase.js';
import type { HeapObjects } from '../../models/heap/heap.js';
import { idOfRow } from '../../models/heap/object-ids.js';
import { THREADS } from '../../models/profile/tables.js';
import type { Side, ViewInput } from '../question.js';
import { addressText } from './choice.js';
import { objectShower } from './inspect.js';
import { framesOfThread, localsByThread, type ShownStack, stackWithLocals } from './stack-locals.js';

/** The stages of the heap of one recording; none without a heap, or where several recordings are compared. */
export function heapThreadsNeeds({ subject, heap }: ViewInput, sides: readonly Side[]) {
  if (heap === undefined || sides.length > 1) return {};
  const { dump } = heap;
  return {
    dominators: dominatorsUse(subject, { dump, without: [], roots: 'vm', sizes: 'vm' }),
    graph: objectsUse(subject, dump),
    objects: threadObjectsUse(subject, dump),
  };
}

interface Found {
  readonly graph?: HeapObjects | undefined;
  readonly objects?: readonly ThreadObject[] | undefined;
  readonly dominators?: Dominators | undefined;
}

/** By row of the threads: what the heap says of it. */
export interface HeapThreads {
  readonly of: (thread: number) => ThreadObject | undefined;
  readonly hasCarriers: boolean;
  /** Whether the recorder numbers threads itself, as agents do, which record their starts. */
  readonly hasNumbers: boolean;
  readonly address: (thread: number) => string | null;
  readonly retained: (thread: number) => number | null;
  /** Objects that its frames hold. */
  readonly locals: (thread: number) => number | null;
  readonly frame: (thread: number) => string | null;
  readonly stack: (thread: number) => ShownStack;
}

/** Undefined without a heap, or with one that has no threads. */
export function heapThreads(input: ViewInput, { graph, objects, dominators }: Found): HeapThreads | undefined {
  const { heap, recording, profile } = input;
  if (heap === undefined || graph === undefined || objects === undefined || dominators === undefined) return undefined;
  if (profile?.threads === undefined)
    throw new MissingError(`${recording.name} has no threads`, {
      code: 'no-threads',
      advice: phrase`Ask for its objects: ${theView('heap-histogram')}.`,
      action: { ask: theView('heap-histogram') },
    });
  const isRow = heap.recorded !== undefined;
  const { number, started } = THREADS.rows(profile.threads);
  const byNumber = new Map(objects.map((one) => [one.number, one]));
  const objectOf = (thread: number): ThreadObject | undefined =>
    byNumber.get(isRow ? thread : (number?.[thread] ?? -1));
  const locals = localsByThread(graph.roots);
  const show = objectShower({ program: recording.program, heap, graph }, dominators);
  const objectCell =
    <Value>(value: (object: ThreadObject) => Value) =>
    (thread: number): Value | null => {
      const object = objectOf(thread);
      return object === undefined ? null : value(object);
    };
  const framesOf = (object: ThreadObject): string[] => framesOfThread(recording.program, profile, object, isRow);
  return {
    of: objectOf,
    hasNumbers: started?.some((at) => at >= 0) ?? false,
    hasCarriers: objects.some(({ carrier }) => carrier !== undefined),
    address: objectCell(({ object }) => addressText(graph, idOfRow(graph.ids, object))),
    retained: objectCell(({ object }) => retainedOf(dominators, heap.sizes, object).retained),
    locals: objectCell((object) => new Set(locals.get(object.number)?.map((at) => graph.roots.row[at])).size),
    frame: objectCell((object) => framesOf(object)[0] ?? null),
    stack: (thread) => {
      const object = objectOf(thread);
      return object === undefined
        ? []
        : stackWithLocals(framesOf(object), graph, locals.get(object.number) ?? [], show);
    },
  };
}

/** The cells of `threads` with what only the heap knows, where the recording has nothing of it. */
export function withHeapCells<
  Cells extends Readonly<
    Record<'name' | 'kind' | 'state' | 'frame', (i: number) => string | null> &
      Record<'id', (i: number) => number | null>
  >,
>(cells: Cells, heap: HeapThreads | undefined, thread: (i: number) => number) {
  const at = (i: number): ThreadObject | undefined => heap?.of(thread(i));
  return {
    ...cells,
    id: (i: number) => (heap?.hasNumbers === true ? undefined : at(i)?.tid) ?? cells.id(i),
    name: (i: number) => at(i)?.name ?? cells.name(i) ?? '',
    kind: (i: number) => kindOf(at(i)) ?? cells.kind(i),
    state: (i: number) => cells.state(i) ?? at(i)?.state ?? null,
    frame: (i: number) => cells.frame(i) ?? heap?.frame(thread(i)) ?? null,
    carrier: (i: number) => at(i)?.carrier ?? null,
    retained: (i: number) => heap?.retained(thread(i)) ?? null,
    locals: (i: number) => heap?.locals(thread(i)) ?? null,
    address: (i: number) => heap?.address(thread(i)) ?? null,
    stack: (i: number) => heap?.stack(thread(i)) ?? [],
  };
}

function kindOf(object: ThreadObject | undefined): string | undefined {
  if (object === undefined) return undefined;
  if (object.virtual) return 'virtual';
  return object.daemon === undefined ? undefined : object.daemon ? 'daemon' : '';
}
