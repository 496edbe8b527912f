/**
 * Classes and functions identified by their spelling alone: if all programs have complete names, a name without
 * run-time numbers and hashes can only be joined with equal ones. These are most names of `.iprof` files; no candidates
 * need to be searched for them. Cost: a look at each byte of the names, 1 byte a class and a name; a string for names
 * that look like changing ones.
 */
import { NONE } from '../../base/flavor.js';
import { stringAt } from '../../base/text.js';
import { className } from '../../models/program/names.js';
import {
  CLASS_KINDS,
  type ClassId,
  FUNCTION_KINDS,
  type FunctionId,
  type Program,
} from '../../models/program/program.js';
import { isSteady, mayVary } from './spelling.js';

const MISSING_CLASS = CLASS_KINDS.indexOf('missing');
const MISSING_FUNCTION = FUNCTION_KINDS.indexOf('missing');

/** The class that recordings without return types name as such, `?`; -1 if there is none. */
export function unknownType(program: Program): ClassId {
  for (let id = 0; id < program.classes.length; id++) if (className(program, id) === '?') return id;
  return NONE;
}

/** Whether all functions of a program have the complete set of details and no others, as in `.iprof`. */
export function tellsAll(program: Program): boolean {
  const { functions, classes } = program;
  const unknown = unknownType(program);
  if (classes.module !== undefined || functions.file !== undefined) return false;
  for (let id = 0; id < functions.length; id++) {
    const told = tellsTypes(functions, id, unknown);
    if (!told && functions.kind[id] !== MISSING_FUNCTION) return false;
  }
  return true;
}

function tellsTypes(functions: Program['functions'], id: FunctionId, unknown: ClassId): boolean {
  const from = functions.signatureStart[id];
  return functions.class[id] >= 0 && functions.signatureStart[id + 1] > from && functions.signature[from] !== unknown;
}

const SLASH = 0x2f;
const [OPENING_BRACKET, CLOSING_BRACKET] = [0x5b, 0x5d];

/** The settled classes and functions of one program. */
export class Settled {
  readonly #program: Program;
  /** By class, and by name of a function: 1 if no part of it changes with the run or build. */
  readonly #classes: Uint8Array;
  readonly #names: Uint8Array;

  constructor(program: Program) {
    const { names, classes } = program;
    this.#program = program;
    this.#names = new Uint8Array(names.offsets.length);
    this.#classes = new Uint8Array(classes.length);
    const plain = new Uint8Array(names.offsets.length);
    for (let id = 0; id < names.offsets.length - 1; id++) {
      if (!mayVary(names.bytes, names.offsets[id], names.offsets[id + 1])) plain[id] = 1;
      this.#names[id] = plain[id] === 1 || isSteady(stringAt(names, id)) ? 1 : 0;
    }
    for (let id = 0; id < classes.length; id++)
      if (classes.kind[id] !== MISSING_CLASS)
        this.#classes[id] = plain[classes.name[id]] === 1 || isSteady(className(program, id)) ? 1 : 0;
  }

  /**
   * Whether classes can be identified by their spelling: no loader is known, and no name is in the VM's form with
   * slashes or in Java's form of arrays, which may be those of another spelling.
   */
  spellsClasses(): boolean {
    const { classes, names } = this.#program;
    if (classes.module !== undefined) return false;
    const { bytes, offsets } = names;
    for (let id = 0; id < classes.length; id++) {
      if (!this.hasClassAlone(id)) continue;
      const end = offsets[classes.name[id] + 1];
      for (let i = offsets[classes.name[id]]; i < end; i++)
        if (bytes[i] === SLASH || bytes[i] === CLOSING_BRACKET) return false;
    }
    return true;
  }

  /** Whether a class can be joined with classes of the same spelling only, if all programs have `spellsClasses`. */
  hasClassAlone(id: ClassId): boolean {
    const { classes, names } = this.#program;
    return this.#classes[id] === 1 && names.bytes[names.offsets[classes.name[id]]] !== OPENING_BRACKET;
  }

  /** Whether a function can be joined with functions of the same spelling only, if all programs tell all. */
  hasFunction(id: FunctionId): boolean {
    const { class: classes, kind, name, signature, signatureStart } = this.#program.functions;
    const steady = this.#classes;
    if (kind[id] === MISSING_FUNCTION || this.#names[name[id]] !== 1 || steady[classes[id]] !== 1) return false;
    for (let i = signatureStart[id]; i < signatureStart[id + 1]; i++) if (steady[signature[i]] !== 1) return false;
    return true;
  }
}
