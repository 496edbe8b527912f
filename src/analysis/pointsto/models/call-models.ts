/**
 * What follows from the classes and strings that code passes to reflection:
 *
 *   "a.b.C"                          a string that names a class of the path: it may be loaded and created
 *   find(C.class, "name")            a class and a string in one call: the methods and fields of this name may be used
 *   E.class                          of an enumeration: its constants may be listed
 *   type.getMethods() …              in code of the program: see `Reflection`
 */
import { NONE } from '../../../base/flavor.js';
import { ACCESS } from '../../../code/java/class-file/access.js';
import type { FieldInfo } from '../../../code/java/class-file/class-file.js';
import { binaryName, internalName } from '../../../code/java/class-file/descriptor.js';
import type { Engine } from '../engine.js';
import type { NodeId } from '../flows.js';
import type { MethodId } from '../methods.js';
import type { CallValues } from '../sites.js';
import type { TypeId } from '../types.js';
import { ClassNames, isOfTexts } from './class-names.js';
import { ClassObjects } from './class-objects.js';
import { ComposedNames } from './composed-names.js';
import { Linkage } from './linkage.js';
import type { ModelledCall } from './modelled-call.js';
import { Proxies } from './proxies.js';
import { Reflection, type ReflectionParts } from './reflection.js';

const PROVIDERS = 'java/util/ServiceLoader';
/** The method by which a class of the JDK gets its static fields from the archive of a VM. */
const FROM_ARCHIVE = 'initializeFromArchive';
const isStatic = ({ access }: FieldInfo): boolean => (access & ACCESS.static) !== 0;
/** The property that creates a security manager where a VM begins; programs may create one later. */
const SECURITY_MANAGER = 'java.security.manager';
const OWN_HANDLES = 'jdk/internal/invoke/MhUtil';
const BUNDLES = 'java/util/ResourceBundle';

export class CallModels {
  readonly #engine: Engine;
  readonly #isProgram: (type: TypeId) => boolean;
  readonly #objects: ClassObjects;
  readonly #composed: ComposedNames;
  readonly names: ClassNames;
  readonly proxies: Proxies;
  readonly reflection: Reflection;
  readonly linkage: Linkage;

  constructor(
    engine: Engine,
    parts: Omit<ReflectionParts, 'objects' | 'proxies'> & { readonly classNames: Iterable<string> },
  ) {
    this.#engine = engine;
    this.#isProgram = parts.isProgram;
    this.#objects = new ClassObjects(engine, parts.isProgram);
    this.proxies = new Proxies(engine);
    this.reflection = new Reflection(engine, { ...parts, objects: this.#objects, proxies: this.proxies });
    this.names = new ClassNames(engine.types, (type, reason) => this.reflection.create(type, reason));
    this.linkage = new Linkage(engine);
    this.#composed = new ComposedNames(
      parts.classNames,
      (name) => this.#createLater(name),
      (action) => engine.later(action),
    );
  }

  /** A string that a method loads, or joins others with. */
  string(text: string, method: MethodId): void {
    const { owner } = this.#engine.methods.entry(method);
    this.#composed.loaded(text, owner, this.#isProgram(owner));
  }

  #createLater(name: string): void {
    const type = this.#engine.types.id(internalName(name));
    this.reflection.bundle(name);
    this.#engine.later(() => this.reflection.create(type, `its name, ${name}, is put together from strings`));
  }

  /** The node of a class that a method loads as a constant. */
  classConstant(type: TypeId, method: MethodId): NodeId {
    const { types, methods } = this.#engine;
    if (((types.file(type)?.access ?? 0) & ACCESS.enum) !== 0) this.reflection.listConstants(type);
    if (this.#isProgram(methods.entry(method).owner)) return this.#objects.node(type);
    return this.#engine.allocated(types.id('java/lang/Class'));
  }

  /** Adds what follows from a call; returns its values, without the result if that is known already. */
  call(callee: MethodId, call: ModelledCall): CallValues {
    const { caller, values, constants } = call;
    const { methods, types, flows } = this.#engine;
    const { owner, info } = methods.entry(callee);
    // A reference to a method that no class has: nothing is known of its result.
    if (info === undefined && values.result >= 0) flows.any(values.result);
    if (methods.isPolymorphic(callee)) this.linkage.called(callee, call.descriptor);
    const classes = constants.flatMap((constant) => constant?.type ?? []);
    const names = constants.flatMap((constant) => constant?.text ?? []);
    this.names.called(names, caller, methods.selectorOf(callee).name);
    if (names.length > 0 && !isOfTexts(this.#engine, callee)) for (const name of names) this.names.passed(name, caller);
    for (const type of classes) {
      for (const name of names) this.#useMembers(type, name, caller);
      if (types.name(owner) === PROVIDERS) this.reflection.provide(type);
      if (methods.selectorOf(callee).name === FROM_ARCHIVE) this.#engine.fields.open(type, isStatic);
    }
    // Handles of newer JDKs are of the class that asks for them, if it names no other.
    if (types.name(owner) === OWN_HANDLES)
      for (const name of names) this.#useMembers(methods.entry(caller).owner, name, caller);
    if (types.name(owner) === BUNDLES) for (const base of names) this.reflection.bundle(base);
    if (names.includes(SECURITY_MANAGER)) return { ...values, result: NONE };
    if (!this.#isProgram(methods.entry(caller).owner)) return values;
    return this.reflection.call(callee, call);
  }

  #useMembers(type: TypeId, name: string, caller: MethodId): void {
    const { methods, types } = this.#engine;
    for (const method of methods.declaredBy(type).values()) {
      if (methods.selectorOf(method).name !== name || (methods.access(method) & ACCESS.abstract) !== 0) continue;
      const { owner } = methods.entry(caller);
      this.#engine.enterWithAny(method, `named by constants in ${binaryName(types.name(owner))}`);
    }
    this.#engine.fields.open(type, (field) => field.name === name);
  }
}
