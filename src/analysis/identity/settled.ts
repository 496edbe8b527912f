/**
 * Functions identified by their spelling alone: if all programs have complete names, a name without run-time numbers
 * and hashes can only be joined with equal ones. These are most functions of `.iprof` files; no candidates need to be
 * searched for them. Cost: a look at each name, and a string for each function asked for.
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

/** Whether all functions of a program have the complete set of details and no others, as in `.iprof`. */
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
  /** Name by program and class; undefined until it is needed, '' if it may have another spelling. */
  readonly #names: (string | undefined)[][];

  constructor(programs: readonly Program[]) {
    this.#programs = programs;
    this.#names = programs.map(() => []);
  }

  /** The text of a function; undefined if it may be joined with functions of another spelling. */
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
