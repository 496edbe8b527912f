/** Adds what reachability metadata register, once their conditions hold. */
import { ACCESS } from '../../../code/java/class-file/access.js';
import { descriptorOf } from '../../../code/java/class-file/descriptor.js';
import type { Engine } from '../engine.js';
import type { MethodId } from '../methods.js';
import type { Proxies } from '../models/proxies.js';
import type { TypeId } from '../types.js';
import type { RegisteredMethod, Registration } from './registration.js';

const CONSTRUCTOR = '<init>';

export class RegisteredUses {
  readonly #engine: Engine;
  readonly #proxies: Proxies;
  #pending: readonly Registration[];
  /** Registrations of types that the class path lacks. */
  missing = 0;

  constructor(engine: Engine, proxies: Proxies, registrations: readonly Registration[]) {
    this.#engine = engine;
    this.#proxies = proxies;
    this.#pending = registrations;
  }

  /** Registrations whose conditions do not hold so far. */
  get unmet(): number {
    return this.#pending.length;
  }

  /** Adds those whose conditions hold by now; false if there is none. */
  follow(): boolean {
    const [current, pending]: [Registration[], Registration[]] = [[], []];
    for (const registration of this.#pending) (this.#holds(registration) ? current : pending).push(registration);
    if (current.length === 0) return false;
    this.#pending = pending;
    const { types } = this.#engine;
    const uses = current.map((registration) => ({
      registration,
      type: registration.type === undefined ? undefined : types.id(registration.type),
      interfaces: registration.proxy.map((name) => types.id(name)),
    }));
    this.#engine.later(() => {
      for (const { registration, type, interfaces } of uses) {
        for (const each of interfaces) this.#proxies.add(each);
        if (type !== undefined) this.#add(type, registration);
      }
    });
    return true;
  }

  #holds({ condition }: Registration): boolean {
    if (condition === undefined) return true;
    const type = this.#engine.types.loaded(condition.type);
    return type !== undefined && (!condition.isInitialised || this.#engine.isInitialised(type));
  }

  #add(type: TypeId, registration: Registration): void {
    const { types } = this.#engine;
    if (types.isArray(type)) return;
    if (types.file(type) === undefined) {
      this.missing++;
      return;
    }
    const { methods, fields, all, isCreated, reason } = registration;
    if (isCreated && types.isInstantiable(type)) {
      this.#engine.initialise(type);
      this.#engine.allocated(type);
    }
    for (const method of methods) this.#addMethods(type, (each) => this.#isMeant(each, method), reason);
    const isPublic = (method: MethodId): boolean => (this.#engine.methods.access(method) & ACCESS.public) !== 0;
    const isConstructor = (method: MethodId): boolean => this.#engine.methods.selectorOf(method).name === CONSTRUCTOR;
    if (all.includes('allDeclaredMethods')) this.#addMethods(type, (each) => !isConstructor(each), reason);
    if (all.includes('allPublicMethods'))
      for (const above of types.above(type))
        this.#addMethods(above, (each) => isPublic(each) && !isConstructor(each), reason);
    if (all.includes('allDeclaredConstructors')) this.#addMethods(type, isConstructor, reason);
    if (all.includes('allPublicConstructors'))
      this.#addMethods(type, (each) => isPublic(each) && isConstructor(each), reason);
    this.#addFields(type, all, fields);
  }

  #isMeant(method: MethodId, { name, parameters }: RegisteredMethod): boolean {
    const selector = this.#engine.methods.selectorOf(method);
    if (selector.name !== name) return false;
    return (
      parameters === undefined ||
      selector.descriptor.startsWith(`(${parameters.map((each) => descriptorOf(each)).join('')})`)
    );
  }

  #addMethods(type: TypeId, isMeant: (method: MethodId) => boolean, reason: string): void {
    const { methods, types } = this.#engine;
    for (const method of methods.declaredBy(type).values()) {
      const { name } = methods.selectorOf(method);
      if (name === '<clinit>' || !isMeant(method) || (methods.access(method) & ACCESS.abstract) !== 0) continue;
      if (name === CONSTRUCTOR) {
        if (!types.isInstantiable(type)) continue;
        this.#engine.allocated(type);
      }
      this.#engine.enterWithAny(method, reason);
    }
  }

  #addFields(type: TypeId, all: Registration['all'], names: readonly string[]): void {
    this.#engine.fields.open(type, ({ name }) => all.includes('allDeclaredFields') || names.includes(name));
    if (all.includes('allPublicFields'))
      for (const above of this.#engine.types.above(type))
        this.#engine.fields.open(above, ({ access }) => (access & ACCESS.public) !== 0);
  }
}
