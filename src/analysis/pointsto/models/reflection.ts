/**
 * Reflection in code of the program, by the classes that flow to it (`ClassObjects`): what a call may find is used. Without a constant name all
 * members of the program's classes are found.
 *
 *   new Dog().getClass()                  the class object of Dog
 *   type.getMethod("run"), getMethods()   methods of the classes at `type`, also those that they inherit
 *   lookup.findStatic(type, name, …)      methods of the classes at `type`
 *   type.getConstructor(), newInstance()  constructors
 *   type.getField("name")                 the field may hold any object
 *   Proxy.newProxyInstance(…)             objects of the interfaces, whose methods call the handler
 *   ServiceLoader.load(type)              the providers are created
 */
import { NONE } from '../../../base/flavor.js';
import { ACCESS } from '../../../code/java/class-file/access.js';
import { binaryName, internalName } from '../../../code/java/class-file/descriptor.js';
import type { Engine } from '../engine.js';
import type { MethodId } from '../methods.js';
import type { CallValues } from '../sites.js';
import type { TypeId } from '../types.js';
import { annotatedClasses } from './annotated-classes.js';
import { CLASS, type ClassObjects } from './class-objects.js';
import type { ModelledCall } from './modelled-call.js';
import type { Proxies } from './proxies.js';
import type { ServiceProviders } from './service-providers.js';

export interface ReflectionParts {
  readonly services: ServiceProviders;
  /** By base name: the classes of resource bundles of all locales. */
  readonly bundles: ReadonlyMap<string, readonly string[]>;
  readonly objects: ClassObjects;
  readonly proxies: Proxies;
  /** Whether a class is one of the program, not of its JDK. */
  readonly isProgram: (type: TypeId) => boolean;
}

/** What a call finds on a class. */
type Find =
  | 'methods'
  | 'declared methods'
  | 'constructors'
  | 'fields'
  | 'constants'
  | 'objects'
  | 'arrays'
  | 'providers'
  | 'annotations'
  | 'proxy';

const LOOKUP = 'java/lang/invoke/MethodHandles$Lookup';
/** By method: what it finds, on its receiver (-1) or an argument. */
const FINDERS: ReadonlyMap<string, readonly [find: Find, at: number]> = new Map([
  [`${CLASS}.getMethod`, ['methods', -1]],
  [`${CLASS}.getMethods`, ['methods', -1]],
  [`${CLASS}.getDeclaredMethod`, ['declared methods', -1]],
  [`${CLASS}.getDeclaredMethods`, ['declared methods', -1]],
  [`${CLASS}.getRecordComponents`, ['declared methods', -1]],
  [`${CLASS}.getConstructor`, ['constructors', -1]],
  [`${CLASS}.getConstructors`, ['constructors', -1]],
  [`${CLASS}.getDeclaredConstructor`, ['constructors', -1]],
  [`${CLASS}.getDeclaredConstructors`, ['constructors', -1]],
  [`${CLASS}.newInstance`, ['constructors', -1]],
  [`${CLASS}.getField`, ['fields', -1]],
  [`${CLASS}.getFields`, ['fields', -1]],
  [`${CLASS}.getDeclaredField`, ['fields', -1]],
  [`${CLASS}.getDeclaredFields`, ['fields', -1]],
  [`${CLASS}.getEnumConstants`, ['constants', -1]],
  [`${CLASS}.getAnnotation`, ['annotations', -1]],
  [`${CLASS}.getAnnotations`, ['annotations', -1]],
  [`${CLASS}.getDeclaredAnnotations`, ['annotations', -1]],
  [`${LOOKUP}.findStatic`, ['methods', 0]],
  [`${LOOKUP}.findVirtual`, ['methods', 0]],
  [`${LOOKUP}.findSpecial`, ['methods', 0]],
  [`${LOOKUP}.findConstructor`, ['constructors', 0]],
  [`${LOOKUP}.findGetter`, ['fields', 0]],
  [`${LOOKUP}.findSetter`, ['fields', 0]],
  [`${LOOKUP}.findStaticGetter`, ['fields', 0]],
  [`${LOOKUP}.findStaticSetter`, ['fields', 0]],
  [`${LOOKUP}.findVarHandle`, ['fields', 0]],
  [`${LOOKUP}.findStaticVarHandle`, ['fields', 0]],
  ['java/util/concurrent/atomic/AtomicReferenceFieldUpdater.newUpdater', ['fields', 0]],
  ['java/util/concurrent/atomic/AtomicIntegerFieldUpdater.newUpdater', ['fields', 0]],
  ['java/lang/Enum.valueOf', ['constants', 0]],
  ['java/util/EnumSet.allOf', ['constants', 0]],
  ['java/util/EnumSet.noneOf', ['constants', 0]],
  ['java/util/EnumMap.<init>', ['constants', 0]],
  ['java/util/ServiceLoader.load', ['providers', 0]],
  ['java/util/ServiceLoader.loadInstalled', ['providers', 0]],
  ['java/lang/reflect/Array.newInstance', ['arrays', 0]],
  ['sun/misc/Unsafe.allocateInstance', ['objects', 0]],
  ['java/lang/invoke/MethodHandleProxies.asInterfaceInstance', ['proxy', 0]],
]);

