/**
 * The code of a method as nodes, edges and sites: one pass over its blocks, each once, with the nodes of its locals and operands. Where
 * blocks meet, each slot has a node of its own that all ways flow into; handlers have one for each local. With predicates, a block is added
 * once a test that leads to it can hold (`predicates.ts`).
 */
import { NONE } from '../../base/flavor.js';
import type { Code } from '../../code/java/class-file/code.js';
import { InstructionList } from '../../code/java/class-file/instruction-list.js';
import { type Instruction, isBranch } from '../../code/java/class-file/instructions.js';
import { type Block, type FlowGraph, flowGraph, isFollowable, rangeEdges } from '../../code/java/flow/graph.js';
import { destinations } from '../../code/java/flow/successors.js';
import { anyOf, type Condition, conditionsOf, type Operand } from './branches.js';
import { type BodyContext, Effects } from './effects.js';
import type { Engine, MethodNodes } from './engine.js';
import type { NodeId } from './flows.js';
import type { MethodId } from './methods.js';
import type { Frame } from './operands.js';
import { holdsAlready, whenHolds } from './predicates.js';

/** Adds what the code of a method does. Throws `FormatError` for damaged code. */
export function buildBody(context: BodyContext, method: MethodId, code: Code): void {
  new Body(context, method, code).build();
}

class Body {
  readonly #engine: Engine;
  readonly #method: MethodId;
  readonly #code: Code;
  readonly #effects: Effects;
  readonly #graph: FlowGraph;
  readonly #frames: (Frame | undefined)[] = [];
  readonly #nodes: MethodNodes;
  readonly #meets: Uint8Array;
  /** Whether adding it has failed. */
  #isDamaged = false;
  /** Blocks to add. */
  readonly #waiting: number[] = [];

  constructor(context: BodyContext, method: MethodId, code: Code) {
    this.#engine = context.engine;
    this.#method = method;
    this.#code = code;
    this.#nodes = this.#engine.nodesOf(method);
    this.#effects = new Effects(context, method, code);
    const { file, start, length } = code;
    const followed = isFollowable(code) ? code : { file, start, length, exceptions: [] };
    this.#graph = flowGraph(new InstructionList(code), rangeEdges(followed));
    this.#meets = this.#countWays();
  }

  /** By block: 1 if several ways lead to it. */
  #countWays(): Uint8Array {
    const ways = new Int32Array(this.#graph.blocks.length);
    if (ways.length > 0) ways[0] = 1;
    for (const { successors, handlers } of this.#graph.blocks) {
      for (const next of successors) if (next >= 0) ways[next]++;
      for (const handler of handlers) ways[handler] += 2;
    }
    return Uint8Array.from(ways, (count) => (count > 1 ? 1 : 0));
  }

