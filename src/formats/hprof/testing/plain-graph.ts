/**
 * Who refers to whom in a plain heap. Dominators and retained sizes are found by brute force: what a search from the roots
 * misses when one object is left out.
 */
import type { ReferenceKind } from '../../../models/heap/heap-graph.js';
import * as tags from '../tags.js';
import { CLASS_BYTES } from './heap-layout.js';
import { type PlainHeap, typesOf } from './plain-heap.js';

/** By type from 4 on: the character in names of array classes. */
export const ARRAY_LETTERS = 'ZCFDBSIJ';

export type PlainReferenceKind = ReferenceKind | 'class' | 'local';

/** Who refers to whom: rows of `ids` (classes, then objects). */
export interface PlainGraph {
  readonly ids: readonly number[];
  /** Bytes; those of a class object are `CLASS_BYTES`. */
  readonly bytes: readonly number[];
  readonly edges: readonly (readonly { readonly to: number; readonly kind: PlainReferenceKind }[])[];
  readonly roots: readonly number[];
}

/**
 * The graph of a heap without null and dangling references. Local variables are held by the thread object (kind `local`)
 * if the thread has one, as Eclipse MAT does it, else by roots.
 */
export function plainGraph(heap: PlainHeap): PlainGraph {
  const ids = [...heap.classes, ...heap.objects].map(({ id }) => id);
  const rows = new Map(ids.map((id, row) => [id, row]));
  const byId = new Map(heap.classes.map((type) => [type.id, type]));
  const byName = new Map(heap.classes.map((type) => [type.name, type.id]));
  const edges = ids.map((): { to: number; kind: PlainReferenceKind }[] => []);
  const add = (from: number, id: number, kind: PlainReferenceKind): void => {
    const to = rows.get(id);
    if (to !== undefined) edges[rows.get(from) ?? -1]?.push({ to, kind });
  };
  for (const type of heap.classes) {
    add(type.id, type.parent, 'super');
    add(type.id, type.loader, 'loader');
    for (const { type: code, value } of type.statics) if (code === tags.TYPE_OBJECT) add(type.id, value, 'static');
  }
  for (const object of heap.objects) {
    if (object.kind === 'primitive-array') {
      add(object.id, byName.get(`[${ARRAY_LETTERS[object.type - 4]}`) ?? 0, 'class');
      continue;
    }
    add(object.id, object.class, 'class');
    if (object.kind === 'object-array') for (const value of object.values) add(object.id, value, 'element');
    else
      for (const [i, type] of typesOf(byId, object.class).entries())
        if (type === tags.TYPE_OBJECT) add(object.id, object.values[i] ?? 0, 'field');
  }
  const threads = new Map<number | undefined, number>();
  for (const { tag, object, numbers } of heap.roots)
    if (tag === tags.ROOT_THREAD_OBJECT && rows.has(object) && !threads.has(numbers[0]))
      threads.set(numbers[0], object);
  const roots = new Set<number>();
  for (const { tag, object, numbers } of heap.roots) {
    const local = tag === tags.ROOT_JAVA_FRAME || tag === tags.ROOT_JNI_LOCAL;
    const thread = local ? threads.get(numbers[0]) : undefined;
    const row = rows.get(object);
    if (thread !== undefined) add(thread, object, 'local');
    else if (row !== undefined) roots.add(row);
  }
  const bytes = [...heap.classes.map(() => CLASS_BYTES), ...heap.objects.map((object) => object.bytes)];
  return { ids, bytes, edges, roots: [...roots] };
}

/** By row: the immediate dominator, -1 for none but the roots, -2 for unreachable; and the retained bytes. */
export interface Dominance {
  readonly dominator: readonly number[];
  readonly retained: readonly number[];
}

/** By definition: a search for each object, O(objects × references). */
export function bruteDominance(graph: PlainGraph): Dominance {
  const all = reached(graph, -1);
  const missed = graph.ids.map((_, row) => heldBy(graph, row, all));
  const dominator = graph.ids.map((_, row) => {
    if (!all.has(row)) return -2;
    // The closest dominator is the one that itself dominates the fewest objects.
    let closest = -1;
    for (const [other, set] of missed.entries())
      if (other !== row && set.has(row) && (closest < 0 || set.size < (missed[closest]?.size ?? 0))) closest = other;
    return closest;
  });
  const retained = missed.map((set) => [...set].reduce((sum, row) => sum + (graph.bytes[row] ?? 0), 0));
  return { dominator, retained };
}

/** What only `row` holds: the rows that a search from the roots misses without it. */
export function heldBy(graph: PlainGraph, row: number, all: ReadonlySet<number> = reached(graph, -1)): Set<number> {
  if (!all.has(row)) return new Set();
  const rest = reached(graph, row);
  return new Set([...all].filter((other) => !rest.has(other)));
}

/** The rows that a search from the roots finds if it does not enter `without`. */
function reached(graph: PlainGraph, without: number): Set<number> {
  const found = new Set<number>();
  const waiting = graph.roots.filter((row) => row !== without);
  for (let row = waiting.pop(); row !== undefined; row = waiting.pop()) {
    if (found.has(row)) continue;
    found.add(row);
    for (const { to } of graph.edges[row] ?? []) if (to !== without) waiting.push(to);
  }
  return found;
}
