/** The methods of the program itself that the analysis begins with, beside those that the VM calls (`roots.ts`). */
import { UsageError } from '../../base/errors.js';
import { ACCESS } from '../../code/java/class-file/access.js';
import { binaryName, internalName, methodTypes } from '../../code/java/class-file/descriptor.js';
import type { MethodKey } from '../../models/program/method-key.js';
import { matchNames } from '../../models/program/names.js';
import { closestAdvice } from '../identity/unknown-name.js';
import type { Engine } from './engine.js';
import type { MethodId } from './methods.js';
import { addMain } from './roots.js';
import type { TypeId } from './types.js';

/** What a program begins with. */
export interface EntryChoice {
  /** Binary name of the class whose `main` is called. */
  readonly main?: string;
  /** Names or patterns of methods of the program: `acme.Plugin.start`. */
  readonly methods?: readonly string[];
  /** All public and protected methods of the program's public classes are called. */
  readonly isLibrary?: boolean;
  /** Methods that a recording saw, of any class. */
  readonly observed?: readonly MethodKey[];
}

const OPEN = ACCESS.public | ACCESS.protected;

/**
 * Names the types of the entries, which must be loaded before `addEntries`; returns those that it chooses methods of. `names`: binary names of the
 * program's classes.
 */
export function nameEntries(
  { types }: Engine,
  { main, methods = [], isLibrary = false, observed = [] }: EntryChoice,
  names: () => Iterable<string>,
): readonly TypeId[] {
  if (main !== undefined) types.id(internalName(main));
  for (const method of observed) if (method.class !== undefined) types.id(internalName(method.class.name));
  return isLibrary || methods.length > 0 ? Array.from(names(), (name) => types.id(internalName(name))) : [];
}

/** Adds the entries. `programTypes`: see `nameEntries`. Throws `UsageError` for a name or pattern that no method of the program has. */
export function addEntries(engine: Engine, choice: EntryChoice, programTypes: readonly TypeId[]): void {
  const { main, methods = [], isLibrary = false, observed = [] } = choice;
  if (main !== undefined) addMain(engine, main);
  if (isLibrary) addOpenMethods(engine, programTypes);
  if (methods.length > 0) addNamedMethods(engine, methods, programTypes);
  for (const method of observed) addObserved(engine, method);
}

/** Objects of public classes can exist wherever a public or protected constructor does. */
function addOpenMethods(engine: Engine, programTypes: readonly TypeId[]): void {
  const { types, methods } = engine;
  for (const type of programTypes) {
    if (((types.file(type)?.access ?? 0) & ACCESS.public) === 0) continue;
    for (const method of methods.declaredBy(type).values()) {
      const access = methods.access(method);
      if ((access & OPEN) !== 0 && (access & ACCESS.abstract) === 0)
        addEntry(engine, method, 'public method of the library');
    }
  }
}

function addEntry(engine: Engine, method: MethodId, reason: string): void {
  const { owner } = engine.methods.entry(method);
  if (engine.methods.selectorOf(method).name === '<init>' && engine.types.isInstantiable(owner))
    engine.allocated(owner);
  engine.enterWithAny(method, reason);
}

function addNamedMethods(engine: Engine, patterns: readonly string[], programTypes: readonly TypeId[]): void {
  const { types, methods } = engine;
  const ids = programTypes.flatMap((type) => [...methods.declaredBy(type).values()]);
  const nameOf = (method: MethodId): string => {
    const { name, descriptor } = methods.selectorOf(method);
    const owner = binaryName(types.name(methods.entry(method).owner));
    return `${owner}.${name}(${methodTypes(descriptor)?.parameters.join(', ') ?? ''})`;
  };
  const names = ids.map((id) => nameOf(id));
  for (const pattern of patterns) {
    const marks = matchNames(pattern, ids.length, (i) => names[i]);
    if (!marks.includes(1))
      throw new UsageError(`no method of the program matches ${pattern}`, {
        code: 'no-such-name',
        advice: closestAdvice(pattern, names),
      });
    for (const [i, method] of ids.entries()) if (marks[i] === 1) addEntry(engine, method, `entry ${pattern}`);
  }
}

function addObserved(engine: Engine, { class: holder, name, parameters }: MethodKey): void {
  const { types, methods } = engine;
  const type = holder === undefined ? undefined : types.loaded(internalName(holder.name));
  if (type === undefined) return;
  for (const method of methods.declaredBy(type).values()) {
    const selector = methods.selectorOf(method);
    if (selector.name !== name || (methods.access(method) & ACCESS.abstract) !== 0) continue;
    const ownParameters = methodTypes(selector.descriptor)?.parameters;
    if (parameters === undefined || ownParameters?.join() === parameters.join())
      addEntry(engine, method, 'seen by a recording');
  }
}
