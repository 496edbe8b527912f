/** All about one object: its values, who refers to it, and the shortest path to it; names of references of a few others. */
import { UsageError } from '../../base/errors.js';
import { phrase, theView } from '../../base/phrase.js';
import type { Work } from '../../base/progress.js';
import { type ByteSpan, type HeapObjects, type HeapReferences, LAST_REFERENCE } from '../../models/heap/heap.js';
import { NO_OBJECT, type ObjectId, rowOfId } from '../../models/heap/object-ids.js';
import { type Stage, type StageUse, type Subject, use } from '../../models/open-recording.js';
import {
  isSearched,
  type MemberRange,
  membersOf,
  namesOfReferences,
  type ObjectMembers,
  spanOfMembers,
} from './members.js';
import { type NamedHeap, type ObjectText, type ReadValues, readTexts, WHOLE } from './object-values.js';
import { IS_ROOT } from './shortest-paths.js';
import { choiceKey, graphUse, type HeapChoice, heapOf, pathsUse } from './stages.js';

export interface InspectChoice extends HeapChoice {
  /** Id of the object. */
  readonly id: number;
  readonly members: MemberRange;
}

/** An object on the way, and the fields by which it refers to the next one; undefined if unknown. */
export interface Referrer {
  readonly row: ObjectId;
  readonly names: readonly string[] | undefined;
}

export interface Inspection {
  readonly objects: HeapObjects;
  /** Among `objects`. */
  readonly row: ObjectId;
  readonly members: ObjectMembers;
  /** Of the object, and of those it refers to. */
  readonly texts: ReadonlyMap<ObjectId, ObjectText>;
  /** The first in the order of addresses; undefined without the graph, as the path. */
  readonly referrers: readonly Referrer[] | undefined;
  readonly referrersTotal: number;
  /** From a root on, without the object; the nearest to it if the path is long. Undefined if unreachable. */
  readonly path: readonly Referrer[] | undefined;
  readonly pathLength: number;
}

/** Objects of a list that are named, at most. */
export const MOST_NAMED = 20;
/** Characters of the text of a member, at most. */
export const MOST_CHARACTERS = 200;

const inspectStage: Stage<Inspection, InspectChoice> = {
  name: 'heap object',
  version: 1,
  key: (choice) => JSON.stringify([choiceKey(choice), choice.id, choice.members.from, choice.members.to]),
  needs: ([subject], choice) => [graphUse(subject, choice.dump), pathsUse(subject, choice)],
  run: async ([subject], choice, get, work) => {
    const graph = await get(graphUse(subject, choice.dump));
    const row = requireObject(graph, choice.id);
    const { above } = await get(pathsUse(subject, choice));
    const named = { program: subject.snapshot.recording.program, heap: heapOf(subject, choice.dump), graph };
    const referrers = referrersOf(graph, row, MOST_NAMED);
    return inspect(named, valuesOf(subject, named, work), { row, above, referrers }, choice.members);
  },
  bytes: inspectionBytes,
};

/** The text of the object may be long. */
export function inspectionBytes({ members, row, texts }: Inspection): number {
  return members.shown.length * 200 + 2 * (texts.get(row)?.text.length ?? 0);
}

/** The object with an id, its page of members. Throws `UsageError` if no object has the id. */
export function inspectUse({ source, snapshot }: Subject, choice: InspectChoice): StageUse<Inspection> {
  return use(inspectStage, [{ source, snapshot, scope: [] }], choice);
}

/** Reads values from the source; there are none where the recording has all of the heap. */
export function valuesOf({ source }: Subject, { heap, graph }: NamedHeap, work: Work): ReadValues {
  return async (wanted) => (await source.heaps?.values(heap.dump, graph, wanted, work)) ?? new Map();
}

/** The object with this id. Throws if there is none. */
export function requireObject(graph: HeapObjects, id: number): ObjectId {
  const row = rowOfId(graph.ids, id);
  if (row === NO_OBJECT)
    throw new UsageError(
      graph.numbered === true ? `no object has the id ${id}` : `no object has the address 0x${id.toString(16)}`,
      {
        code: 'no-object',
        advice: phrase`${theView('heap-objects')} lists them.`,
        action: { ask: theView('heap-objects') },
      },
    );
  return row;
}

