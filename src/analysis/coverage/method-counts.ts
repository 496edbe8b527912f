/**
 * Executions of the blocks, branch outcomes and lines of a method, as far as a profile determines them. The counts of
 * each context are completed by the conservation of flow, then added. A count that is open (NaN) in one context is
 * open.
 */
import type { LineRun } from '../../code/java/flow/lines.js';
import { landOnWays } from '../../code/java/flow/ways.js';
import type { FlowNetwork } from './flow-network.js';
import { FlowSolver } from './flow-solver.js';
import type { BranchRecord, MethodContext } from './method-contexts.js';

export interface MethodCounts {
  /** By node of the flow; the last one is the method's calls. */
  readonly nodes: Float64Array;
  readonly edges: Float64Array;
  /** Contexts with contradictory counts: nothing was derived in them. */
  readonly contradictory: number;
  /** Records of branches or outcomes that are not in the code. */
  readonly unplaced: number;
}

/** The counts of a method from its contexts; a method without contexts did not run. */
export function methodCounts(flow: FlowNetwork, contexts: readonly MethodContext[]): MethodCounts {
  const nodes = new Float64Array(flow.nodes + 1);
  const edges = new Float64Array(flow.from.length);
  const solver = new FlowSolver(flow);
  let contradictory = 0;
  let unplaced = 0;
  const places = new Map(flow.branches.map((branch) => [branch.bci, branch]));
  for (const context of contexts) {
    const known = new Map<number, number>();
    for (const [bci, ways] of context.branches) {
      const place = places.get(bci);
      const counts = place === undefined ? undefined : countsOfWays(flow, place.targets, [...ways.values()]);
      if (counts === undefined || place === undefined) unplaced++;
      else for (const [way, count] of counts) known.set(place.edges[way], count);
    }
    const solved = solver.solve(context.calls, known);
    if (solved.contradictory) contradictory++;
    for (let node = 0; node < nodes.length; node++) nodes[node] += solved.nodes[node];
    for (let edge = 0; edge < edges.length; edge++) edges[edge] += solved.edges[edge];
  }
  return { nodes, edges, contradictory, unplaced };
}

/** The counts in the order of `targets`; undefined if a record is not one of these outcomes. */
function countsOfWays(
  { instructions }: FlowNetwork,
  targets: readonly number[],
  records: readonly BranchRecord[],
): Map<number, number> | undefined {
  const ways = landOnWays(
    instructions,
    targets,
    records.map(({ target }) => target),
  );
  if (ways.includes(-1)) return undefined;
  const counts = new Map<number, number>();
  for (const [place, way] of ways.entries()) counts.set(way, (counts.get(way) ?? 0) + records[place].count);
  return counts;
}

/**
 * How often control came to each line from another one, or into the method; NaN if not determined. Arrivals are counted
 * where a statement begins. A line that only continues the expression of another one is counted where it continues.
 */
export function lineCounts(
  flow: FlowNetwork,
  { nodes, edges }: Pick<MethodCounts, 'nodes' | 'edges'>,
): Map<number, number> {
  const into = edgesInto(flow);
  const statements = new Map<number, number>();
  const others = new Map<number, number>();
  const visited = new Set<string>();
  for (const run of flow.runs) {
    const known = runCount(flow, run, nodes, edges, into[run.block] ?? []);
    // Exceptions are assumed not to leave the method, so the copy of a `finally` block for them adds nothing.
    const count = Number.isNaN(known) && flow.leaving[run.block] === 1 ? 0 : known;
    if (run.statement) statements.set(run.line, (statements.get(run.line) ?? 0) + count);
    // An expression may come back to its line several times in a block.
    else if (!visited.has(`${run.line} ${run.block}`)) others.set(run.line, (others.get(run.line) ?? 0) + count);
    visited.add(`${run.line} ${run.block}`);
  }
  for (const [line, count] of others) if (!statements.has(line)) statements.set(line, count);
  return statements;
}

function edgesInto(flow: FlowNetwork): number[][] {
  const into: number[][] = Array.from({ length: flow.nodes }, () => []);
  for (let edge = 0; edge < flow.to.length; edge++) into[flow.to[edge]]?.push(edge);
  return into;
}

function runCount(
  flow: FlowNetwork,
  run: LineRun,
  nodes: Float64Array,
  edges: Float64Array,
  into: readonly number[],
): number {
  if (!run.first) return nodes[run.block];
  const fromElsewhere = into.filter((edge) => {
    const from = flow.from[edge];
    return from < 0 || from >= flow.nodes || flow.lastLine[from] !== run.line;
  });
  if (fromElsewhere.length === into.length) return nodes[run.block];
  return fromElsewhere.reduce((sum, edge) => sum + edges[edge], 0);
}
