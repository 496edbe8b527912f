/**
 * Finds the functions of a recording that are a method of a class file: class, name, parameter types and return type
 * are equal, as far as the recording has return types.
 */
import { addToList } from '../../base/columns/lists.js';
import type { MethodInfo } from '../../code/java/class-file/class-file.js';
import { methodKey } from '../../models/program/method-key.js';
import type { FunctionId, Program } from '../../models/program/program.js';

/** The return type of recordings that have none. */
const UNKNOWN_TYPE = '?';

/** Functions of each method; a damaged recording may have several for one method. 200 bytes a function. */
export class MethodIndex {
  readonly #functions = new Map<string, FunctionId[]>();

  constructor(program: Program) {
    for (let id = 0; id < program.functions.length; id++) {
      const key = methodKey(program, id);
      if (key?.class === undefined || key.parameters === undefined) continue;
      addToList(this.#functions, textOf(key.class.name, key.name, key.parameters, key.returns ?? UNKNOWN_TYPE), id);
    }
  }

  of(method: MethodInfo): readonly FunctionId[] {
    const { types } = method;
    if (types === undefined) return [];
    const of = (returns: string) =>
      this.#functions.get(textOf(method.owner.name, method.name, types.parameters, returns));
    return of(types.returns) ?? of(UNKNOWN_TYPE) ?? [];
  }
}

function textOf(owner: string, name: string, parameters: readonly string[], returns: string): string {
  return `${owner}.${name}(${parameters.join()})${returns}`;
}
