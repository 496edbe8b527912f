/**
 * Finds recorded calls and type checks in their code: the target that the instruction names, and the method that runs
 * for a receiver of a class (JVMS 5.4.6).
 */
import { FormatError } from '../../base/errors.js';
import { ACCESS } from '../../code/java/class-file/access.js';
import type { ClassFile, MethodInfo } from '../../code/java/class-file/class-file.js';
import { attempt } from '../../code/java/class-file/cursor.js';
import { classTypeName, methodTypes } from '../../code/java/class-file/descriptor.js';
import { type Instruction, isCall, isTypeCheck, isVirtualCall } from '../../code/java/class-file/instructions.js';
import type { ClassSet } from '../../code/java/class-path/class-set.js';
import { bciOf } from '../../models/program/places.js';
import type { LocationId, Program } from '../../models/program/program.js';
import { packagePart } from '../packages.js';
import { isFinding, type ProgramCode, type SiteFinding } from './method-code.js';

/** The target that a call names: the class to search, the name and the descriptor. */
export interface DeclaredTarget {
  /** As Java source writes it: `java.util.List`, `int[]`. */
  readonly owner: string;
  readonly name: string;
  readonly descriptor: string;
}

export interface CallCode {
  readonly instruction: Instruction;
  readonly line: number | undefined;
  readonly target: DeclaredTarget;
}

export interface CheckCode {
  readonly instruction: Instruction;
  readonly line: number | undefined;
  /** As Java source writes it. */
  readonly type: string;
}

/** The virtual call at a place, or the reason why there is none. */
export function callAt(code: ProgramCode, program: Program, location: LocationId): CallCode | SiteFinding {
  const found = instructionAt(code, program, location, isVirtualCall, 'virtual call');
  if (isFinding(found)) return found;
  const member = attempt(() => found.pool.member(found.instruction.index));
  if (member instanceof FormatError) return { reason: 'damaged', text: member.message };
  const { owner, name, descriptor } = member;
  return { ...found, target: { owner: classTypeName(owner), name, descriptor } };
}

/** The type check at a place, or the reason why there is none. */
export function checkAt(code: ProgramCode, program: Program, location: LocationId): CheckCode | SiteFinding {
  const found = instructionAt(code, program, location, isTypeCheck, 'type check');
  if (isFinding(found)) return found;
  const type = attempt(() => found.pool.className(found.instruction.index));
  return type instanceof FormatError
    ? { reason: 'damaged', text: type.message }
    : { ...found, type: classTypeName(type) };
}

/** Why a place has no call of any kind at which methods can be inlined; undefined if it has one. */
export function noCallAt(code: ProgramCode, program: Program, location: LocationId): SiteFinding | undefined {
  const found = instructionAt(code, program, location, isCall, 'call');
  return isFinding(found) ? found : undefined;
}

function instructionAt(
  code: ProgramCode,
  program: Program,
  location: LocationId,
  isWanted: (instruction: Instruction) => boolean,
  what: string,
) {
  const method = code.at(location);
  if (isFinding(method)) return method;
  const bci = bciOf(program, location);
  const instruction = method.instructions.at(bci);
  if (instruction === undefined || !isWanted(instruction)) {
    const found = instruction?.mnemonic ?? 'nothing';
    return { reason: 'other instruction' as const, text: `BCI ${bci} is ${found}, not a ${what}` };
  }
  return { instruction, line: method.code.lineAt(bci), pool: method.code.pool };
}

/** `java.util.List.get(int)` */
export function targetText({ owner, name, descriptor }: DeclaredTarget): string {
  return `${owner}.${name}(${methodTypes(descriptor)?.parameters.join(', ') ?? descriptor})`;
}

/** `java.util.ArrayList.get(int)` */
export function methodText(method: MethodInfo): string {
  return targetText({ owner: method.owner.name, name: method.name, descriptor: method.descriptor });
}

/**
 * The method that runs if the receiver is of a class. `none`: the class has only abstract ones. `unknown`: a class in
 * the hierarchy is missing.
 */
export function selectedMethod(
  classes: ClassSet,
  receiver: string,
  target: DeclaredTarget,
): MethodInfo | 'none' | 'unknown' {
  const resolved = classes.declaring(target.owner, target.name, target.descriptor);
  if (resolved === undefined) return 'none';
  if (resolved !== 'unknown' && (resolved.access & ACCESS.private) !== 0) return resolved;
  const start = receiver.endsWith('[]') ? 'java.lang.Object' : receiver;
  const seen = new Set<string>();
  for (let name: string | undefined = start; name !== undefined && !seen.has(name); ) {
    seen.add(name);
    const file: ClassFile | undefined = classes.get(name);
    if (file === undefined) return 'unknown';
    const method = file.method(target.name, target.descriptor);
    if (method !== undefined && overrides(method, resolved)) return isAbstract(method) ? 'none' : method;
    name = file.superName;
  }
  const inherited = classes.declaring(start, target.name, target.descriptor);
  if (inherited === 'unknown') return 'unknown';
  return inherited === undefined || isAbstract(inherited) ? 'none' : inherited;
}

function isAbstract(method: MethodInfo): boolean {
  return (method.access & ACCESS.abstract) !== 0;
}

/** Whether a method overrides the one that a call resolves to (JVMS 5.4.5); compared by name if that one is unknown. */
function overrides(method: MethodInfo, resolved: MethodInfo | 'unknown'): boolean {
  if (method === resolved) return true;
  if ((method.access & (ACCESS.private | ACCESS.static)) !== 0) return false;
  if (resolved === 'unknown' || (resolved.access & (ACCESS.public | ACCESS.protected)) !== 0) return true;
  return packagePart(method.owner.name) === packagePart(resolved.owner.name);
}
