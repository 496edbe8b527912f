/**
 * How control flows through a method: blocks of instructions, the ways between them, and its source lines (JVMS 4.7.3,
 * 4.7.12, 6.5).
 *
 *   nodes   blocks 0 … n-1, and OUTSIDE = n, which calls the method and gets its returns and exceptions
 *   edges   from, to; `LOST` stands for where what a handler that only throws again gets comes from and goes to
 *
 * Exceptions: one that leaves the method is taken not to happen before the end of a block, as nobody counts it. Where a
 * handler may go on in the method, the block ends behind each instruction in its range that may throw, with an edge to it.
 * O(instructions); an object an instruction while it is made.
 */
import { FormatError } from '../../base/errors.js';
import type { Code, ExceptionEntry } from '../../code/java/class-file/code.js';
import { eachInstruction, type Instruction } from '../../code/java/class-file/instructions.js';
import { isFollowable } from '../../code/java/flow/flow.js';
import { stackEffect } from './stack-effect.js';

/** In place of a node: flow that is neither counted nor kept. */
export const LOST = -1;

/** An `if` or a switch: its targets are distinct BCIs, the ways it can go. */
export interface BranchPlace {
  readonly bci: number;
  readonly node: number;
  readonly line: number;
  readonly targets: readonly number[];
  /** One for each target. */
  readonly edges: readonly number[];
}

/** A row of instructions of one line in a block. */
export interface LineRun {
  readonly line: number;
  readonly node: number;
  /** The first of its block: control comes along the edges into the block. */
  readonly first: boolean;
  /** Whether a statement begins there; else an expression goes on that was begun on another line. */
  readonly statement: boolean;
}

export interface CodeFlow {
  readonly nodes: number;
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly branches: readonly BranchPlace[];
  /** In the order of the code. */
  readonly runs: readonly LineRun[];
  /** The last line of each block; -1 where no line is told. */
  readonly lastLine: Int32Array;
  /** 1 for blocks that run only while an exception leaves the method: the copies that javac makes of a `finally`. */
  readonly leaving: Uint8Array;
  /** Where a way that begins with nothing but jumps ends: profiles may name either. */
  readonly landing: (bci: number) => number;
}

/**
 * Undefined where the code cannot be followed: damaged, with more handlers than are followed, or with subroutines
 * (`jsr`), which javac made up to 1.4.
 */
export function codeFlow(code: Code): CodeFlow | undefined {
  if (!isFollowable(code)) return undefined;
  try {
    return new FlowBuilder(code).build();
  } catch (error) {
    if (error instanceof FormatError) return undefined;
    throw error;
  }
}

class FlowBuilder {
  readonly #code: Code;
  readonly #list: Instruction[] = [];
  /** BCI → row of the list, -1 between instructions. */
  readonly #rows: Int32Array;
  readonly #from: number[] = [];
  readonly #to: number[] = [];
  #blockOf = new Int32Array(0);

  constructor(code: Code) {
    this.#code = code;
    this.#rows = new Int32Array(code.length + 1).fill(-1);
  }

