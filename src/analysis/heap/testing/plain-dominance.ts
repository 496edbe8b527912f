/** What a plain heap says of dominators and paths, to compare with what the engine makes of its dump. */
import * as tags from '../../../formats/hprof/tags.js';
import { type PlainGraph, plainGraph } from '../../../formats/hprof/testing/plain-graph.js';
import type { PlainClass, PlainHeap } from '../../../formats/hprof/testing/plain-heap.js';
import type { HeapChoice } from '../stages.js';

/** Names that make a class a reference of the Java library, by kind. */
const KINDS = { weak: 'WeakReference', soft: 'SoftReference', phantom: 'PhantomReference', final: 'FinalReference' };
type Kind = keyof typeof KINDS;

/**
 * The heap with references: its first class that has a reference field is `java.lang.ref.Reference`, and what extends it is
 * of a kind in turn.
 */
export function withReferences(heap: PlainHeap): PlainHeap {
  const at = heap.classes.findIndex(({ fields }) => fields.some(({ type }) => type === tags.TYPE_OBJECT));
  if (at < 0) return heap;
  const base = heap.classes[at];
  const referent = base.fields.findIndex(({ type }) => type === tags.TYPE_OBJECT);
  const kinds = Object.values(KINDS);
  let next = 0;
  const classes = heap.classes.map((type, i): PlainClass => {
    if (i === at) {
      const fields = type.fields.map((field, j) => (j === referent ? { ...field, name: 'referent' } : field));
      return { ...type, name: 'java/lang/ref/Reference', fields };
    }
    if (type.parent !== base.id || type.name.startsWith('[')) return type;
    return { ...type, name: `java/lang/ref/${kinds[next++ % kinds.length]}` };
  });
  return { ...heap, classes };
}

/** The heap without the referents of these kinds: as if they were null. */
function withoutReferents(heap: PlainHeap, without: HeapChoice['without']): PlainHeap {
  const byId = new Map(heap.classes.map((type) => [type.id, type]));
  const objects = heap.objects.map((object) => {
    if (object.kind !== 'instance') return object;
    let place = 0;
    let kind: Kind | undefined;
    for (let type = byId.get(object.class); type !== undefined; type = byId.get(type.parent)) {
      const name = type.name.replace('java/lang/ref/', '');
      for (const one of without) if (kind === undefined && name === KINDS[one]) kind = one;
      if (name === 'Reference') {
        const at = place + type.fields.findIndex((field) => field.name === 'referent');
        return kind === undefined ? object : { ...object, values: object.values.map((id, i) => (i === at ? 0 : id)) };
      }
      place += type.fields.length;
    }
    return object;
  });
  return { ...heap, objects };
}

/** The graph by the same choice as the engine's; `size`: bytes by id. */
export function chosenPlain(
  heap: PlainHeap,
  { without, roots }: Pick<HeapChoice, 'without' | 'roots'>,
  size: (id: number) => number,
): PlainGraph {
  const plain = plainGraph(withoutReferents(heap, without));
  const bytes = plain.ids.map(size);
  const rowOf = new Map(plain.ids.map((id, row) => [id, row]));
  const rowsOf = (ids: readonly number[]): number[] => [...new Set(ids.flatMap((id) => rowOf.get(id) ?? []))];
  if (roots === 'vm') {
    const edges = plain.edges.map((list) => list.filter(({ kind }) => kind !== 'local'));
    return { ...plain, bytes, edges, roots: rowsOf(heap.roots.map(({ object }) => object)) };
  }
  const known = heap.roots.filter(({ object }) => rowOf.has(object));
  if (known.some(({ tag }) => tag === tags.ROOT_STICKY_CLASS)) return { ...plain, bytes };
  const boot = rowsOf(heap.classes.filter(({ loader }) => loader === 0).map(({ id }) => id));
  return { ...plain, bytes, roots: [...new Set([...plain.roots, ...boot])] };
}

/** By row: references from a root to it, at least; -1 for unreachable ones. */
export function plainDistances({ ids, edges, roots }: PlainGraph): number[] {
  const distance = ids.map(() => -1);
  let level = [...roots];
  for (const row of level) distance[row] = 0;
  for (let far = 1; level.length > 0; far++) {
    const next: number[] = [];
    for (const { to } of level.flatMap((row) => edges[row])) {
      if (distance[to] >= 0) continue;
      distance[to] = far;
      next.push(to);
    }
    level = next;
  }
  return distance;
}
