import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../../testing/amount.js';
import { bruteDominance, type PlainGraph, plainGraph } from './plain-graph.js';
import { randomHeap } from './random-heap.js';

function graph(edges: readonly number[][], roots: readonly number[]): PlainGraph {
  return {
    ids: edges.map((_, row) => row),
    bytes: edges.map((_, row) => 10 ** row),
    edges: edges.map((list) => list.map((to) => ({ to, kind: 'field' }))),
    roots,
  };
}

test('a diamond is held by its top, a chain by its head, garbage by nothing', () => {
  //  0 → 1, 2 → 3 → 4;  5 → 4
  const found = bruteDominance(graph([[1, 2], [3], [3], [4], [], [4]], [0]));
  assert.deepEqual(found.dominator, [-1, 0, 0, 0, 3, -2]);
  assert.deepEqual(found.retained, [11111, 10, 100, 11000, 10000, 0]);
});

test('an object that is a root, or held by two roots, has no dominator', () => {
  const found = bruteDominance(graph([[2, 3], [2], [], [2]], [0, 1, 3]));
  assert.deepEqual(found.dominator, [-1, -1, -1, -1]);
  assert.deepEqual(found.retained, [1, 10, 100, 1000]);
});

test('a loop does not hold itself', () => {
  const found = bruteDominance(graph([[0, 1], [2], [1]], [0]));
  assert.deepEqual(found.dominator, [-1, 0, 1]);
});

/** A second way: dominator sets as the largest solution of the data-flow equations. */
function dominatorSets({ edges, roots }: PlainGraph, reachable: readonly number[]): Map<number, Set<number>> {
  const sets = new Map(reachable.map((row) => [row, new Set(roots.includes(row) ? [row] : reachable)]));
  for (let changed = true; changed; ) {
    changed = false;
    for (const from of reachable)
      for (const { to } of edges[from] ?? []) {
        const set = sets.get(to);
        for (const row of set ?? [])
          if (row !== to && !sets.get(from)?.has(row)) {
            set?.delete(row);
            changed = true;
          }
      }
  }
  return sets;
}

test('brute force agrees with the data-flow equations', () => {
  fc.assert(
    fc.property(randomHeap, ({ heap }) => {
      const plain = plainGraph(heap);
      const { dominator, retained } = bruteDominance(plain);
      const reachable = plain.ids.map((_, row) => row).filter((row) => dominator[row] !== -2);
      const sets = dominatorSets(plain, reachable);
      for (const row of reachable) {
        const chain = new Set<number>();
        for (let up = row; up >= 0; up = dominator[up] ?? -1) chain.add(up);
        assert.deepEqual([...chain].sort(), [...(sets.get(row) ?? [])].sort());
        let held = 0;
        for (const other of reachable) if (sets.get(other)?.has(row)) held += plain.bytes[other] ?? 0;
        assert.equal(retained[row], held);
      }
    }),
    runs(300),
  );
});

test('heaps are as varied as tests need them', () => {
  // Found by seeds 1 and 77: of 30 heaps too few may be deep, or have no local variables.
  const graphs = fc.sample(randomHeap, runs(3000)).map(({ heap }) => plainGraph(heap));
  const kinds = new Set(graphs.flatMap(({ edges }) => edges.flat().map(({ kind }) => kind)));
  assert.deepEqual([...kinds].sort(), ['class', 'element', 'field', 'loader', 'local', 'static', 'super']);
  const deep = graphs.filter((each) => bruteDominance(each).dominator.filter((row) => row >= 0).length > 3);
  assert.ok(deep.length * 4 > graphs.length, `${deep.length} of ${graphs.length} have dominators`);
});

test('objects touch, and none lies in another', () => {
  fc.assert(
    fc.property(randomHeap, ({ heap }) => {
      for (const [i, { id, bytes }] of heap.objects.entries()) {
        const next = heap.objects[i + 1];
        if (next) assert.equal(next.id, id + bytes);
      }
    }),
    runs(50),
  );
});
