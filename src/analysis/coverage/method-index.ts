/**
 * Finds the functions of a recording that are a method of a class file: class, name, parameter types and return type
 * are equal.
 */
import { addToList } from '../../base/columns/lists.js';
import type { MethodInfo } from '../../code/java/class-file/class-file.js';
import { methodKey } from '../../models/program/method-key.js';
import type { FunctionId, Program } from '../../models/program/program.js';

/** Functions of each method; a damaged recording may have several for one method. 200 bytes a function. */
export class MethodIndex {
  readonly #functions = new Map<string, FunctionId[]>();

  constructor(program: Program) {
    for (let id = 0; id < program.functions.length; id++) {
      const key = methodKey(program, id);
      if (key?.class === undefined || key.parameters === undefined) continue;
      addToList(this.#functions, textOf(key.class.name, key.name, key.parameters, key.returns ?? ''), id);
    }
  }

  of(method: MethodInfo): readonly FunctionId[] {
    const { types } = method;
    if (types === undefined) return [];
    return this.#functions.get(textOf(method.owner.name, method.name, types.parameters, types.returns)) ?? [];
  }
}

function textOf(owner: string, name: string, parameters: readonly string[], returns: string): string {
  return `${owner}.${name}(${parameters.join()})${returns}`;
}
