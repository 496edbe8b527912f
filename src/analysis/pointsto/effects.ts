/** What the instructions of a method do to its locals and operands, and to the analysis. */
import { NONE } from '../../base/flavor.js';
import type { Code } from '../../code/java/class-file/code.js';
import { type ConstantPool, TAG } from '../../code/java/class-file/constant-pool.js';
import { descriptorOf } from '../../code/java/class-file/descriptor.js';
import type { Instruction } from '../../code/java/class-file/instructions.js';
import { ARRAY_TYPES, OPCODE } from '../../code/java/class-file/opcodes.js';
import { effectOf, slotsOf } from '../../code/java/flow/stack-effect.js';
import type { DynamicCalls } from './dynamic-calls.js';
import type { Engine, MethodNodes } from './engine.js';
import type { NodeId } from './flows.js';
import type { MethodId } from './methods.js';
import type { CallModels } from './models/call-models.js';
import type { Constant } from './models/modelled-call.js';
import { duplicate, type Frame } from './operands.js';
import { NUMBER, type TypeId, valueIn } from './types.js';

export interface BodyContext {
  readonly engine: Engine;
  readonly models: CallModels;
  readonly dynamic: DynamicCalls;
}

const LLOAD_0 = 0x1e;
const INSTANCEOF = 0xc1;
const IRETURN = 0xac;

export class Effects {
  readonly #context: BodyContext;
  readonly #engine: Engine;
  readonly #method: MethodId;
  readonly #pool: ConstantPool;
  readonly #nodes: MethodNodes;
  readonly #constants: Constant[] = [];

  constructor(context: BodyContext, method: MethodId, code: Code) {
    this.#context = context;
    this.#engine = context.engine;
    this.#method = method;
    this.#pool = code.pool;
    this.#nodes = this.#engine.nodesOf(method);
  }

  /** The node of a value; -1 for none. */
  node(value: number): NodeId {
    return value < NONE ? this.#constants[-2 - value].node : value;
  }

  /** What is known of a value that code loads from its constant pool, or pushes. */
  constantOf(value: number): Constant | undefined {
    return value < NONE ? this.#constants[-2 - value] : undefined;
  }

  flow(value: number | undefined, target: NodeId): void {
    if (value !== undefined && value < NONE) this.#passed(value);
    this.#engine.pass(value === undefined ? NONE : this.node(value), target);
  }

