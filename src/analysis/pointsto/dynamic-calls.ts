/**
 * Calls that a bootstrap method links (`invokedynamic`): what the linked code does is modelled by site, and the bootstrap method is called.
 *
 *   LambdaMetafactory     an object of a type of its own, whose one method calls the implementation
 *   StringConcatFactory   a string, after `toString` of each argument
 *   ObjectMethods         `toString`, `hashCode` and `equals` of the components of a record
 *   others                any object below the type of the result
 */
import { NONE } from '../../base/flavor.js';
import { attributeOf, type BootstrapMethod } from '../../code/java/class-file/attributes.js';
import type { ConstantPool, MemberReference, NameAndType } from '../../code/java/class-file/constant-pool.js';
import { TAG } from '../../code/java/class-file/constant-pool.js';
import { HANDLE_KINDS } from '../../code/java/class-file/constant-text.js';
import type { Engine } from './engine.js';
import type { NodeId } from './flows.js';
import type { MethodId } from './methods.js';
import type { CallModels } from './models/call-models.js';
import type { ModelledCall } from './models/modelled-call.js';
import { referenceIn, type TypeId } from './types.js';

const LAMBDA = 'java/lang/invoke/LambdaMetafactory';
const CONCATENATION = 'java/lang/invoke/StringConcatFactory';
const RECORDS = 'java/lang/runtime/ObjectMethods';
const STRING = 'java/lang/String';
/** What stands for an argument or a constant in a recipe of a concatenation. */
const PLACES = ['\u0001', '\u0002'] as const;
const OBJECT_METHODS: ReadonlyMap<string, string> = new Map([
  ['toString', '()Ljava/lang/String;'],
  ['hashCode', '()I'],
  ['equals', '(Ljava/lang/Object;)Z'],
]);

/** What a method of a lambda's type does. */
interface LambdaBody {
  /** As `HANDLE_KINDS` has it. */
  readonly kind: string;
  readonly target: MemberReference;
  readonly captured: readonly NodeId[];
}

/** Classes of objects that hold primitives. */
export const BOXES: Readonly<Record<string, string>> = {
  Z: 'java/lang/Boolean',
  B: 'java/lang/Byte',
  C: 'java/lang/Character',
  S: 'java/lang/Short',
  I: 'java/lang/Integer',
  J: 'java/lang/Long',
  F: 'java/lang/Float',
  D: 'java/lang/Double',
};

interface Bootstrap {
  readonly method: MemberReference;
  readonly row: BootstrapMethod;
}

export class DynamicCalls {
  readonly #engine: Engine;
  readonly #models: CallModels;
  readonly #lambdas = new Map<MethodId, LambdaBody>();
  readonly #tables = new WeakMap<ConstantPool, readonly BootstrapMethod[]>();
  #lambdaCount = 0;

  constructor(engine: Engine, models: CallModels) {
    this.#engine = engine;
    this.#models = models;
  }

