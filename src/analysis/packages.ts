/** The packages of a program's classes, without a name a class: names of one package are looked at once. */

import { ByteInterner } from '../base/columns/hash.js';
import { NONE } from '../base/flavor.js';
import { decodeUtf8 } from '../base/text.js';
import { CLASS_KINDS, type ClassId, type Program } from '../models/program/program.js';

const DOT = 0x2e;
const SLASH = 0x2f;
const MISSING = CLASS_KINDS.indexOf('missing');

/** The package in the name of a class. */
export function packageOf(type: string): string {
  const end = type.lastIndexOf('.');
  return end < 0 ? '<unnamed package>' : type.slice(0, end);
}

export class ClassPackages {
  readonly #program: Program;
  readonly #prefixes = new ByteInterner();

  constructor(program: Program) {
    this.#program = program;
  }

  /** A number for the name of a class up to its last separator; -1 if the recording does not name the class. */
  of(id: ClassId): number {
    const { classes, names } = this.#program;
    const name = classes.name[id];
    if (classes.kind[id] === MISSING || name < 0) return NONE;
    const from = names.offsets[name];
    let to = names.offsets[name + 1];
    while (to > from && names.bytes[to - 1] !== DOT && names.bytes[to - 1] !== SLASH) to--;
    return this.#prefixes.add(names.bytes, from, to);
  }

  /** The text of a number, with its last separator, as the recording spells it: `java.util.`, `[Ljava.util.`, empty. */
  prefix(place: number): string {
    const { bytes, offsets } = this.#prefixes;
    return decodeUtf8(bytes.bytes, offsets.values[place], offsets.values[place + 1]);
  }
}