export class Reflection {
  readonly #engine: Engine;
  readonly #parts: ReflectionParts;
  readonly #found = new Set<string>();
  readonly #annotated = new Set<TypeId>();
  /** Calls on more classes than are followed. */
  unknown = 0;

  constructor(engine: Engine, parts: ReflectionParts) {
    this.#engine = engine;
    this.#parts = parts;
  }

  /** A class that reflection creates. */
  create(type: TypeId, reason: string): void {
    this.#engine.create(
      type,
      reason,
      ({ access, descriptor }) => descriptor === '()V' || (access & ACCESS.public) !== 0,
    );
  }

  /** The providers of a service are created. */
  provide(service: TypeId): void {
    const { types } = this.#engine;
    const reason = `provider of ${binaryName(types.name(service))}`;
    const providers = this.#parts.services.of(types.name(service)).map((name) => types.id(name));
    this.#engine.later(() => {
      for (const provider of providers) if (types.file(provider) !== undefined) this.create(provider, reason);
    });
  }

  /** The resource bundles of a base name are created. */
  bundle(base: string): void {
    const names = this.#parts.bundles.get(base) ?? [];
    const localised = names.map((name) => this.#engine.types.id(internalName(name)));
    this.#engine.later(() => {
      for (const type of localised) this.create(type, `resource bundle of ${base}`);
    });
  }

  /** The constants of an enumeration are listed. */
  listConstants(type: TypeId): void {
    const { types, methods } = this.#engine;
    const values = methods.declared(type, 'values', `()[L${types.name(type)};`);
    if (values !== undefined) this.#engine.enterWithAny(values, 'constants of an enumeration, by its class');
  }

  /** Adds what a call in code of the program finds; returns its values, without the result if that is known. */
  call(callee: MethodId, call: ModelledCall): CallValues {
    const { methods, types, flows } = this.#engine;
    const { owner } = methods.entry(callee);
    const { name } = methods.selectorOf(callee);
    const { values, constants } = call;
    const key = `${types.name(owner)}.${name}`;
    const knownValues = { ...values, result: NONE };
    if (key === 'java/lang/Object.getClass' && values.receiver >= 0) {
      this.#getClass(values);
      return knownValues;
    }
    if (key === `${CLASS}.forName`) {
      const type = types.loaded(internalName(constants[1]?.text ?? ''));
      if (type === undefined) return values;
      flows.edge(this.#parts.objects.node(type), values.result);
      return knownValues;
    }
    if (key === 'java/lang/reflect/Proxy.newProxyInstance') this.#proxy(values);
    const finder = FINDERS.get(key);
    if (finder !== undefined) this.#find(finder, call);
    return values;
  }

  #getClass({ receiver, result }: CallValues): void {
    const { flows } = this.#engine;
    this.#engine.watch(receiver, {
      arrived: (type) => flows.edge(this.#parts.objects.node(type), result),
      saturated: () => flows.all(result),
    });
  }

  #proxy({ args: [, interfaces = NONE, handler = NONE] }: CallValues): void {
    if (interfaces < 0 || handler < 0) return;
    const add = (type: TypeId): void => this.#parts.proxies.add(type, handler);
    this.#parts.objects.each(this.#engine.arrays.load(interfaces), add, () => this.unknown++);
  }

  #find([find, at]: readonly [Find, number], { caller, values, constants }: ModelledCall): void {
    const node = at < 0 ? values.receiver : (values.args[at] ?? NONE);
    if (node < 0) return;
    const { methods, types } = this.#engine;
    const text = constants.slice(1).find((constant) => constant?.text !== undefined)?.text;
    const reason = `found by reflection in ${binaryName(types.name(methods.entry(caller).owner))}`;
    const use = (type: TypeId): void => {
      const key = `${find} ${type} ${text ?? ''}`;
      if (this.#found.has(key)) return;
      this.#found.add(key);
      this.#use(find, type, text, reason);
    };
    this.#parts.objects.each(node, use, () => this.unknown++);
  }

  #use(find: Find, type: TypeId, name: string | undefined, reason: string): void {
    const { types } = this.#engine;
    switch (find) {
      case 'methods':
      case 'declared methods':
        for (const each of find === 'methods' ? types.above(type) : [type])
          if (name !== undefined || this.#parts.isProgram(each)) this.#useMethods(each, name, reason);
        return;
      case 'constructors':
        this.#construct(type, reason);
        return;
      case 'fields':
        for (const each of types.above(type)) this.#useFields(each, name);
        return;
      case 'constants':
        this.listConstants(type);
        return;
      case 'objects':
        this.#engine.initialise(type);
        if (types.isInstantiable(type)) this.#engine.allocated(type);
        return;
      case 'arrays':
        this.#engine.allocated(types.arrayOf(type));
        return;
      case 'providers':
        this.provide(type);
        return;
      case 'annotations':
        this.#annotations(type);
        return;
      case 'proxy':
        this.#parts.proxies.add(type);
    }
  }

  #useMethods(type: TypeId, name: string | undefined, reason: string): void {
    const { methods, types, flows } = this.#engine;
    if (name === undefined && types.name(type) === 'java/lang/Object') return;
    for (const method of methods.declaredBy(type).values()) {
      const { name: member } = methods.selectorOf(method);
      const access = methods.access(method);
      if (member.startsWith('<') || member !== (name ?? member)) continue;
      if ((access & (ACCESS.static | ACCESS.private)) !== 0) this.#engine.enterWithAny(method, reason);
      else
        flows.eachBelow(type, (object) => {
          const selected = methods.selected(object, methods.entry(method).selector);
          if (selected !== undefined) this.#engine.enterWithAny(selected, reason);
        });
    }
  }

  #construct(type: TypeId, reason: string): void {
    const { types } = this.#engine;
    if (types.isInstantiable(type) && types.file(type) !== undefined) this.#engine.create(type, reason, () => true);
  }

  #useFields(type: TypeId, name: string | undefined): void {
    if (name === undefined && !this.#parts.isProgram(type)) return;
    const count = this.#engine.fields.open(type, (field) => field.name === (name ?? field.name));
    if (count > 0) this.#engine.initialise(type);
  }

  /** The annotations of a class and its members are objects; their values may be classes and constants of enumerations. */
  #annotations(type: TypeId): void {
    const { types } = this.#engine;
    this.#annotated.add(type);
    const { annotations, classes, enums } = annotatedClasses(types.file(type));
    const ids = (names: Iterable<string>): TypeId[] => Array.from(names, (name) => types.id(name));
    const [interfaces, values, constants] = [ids(annotations), ids(classes), ids(enums)];
    this.#engine.later(() => {
      for (const each of interfaces) {
        this.#parts.proxies.add(each);
        if (!this.#annotated.has(each)) this.#annotations(each);
      }
      for (const each of values) this.#parts.objects.node(each);
      for (const each of constants) this.listConstants(each);
    });
  }
}
