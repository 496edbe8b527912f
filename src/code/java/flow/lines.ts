/**
 * The source lines of a method along its blocks (JVMS 4.7.12): where control enters a line, and where a statement
 * begins.
 */
import type { Code } from '../class-file/code.js';
import type { InstructionList } from '../class-file/instruction-list.js';
import { effectOf } from './stack-effect.js';
import type { ThrowFlow } from './throw-flow.js';

/** A row of instructions of one line in a block. */
export interface LineRun {
  readonly line: number;
  readonly block: number;
  /** The first of its block: control enters through the edges of the block. */
  readonly first: boolean;
  /** Whether a statement begins there; else an expression from another line continues. */
  readonly statement: boolean;
}

export interface LineFlow {
  /** In the order of the code. */
  readonly runs: readonly LineRun[];
  /** The last line of each block; -1 if the line table has none for it. */
  readonly lastLine: Int32Array;
}

export function lineFlow(code: Code, flow: ThrowFlow): LineFlow {
  const { instructions, blocks, blockOf } = flow;
  const depth = stackDepths(code, flow);
  const lines = linesOf(code, instructions);
  const runs: LineRun[] = [];
  const lastLine = new Int32Array(blocks.length).fill(-1);
  const begun = new Set<number>();
  for (const [row, line] of lines.entries()) {
    const block = blockOf[row];
    const first = row === 0 || blockOf[row - 1] !== block;
    lastLine[block] = line;
    if (line < 0 || depth[row] < 0 || (!first && line === lines[row - 1])) continue;
    const statement = depth[row] === 0 && !(begun.has(line) && givesBack(instructions, row));
    begun.add(line);
    runs.push({ line, block, first, statement });
  }
  return { runs, lastLine };
}

/** By row; of several entries of the line table for one BCI the last counts. */
function linesOf(code: Code, { all }: InstructionList): Int32Array {
  const table = [...code.lineTable].sort((a, b) => a.bci - b.bci);
  let next = 0;
  let line = -1;
  return Int32Array.from(all, ({ bci }) => {
    for (; next < table.length && table[next].bci <= bci; next++) line = table[next].line;
    return line;
  });
}

/**
 * Slots on the operand stack before each instruction, -1 if it is never reached. A handler counts as beginning with
 * none.
 */
function stackDepths({ pool, exceptions }: Code, { instructions, successors: { first, to } }: ThrowFlow): Int32Array {
  const depth = new Int32Array(instructions.all.length).fill(-1);
  const waiting = [0, ...new Set(exceptions.map(({ handler }) => instructions.row(handler)))];
  for (const row of waiting) depth[row] = 0;
  for (let row = waiting.pop(); row !== undefined; row = waiting.pop()) {
    const { taken, put } = effectOf(instructions.all[row], pool);
    // The exception that a handler begins with is not counted as an unfinished expression.
    const after = Math.max(0, depth[row] - taken) + put;
    for (let i = first[row]; i < first[row + 1]; i++) {
      if (depth[to[i]] >= 0) continue;
      depth[to[i]] = after;
      waiting.push(to[i]);
    }
  }
  return depth;
}

/** Whether the row is only a return, of a value computed before an intervening `finally`. */
function givesBack({ all }: InstructionList, row: number): boolean {
  const { mnemonic, kind } = all[row];
  return kind === 'return' || (/^[ilfda]load/.test(mnemonic) && all[row + 1]?.kind === 'return');
}