  /** The bootstrap method of a row, and its arguments. Throws `FormatError` if the table is damaged. */
  #bootstrap(owner: TypeId, pool: ConstantPool, row: number): Bootstrap | undefined {
    const file = this.#engine.types.file(owner);
    if (file === undefined) return undefined;
    let table = this.#tables.get(pool);
    if (table === undefined) {
      const attribute = attributeOf(file, pool, 'BootstrapMethods');
      if (attribute instanceof Error) throw attribute;
      table = attribute?.methods ?? [];
      this.#tables.set(pool, table);
    }
    const method = table[row];
    if (method === undefined) return undefined;
    return { method: pool.member(pool.methodHandle(method.handle).reference), row: method };
  }

  /** The entries of a constant pool that a bootstrap method is called with, and its own. */
  bootstrapEntries(owner: TypeId, pool: ConstantPool, row: number): readonly number[] {
    const bootstrap = this.#bootstrap(owner, pool, row);
    return bootstrap === undefined ? [] : [bootstrap.row.handle, ...bootstrap.row.arguments];
  }

  call(
    pool: ConstantPool,
    { name, descriptor, bootstrap: row }: NameAndType & { readonly bootstrap: number },
    call: ModelledCall,
  ): void {
    const bootstrap = this.#bootstrap(this.#engine.methods.entry(call.caller).owner, pool, row);
    if (bootstrap === undefined) return;
    this.#link(bootstrap, call);
    const { owner } = bootstrap.method;
    if (owner === LAMBDA) this.#lambda(pool, { name, descriptor }, bootstrap, call);
    else if (owner === CONCATENATION) this.#concatenate(pool, bootstrap, call);
    else if (owner === RECORDS && OBJECT_METHODS.has(name)) this.#component(pool, name, bootstrap, call);
    else if (call.values.result >= 0) this.#engine.flows.any(call.values.result);
  }

  /** The VM calls the bootstrap method once. */
  #link({ method }: Bootstrap, { caller, bci }: ModelledCall): void {
    const { methods, types } = this.#engine;
    this.#models.linkage.linked();
    const owner = types.id(method.owner);
    const callee = methods.resolve(owner, methods.selector(method.name, method.descriptor));
    this.#engine.initialise(methods.entry(callee).owner);
    this.#engine.callDirectly(caller, bci, callee, { args: [], receiver: NONE, result: NONE });
    if (methods.entry(callee).info === undefined) return;
    for (const parameter of this.#engine.nodesOf(callee).parameters)
      if (parameter >= 0) this.#engine.flows.any(parameter);
  }

  #lambda(
    pool: ConstantPool,
    { name, descriptor }: NameAndType,
    { row }: Bootstrap,
    { caller, values }: ModelledCall,
  ): void {
    const [erased = 0, implementation = 0] = row.arguments;
    const { result = 'java/lang/Object' } = this.#engine.valueTypes(descriptor);
    if (pool.tag(implementation) !== TAG.methodHandle || pool.tag(erased) !== TAG.methodType) return;
    const { kind, reference } = pool.methodHandle(implementation);
    const engine = this.#engine;
    const owner = engine.types.name(engine.methods.entry(caller).owner);
    const { interfaces, bridges } = lambdaExtras(pool, row.arguments);
    const above = [result, ...interfaces].map((each) => engine.types.id(each));
    const type = engine.types.synthetic(`${owner}$$Lambda$${++this.#lambdaCount}`, above);
    const body = { kind: HANDLE_KINDS[kind] ?? '', target: pool.member(reference), captured: values.args };
    for (const bridge of [pool.methodType(erased), ...bridges])
      this.#lambdas.set(engine.methods.declare(type, name, bridge), body);
    engine.flows.edge(engine.allocated(type), values.result);
  }

  /** Whether a method is that of a lambda, whose body is added here. */
  build(method: MethodId): boolean {
    const body = this.#lambdas.get(method);
    if (body === undefined) return false;
    const { parameters, result } = this.#engine.nodesOf(method);
    this.#invoke(method, body, [...body.captured, ...parameters], result);
    return true;
  }

  #invoke(caller: MethodId, { kind, target }: LambdaBody, args: readonly NodeId[], result: NodeId): void {
    const engine = this.#engine;
    const { methods, types } = engine;
    const owner = types.id(target.owner);
    if (!/invoke/i.test(kind)) return;
    const callee = methods.resolve(owner, methods.selector(target.name, target.descriptor));
    this.#box(caller, target.descriptor, result);
    if (kind === 'REF_invokeStatic' || kind === 'REF_newInvokeSpecial')
      engine.initialise(methods.entry(callee).owner, caller, 0);
    if (kind === 'REF_newInvokeSpecial') {
      const object = engine.allocated(owner);
      engine.callDirectly(caller, 0, callee, { args, receiver: object, result: NONE });
      if (result >= 0) engine.flows.edge(object, result);
    } else if (kind === 'REF_invokeStatic') engine.callDirectly(caller, 0, callee, { args, receiver: NONE, result });
    else {
      const values = { args: args.slice(1), receiver: args[0] ?? NONE, result };
      if (kind === 'REF_invokeSpecial') engine.callDirectly(caller, 0, callee, values);
      else engine.callVirtually(caller, 0, callee, values);
    }
  }

  /** A primitive result of what a lambda calls is an object where its own result is one. */
  #box(caller: MethodId, descriptor: string, result: NodeId): void {
    const primitive = descriptor.slice(descriptor.lastIndexOf(')') + 1);
    const box = BOXES[primitive];
    const { methods, types, flows } = this.#engine;
    if (box === undefined || result < 0 || flows.isNumber(result)) return;
    const type = types.id(box);
    const callee = methods.declared(type, 'valueOf', `(${primitive})L${box};`);
    if (callee === undefined) return;
    this.#engine.initialise(type, caller, 0);
    this.#engine.callDirectly(caller, 0, callee, { args: [], receiver: NONE, result });
  }

  #concatenate(pool: ConstantPool, { row }: Bootstrap, { caller, bci, values }: ModelledCall): void {
    this.#models.linkage.concatenated();
    for (const index of row.arguments)
      if (pool.tag(index) === TAG.string)
        for (const text of pool.string(index).replaceAll(PLACES[1], PLACES[0]).split(PLACES[0]))
          this.#models.string(text, caller);
    const string = this.#engine.types.id(STRING);
    this.#engine.flows.edge(this.#engine.allocated(string), values.result);
    for (const arg of values.args) if (arg >= 0) this.#callObject(caller, bci, 'toString', arg);
  }

  /** A call of a method of Object. */
  #callObject(caller: MethodId, bci: number, name: string, receiver: NodeId): void {
    const { methods, types } = this.#engine;
    const declared = methods.resolve(types.object, methods.selector(name, OBJECT_METHODS.get(name) ?? ''));
    this.#engine.callVirtually(caller, bci, declared, { args: [receiver], receiver, result: NONE });
  }

  #component(pool: ConstantPool, name: string, { row }: Bootstrap, { caller, bci, values }: ModelledCall): void {
    const { methods, types, flows } = this.#engine;
    if (name === 'toString') flows.edge(this.#engine.allocated(types.id(STRING)), values.result);
    else if (values.result >= 0) flows.all(values.result);
    for (const handle of row.arguments.slice(2)) {
      if (pool.tag(handle) !== TAG.methodHandle) continue;
      const field = pool.member(pool.methodHandle(handle).reference);
      if (referenceIn(field.descriptor) === undefined) continue;
      const node = this.#engine.fields.node(methods.field(types.id(field.owner), field.name, field.descriptor));
      this.#callObject(caller, bci, name, node);
    }
  }
}

/** Flags of `LambdaMetafactory.altMetafactory`. */
const SERIALISABLE = 1;
const MARKERS = 2;
const BRIDGES = 4;

/** What follows the first three arguments of `altMetafactory`: further interfaces of the object, further types of its method. */
function lambdaExtras(
  pool: ConstantPool,
  [, , , flags, ...counted]: readonly number[],
): { readonly interfaces: readonly string[]; readonly bridges: readonly string[] } {
  const rest = counted.slice();
  const bits = flags === undefined || pool.tag(flags) !== TAG.integer ? 0 : pool.integer(flags);
  const list = (bit: number): number[] => {
    const [count] = (bits & bit) === 0 ? [] : rest.splice(0, 1);
    return count === undefined ? [] : rest.splice(0, pool.integer(count));
  };
  const interfaces = list(MARKERS).map((index) => pool.className(index));
  if ((bits & SERIALISABLE) !== 0) interfaces.push('java/io/Serializable');
  return { interfaces, bridges: list(BRIDGES).map((index) => pool.methodType(index)) };
}
