/**
 * Classes and functions identified by their spelling alone: if all programs have complete names, a name without
 * run-time numbers and hashes can only be joined with equal ones. These are most names of `.iprof` files; no candidates
 * need to be searched for them. Cost: a look at each name, 1 byte a class and a name; a string for each text asked for.
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

const MISSING_CLASS = CLASS_KINDS.indexOf('missing');
const MISSING_FUNCTION = FUNCTION_KINDS.indexOf('missing');

/** Whether all functions of a program have the complete set of details and no others, as in `.iprof`. */
export function tellsAll({ functions, classes }: Program): boolean {
  if (classes.module !== undefined || functions.file !== undefined) return false;
  for (let id = 0; id < functions.length; id++) {
    const told = functions.class[id] >= 0 && functions.signatureStart[id + 1] > functions.signatureStart[id];
    if (!told && functions.kind[id] !== MISSING_FUNCTION) return false;
  }
  return true;
}

const SLASH = 0x2f;
const [OPENING_BRACKET, CLOSING_BRACKET] = [0x5b, 0x5d];

/** States of a name. */
const [UNSEEN, STEADY, OTHER] = [0, 1, 2];

/** The settled classes and functions of one program. */
export class Settled {
  readonly #program: Program;
  /** By class, and by name of a function. */
  readonly #classes: Uint8Array;
  readonly #names: Uint8Array;

  constructor(program: Program) {
    this.#program = program;
    this.#classes = new Uint8Array(program.classes.length);
    this.#names = new Uint8Array(program.names.offsets.length);
  }

  /**
   * Whether classes can be identified by their spelling: no loader is known, and no name is in the VM's form with
   * slashes or in Java's form of arrays, which may be those of another spelling.
   */
  spellsClasses(): boolean {
    const { classes, names } = this.#program;
    if (classes.module !== undefined) return false;
    for (let id = 0; id < classes.length; id++) {
      if (!this.hasClassAlone(id)) continue;
      for (let i = names.offsets[classes.name[id]]; i < names.offsets[classes.name[id] + 1]; i++)
        if (names.bytes[i] === SLASH || names.bytes[i] === CLOSING_BRACKET) return false;
    }
    return true;
  }

  /** Whether a class can be joined with classes of the same spelling only, if all programs have `spellsClasses`. */
  hasClassAlone(id: ClassId): boolean {
    const { classes, names } = this.#program;
    return this.hasClass(id) && names.bytes[names.offsets[classes.name[id]]] !== OPENING_BRACKET;
  }

  /** Whether no part of the name of a class changes with the run or build. */
  hasClass(id: ClassId): boolean {
    if (id < 0) return false;
    if (this.#classes[id] === UNSEEN) {
      const missing = this.#program.classes.kind[id] === MISSING_CLASS;
      this.#classes[id] = !missing && isSteady(className(this.#program, id)) ? STEADY : OTHER;
    }
    return this.#classes[id] === STEADY;
  }

  /** Whether a function can be joined with functions of the same spelling only, if all programs tell all. */
  hasFunction(id: FunctionId): boolean {
    const { class: classes, kind, name, signature, signatureStart } = this.#program.functions;
    if (kind[id] === MISSING_FUNCTION || !this.#hasName(name[id]) || !this.hasClass(classes[id])) return false;
    for (let i = signatureStart[id]; i < signatureStart[id + 1]; i++) if (!this.hasClass(signature[i])) return false;
    return true;
  }

  #hasName(id: number): boolean {
    if (this.#names[id] === UNSEEN) this.#names[id] = isSteady(stringAt(this.#program.names, id)) ? STEADY : OTHER;
    return this.#names[id] === STEADY;
  }
}

/** The text of a settled function: `java.util.HashMap.get(java.lang.Object)`. */
export function settledText(program: Program, id: FunctionId): string {
  const { functions, names } = program;
  const { signature, signatureStart } = functions;
  let text = `${className(program, functions.class[id])}.${stringAt(names, functions.name[id])}(`;
  for (let i = signatureStart[id] + 1; i < signatureStart[id + 1]; i++)
    text += (i > signatureStart[id] + 1 ? ', ' : '') + className(program, signature[i]);
  return `${text})`;
}
