/**
 * Functions that are what they are spelled: where all programs tell all, a name without numbers and hashes is joined with
 * none but its equals. That is most functions of `.iprof` files, and saves looking for others that could be meant.
 * Cost: a look at each name, and a string a function that is asked for.
 */
import { stringAt } from '../../base/text.js';
import { className } from '../../models/program/names.js';
import {
  CLASS_KINDS,
  type ClassId,
  FUNCTION_KINDS,
  type FunctionId,
  type Program,
} from '../../models/program/program.js';
import { isSteady } from './spelling.js';

/** Whether a program tells all of its functions that is ever told, and nothing that others do not: `.iprof` does. */
export function tellsAll({ functions, classes }: Program): boolean {
  if (classes.module !== undefined || functions.file !== undefined) return false;
  const missing = FUNCTION_KINDS.indexOf('missing');
  for (let id = 0; id < functions.length; id++) {
    const told = functions.class[id] >= 0 && functions.signatureStart[id + 1] > functions.signatureStart[id];
    if (!told && functions.kind[id] !== missing) return false;
  }
  return true;
}

export class Settled {
  readonly #programs: readonly Program[];
  /** By program and class: its name; undefined where it was not asked for, '' where it may be spelled otherwise. */
  readonly #names: (string | undefined)[][];

  constructor(programs: readonly Program[]) {
    this.#programs = programs;
    this.#names = programs.map(() => []);
  }

  /** The text of a function; undefined where it may be joined with functions that are spelled otherwise. */
  textOf(program: number, id: FunctionId): string | undefined {
    const { functions, names } = this.#programs[program];
    const { signature, signatureStart } = functions;
    const declaring = this.#steadyName(program, functions.class[id]);
    const returns = this.#steadyName(program, signature[signatureStart[id]]);
    if (FUNCTION_KINDS[functions.kind[id]] === 'missing' || declaring === '' || returns === '') return undefined;
    const name = stringAt(names, functions.name[id]);
    if (!isSteady(name)) return undefined;
    let text = `${declaring}.${name}(`;
    for (let i = signatureStart[id] + 1; i < signatureStart[id + 1]; i++) {
      const type = this.#steadyName(program, signature[i]);
      if (type === '') return undefined;
      text += i > signatureStart[id] + 1 ? `, ${type}` : type;
    }
    return `${text})`;
  }

  #steadyName(program: number, id: ClassId): string {
    const known = this.#names[program][id];
    if (known !== undefined) return known;
    const { classes } = this.#programs[program];
    if (id < 0 || CLASS_KINDS[classes.kind[id]] === 'missing') return '';
    const name = className(this.#programs[program], id);
    const steady = isSteady(name) ? name : '';
    this.#names[program][id] = steady;
    return steady;
  }
}
