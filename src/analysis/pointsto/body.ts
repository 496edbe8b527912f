/**
 * The code of a method as nodes, edges and sites: one pass over its blocks, each once, with the nodes of its locals and operands. Where
 * blocks meet, each slot has a node of its own that all ways flow into; handlers have one for each local.
 */
import { NONE } from '../../base/flavor.js';
import type { Code } from '../../code/java/class-file/code.js';
import { type ConstantPool, TAG } from '../../code/java/class-file/constant-pool.js';
import { descriptorOf } from '../../code/java/class-file/descriptor.js';
import { InstructionList } from '../../code/java/class-file/instruction-list.js';
import type { Instruction } from '../../code/java/class-file/instructions.js';
import { ARRAY_TYPES, OPCODE } from '../../code/java/class-file/opcodes.js';
import { type Block, type FlowGraph, flowGraph, isFollowable, rangeEdges } from '../../code/java/flow/graph.js';
import { effectOf, slotsOf } from '../../code/java/flow/stack-effect.js';
import type { DynamicCalls } from './dynamic-calls.js';
import type { Engine, MethodNodes } from './engine.js';
import type { NodeId } from './flows.js';
import type { MethodId } from './methods.js';
import type { CallModels } from './models/call-models.js';
import type { Constant } from './models/modelled-call.js';
import { duplicate } from './operands.js';
import { referenceIn, referenceTypes, type TypeId } from './types.js';

/** Locals and operands: nodes; -1 for primitives; below that, constants of the method. */
interface Frame {
  readonly locals: number[];
  readonly stack: number[];
}

export interface BodyContext {
  readonly engine: Engine;
  readonly models: CallModels;
  readonly dynamic: DynamicCalls;
}

/** Adds what the code of a method does. Throws `FormatError` for damaged code. */
export function buildBody(context: BodyContext, method: MethodId, code: Code): void {
  new Body(context, method, code).build();
}

class Body {
  readonly #context: BodyContext;
  readonly #engine: Engine;
  readonly #method: MethodId;
  readonly #code: Code;
  readonly #pool: ConstantPool;
  readonly #graph: FlowGraph;
  readonly #frames: (Frame | undefined)[] = [];
  readonly #constants: Constant[] = [];
  readonly #nodes: MethodNodes;
  readonly #meets: Uint8Array;

  constructor(context: BodyContext, method: MethodId, code: Code) {
    this.#context = context;
    this.#engine = context.engine;
    this.#method = method;
    this.#code = code;
    this.#pool = code.pool;
    this.#nodes = this.#engine.nodesOf(method);
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
    const { blocks } = this.#graph;
    if (blocks.length === 0) return;
    const waiting: number[] = [];
    this.#enter(0, this.#firstFrame(), waiting);
    for (let block = waiting.pop(); block !== undefined; block = waiting.pop())
      this.#run(blocks[block], block, waiting);
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
  #enter(block: number, frame: Frame, waiting: number[]): void {
    const existing = this.#frames[block];
    if (existing === undefined) {
      const meets = this.#meets[block] === 1;
      const entryValue = (value: number): number => (meets && value !== NONE ? this.#joined(value) : value);
      this.#frames[block] = { locals: frame.locals.map(entryValue), stack: frame.stack.map(entryValue) };
      waiting.push(block);
      return;
    }
    for (const [slot, target] of existing.locals.entries()) this.#flow(frame.locals[slot], target);
    for (const [slot, target] of existing.stack.entries()) this.#flow(frame.stack[slot], target);
  }

  #joined(value: number): NodeId {
    const node = this.#engine.flows.node(this.#engine.types.object);
    this.#flow(value, node);
    return node;
  }

