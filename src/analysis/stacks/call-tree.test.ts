/** Which nodes a tree has; which of them are chosen, and their order, on random trees with any weights. */
import { deepStrictEqual, equal, ok } from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { atOnce } from '../../base/progress.js';
import { functionName, placeName } from '../../models/program/names.js';
import { runs } from '../../testing/amount.js';
import { picture } from '../../testing/pictures/picture.js';
import { type CallTree, callTree, type TreeOptions } from './call-tree.js';
import { rankedNodes, type TreePage, treePage } from './heaviest-nodes.js';
import { exclusiveByStack } from './stack-values.js';

function treeOf(parent: readonly number[]): CallTree {
  const length = parent.length;
  const ints = (): Int32Array => new Int32Array(length);
  const floats = (): Float64Array => new Float64Array(length);
  return {
    length,
    parent: Int32Array.from(parent),
    function: ints(),
    site: ints(),
    ending: ints(),
    mode: undefined,
    self: floats(),
    total: floats(),
    largest: floats(),
    stack: ints(),
    ofStack: ints(),
  };
}

/** The page of a listing that ranks as many nodes as it shows, or all. */
function heaviestNodes(tree: CallTree, weight: Float64Array, limit: number, deepest: number): TreePage {
  const all = treePage(tree, atOnce(rankedNodes(tree, weight, Infinity, deepest)), limit);
  const few = treePage(tree, atOnce(rankedNodes(tree, weight, limit === 0 ? Infinity : limit, deepest)), limit);
  deepStrictEqual(few, all);
  return all;
}

const WEIGHTS = fc.array(fc.record({ up: fc.nat(), weight: fc.integer({ min: -9, max: 9 }) }), {
  minLength: 1,
  maxLength: 30,
});

describe('the heaviest nodes', () => {
  it('are connected for all weights, each after its parent and only once', () => {
    fc.assert(
      fc.property(WEIGHTS, fc.nat(31), fc.nat(4), (drawn, limit, deepest) => {
        const parent = drawn.map(({ up }, node) => (up % (node + 1)) - 1);
        const weight = Float64Array.from(drawn, (one) => one.weight);
        const { nodes, depth } = heaviestNodes(treeOf(parent), weight, limit, deepest);
        const shallow = parent
          .map((_, node) => pathTo(parent, node).length - 1)
          .filter((d) => deepest === 0 || d < deepest);
        equal(nodes.length, limit === 0 ? shallow.length : Math.min(limit, shallow.length));
        equal(new Set(nodes).size, nodes.length);
        nodes.forEach((node, row) => {
          const path = pathTo(parent, node);
          equal(depth[row], path.length - 1);
          // In preorder the ancestors of a row are the nearest rows above it at each smaller depth.
          for (const [level, ancestor] of path.slice(0, -1).entries()) {
            const above = [...depth.subarray(0, row)].lastIndexOf(level);
            equal(nodes[above], ancestor);
          }
        });
      }),
      runs(500),
    );
  });

  it('are the heaviest, siblings falling, if parents outweigh their children', () => {
    const page = heaviestNodes(treeOf([-1, 0, 0, -1, 3, 3]), Float64Array.of(10, 3, 7, 12, 0, 12), 4, 0);
    deepStrictEqual([...page.nodes], [3, 5, 0, 2]);
  });

  it('include the light parent of a heavy child before the child', () => {
    const page = heaviestNodes(treeOf([-1, -1, 1]), Float64Array.of(5, -2, -8), 2, 0);
    deepStrictEqual([...page.nodes], [1, 2]);
    ok(!page.nodes.includes(0));
  });
});

describe('calls by site', () => {
  const { program, profile } = picture(`
    @count  1           2            4             8              16
            app!main@10 app!main@18  app!main@10   Main.main:3    Main.main:9
            app!add@40  app!add@40   ~app!add@10   Main.add       Main.add
  `);
  const [metric] = profile.metrics;
  if (metric === undefined) throw new Error('a picture has a metric');
  const exclusive = exclusiveByStack(profile, metric);
  const nodes = (options: TreeOptions): string[] => {
    const tree = callTree(profile, program, exclusive, options);
    return Array.from({ length: tree.length }, (_, node) => {
      const site = tree.site[node] < 0 ? '' : ` at ${placeName(program, tree.site[node])}`;
      return `${functionName(program, tree.function[node])}${site} ${tree.total[node]}`;
    });
  };

  it('are nodes of their own, in bytecode and in native code', () => {
    deepStrictEqual(nodes({ inverted: false, bySite: true }), [
      'main 7',
      'add at app!0x10 5',
      'add at app!0x18 2',
      'Main.main 24',
      'Main.add at 3 8',
      'Main.add at 9 16',
    ]);
    deepStrictEqual(nodes({ inverted: true, bySite: true }), [
      'add 7',
      'main at app!0x10 5',
      'main at app!0x18 2',
      'Main.add 24',
      'Main.main at 3 8',
      'Main.main at 9 16',
    ]);
  });

  it('are one node if sites are merged', () => {
    deepStrictEqual(nodes({ inverted: false, bySite: false }), ['main 7', 'add 7', 'Main.main 24', 'Main.add 24']);
  });
});

function pathTo(parent: readonly number[], node: number): number[] {
  const path: number[] = [];
  for (let at = node; at >= 0; at = parent[at] ?? -1) path.unshift(at);
  return path;
}
