/**
 * What texts of arrays need beside the arrays: the values of their first elements, and of the elements of these. A pass a level, over the ranges that
 * have some of them.
 */
import { OBJECT_TYPE } from '../../../models/heap/heap.js';
import { type ObjectId, rowOfId } from '../../../models/heap/object-ids.js';
import { idAt, recordedBytes } from '../../../models/heap/values.js';
import { heapClassOf, type NamedHeap, type ReadValues, WHOLE } from '../object-values.js';

/** Elements of an array that are shown. */
export const SHOWN_ELEMENTS = 5;
/** Levels of arrays in arrays that are shown: JVMCI has no limit, and ends with an error for an array that contains itself. */
export const ARRAY_LEVELS = 3;

type Values = ReadonlyMap<ObjectId, Uint8Array>;

/**
 * The values of `rows`, which were read, with those of the elements that their texts show. `isShown`: whether the text of an element needs its value.
 */
export async function withElements(
  namedHeap: NamedHeap,
  readValues: ReadValues,
  { rows, values }: { readonly rows: readonly ObjectId[]; readonly values: Values },
  isShown: (row: ObjectId) => boolean,
): Promise<Values> {
  const all = new Map(values);
  let level: Iterable<ObjectId> = rows;
  for (let depth = 0; depth < ARRAY_LEVELS; depth++) {
    const elements = new Set<ObjectId>();
    for (const row of level)
      for (const element of elementsOf(namedHeap, row, all.get(row)))
        if (element >= 0 && isShown(element)) elements.add(element);
    const unread = [...elements].filter((row) => !all.has(row));
    const more = await readValues(new Map(unread.map((row) => [row, spanOf(namedHeap, row)])));
    for (const [row, bytes] of more) all.set(row, bytes);
    level = elements;
  }
  return all;
}

/** The rows of the first elements of an array of objects: -1 where there is none in the dump. */
function elementsOf(namedHeap: NamedHeap, row: ObjectId, bytes: Uint8Array | undefined): ObjectId[] {
  const { heap, graph } = namedHeap;
  const type = heapClassOf(namedHeap, row);
  if (bytes === undefined || type < 0 || heap.classes.element[type] !== OBJECT_TYPE) return [];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const length = Math.min(graph.elements[row], SHOWN_ELEMENTS, Math.floor(bytes.length / heap.idSize));
  return Array.from({ length }, (_, i) => {
    const id = idAt(view, i * heap.idSize, heap.idSize);
    return id === 0 ? -1 : rowOfId(graph.ids, id);
  });
}

function spanOf(namedHeap: NamedHeap, row: ObjectId) {
  const { idSize, classes } = namedHeap.heap;
  const type = heapClassOf(namedHeap, row);
  const element = type < 0 ? 0 : classes.element[type];
  return element === 0 ? WHOLE : { from: 0, to: SHOWN_ELEMENTS * recordedBytes(element, idSize) };
}
