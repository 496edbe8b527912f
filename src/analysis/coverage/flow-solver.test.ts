/** The solver against linear algebra on random graphs with the counts of real walks. */
import { deepEqual, equal } from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SEED, times } from '../../testing/amount.js';
import { Random } from '../../testing/random.js';
import type { Network } from './flow-network.js';
import { FlowSolver } from './flow-solver.js';

/** A graph in which each node leads on, and the counts of some calls through it. */
function walked(seed: number): { graph: Network; counts: number[]; calls: number } {
  const random = new Random(seed);
  const nodes = 2 + random.below(8);
  const from = [nodes];
  const to = [0];
  for (let node = 0; node < nodes; node++) {
    const ways = new Set([node + 1, ...Array.from({ length: random.below(3) }, () => random.below(nodes + 1))]);
    for (const way of ways) {
      from.push(node);
      to.push(way);
    }
  }
  const counts = from.map(() => 0);
  const calls = random.below(6);
  for (let call = 0; call < calls; call++) {
    let at = nodes;
    do {
      const ways = from.flatMap((node, edge) => (node === at ? [edge] : []));
      const edge = ways[random.below(ways.length)] ?? 0;
      counts[edge] = (counts[edge] ?? 0) + 1;
      at = to[edge] ?? nodes;
    } while (at !== nodes);
  }
  return { graph: { nodes, from: Int32Array.from(from), to: Int32Array.from(to) }, counts, calls };
}

/** The unknown edges that the equations of flow determine: Gaussian elimination, one equation a node. */
function determined({ nodes, from, to }: Network, known: ReadonlyMap<number, number>): Set<number> {
  const open = [...from.keys()].filter((edge) => !known.has(edge));
  const rows = Array.from({ length: nodes + 1 }, (_, node) =>
    open.map((edge) => (from[edge] === node ? 1 : 0) - (to[edge] === node ? 1 : 0)),
  );
  let rank = 0;
  for (let column = 0; column < open.length; column++) {
    const pivot = rows.findIndex((row, i) => i >= rank && row[column] !== 0);
    if (pivot < 0) continue;
    const [row = []] = rows.splice(pivot, 1);
    const scaled = row.map((value) => value / (row[column] ?? 1));
    rows.splice(rank++, 0, scaled);
    for (const [i, other] of rows.entries())
      if (other !== scaled) rows[i] = other.map((value, k) => value - (scaled[k] ?? 0) * (other[column] ?? 0));
  }
  const alone = rows.map((row) => row.flatMap((value, k) => (Math.abs(value) > 1e-9 ? [k] : [])));
  return new Set(alone.flatMap((terms) => (terms.length === 1 ? [open[terms[0] ?? 0] ?? -1] : [])));
}

describe('counts of flow', () => {
  it('are those of the walk, and complete by the equations', () => {
    let found = 0;
    for (let seed = SEED; seed < SEED + times(3000); seed++) {
      const { graph, counts, calls } = walked(seed);
      const random = new Random(seed + 100_000);
      const known = new Map([...counts.entries()].filter(() => random.below(3) === 0));
      const solved = new FlowSolver(graph).solve(random.below(4) === 0 ? undefined : calls, known);
      equal(solved.contradictory, false, `seed ${seed}`);
      for (const [edge, count] of solved.edges.entries())
        if (!Number.isNaN(count)) equal(count, counts[edge], `seed ${seed}, edge ${edge}`);
      for (const edge of determined(graph, known)) {
        found++;
        equal(solved.edges[edge], counts[edge], `seed ${seed}, edge ${edge}`);
      }
    }
    // The test would show nothing if nothing followed.
    equal(found > times(3000), true);
  });

  it('of a diamond are open on its branches, but not after it', () => {
    const diamond = { nodes: 4, from: Int32Array.of(4, 0, 0, 1, 2, 3), to: Int32Array.of(0, 1, 2, 3, 3, 4) };
    const { nodes, edges } = new FlowSolver(diamond).solve(7, new Map());
    deepEqual([...nodes], [7, Number.NaN, Number.NaN, 7, 7]);
    deepEqual([...edges], [7, Number.NaN, Number.NaN, Number.NaN, Number.NaN, 7]);
    deepEqual([...new FlowSolver(diamond).solve(7, new Map([[1, 3]])).nodes], [7, 3, 4, 7, 7]);
  });

  it('that contradict each other stay as recorded', () => {
    const line = { nodes: 2, from: Int32Array.of(2, 0, 1), to: Int32Array.of(0, 1, 2) };
    const solved = new FlowSolver(line).solve(7, new Map([[1, 8]]));
    equal(solved.contradictory, true);
    deepEqual([...solved.edges], [Number.NaN, 8, Number.NaN]);
    deepEqual([...solved.nodes], [Number.NaN, Number.NaN, 7]);
    equal(new FlowSolver(line).solve(-1, new Map()).contradictory, true);
  });

  it('of a long `else if` that never ran take no walk a block', () => {
    const blocks = 400;
    // Each block returns or leads to the next one; the first always returned.
    const from = [blocks, ...Array.from({ length: blocks }, (_, node) => [node, node]).flat()];
    const to = [0, ...Array.from({ length: blocks }, (_, node) => [blocks, node + 1]).flat()];
    const solver = new FlowSolver({ nodes: blocks, from: Int32Array.from(from), to: Int32Array.from(to) });
    const { nodes, edges } = solver.solve(7, new Map([[1, 7]]));
    deepEqual([...nodes], [7, ...Array.from({ length: blocks - 1 }, () => 0), 7]);
    deepEqual([...edges], [7, 7, ...Array.from({ length: edges.length - 2 }, () => 0)]);
    equal(solver.walks <= 3, true, `${solver.walks} walks`);
  });
});