  build(): CodeFlow | undefined {
    const list = this.#list;
    const problem = eachInstruction(this.#code, (instruction) => {
      this.#rows[instruction.bci] = list.length;
      list.push(instruction);
    });
    const broken = list.some(({ kind, bci, ...jump }) => {
      const ways = [...jump.targets, ...(jump.defaultTarget >= 0 ? [jump.defaultTarget] : [])];
      return kind === 'jsr' || kind === 'ret' || ways.some((target) => (this.#rows[target] ?? -1) < 0);
    });
    const handlers = this.#code.exceptions;
    if (problem !== undefined || broken || list.length === 0) return undefined;
    if (handlers.some(({ handler }) => (this.#rows[handler] ?? -1) < 0)) return undefined;
    const goingOn = this.#handlersThatGoOn();
    this.#cut(goingOn);
    const nodes = (this.#blockOf.at(-1) ?? 0) + 1;
    const branches = this.#connect(nodes, goingOn);
    const depth = this.#stackDepths();
    const { runs, lastLine } = this.#lines(depth, nodes);
    return {
      nodes,
      from: Int32Array.from(this.#from),
      to: Int32Array.from(this.#to),
      branches: branches.map((branch) => ({ ...branch, line: this.#lineOf(branch.bci) })),
      runs,
      lastLine,
      leaving: this.#leaving(nodes, goingOn),
      landing: (bci) => this.#landing(bci),
    };
  }

  #row(bci: number): number {
    return this.#rows[bci];
  }

  #lineOf(bci: number): number {
    return this.#code.lineAt(bci) ?? -1;
  }

  /** Rows an instruction can go to next, exceptions left out; the last row may be behind the code in damaged files only. */
  #ways(row: number): number[] {
    const instruction = this.#list[row];
    const next = row + 1 < this.#list.length ? [row + 1] : [];
    switch (instruction.kind) {
      case 'return':
      case 'athrow':
        return [];
      case 'goto':
        return instruction.targets.map((target) => this.#row(target));
      case 'if':
        return [...new Set([...instruction.targets.map((target) => this.#row(target)), ...next])];
      case 'tableswitch':
      case 'lookupswitch': {
        const targets = [...instruction.targets, instruction.defaultTarget];
        return [...new Set(targets.map((target) => this.#row(target)))];
      }
      default:
        return next;
    }
  }

  /** The rows that are reached from `start` without exceptions. */
  #reached(start: readonly number[]): Uint8Array {
    const seen = new Uint8Array(this.#list.length);
    const waiting = [...start];
    for (let row = waiting.pop(); row !== undefined; row = waiting.pop()) {
      if (seen[row] === 1) continue;
      seen[row] = 1;
      waiting.push(...this.#ways(row));
    }
    return seen;
  }

  /** Handlers behind which the method can return, or loop for good: not those that end in throwing again. */
  #handlersThatGoOn(): Set<number> {
    const usual = this.#reached([0]);
    const starts = new Set(this.#code.exceptions.map(({ handler }) => handler));
    return new Set(
      [...starts].filter((handler) => {
        const reached = this.#reached([this.#row(handler)]);
        return this.#list.some(
          (instruction, row) => reached[row] === 1 && (instruction.kind === 'return' || usual[row] === 1),
        );
      }),
    );
  }

  #covering(bci: number, goingOn: ReadonlySet<number>): ExceptionEntry[] {
    return this.#code.exceptions.filter(({ start, end, handler }) => start <= bci && bci < end && goingOn.has(handler));
  }

  #cut(goingOn: ReadonlySet<number>): void {
    const list = this.#list;
    const leads = new Uint8Array(list.length + 1);
    leads[0] = 1;
    for (const { handler } of this.#code.exceptions) leads[this.#row(handler)] = 1;
    for (const [row, { kind, bci }] of list.entries()) {
      const ways = this.#ways(row);
      const straight = ways.length === 1 && ways[0] === row + 1 && kind !== 'goto' && kind !== 'if';
      const throws = mayThrow(list[row]) && this.#covering(bci, goingOn).length > 0;
      if (straight && !throws) continue;
      leads[row + 1] = 1;
      for (const way of ways) leads[way] = 1;
    }
    this.#blockOf = new Int32Array(list.length);
    let block = -1;
    for (let row = 0; row < list.length; row++) {
      if (leads[row] === 1) block++;
      this.#blockOf[row] = block;
    }
  }

  #edge(from: number, to: number): number {
    this.#from.push(from);
    return this.#to.push(to) - 1;
  }

  #connect(nodes: number, goingOn: ReadonlySet<number>): Omit<BranchPlace, 'line'>[] {
    const list = this.#list;
    const branches: Omit<BranchPlace, 'line'>[] = [];
    this.#edge(nodes, 0);
    const usual = this.#reached([0, ...[...goingOn].map((handler) => this.#row(handler))]);
    for (const handler of new Set(this.#code.exceptions.map((entry) => entry.handler)))
      if (!goingOn.has(handler)) this.#edge(LOST, this.#blockOf[this.#row(handler)]);
    for (const [row, { kind, bci }] of list.entries()) {
      const node = this.#blockOf[row];
      if (row + 1 < list.length && this.#blockOf[row + 1] === node) continue;
      const ways = this.#ways(row);
      const edges = ways.map((way) => this.#edge(node, this.#blockOf[way]));
      const forks = kind === 'if' || kind === 'tableswitch' || kind === 'lookupswitch';
      if (forks && ways.length > 1) branches.push({ bci, node, edges, targets: ways.map((way) => list[way].bci) });
      if (mayThrow(list[row])) {
        const handlers = new Set(this.#covering(bci, goingOn).map(({ handler }) => handler));
        for (const handler of handlers) this.#edge(node, this.#blockOf[this.#row(handler)]);
      }
      if (ways.length === 0) this.#edge(node, usual[row] === 1 ? nodes : LOST);
    }
    return branches;
  }

  #leaving(nodes: number, goingOn: ReadonlySet<number>): Uint8Array {
    const ends = this.#code.exceptions.filter(({ catchIndex, handler }) => catchIndex === 0 && !goingOn.has(handler));
    const reached = this.#reached(ends.map(({ handler }) => this.#row(handler)));
    const leaving = new Uint8Array(nodes);
    for (let row = 0; row < reached.length; row++) if (reached[row] === 1) leaving[this.#blockOf[row]] = 1;
    return leaving;
  }

  #landing(bci: number): number {
    let row = this.#row(bci) ?? -1;
    for (let steps = 0; row >= 0 && this.#list[row]?.kind === 'goto' && steps < this.#list.length; steps++)
      row = this.#ways(row)[0] ?? -1;
    return this.#list[row]?.bci ?? bci;
  }

  /** Slots on the operand stack before each instruction, -1 where it is never reached. A handler begins with none. */
  #stackDepths(): Int32Array {
    const depth = new Int32Array(this.#list.length).fill(-1);
    const handlers = new Set(this.#code.exceptions.map(({ handler }) => this.#row(handler)));
    const waiting = [0, ...handlers];
    for (const row of waiting) depth[row] = 0;
    for (let row = waiting.pop(); row !== undefined; row = waiting.pop()) {
      const { taken, put } = stackEffect(this.#list[row], this.#descriptorOf(this.#list[row]));
      // The exception that a handler begins with is not counted as an unfinished expression.
      const after = Math.max(0, depth[row] - taken) + put;
      for (const way of this.#ways(row)) {
        if (depth[way] >= 0) continue;
        depth[way] = after;
        waiting.push(way);
      }
    }
    return depth;
  }

  /** Of the field or method that an instruction names. */
  #descriptorOf({ kind, index }: Instruction): string {
    if (kind === 'invokedynamic') return this.#code.pool.dynamic(index).descriptor;
    return /^(?:get|put|invoke)/.test(kind) ? this.#code.pool.member(index).descriptor : '';
  }

  #lines(depth: Int32Array, nodes: number): Pick<CodeFlow, 'runs' | 'lastLine'> {
    const runs: LineRun[] = [];
    const lastLine = new Int32Array(nodes).fill(-1);
    const lines = this.#lineOfRows();
    const told = new Set<number>();
    for (let row = 0; row < this.#list.length; row++) {
      const node = this.#blockOf[row];
      const first = row === 0 || this.#blockOf[row - 1] !== node;
      lastLine[node] = lines[row];
      if (lines[row] < 0 || depth[row] < 0 || (!first && lines[row] === lines[row - 1])) continue;
      const statement = depth[row] === 0 && !(told.has(lines[row]) && this.#givesBack(row));
      told.add(lines[row]);
      runs.push({ line: lines[row], node, first, statement });
    }
    return { runs, lastLine };
  }

  /** Whether nothing but a return is there: of a value that was computed before the `finally` that lies between. */
  #givesBack(row: number): boolean {
    const { mnemonic, kind } = this.#list[row];
    return kind === 'return' || (/^[ilfda]load/.test(mnemonic) && this.#list[row + 1]?.kind === 'return');
  }

  #lineOfRows(): Int32Array {
    const table = [...this.#code.lineTable].sort((a, b) => a.bci - b.bci);
    let next = 0;
    let line = -1;
    return Int32Array.from(this.#list, ({ bci }) => {
      for (; next < table.length && table[next].bci <= bci; next++) line = table[next].line;
      return line;
    });
  }
}

/** Instructions that throw for what a program does (JVMS 6.5), not for a VM that is out of memory or links badly. */
function mayThrow({ kind, opcode }: Instruction): boolean {
  switch (kind) {
    case 'invokevirtual':
    case 'invokespecial':
    case 'invokestatic':
    case 'invokeinterface':
    case 'invokedynamic':
    case 'getfield':
    case 'putfield':
    case 'newarray':
    case 'new':
    case 'checkcast':
    case 'athrow':
    case 'monitorenter':
      return true;
    default:
      return isArrayAccess(opcode) || isIntegerDivision(opcode);
  }
}

function isArrayAccess(opcode: number): boolean {
  return (opcode >= 0x2e && opcode <= 0x35) || (opcode >= 0x4f && opcode <= 0x56) || opcode === 0xbe;
}

/** idiv, ldiv, irem, lrem. */
function isIntegerDivision(opcode: number): boolean {
  return opcode === 0x6c || opcode === 0x6d || opcode === 0x70 || opcode === 0x71;
}
