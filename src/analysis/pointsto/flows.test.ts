/** Flows of types against a plain closure: sets that grow until nothing changes. */
import { deepStrictEqual, ok } from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../testing/amount.js';
import { type FlowListener, Flows, type NodeId } from './flows.js';
import { type TypeId, TypeTable } from './types.js';

/** Nobody listens. */
const SILENT: FlowListener = { arrived: () => undefined, saturated: () => undefined };

/** A hierarchy of classes: each is below an earlier one, or below Object. */
interface Graph {
  readonly parents: readonly number[];
  /** By node: a class, or -1 for Object. */
  readonly filters: readonly number[];
  readonly edges: readonly (readonly [number, number])[];
  /** Node and class. */
  readonly objects: readonly (readonly [number, number])[];
}

const CLASSES = 8;
const NODES = 12;
const node = fc.nat(NODES - 1);
const graphs: fc.Arbitrary<Graph> = fc.record({
  parents: fc.tuple(...Array.from({ length: CLASSES }, (_, i) => fc.integer({ min: -1, max: i - 1 }))),
  filters: fc.array(fc.integer({ min: -1, max: CLASSES - 1 }), { minLength: NODES, maxLength: NODES }),
  edges: fc.array(fc.tuple(node, node), { maxLength: 30 }),
  objects: fc.array(fc.tuple(node, fc.nat(CLASSES - 1)), { maxLength: 12 }),
});

function isBelow(parents: readonly number[], type: number, above: number): boolean {
  return (
    above < 0 || type === above || (type >= 0 && isBelow(parents, parents[type] ?? -1, above) && parents[type] !== -1)
  );
}

/** The sets of all nodes: an object of a class is at its node, and wherever edges lead to, below the classes of the nodes. */
function plainClosure({ parents, filters, edges, objects }: Graph): Set<number>[] {
  const sets = filters.map(() => new Set<number>());
  const add = (target: number, type: number): boolean => {
    const set = sets[target];
    if (set === undefined || set.has(type) || !isBelow(parents, type, filters[target] ?? -1)) return false;
    set.add(type);
    return true;
  };
  for (const [at, type] of objects) add(at, type);
  for (let hasGrown = true; hasGrown; ) {
    hasGrown = false;
    for (const [source, target] of edges) for (const type of sets[source] ?? []) if (add(target, type)) hasGrown = true;
  }
  return sets;
}

interface Built {
  readonly flows: Flows;
  readonly nodes: readonly NodeId[];
  readonly typeOf: (type: TypeId) => number;
}

/** `early`: how many edges exist before the first types move. */
function built({ parents, filters, edges, objects }: Graph, cutoff: number, early: number): Built {
  const types = new TypeTable();
  types.setLoaded(types.object);
  const ids: TypeId[] = [];
  for (const [i, parent] of parents.entries()) ids.push(types.synthetic(`T${i}`, parent < 0 ? [] : [ids[parent] ?? 0]));
  const flows = new Flows(types, cutoff, SILENT);
  const nodes = filters.map((filter) => flows.node(filter < 0 ? types.object : (ids[filter] ?? 0)));
  const at = (index: number): NodeId => nodes[index] ?? -1;
  for (const [source, target] of edges.slice(0, early)) flows.edge(at(source), at(target));
  for (const [place, type] of objects) {
    flows.instantiate(ids[type] ?? 0);
    flows.add(at(place), ids[type] ?? 0);
  }
  while (!flows.run(3));
  for (const [source, target] of edges.slice(early)) flows.edge(at(source), at(target));
  while (!flows.run(3));
  return { flows, nodes, typeOf: (type) => ids.indexOf(type) };
}

describe('flows of types', () => {
  test('without a cut-off are the plain closure, whenever edges are added', () => {
    fc.assert(
      fc.property(graphs, fc.nat(30), (graph, early) => {
        const { flows, nodes, typeOf } = built(graph, Number.POSITIVE_INFINITY, early);
        const sets = nodes.map((each) => new Set(flows.typesOf(each).map(typeOf)));
        deepStrictEqual(sets, plainClosure(graph));
      }),
      runs(300),
    );
  });

  test('with a cut-off leave nothing out: a node that stands for all has all that its own type allows', () => {
    fc.assert(
      fc.property(graphs, fc.nat(3), fc.nat(30), (graph, cutoff, early) => {
        const { flows, nodes, typeOf } = built(graph, cutoff, early);
        const plain = plainClosure(graph);
        for (const [i, each] of nodes.entries()) {
          if (flows.isSaturated(each)) continue;
          const types = new Set(flows.typesOf(each).map(typeOf));
          ok(types.size <= cutoff);
          for (const type of plain[i] ?? []) ok(types.has(type), `node ${i} lacks T${type}`);
        }
      }),
      runs(300),
    );
  });
});
