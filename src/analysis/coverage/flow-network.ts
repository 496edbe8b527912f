/**
 * The blocks of a method and the edges between them, as a network for flows of counts.
 *
 *   nodes   blocks 0 … n-1, and OUTSIDE = n, which calls the method and gets its returns and exceptions
 *   edges   from, to; `LOST`: source and target of flow into handlers that only rethrow
 */
import { FormatError } from '../../base/errors.js';
import type { Code } from '../../code/java/class-file/code.js';
import type { InstructionList } from '../../code/java/class-file/instruction-list.js';
import { isBranch } from '../../code/java/class-file/instructions.js';
import { type LineFlow, lineFlow } from '../../code/java/flow/lines.js';
import { type ThrowFlow, throwFlow } from '../../code/java/flow/throw-flow.js';

/** In place of a node: flow that is neither counted nor conserved. */
export const LOST = -1;

/** A branch: its targets are distinct BCIs, one for each outcome. */
export interface BranchPlace {
  readonly bci: number;
  readonly node: number;
  readonly line: number;
  readonly targets: readonly number[];
  /** One for each target. */
  readonly edges: readonly number[];
}

/** The network without the branches of the method. */
export interface Network {
  readonly nodes: number;
  readonly from: Int32Array;
  readonly to: Int32Array;
}

export interface FlowNetwork extends Network, LineFlow {
  readonly branches: readonly BranchPlace[];
  /** 1 for blocks that run only while an exception leaves the method. */
  readonly leaving: Uint8Array;
  readonly instructions: InstructionList;
}

/** The network of a method; undefined if its control flow is unknown or its constant pool is damaged. */
export function flowNetwork(code: Code): FlowNetwork | undefined {
  try {
    const flow = throwFlow(code);
    return flow && networkOf(code, flow);
  } catch (error) {
    if (error instanceof FormatError) return undefined;
    throw error;
  }
}

function networkOf(code: Code, flow: ThrowFlow): FlowNetwork {
  const from: number[] = [];
  const to: number[] = [];
  const edge = (source: number, target: number): number => {
    from.push(source);
    return to.push(target) - 1;
  };
  const branches: BranchPlace[] = [];
  const { blocks, instructions, leaving } = flow;
  const outside = blocks.length;
  edge(outside, 0);
  for (const handler of flow.rethrowing) edge(LOST, handler);
  for (const [node, { last, successors, handlers }] of blocks.entries()) {
    const edges = successors.map((target) => edge(node, target));
    if (isBranch(last) && edges.length > 1) {
      const targets = successors.map((target) => blocks[target].start);
      branches.push({ bci: last.bci, node, line: code.lineAt(last.bci) ?? -1, targets, edges });
    }
    for (const handler of handlers) edge(node, handler);
    if (edges.length === 0) edge(node, flow.counted[node] === 1 ? outside : LOST);
  }
  return {
    nodes: outside,
    from: Int32Array.from(from),
    to: Int32Array.from(to),
    branches,
    ...lineFlow(code, flow),
    leaving,
    instructions,
  };
}