async function inspect(
  named: NamedHeap,
  read: ReadValues,
  { row, above, referrers }: { row: ObjectId; above: Uint32Array; referrers: ReturnType<typeof referrersOf> },
  part: MemberRange,
): Promise<Inspection> {
  const { rows, total } = referrers;
  const { path, length } = pathTo(above, row);
  const near = path ?? [];
  const wanted = new Map<ObjectId, ByteSpan>();
  for (const one of [...rows, ...near]) if (isSearched(named, one)) wanted.set(one, WHOLE);
  const ownSpan = spanOfMembers(named, row, part);
  if (!wanted.has(row)) wanted.set(row, ownSpan);
  const bytes = await read(wanted);
  const own = bytes.get(row);
  const skipped = wanted.get(row) === ownSpan ? 0 : ownSpan.from;
  const members = membersOf(named, row, own?.subarray(skipped), part);
  const texts = await readTexts(named, read, [row, ...targetsOf(members)], MOST_CHARACTERS, row);
  const refers = (one: ObjectId, to: ObjectId): Referrer => ({
    row: one,
    names: namesOfReferences(named, one, isSearched(named, one) ? bytes.get(one) : undefined, to),
  });
  return {
    objects: named.graph,
    row,
    members,
    texts,
    referrers: rows.map((one) => refers(one, row)),
    referrersTotal: total,
    path: path?.map((one, i) => refers(one, path[i + 1] ?? row)),
    pathLength: length,
  };
}

/** The objects that members refer to. */
export function targetsOf({ shown }: ObjectMembers): ObjectId[] {
  return shown.filter(({ target }) => target !== NO_OBJECT).map(({ target }) => target);
}

/** The first objects that refer to one, and how many there are: one pass over all references. Instances do not count for their class. */
function referrersOf({ first, targets }: HeapReferences, wanted: ObjectId, most: number) {
  const rows: ObjectId[] = [];
  let total = 0;
  for (let row = 0; row < first.length; row++) {
    let refers = false;
    for (let edge = first[row] - 1, isLast = edge < 0; !isLast; edge++) {
      isLast = targets[edge] >= LAST_REFERENCE;
      if ((isLast ? targets[edge] - LAST_REFERENCE : targets[edge]) === wanted) refers = true;
    }
    if (!refers) continue;
    if (total < most) rows.push(row);
    total++;
  }
  return { rows, total };
}

/** The objects of the shortest path, from the root on: the nearest to the object if they are many. */
function pathTo(above: Uint32Array, row: ObjectId): { path: ObjectId[] | undefined; length: number } {
  const path: ObjectId[] = [];
  let length = 0;
  let at = above[row];
  for (; at < IS_ROOT; at = above[at]) {
    if (length < MOST_NAMED) path.push(at);
    length++;
  }
  return { path: at === IS_ROOT ? path.reverse() : undefined, length };
}

export interface ReferencePair {
  readonly holder: ObjectId;
  readonly target: ObjectId;
}

/** By which fields or elements objects refer to others: their values are read from the source. By pair: the names, in the order of the object's members; none where large arrays are not searched, or the source has no values. */
export async function referenceNames(
  subject: Subject,
  namedHeap: NamedHeap,
  pairs: readonly ReferencePair[],
  work: Work,
): Promise<readonly (readonly string[])[]> {
  const spans = new Map(
    pairs
      .filter(({ holder }) => isSearched(namedHeap, holder))
      .map(({ holder }) => [holder, spanOfMembers(namedHeap, holder, { from: 0, to: 2 ** 32 })] as const),
  );
  const values = await valuesOf(subject, namedHeap, work)(spans);
  return pairs.map(({ holder, target }) =>
    spans.has(holder) ? (namesOfReferences(namedHeap, holder, values.get(holder), target) ?? []) : [],
  );
}
