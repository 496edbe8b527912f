import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  CLASS_DUMP,
  INSTANCE_DUMP,
  OBJECT_ARRAY_DUMP,
  PRIMITIVE_ARRAY_DUMP,
  ROOT_JAVA_FRAME,
  ROOT_THREAD_OBJECT,
  TYPE_OBJECT,
  typeSizes,
} from '../../src/formats/hprof/tags.js';
import { PlacedHeap } from '../../src/formats/hprof/testing/placed-heap.js';
import { heldBy, type PlainGraph } from '../../src/formats/hprof/testing/plain-graph.js';
import { type PlainSub, plainSubs } from '../../src/formats/hprof/testing/plain-reader.js';
import { MemorySink } from '../../src/formats/hprof/write/bytes.js';
import { Shop } from './shop.js';

const SIZES = typeSizes(8);
const OBJECTS = new Set([CLASS_DUMP, INSTANCE_DUMP, OBJECT_ARRAY_DUMP, PRIMITIVE_ARRAY_DUMP]);

function written(): { heap: PlacedHeap; shop: Shop; subs: PlainSub[] } {
  const sink = new MemorySink();
  const heap = new PlacedHeap(sink);
  const shop = new Shop(heap);
  shop.write({ customers: 12, list: 20, linked: 10, large: 100 });
  return { heap, shop, subs: plainSubs(sink.bytes()) };
}

/** The ids that a class, an instance or an array refers to, null among them; not the class. */
function referencesOf(sub: PlainSub, classes: ReadonlyMap<number, PlainSub>): number[] {
  const { values = [] } = sub;
  if (sub.tag === OBJECT_ARRAY_DUMP) return [...values];
  if (sub.tag === CLASS_DUMP) return membersOf(sub).flatMap(({ value }) => (value === undefined ? [] : [value]));
  const found: number[] = [];
  if (sub.tag !== INSTANCE_DUMP) return found;
  const view = new DataView(Uint8Array.from(values).buffer);
  let at = 0;
  for (let type = classes.get(sub.class ?? 0); type; type = classes.get(type.numbers[1] ?? 0))
    for (const { code, value } of membersOf(type)) {
      if (value !== undefined) continue;
      if (code === TYPE_OBJECT) found.push(Number(view.getBigUint64(at)));
      at += SIZES[code] ?? 0;
    }
  assert.equal(at, values.length);
  return found;
}

/** Fields, and statics with their values; only the registry has one, and it has no fields. */
function membersOf({ values = [] }: PlainSub): { code: number; value?: number }[] {
  if (values.length === 3) return [{ code: values[1] ?? 0, value: values[2] ?? 0 }];
  return Array.from({ length: values.length / 2 }, (_, i) => ({ code: values[2 * i + 1] ?? 0 }));
}

/** Sizes are the distances of addresses. */
function graphOf(subs: readonly PlainSub[]): PlainGraph {
  const objects = subs.filter(({ tag }) => OBJECTS.has(tag)).sort((a, b) => a.id - b.id);
  const ids = objects.map(({ id }) => id);
  const rows = new Map(ids.map((id, row) => [id, row]));
  const classes = new Map(objects.filter(({ tag }) => tag === CLASS_DUMP).map((sub) => [sub.id, sub]));
  const edges = objects.map((sub) => {
    const [, parent = 0, loader = 0] = sub.numbers;
    const more = sub.tag === CLASS_DUMP ? [parent, loader] : [sub.class ?? 0];
    return [...referencesOf(sub, classes), ...more].flatMap((id) => {
      const to = rows.get(id);
      assert.ok(id === 0 || to !== undefined, 'no dangling reference');
      return to === undefined ? [] : [{ to, kind: 'field' as const }];
    });
  });
  const roots: number[] = [];
  for (const { tag, id, numbers } of subs) {
    const row = rows.get(id) ?? -1;
    const thread = subs.find((sub) => sub.tag === ROOT_THREAD_OBJECT && sub.numbers[0] === numbers[0]);
    if (tag === ROOT_JAVA_FRAME) edges[rows.get(thread?.id ?? 0) ?? -1]?.push({ to: row, kind: 'field' });
    else if (!OBJECTS.has(tag)) roots.push(row);
  }
  return { ids, bytes: ids.map((id, row) => (ids[row + 1] ?? id) - id), edges, roots };
}

test('the known objects retain what a search without them misses', () => {
  const { shop, subs } = written();
  const graph = graphOf(subs);
  assert.equal(shop.known.length, 12);
  for (const { what, address, retained } of shop.known) {
    const held = heldBy(graph, graph.ids.indexOf(address));
    assert.equal(
      [...held].reduce((sum, row) => sum + (graph.bytes[row] ?? 0), 0),
      retained,
      what,
    );
  }
});

test('objects, references and sizes are counted', () => {
  const { heap, subs } = written();
  const objects = subs.filter(({ tag }) => OBJECTS.has(tag) && tag !== CLASS_DUMP);
  const count = (key: 'objects' | 'heapBytes'): number => heap.classes.reduce((sum, type) => sum + type[key], 0);
  assert.equal(count('objects'), objects.length);
  const classes = new Map(subs.filter(({ tag }) => tag === CLASS_DUMP).map((sub) => [sub.id, sub]));
  const references = [...objects, ...classes.values()].flatMap((sub) => referencesOf(sub, classes));
  assert.equal(heap.references, references.filter((id) => id !== 0).length);
  const first = Math.min(...subs.filter(({ tag }) => OBJECTS.has(tag)).map(({ id }) => id));
  assert.equal(count('heapBytes') + 112 * classes.size, heap.space.next - first);
});