  build(): void {
    if (this.#graph.blocks.length === 0) return;
    this.#enter(0, this.#firstFrame());
    this.#drain();
  }

  /** Adds the blocks that wait, and all that code goes on to from there. */
  #drain(): void {
    for (let next = this.#waiting.pop(); next !== undefined; next = this.#waiting.pop())
      this.#run(this.#graph.blocks[next], next);
  }

  #firstFrame(): Frame {
    const { slots } = this.#engine.signature(this.#method);
    const locals = new Array<number>(this.#code.maxLocals).fill(NONE);
    let slot = 0;
    if (this.#nodes.receiver >= 0) locals[slot++] = this.#nodes.receiver;
    for (const [i, parameter] of this.#nodes.parameters.entries()) {
      locals[slot] = parameter;
      slot += slots[i];
    }
    return { locals, stack: [] };
  }

  /** A way into a block. */
  #enter(block: number, frame: Frame): void {
    const existing = this.#frames[block];
    if (existing === undefined) {
      const meets = this.#meets[block] === 1;
      const entryValue = (value: number): number => (meets && value !== NONE ? this.#joined(value) : value);
      this.#frames[block] = { locals: frame.locals.map(entryValue), stack: frame.stack.map(entryValue) };
      this.#waiting.push(block);
      return;
    }
    for (const [slot, target] of existing.locals.entries()) this.#effects.flow(frame.locals[slot], target);
    for (const [slot, target] of existing.stack.entries()) this.#effects.flow(frame.stack[slot], target);
  }

  #joined(value: number): NodeId {
    const { flows, types } = this.#engine;
    const node = flows.node(flows.isNumber(this.#effects.node(value)) ? types.number : types.object);
    this.#effects.flow(value, node);
    return node;
  }

  #run(block: Block, index: number): void {
    const entry = this.#frames[index];
    if (entry === undefined) return;
    const frame: Frame = { locals: entry.locals.slice(), stack: entry.stack.slice() };
    const handlers = block.handlers.map((handler) => this.#handlerFrame(handler));
    for (const handler of handlers)
      for (const [slot, target] of handler.locals.entries()) this.#effects.flow(frame.locals[slot], target);
    const { instructions } = this.#graph;
    let operands: readonly Operand[] = [];
    for (let bci = block.start; bci < block.end; ) {
      const instruction = instructions.at(bci);
      if (instruction === undefined) return;
      if (instruction === block.last && isBranch(instruction)) operands = frame.stack.slice(-2).map(this.#operand);
      const local = this.#effects.step(instruction, frame);
      for (const handler of local < 0 ? [] : handlers) this.#effects.flow(frame.locals[local], handler.locals[local]);
      bci += instruction.length;
    }
    if (this.#engine.isPredicated && isBranch(block.last)) this.#branch(block.last, operands, frame);
    else for (const next of block.successors) if (next >= 0) this.#enter(next, frame);
  }

  /** Goes on once a condition holds. */
  #when(condition: Condition, enter: () => void): void {
    this.#engine.unmetTests++;
    whenHolds(this.#engine, condition, () => {
      this.#engine.unmetTests--;
      if (this.#isDamaged) return;
      this.#isDamaged = true;
      enter();
      this.#drain();
      this.#isDamaged = false;
    });
  }

  readonly #operand = (value: number): Operand => {
    const number = this.#effects.constantOf(value)?.number;
    return { node: this.#effects.node(value), number };
  };

  /** The ways out of a block, each once a test allows it. */
  #branch(last: Instruction, operands: readonly Operand[], frame: Frame): void {
    const { instructions, blockOf } = this.#graph;
    const conditions = conditionsOf(last, operands);
    const ways = new Map<number, Condition[]>();
    for (const [i, bci] of destinations(last).entries()) {
      if (!instructions.has(bci)) continue;
      const block = blockOf[instructions.row(bci)];
      const list = ways.get(block);
      if (list === undefined) ways.set(block, [conditions[i]]);
      else list.push(conditions[i]);
    }
    for (const [block, list] of ways) {
      const condition = anyOf(list);
      if (holdsAlready(this.#engine, condition)) this.#enter(block, frame);
      else this.#when(condition, () => this.#enter(block, frame));
    }
  }

  /** The frame of a handler: a node for each local, and the exception. */
  #handlerFrame(handler: number): Frame {
    const existing = this.#frames[handler];
    if (existing !== undefined) return existing;
    const { flows, types } = this.#engine;
    const start = this.#graph.blocks[handler].start;
    const handlerRows = this.#code.exceptions.filter((entry) => entry.handler === start);
    const exception = flows.node(types.id('java/lang/Throwable'));
    for (const { catchType = 'java/lang/Throwable' } of handlerRows) {
      const node = flows.node(types.id(catchType));
      flows.all(node);
      flows.edge(node, exception);
    }
    const locals = Array.from({ length: this.#code.maxLocals }, () => flows.node(types.object));
    const frame = { locals, stack: [exception] };
    this.#frames[handler] = frame;
    const isCaught = { kind: 'some', node: exception } as const;
    if (!this.#engine.isPredicated || holdsAlready(this.#engine, isCaught)) this.#waiting.push(handler);
    else this.#when(isCaught, () => this.#waiting.push(handler));
    return frame;
  }
}
