/** What native methods of the JDK do, and what follows from constants that are passed to reflection. */
import { NONE } from '../../base/flavor.js';
import { ACCESS } from '../../code/java/class-file/access.js';
import { binaryName } from '../../code/java/class-file/descriptor.js';
import { ClassNames } from './class-names.js';
import type { Engine } from './engine.js';
import type { NodeId } from './flows.js';
import type { MethodId } from './methods.js';
import type { ServiceProviders } from './service-providers.js';
import type { CallValues } from './sites.js';
import type { TypeId } from './types.js';

/** A value that code loads from its constant pool. */
export interface Constant {
  readonly node: NodeId;
  /** Of a string. */
  readonly text?: string;
  /** Of a class. */
  readonly type?: TypeId;
}

export interface ModelledCall {
  readonly caller: MethodId;
  readonly bci: number;
  readonly values: CallValues;
  /** Of the receiver, then of each argument. */
  readonly constants: readonly (Constant | undefined)[];
}

type NativeModel = (engine: Engine, method: MethodId) => void;

/** Native methods by class and name. All others return any object below the type of their result. */
const NATIVES: ReadonlyMap<string, NativeModel> = new Map<string, NativeModel>([
  ['java/lang/System.setIn0', (engine, method) => setStream(engine, method, 'in', 'Ljava/io/InputStream;')],
  ['java/lang/System.setOut0', (engine, method) => setStream(engine, method, 'out', 'Ljava/io/PrintStream;')],
  ['java/lang/System.setErr0', (engine, method) => setStream(engine, method, 'err', 'Ljava/io/PrintStream;')],
  ['java/lang/System.arraycopy', copyArray],
  ['java/lang/Object.clone', returnReceiver],
  ['java/lang/Thread.start0', runThread],
]);

function setStream(engine: Engine, method: MethodId, name: string, descriptor: string): void {
  const field = engine.methods.field(engine.types.id('java/lang/System'), name, descriptor);
  const [value = NONE] = engine.nodesOf(method).parameters;
  if (value >= 0) engine.flows.edge(value, engine.fieldNode(field));
}

function copyArray(engine: Engine, method: MethodId): void {
  const [source = NONE, , target = NONE] = engine.nodesOf(method).parameters;
  if (source >= 0 && target >= 0) engine.storeElement(target, engine.loadElement(source));
}

function returnReceiver(engine: Engine, method: MethodId): void {
  const { receiver, result } = engine.nodesOf(method);
  if (receiver >= 0 && result >= 0) engine.flows.edge(receiver, result);
}

function runThread(engine: Engine, method: MethodId): void {
  const { methods } = engine;
  const { owner } = methods.entry(method);
  const run = methods.resolve(owner, methods.selector('run', '()V'));
  engine.callVirtually(method, 0, run, { args: [], receiver: engine.nodesOf(method).receiver, result: NONE });
}

/** Adds what a native method does. */
export function buildNative(engine: Engine, method: MethodId): void {
  const { owner } = engine.methods.entry(method);
  const model = NATIVES.get(`${engine.types.name(owner)}.${engine.methods.selectorOf(method).name}`);
  if (model !== undefined) model(engine, method);
  else {
    const { result } = engine.nodesOf(method);
    if (result >= 0) engine.flows.all(result);
  }
}

const PROVIDERS = 'java/util/ServiceLoader';

/**
 * Reflection by constants:
 *
 *   "a.b.C"                          a string that names a class of the path: it may be loaded and created
 *   find(C.class, "name")            a class and a string in one call: the methods and fields of this name may be used
 *   ServiceLoader.load(S.class)      the providers of a service that modules declare are created
 */
export class CallModels {
  readonly #engine: Engine;
  readonly #services: ServiceProviders;
  readonly #created = new Set<TypeId>();
  readonly names: ClassNames;

  constructor(engine: Engine, services: ServiceProviders) {
    this.#engine = engine;
    this.#services = services;
    this.names = new ClassNames(engine.types, (type, reason) => this.create(type, reason));
  }

  /** A class that reflection creates. */
  create(type: TypeId, reason: string): void {
    if (this.#created.has(type)) return;
    this.#created.add(type);
    this.#engine.initialise(type);
    if (!this.#engine.types.isInstantiable(type)) return;
    const { methods } = this.#engine;
    const constructor_ = methods.declared(type, '<init>', '()V');
    this.#engine.allocated(type);
    if (constructor_ !== undefined) this.#engine.enterWithAny(constructor_, reason);
  }

  /** Adds what follows from the constants of a call. */
  call(callee: MethodId, { caller, values, constants }: ModelledCall): void {
    const { methods, types, flows } = this.#engine;
    const { owner, info } = methods.entry(callee);
    // A reference to a method that no class has: nothing is known of its result.
    if (info === undefined && values.result >= 0) flows.all(values.result);
    const classes = constants.flatMap((constant) => constant?.type ?? []);
    const names = constants.flatMap((constant) => constant?.text ?? []);
    this.names.called(names, caller, methods.selectorOf(callee).name);
    for (const type of classes) {
      for (const name of names) this.#useMembers(type, name, caller);
      if (types.name(owner) === PROVIDERS)
        for (const provider of this.#services.of(types.name(type))) {
          const created = types.loaded(provider);
          if (created !== undefined) this.create(created, `provider of ${binaryName(types.name(type))}`);
        }
    }
  }

  #useMembers(type: TypeId, name: string, caller: MethodId): void {
    const { methods, types, flows } = this.#engine;
    for (const method of methods.declaredBy(type).values()) {
      if (methods.selectorOf(method).name !== name || (methods.access(method) & ACCESS.abstract) !== 0) continue;
      const { owner } = methods.entry(caller);
      this.#engine.enterWithAny(method, `named by constants in ${binaryName(types.name(owner))}`);
    }
    for (const { name: field, descriptor } of types.file(type)?.fields ?? [])
      if (field === name && /^[L[]/.test(descriptor))
        flows.all(this.#engine.fieldNode(methods.field(type, name, descriptor)));
  }
}