  /** A string goes where it may be taken for the name of a class. */
  #passed(value: number): void {
    const text = this.constantOf(value)?.text;
    if (text !== undefined) this.#context.models.names.passed(text, this.#method);
  }

  #constant(constant: Constant): number {
    return -2 - (this.#constants.push(constant) - 1);
  }

  /** A number that code pushes. */
  #number(value: number): number {
    return this.#engine.isPredicated ? this.#constant({ node: this.#engine.number(value), number: value }) : NONE;
  }

  /** Runs an instruction; returns the local that it sets to a reference, or -1. */
  step(instruction: Instruction, frame: Frame): number {
    const { opcode } = instruction;
    const { stack, locals } = frame;
    if (opcode >= OPCODE.aload_0 && opcode <= OPCODE.aload_3) stack.push(locals[opcode - OPCODE.aload_0] ?? NONE);
    else if (opcode === OPCODE.aload) stack.push(locals[instruction.local] ?? NONE);
    else if (opcode === OPCODE.iload) stack.push(this.#numberIn(locals[instruction.local]));
    else if (opcode >= OPCODE.iload_0 && opcode < LLOAD_0) stack.push(this.#numberIn(locals[opcode - OPCODE.iload_0]));
    else if (opcode >= OPCODE.iconst_m1 && opcode <= OPCODE.iconst_5)
      stack.push(this.#number(opcode - OPCODE.iconst_0));
    else if (opcode === OPCODE.bipush || opcode === OPCODE.sipush) stack.push(this.#number(instruction.value));
    else if (opcode >= OPCODE.istore && opcode <= OPCODE.astore_3) return this.#store(instruction, frame);
    else if (opcode >= OPCODE.dup && opcode <= OPCODE.swap) duplicate(opcode, stack);
    else if (opcode >= OPCODE.ldc && opcode < OPCODE.ldc2_w) stack.push(this.#loadConstant(instruction.index));
    else if (opcode >= OPCODE.getstatic && opcode <= OPCODE.putfield) this.#field(instruction, stack);
    else if (opcode >= OPCODE.invokevirtual && opcode <= OPCODE.invokedynamic) this.#invoke(instruction, stack);
    else this.#other(instruction, frame);
    return NONE;
  }

  /** A local as a number: where handlers or damaged code meet, it may have a node of objects. */
  #numberIn(value = NONE): number {
    return value < 0 || this.#engine.flows.isNumber(value) ? value : NONE;
  }

  #store({ opcode, local }: Instruction, { locals, stack }: Frame): number {
    const isReference = opcode === OPCODE.astore || opcode >= OPCODE.astore_0;
    const kind = opcode < OPCODE.istore_0 ? opcode - OPCODE.istore : (opcode - OPCODE.istore_0) >> 2;
    const slot = opcode < OPCODE.istore_0 ? local : (opcode - OPCODE.istore_0) & 3;
    const value = stack.pop() ?? NONE;
    locals[slot] = isReference || kind === 0 ? value : NONE;
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
      case TAG.integer:
        return this.#number(this.#pool.integer(index));
      case TAG.methodHandle:
        return this.#anyOf('java/lang/invoke/MethodHandle');
      case TAG.methodType:
        return this.#anyOf('java/lang/invoke/MethodType');
      case TAG.dynamic: {
        const name = valueIn(this.#pool.dynamic(index).descriptor);
        return name === undefined || name === NUMBER ? NONE : this.#anyOf(name);
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
    this.#engine.flows.any(node);
    return node;
  }

  #field({ opcode, index, bci }: Instruction, stack: number[]): void {
    const { owner, name, descriptor } = this.#pool.member(index);
    const { engine } = this.#context;
    const type = engine.types.id(owner);
    const kind = valueIn(descriptor);
    const isFollowed = kind !== undefined && (kind !== NUMBER || engine.isPredicated);
    const slots = slotsOf(descriptor);
    const isStatic = opcode === OPCODE.getstatic || opcode === OPCODE.putstatic;
    const field = isFollowed || isStatic ? engine.methods.field(type, name, descriptor) : NONE;
    if (isStatic) engine.initialise(engine.methods.fieldEntry(field).owner, this.#method, bci);
    if (opcode === OPCODE.putstatic || opcode === OPCODE.putfield) {
      const value = stack.pop() ?? NONE;
      if (slots === 2) stack.pop();
      if (opcode === OPCODE.putfield) stack.pop();
      if (isFollowed) this.flow(value, engine.fields.node(field));
      return;
    }
    if (opcode === OPCODE.getfield) stack.pop();
    if (isFollowed) stack.push(engine.fields.node(field));
    else for (let slot = 0; slot < slots; slot++) stack.push(NONE);
  }

  #invoke(instruction: Instruction, stack: number[]): void {
    const { opcode, index, bci } = instruction;
    const { engine, models, dynamic: dynamicCalls } = this.#context;
    const dynamic = opcode === OPCODE.invokedynamic ? this.#pool.dynamic(index) : undefined;
    const member = dynamic === undefined ? this.#pool.member(index) : undefined;
    const { descriptor } = dynamic ?? member ?? { descriptor: '()V' };
    const types = engine.valueTypes(descriptor);
    const values = new Array<number>(types.parameters.length);
    for (let i = values.length - 1; i >= 0; i--) {
      if (types.slots[i] === 2) stack.pop();
      values[i] = stack.pop() ?? NONE;
    }
    const hasReceiver = opcode !== OPCODE.invokestatic && opcode !== OPCODE.invokedynamic;
    const receiver = hasReceiver ? (stack.pop() ?? NONE) : NONE;
    const result = engine.nodeFor(types.result);
    const call = {
      caller: this.#method,
      bci,
      descriptor,
      values: { args: values.map((value) => this.node(value)), receiver: this.node(receiver), result },
      constants: [receiver, ...values].map((value) => (value < NONE ? this.#constants[-2 - value] : undefined)),
    };
    if (dynamic !== undefined) {
      for (const value of values) this.#passed(value);
      dynamicCalls.call(this.#pool, dynamic, call);
    } else if (member !== undefined) {
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

  #other(instruction: Instruction, frame: Frame): void {
    const { opcode } = instruction;
    const { stack } = frame;
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
        const array = this.node(stack.pop() ?? NONE);
        stack.push(array < 0 ? NONE : engine.arrays.load(array));
        return;
      }
      case OPCODE.aastore: {
        const element = stack.pop() ?? NONE;
        this.#passed(element);
        const value = this.node(element);
        pops(1);
        const array = this.node(stack.pop() ?? NONE);
        if (array >= 0 && value >= 0) engine.arrays.store(array, value);
        return;
      }
      case IRETURN:
      case OPCODE.areturn:
        this.flow(stack.pop(), this.#nodes.result);
        return;
      case OPCODE.new:
        stack.push(this.#allocated(this.#pool.className(instruction.index), instruction.bci));
        return;
      case OPCODE.newarray:
      case OPCODE.anewarray:
      case OPCODE.multianewarray:
        pops(opcode === OPCODE.multianewarray ? instruction.value : 1);
        stack.push(this.#newArray(instruction));
        return;
      case OPCODE.checkcast:
        stack.push(this.#cast(stack.pop() ?? NONE, engine.types.id(this.#pool.className(instruction.index))));
        return;
      case INSTANCEOF:
        stack.push(this.#isInstance(stack.pop() ?? NONE, engine.types.id(this.#pool.className(instruction.index))));
        return;
      case OPCODE.iinc:
        frame.locals[instruction.local] = NONE;
        return;
      default: {
        const effect = effectOf(instruction, this.#pool);
        pops(effect.taken);
        for (let slot = 0; slot < effect.put; slot++) stack.push(NONE);
      }
    }
  }

  #newArray({ opcode, index, value }: Instruction): NodeId {
    const { types } = this.#engine;
    if (opcode === OPCODE.multianewarray) return this.#newArrays(this.#pool.className(index), value);
    const type =
      opcode === OPCODE.newarray
        ? types.id(descriptorOf(`${ARRAY_TYPES[value] ?? 'int'}[]`))
        : types.arrayOf(types.id(this.#pool.className(index)));
    return this.#engine.allocated(type);
  }

  #newArrays(name: string, dimensions: number): NodeId {
    const { engine } = this.#context;
    const array = engine.types.id(name);
    const node = engine.allocated(array);
    const component = engine.types.component(array);
    if (dimensions > 1 && component >= 0)
      engine.flows.edge(this.#newArrays(engine.types.name(component), dimensions - 1), engine.arrays.elements(array));
    return node;
  }

  /** 0, since null may be there, and 1 once an object of the type is. */
  #isInstance(value: number, type: TypeId): number {
    const source = this.node(value);
    const engine = this.#engine;
    if (source < 0 || !engine.isPredicated) return NONE;
    const answer = engine.nodeFor(NUMBER);
    const holds = (): void => engine.flows.edge(engine.number(1), answer);
    engine.flows.edge(engine.number(0), answer);
    engine.watch(source, { arrived: holds, saturated: holds, unknown: holds }, type);
    return answer;
  }

  #cast(value: number, type: TypeId): number {
    const source = this.node(value);
    if (source < 0 || type === this.#engine.types.object) return value;
    const node = this.#engine.flows.node(type);
    this.#engine.flows.edge(source, node);
    return node;
  }
}
