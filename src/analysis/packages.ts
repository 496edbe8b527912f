/** The packages of a program's classes, without a name a class: names of one package are looked at once. */
import { ByteInterner } from '../base/columns/hash.js';
import { NONE } from '../base/flavor.js';
import { decodeUtf8 } from '../base/text.js';
import { CLASS_KINDS, type ClassId, type Program } from '../models/program/program.js';

const DOT = 0x2e;
const SLASH = 0x2f;
const PLUS = 0x2b;
const LETTER_X = 0x78;
const MISSING = CLASS_KINDS.indexOf('missing');

/**
 * What follows the name of a hidden class: an address or a number behind a slash, in recordings of older VMs a plus, of async-profiler
 * a dot (`App$$Lambda/0x7f…`). It is no class in a package.
 */
const HIDDEN = /[./+](?:0x[0-9a-f]+|\d+)$/;

/** The package of a class by its name with dots; empty for the unnamed one. */
export function packagePart(type: string): string {
  return beforeLastDot(type) ?? '';
}

/** The package as listings name it. */
export function packageOf(type: string): string {
  return beforeLastDot(type) ?? '<unnamed package>';
}

/** Undefined without a dot. */
function beforeLastDot(type: string): string | undefined {
  const name = type.replace(HIDDEN, '');
  const end = name.lastIndexOf('.');
  return end < 0 ? undefined : name.slice(0, end);
}

export class ClassPackages {
  readonly #program: Program;
  readonly #prefixes = new ByteInterner();

  constructor(program: Program) {
    this.#program = program;
  }

  /** A number for the name of a class up to the separator behind its package; -1 if the recording does not name the class. */
  of(id: ClassId): number {
    const { classes, names } = this.#program;
    const name = classes.name[id];
    if (classes.kind[id] === MISSING || name < 0) return NONE;
    const from = names.offsets[name];
    let to = withoutSuffix(names.bytes, from, names.offsets[name + 1]);
    while (to > from && names.bytes[to - 1] !== DOT && names.bytes[to - 1] !== SLASH) to--;
    return this.#prefixes.add(names.bytes, from, to);
  }

  /** The text of a number, with its last separator, as the recording spells it: `java.util.`, `[Ljava.util.`, empty. */
  prefix(place: number): string {
    const { bytes, offsets } = this.#prefixes;
    return decodeUtf8(bytes.bytes, offsets.values[place], offsets.values[place + 1]);
  }
}

/** The end of a name without what `HIDDEN` matches. */
function withoutSuffix(bytes: Uint8Array, from: number, to: number): number {
  let at = to;
  while (at > from && isHexDigit(bytes[at - 1])) at--;
  const hasPrefix = at > from + 1 && bytes[at - 1] === LETTER_X && bytes[at - 2] === 0x30;
  const digits = at;
  if (hasPrefix) at -= 2;
  else if (!allDecimal(bytes, digits, to)) return to;
  const separator = bytes[at - 1];
  const isSuffix = digits < to && at > from && (separator === DOT || separator === SLASH || separator === PLUS);
  return isSuffix ? at - 1 : to;
}

function isHexDigit(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || (byte >= 0x61 && byte <= 0x66);
}

function allDecimal(bytes: Uint8Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (bytes[i] > 0x39) return false;
  return true;
}
