/**
 * The code of a recording's functions: the method in a class file of each function, or the reason why there is none.
 * Each function is looked up once; instructions and control flow of a method are decoded on demand.
 */
import type { MethodInfo } from '../../code/java/class-file/class-file.js';
import type { Code } from '../../code/java/class-file/code.js';
import { InstructionList } from '../../code/java/class-file/instruction-list.js';
import { instructionText } from '../../code/java/class-file/listing.js';
import type { ClassSet } from '../../code/java/class-path/class-set.js';
import { isFollowable } from '../../code/java/flow/graph.js';
import { type ControlFlow, controlFlow } from '../../code/java/flow/loops.js';
import {
  type CodeInfo,
  type CodeInstruction,
  type FunctionCode,
  type NoCode,
  type SourcePlace,
  sourcePlace,
} from '../../models/program/code.js';
import { cachedTypes, keyText, type MethodKey, methodKey } from '../../models/program/method-key.js';
import { placeName } from '../../models/program/names.js';
import { bciOf } from '../../models/program/places.js';
import { type FunctionId, type LocationId, NO_LINE, type Program } from '../../models/program/program.js';

/**
 * Why a recorded site is not in the code. `unnamed` and `unplaced` are not faults of the code: the recording does not
 * name the method, or has a mark instead of a bytecode index.
 */
export const FINDING_REASONS = [
  'unnamed',
  'unplaced',
  'no class',
  'no method',
  'several methods',
  'no bytecode',
  'no instruction',
  'other instruction',
  'too many ways',
  'other target',
  'no subtype',
  'damaged',
] as const;
export type FindingReason = (typeof FINDING_REASONS)[number];

/** A contradiction between a recorded site and the code. */
export interface SiteFinding extends NoCode {
  readonly reason: FindingReason;
}

export class MethodCode implements FunctionCode {
  readonly key: MethodKey;
  readonly method: MethodInfo;
  readonly code: Code;
  #instructions: InstructionList | undefined;
  #flow: ControlFlow | undefined;
  #listing: readonly CodeInstruction[] | undefined;

  constructor(key: MethodKey, method: MethodInfo, code: Code) {
    this.key = key;
    this.method = method;
    this.code = code;
  }

  get instructions(): InstructionList {
    this.#instructions ??= new InstructionList(this.code);
    return this.#instructions;
  }

  get flow(): ControlFlow {
    this.#flow ??= controlFlow(this.code, this.instructions);
    return this.#flow;
  }

  get listing(): readonly CodeInstruction[] {
    const { pool, thisIndex } = this.method.owner;
    this.#listing ??= this.instructions.all.map((instruction) => ({
      offset: instruction.bci,
      text: instructionText(pool, thisIndex, instruction),
      line: this.code.lineAt(instruction.bci) ?? NO_LINE,
    }));
    return this.#listing;
  }

  get lines(): readonly number[] {
    return [...new Set(this.code.lineTable.map(({ line }) => line))];
  }

  get source(): SourcePlace | undefined {
    const { name, sourceFile } = this.method.owner;
    return sourceFile === undefined ? undefined : sourcePlace(name, sourceFile);
  }

  lineAt(offset: number): number {
    return this.instructions.has(offset) ? (this.code.lineAt(offset) ?? NO_LINE) : NO_LINE;
  }
}

export function isFinding(value: object): value is SiteFinding {
  return 'reason' in value;
}

/** The code of the functions of a program, if a set of classes has it. */
export class ProgramCode implements CodeInfo {
  readonly #classes: ClassSet;
  readonly #program: Program;
  readonly #types = cachedTypes();
  readonly #known = new Map<FunctionId, MethodCode | SiteFinding>();
  /** By name and types: classes of one name, of several loaders, are one class of the set. */
  readonly #named = new Map<string, MethodCode | SiteFinding>();

  constructor(classes: ClassSet, program: Program) {
    this.#classes = classes;
    this.#program = program;
  }

  of(id: FunctionId): MethodCode | SiteFinding {
    let known = this.#known.get(id);
    if (known === undefined) {
      known = this.#find(methodKey(this.#program, id, this.#types));
      this.#known.set(id, known);
    }
    return known;
  }

  #find(key: MethodKey | undefined): MethodCode | SiteFinding {
    if (key?.class === undefined) return codeOfKey(this.#classes, key);
    const text = `${key.class.name} ${key.name}(${key.parameters?.join() ?? '?'})${key.returns ?? '?'}`;
    let known = this.#named.get(text);
    if (known === undefined) {
      known = codeOfKey(this.#classes, key);
      this.#named.set(text, known);
    }
    return known;
  }

  codeOf(id: LocationId): { readonly code: MethodCode; readonly offset: number } | SiteFinding {
    const code = this.of(this.#program.locations.function[id]);
    return isFinding(code) ? code : { code, offset: bciOf(this.#program, id) };
  }

  /** The code around a place that has a bytecode index. */
  at(id: LocationId): MethodCode | SiteFinding {
    const found = this.codeOf(id);
    if (isFinding(found)) return found;
    const { code, offset: bci } = found;
    if (bci < 0)
      return {
        reason: 'unplaced',
        text: `recorded at "${placeName(this.#program, id)}", which is not a place in the code`,
      };
    if (code.instructions.has(bci)) return code;
    const { length } = code.code;
    const beyond = bci >= length ? `, the code has ${length} bytes` : '';
    return { reason: 'no instruction', text: `no instruction begins at BCI ${bci}${beyond}` };
  }
}

/** The code of a method by its key. */
export function codeOfKey(classes: ClassSet, key: MethodKey | undefined): MethodCode | SiteFinding {
  if (key?.class === undefined) return { reason: 'unnamed', text: 'the recording does not name its class' };
  const { name } = key.class;
  if (classes.get(name) === undefined) return { reason: 'no class', text: `${name} is not among the classes` };
  const method = classes.method(name, key.name, key.parameters, key.returns);
  if (method === undefined) return { reason: 'no method', text: `${name} has no ${signatureOf(key)}` };
  if (method === 'ambiguous')
    return { reason: 'several methods', text: `ambiguous: ${name} has several methods ${key.name}` };
  const code = method.code();
  if (code === undefined) return { reason: 'no bytecode', text: `${keyText(key)} is abstract or native` };
  if (!isFollowable(code))
    return {
      reason: 'damaged',
      text: `${keyText(key)} has ${code.exceptions.length} handlers, more than supported`,
    };
  return new MethodCode(key, method, code);
}

function signatureOf({ name, parameters, returns }: MethodKey): string {
  const types = parameters === undefined ? name : `${name}(${parameters.join(', ')})`;
  return returns === undefined ? types : `${returns} ${types}`;
}
