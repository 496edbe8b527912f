/**
 * Methods as reports of points-to analyses print them, `loader:Holder.name(types):type`, and the functions of the program they become.
 * 100 bytes a method, and twice the bytes of its name.
 */
import { Int32Builder } from '../../../base/columns/columns.js';
import { ByteInterner } from '../../../base/columns/hash.js';
import { NONE } from '../../../base/flavor.js';
import { decodeUtf8, type StringId, stringAt } from '../../../base/text.js';
import { binaryTypeName, PRIMITIVES } from '../../../models/program/names.js';
import type { FunctionId, Program } from '../../../models/program/program.js';
import { ProgramBuilder } from '../../../models/program/program-builder.js';

const COLON = 58;
const OPEN = 40;
const CLOSE = 41;
const DOT = 46;
/** Loaders by name; of others the name of their class is printed. */
const LOADER = /^(?:null|app|platform|err|[\w$.]+)$/;

/** Where the parts of `Holder.name(types):type` are; `open` is the bracket before the types. */
interface MethodParts {
  readonly dot: number;
  readonly open: number;
}

/**
 * The parts of a method's text; undefined if it is something else. Names may contain brackets, colons and blanks, but no dot, so it is
 * read from the end: the parameters begin at the last bracket before the last `):`.
 */
function methodParts(bytes: Uint8Array, from: number, to: number): MethodParts | undefined {
  let close = to - 2;
  while (close > from && (bytes[close] !== CLOSE || bytes[close + 1] !== COLON)) close--;
  let open = close - 1;
  while (open > from && bytes[open] !== OPEN) open--;
  let dot = open - 1;
  while (dot > from && bytes[dot] !== DOT) dot--;
  return dot > from && dot + 1 < open ? { dot, open } : undefined;
}

/** Bytes before the colon after the loader; 0 without one. */
export function loaderBytes(bytes: Uint8Array, from: number, to: number): number {
  let last = 0;
  for (let at = from; at < to && bytes[at] !== OPEN; at++) {
    if (bytes[at] !== COLON) continue;
    if (last === 0 && LOADER.test(decodeUtf8(bytes, from, at))) return at - from;
    last = at - from;
  }
  return last;
}

/** Adds methods by their texts to a program. */
export class MethodAdder {
  readonly program = new ProgramBuilder({ dottedTypes: true });
  /** `(types):type` as printed, and the name of the descriptor of each; -1 for text that is no list of types. */
  readonly #types = new ByteInterner();
  readonly #descriptors = new Int32Builder();

  /** Whether a text is that of a method, its parameters beginning at `open`, if that is known. */
  isMethod(bytes: Uint8Array, from: number, to: number, open?: number): boolean {
    const parts = methodParts(bytes, from, to);
    if (parts === undefined || (open !== undefined && open !== parts.open)) return false;
    return this.#descriptor(bytes, parts.open, to) >= 0;
  }

  /** The function of a text; text that is no name of a method is a function without a class. */
  add(bytes: Uint8Array, from: number, to: number, loader: StringId): FunctionId {
    const { program } = this;
    const parts = methodParts(bytes, from, to);
    const descriptor = parts === undefined ? NONE : this.#descriptor(bytes, parts.open, to);
    if (parts === undefined || descriptor < 0) return program.function(NONE, program.names.add(bytes, from, to));
    const { dot, open } = parts;
    const type = program.class(program.names.add(bytes, from, dot), loader);
    return program.function(type, program.names.add(bytes, dot + 1, open), NONE, descriptor);
  }

  #descriptor(bytes: Uint8Array, from: number, to: number): StringId {
    const types = this.#types.add(bytes, from, to);
    if (types === this.#descriptors.length) {
      const [, parameters, returns] = TYPES.exec(decodeUtf8(bytes, from, to)) ?? [];
      const isKnown = parameters !== undefined && returns !== undefined;
      this.#descriptors.push(isKnown ? this.program.name(descriptorsOf(parameters, returns)) : NONE);
    }
    return this.#descriptors.values[types];
  }
}

const TYPE = String.raw`[^,;()[\]]+(?:\[\])*`;
/** Nothing is of the type `void`, and nothing has it as elements; only a return type is `void` (JVMS 4.3.3). */
const PARAMETER = String.raw`(?!void(?:\[\])*[,)])${TYPE}`;
const RETURN = String.raw`(?!void\[)${TYPE}`;
const TYPES = new RegExp(`^\\(((?:${PARAMETER}(?:, ${PARAMETER})*)?)\\):(${RETURN})$`, 's');

function descriptorsOf(parameters: string, returns: string): string {
  const types = parameters === '' ? [] : parameters.split(', ');
  return `(${types.map(descriptorOf).join('')})${descriptorOf(returns)}`;
}

/** The descriptor of a type in Java source form (JVMS 4.3.2), with dots as the report has them. */
function descriptorOf(type: string): string {
  const letter = Object.keys(PRIMITIVES).find((one) => PRIMITIVES[one] === type);
  if (letter !== undefined) return letter;
  return type.endsWith('[]') ? binaryTypeName(type) : `L${type};`;
}

/** A type as reports print it: arrays in Java source form, other names as they are, with the slash of a generated class. */
export function printedType(name: string): string {
  if (!name.startsWith('[')) return name;
  const depth = name.lastIndexOf('[') + 1;
  const element = name.slice(depth);
  return (PRIMITIVES[element] ?? element.slice(1, -1)) + '[]'.repeat(depth);
}

/** The types of a function as reports print them, its return type first; empty if they are unknown. */
export function printedTypes({ classes, functions, names }: Program, id: FunctionId): string[] {
  const { signature, signatureStart } = functions;
  const types = signature.subarray(signatureStart[id], signatureStart[id + 1]);
  return Array.from(types, (type) => printedType(stringAt(names, classes.name[type])));
}