  #flow(value: number | undefined, target: number): void {
    const source = value === undefined ? NONE : this.#node(value);
    if (source >= 0 && target >= 0) this.#engine.flows.edge(source, target);
  }

  /** The node of a value; -1 for none. */
  #node(value: number): NodeId {
    return value < NONE ? this.#constants[-2 - value].node : value;
  }

  #constant(constant: Constant): number {
    return -2 - (this.#constants.push(constant) - 1);
  }

  #run(block: Block, index: number, waiting: number[]): void {
    const entry = this.#frames[index];
    if (entry === undefined) return;
    const frame: Frame = { locals: entry.locals.slice(), stack: entry.stack.slice() };
    const handlers = block.handlers.map((handler) => this.#handlerFrame(handler, waiting));
    const keepLocals = (): void => {
      for (const handler of handlers)
        for (const [slot, target] of handler.locals.entries()) this.#flow(frame.locals[slot], target);
    };
    keepLocals();
    const { instructions } = this.#graph;
    for (let bci = block.start; bci < block.end; ) {
      const instruction = instructions.at(bci);
      if (instruction === undefined) return;
      const local = this.#step(instruction, frame);
      for (const handler of local < 0 ? [] : handlers) this.#flow(frame.locals[local], handler.locals[local]);
      bci += instruction.length;
    }
    for (const next of block.successors) if (next >= 0) this.#enter(next, frame, waiting);
  }

  /** The frame of a handler: a node for each local, and the exception. */
  #handlerFrame(handler: number, waiting: number[]): Frame {
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
    waiting.push(handler);
    return frame;
  }

  /** Runs an instruction; returns the local that it sets to a reference, or -1. */
  #step(instruction: Instruction, frame: Frame): number {
    const { opcode } = instruction;
    const { stack, locals } = frame;
    if (opcode >= OPCODE.aload_0 && opcode <= OPCODE.aload_3) stack.push(locals[opcode - OPCODE.aload_0] ?? NONE);
    else if (opcode === OPCODE.aload) stack.push(locals[instruction.local] ?? NONE);
    else if (opcode >= OPCODE.istore && opcode <= OPCODE.astore_3) return this.#store(instruction, frame);
    else if (opcode >= OPCODE.dup && opcode <= OPCODE.swap) duplicate(opcode, stack);
    else if (opcode >= OPCODE.ldc && opcode < OPCODE.ldc2_w) stack.push(this.#loadConstant(instruction.index));
    else if (opcode >= OPCODE.getstatic && opcode <= OPCODE.putfield) this.#field(instruction, stack);
    else if (opcode >= OPCODE.invokevirtual && opcode <= OPCODE.invokedynamic) this.#invoke(instruction, stack);
    else this.#other(instruction, stack);
    return NONE;
  }

  #store({ opcode, local }: Instruction, { locals, stack }: Frame): number {
    const isReference = opcode === OPCODE.astore || opcode >= OPCODE.astore_0;
    const kind = opcode < OPCODE.istore_0 ? opcode - OPCODE.istore : (opcode - OPCODE.istore_0) >> 2;
    const slot = opcode < OPCODE.istore_0 ? local : (opcode - OPCODE.istore_0) & 3;
    const value = stack.pop() ?? NONE;
    locals[slot] = isReference ? value : NONE;
    // long and double take two.
    if (kind === 1 || kind === 3) {
      stack.pop();
      locals[slot + 1] = NONE;
    }
    return isReference ? slot : NONE;
  }

  #loadConstant(index: number): number {
    const { types } = this.#engine;
    switch (this.#pool.tag(index)) {
      case TAG.string:
        return this.#string(this.#pool.string(index));
      case TAG.class: {
        const type = types.id(this.#pool.className(index));
        return this.#constant({ node: this.#context.models.classConstant(type, this.#method), type });
      }
      case TAG.methodHandle:
        return this.#anyOf('java/lang/invoke/MethodHandle');
      case TAG.methodType:
        return this.#anyOf('java/lang/invoke/MethodType');
      case TAG.dynamic: {
        const name = referenceIn(this.#pool.dynamic(index).descriptor);
        return name === undefined ? NONE : this.#anyOf(name);
      }
      default:
        return NONE;
    }
  }

  #string(text: string): number {
    this.#context.models.string(text, this.#method);
    return this.#constant({ node: this.#allocated('java/lang/String', NONE), text });
  }

  #allocated(name: string, bci: number): NodeId {
    const type = this.#engine.types.id(name);
    this.#engine.initialise(type, bci < 0 ? NONE : this.#method, bci);
    return this.#engine.allocated(type);
  }

  #anyOf(name: string): NodeId {
    const node = this.#engine.flows.node(this.#engine.types.id(name));
    this.#engine.flows.all(node);
    return node;
  }

  #field({ opcode, index, bci }: Instruction, stack: number[]): void {
    const { owner, name, descriptor } = this.#pool.member(index);
    const { engine } = this.#context;
    const type = engine.types.id(owner);
    const isReference = referenceIn(descriptor) !== undefined;
    const slots = slotsOf(descriptor);
    const isStatic = opcode === OPCODE.getstatic || opcode === OPCODE.putstatic;
    const field = isReference || isStatic ? engine.methods.field(type, name, descriptor) : NONE;
    if (isStatic) engine.initialise(engine.methods.fieldEntry(field).owner, this.#method, bci);
    if (opcode === OPCODE.putstatic || opcode === OPCODE.putfield) {
      const value = stack.pop() ?? NONE;
      if (slots === 2) stack.pop();
      if (opcode === OPCODE.putfield) stack.pop();
      if (isReference) this.#flow(value, engine.fieldNode(field));
      return;
    }
    if (opcode === OPCODE.getfield) stack.pop();
    if (isReference) stack.push(engine.fieldNode(field));
    else for (let slot = 0; slot < slots; slot++) stack.push(NONE);
  }

  #invoke(instruction: Instruction, stack: number[]): void {
    const { opcode, index, bci } = instruction;
    const dynamic = opcode === OPCODE.invokedynamic ? this.#pool.dynamic(index) : undefined;
    const member = dynamic === undefined ? this.#pool.member(index) : undefined;
    const { descriptor } = dynamic ?? member ?? { descriptor: '()V' };
    const types = referenceTypes(descriptor);
    const values = new Array<number>(types.parameters.length);
    for (let i = values.length - 1; i >= 0; i--) {
      if (types.slots[i] === 2) stack.pop();
      values[i] = stack.pop() ?? NONE;
    }
    const hasReceiver = opcode !== OPCODE.invokestatic && opcode !== OPCODE.invokedynamic;
    const receiver = hasReceiver ? (stack.pop() ?? NONE) : NONE;
    const { engine, models, dynamic: dynamicCalls } = this.#context;
    const result = types.result === undefined ? NONE : engine.flows.node(engine.types.id(types.result));
    const call = {
      caller: this.#method,
      bci,
      descriptor,
      values: { args: values.map((value) => this.#node(value)), receiver: this.#node(receiver), result },
      constants: [receiver, ...values].map((value) => (value < NONE ? this.#constants[-2 - value] : undefined)),
    };
    if (dynamic !== undefined) dynamicCalls.call(this.#pool, dynamic, call);
    else if (member !== undefined) {
      const owner = engine.types.id(member.owner);
      const callee = engine.methods.resolve(owner, engine.methods.selector(member.name, member.descriptor));
      this.#call(opcode, callee, owner, { bci, values: models.call(callee, call) });
    }
    if (result >= 0) stack.push(result);
    else for (let slot = 0; slot < types.resultSlots; slot++) stack.push(NONE);
  }

  #call(
    opcode: number,
    callee: MethodId,
    owner: TypeId,
    { bci, values }: { readonly bci: number; readonly values: Parameters<Engine['callDirectly']>[3] },
  ): void {
    const { engine } = this.#context;
    if (opcode === OPCODE.invokestatic) engine.initialise(engine.methods.entry(callee).owner, this.#method, bci);
    const isDirect = opcode === OPCODE.invokestatic || opcode === OPCODE.invokespecial;
    if (isDirect) engine.callDirectly(this.#method, bci, this.#special(opcode, callee, owner), values);
    else engine.callVirtually(this.#method, bci, callee, values);
  }

  /** `invokespecial` of a method of a superclass means that of the next class above (JVMS 6.5). */
  #special(opcode: number, callee: MethodId, owner: TypeId): MethodId {
    const { methods, types } = this.#engine;
    const { owner: callerType } = methods.entry(this.#method);
    const { name } = methods.selectorOf(callee);
    if (opcode !== OPCODE.invokespecial || name === '<init>' || types.isInterface(owner)) return callee;
    if (owner === callerType || !types.isSubtype(callerType, owner)) return callee;
    return methods.find(types.superType(callerType), methods.entry(callee).selector) ?? callee;
  }

  #other(instruction: Instruction, stack: number[]): void {
    const { opcode } = instruction;
    const { engine } = this.#context;
    const pops = (count: number): void => {
      stack.length = Math.max(0, stack.length - count);
    };
    switch (opcode) {
      case OPCODE.aconst_null:
        stack.push(engine.nothing);
        return;
      case OPCODE.aaload: {
        pops(1);
        const array = this.#node(stack.pop() ?? NONE);
        stack.push(array < 0 ? NONE : engine.loadElement(array));
        return;
      }
      case OPCODE.aastore: {
        const value = this.#node(stack.pop() ?? NONE);
        pops(1);
        const array = this.#node(stack.pop() ?? NONE);
        if (array >= 0 && value >= 0) engine.storeElement(array, value);
        return;
      }
      case OPCODE.areturn:
        this.#flow(stack.pop(), this.#nodes.result);
        return;
      case OPCODE.new:
        stack.push(this.#allocated(this.#pool.className(instruction.index), instruction.bci));
        return;
      case OPCODE.newarray:
        pops(1);
        stack.push(engine.allocated(engine.types.id(descriptorOf(`${ARRAY_TYPES[instruction.value] ?? 'int'}[]`))));
        return;
      case OPCODE.anewarray:
        pops(1);
        stack.push(engine.allocated(engine.types.arrayOf(engine.types.id(this.#pool.className(instruction.index)))));
        return;
      case OPCODE.multianewarray:
        pops(instruction.value);
        stack.push(this.#newArrays(this.#pool.className(instruction.index), instruction.value));
        return;
      case OPCODE.checkcast:
        stack.push(this.#cast(stack.pop() ?? NONE, engine.types.id(this.#pool.className(instruction.index))));
        return;
      default: {
        const effect = effectOf(instruction, this.#pool);
        pops(effect.taken);
        for (let slot = 0; slot < effect.put; slot++) stack.push(NONE);
      }
    }
  }

  #newArrays(name: string, dimensions: number): NodeId {
    const { engine } = this.#context;
    const array = engine.types.id(name);
    const node = engine.allocated(array);
    const component = engine.types.component(array);
    if (dimensions > 1 && component >= 0)
      engine.flows.edge(this.#newArrays(engine.types.name(component), dimensions - 1), engine.elements(array));
    return node;
  }

  #cast(value: number, type: TypeId): number {
    const source = this.#node(value);
    if (source < 0 || type === this.#engine.types.object) return value;
    const node = this.#engine.flows.node(type);
    this.#engine.flows.edge(source, node);
    return node;
  }
}
