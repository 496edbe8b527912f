/**
 * Checks whether the entries of a profile at a place can be true of the code there. Only contradictions are found: a
 * place that fits may still be other code.
 *
 * Rules, verified with real profiles and the JDK they were made with (docs/formats/iprof.md, Staleness):
 *   branch      an `if` or a switch; not more outcomes than it has; at least half of the targets are its own (the compiler
 *               gives some targets the BCI of the first thing that happens there, or one of an inlined method)
 *   receiver    a virtual or interface call; the class has the called method
 *   type check  instanceof or checkcast
 *   caller      a call of a method of that name and types, or one where the VM chooses what runs
 */
import { FormatError } from '../../base/errors.js';
import type { ClassFile, MethodInfo } from '../../code/java/class-file/class-file.js';
import { classTypeName, methodTypes } from '../../code/java/class-file/descriptor.js';
import { InstructionList } from '../../code/java/class-file/instruction-list.js';
import {
  type Instruction,
  isBranch,
  isCall,
  isTypeCheck,
  isVirtualCall,
} from '../../code/java/class-file/instructions.js';
import type { ClassSet } from '../../code/java/class-path/class-set.js';
import { destinations } from '../../code/java/flow/successors.js';
import type { MethodKey } from '../../models/program/method-key.js';
import { type ClassScope, isGenerated } from './class-scope.js';

/** Maps BCIs, for trying whether a profile fits at other places. */
export type Shift = (bci: number) => number;
const STAYS: Shift = (bci) => bci;

/** Something that a profile counted at a place of a method. */
export type PlaceUse =
  | { readonly kind: 'branch'; readonly targets: readonly number[]; readonly ways: number }
  | { readonly kind: 'receiver' }
  | { readonly kind: 'instanceof' }
  | { readonly kind: 'caller'; readonly callee: MethodKey | undefined }
  | { readonly kind: 'sample' };

/** A contradiction between the profile and the code, as text. */
export interface Contradiction {
  readonly why: string;
}

/** `cannot tell` if the class path lacks needed classes; undefined if nothing contradicts. */
export type Checked = Contradiction | 'cannot tell' | undefined;

export function isFinding(checked: Checked): checked is Contradiction {
  return typeof checked === 'object';
}

export class PlaceCheck {
  readonly #classes: ClassSet;
  readonly #scope: ClassScope;
  readonly #decoded = new Map<MethodInfo, InstructionList | undefined>();

  constructor(classes: ClassSet, scope: ClassScope) {
    this.#classes = classes;
    this.#scope = scope;
  }

  /** Undefined for methods without code. */
  instructions(method: MethodInfo): InstructionList | undefined {
    if (!this.#decoded.has(method)) {
      const code = method.code();
      this.#decoded.set(method, code && new InstructionList(code));
    }
    return this.#decoded.get(method);
  }

  /** `strict`: all targets must be the instruction's own. */
  place(method: MethodInfo, bci: number, use: PlaceUse, shift: Shift = STAYS, strict = false): Checked {
    return readable(() => this.#place(method, bci, use, shift, strict));
  }

  #place(method: MethodInfo, bci: number, use: PlaceUse, shift: Shift, strict: boolean): Checked {
    const instructions = this.instructions(method);
    // A method without code in the class path got its code from the VM.
    if (instructions === undefined) return 'cannot tell';
    const instruction = instructions.at(shift(bci));
    if (instruction === undefined) return { why: `no instruction begins at ${bci}` };
    switch (use.kind) {
      case 'sample':
        return undefined;
      case 'branch':
        return branch(instruction, bci, use.targets.map(shift), use.ways, strict);
      case 'receiver':
        return isVirtualCall(instruction) ? undefined : { why: `${at(instruction, bci)} has no virtual receiver` };
      case 'instanceof':
        return isTypeCheck(instruction) ? undefined : { why: `${at(instruction, bci)} is not a type check` };
      case 'caller':
        return this.#caller(method.owner, instruction, bci, use.callee);
    }
  }

  /** Whether objects of a type can be receivers of the virtual call at a place. */
  receiver(method: MethodInfo, bci: number, type: string): Checked {
    return readable(() => this.#receiver(method, bci, type));
  }

  #receiver(method: MethodInfo, bci: number, type: string): Checked {
    const instruction = this.instructions(method)?.at(bci);
    if (instruction === undefined || !isVirtualCall(instruction)) return 'cannot tell';
    const place = this.#scope.of(type);
    if (place === 'gone') return { why: `${type} is gone` };
    if (place !== 'there') return 'cannot tell';
    const { owner, name } = method.owner.pool.member(instruction.index);
    const declared = classTypeName(owner);
    const fits = this.#classes.isSubtype(type, declared);
    if (fits === undefined) return 'cannot tell';
    return fits
      ? undefined
      : { why: `${type} is no longer a subtype of ${declared}, needed to call ${name}() at ${bci}` };
  }

  /** Whether a type seen by a check exists. */
  type(type: string): Checked {
    const place = this.#scope.of(type);
    return place === 'gone' ? { why: `${type} is gone` } : place === 'there' ? undefined : 'cannot tell';
  }

  #caller(owner: ClassFile, instruction: Instruction, bci: number, callee: MethodKey | undefined): Checked {
    const { kind, index } = instruction;
    if (callee?.class === undefined) return 'cannot tell';
    if (kind === 'invokedynamic') return undefined;
    if (callee.name === '<clinit>' && INITIALISES.has(kind)) return undefined;
    // native-image puts calls of its substitutes at other instructions, too.
    const place = this.#scope.of(callee.class.name);
    if (place === 'gone') return { why: `${callee.class.name} is gone; its ${callee.name} was called at ${bci}` };
    if (place === 'outside' || place === 'generated' || isGenerated(callee.name))
      return isCall(instruction) ? undefined : 'cannot tell';
    if (!isCall(instruction)) return { why: `${at(instruction, bci)} is not a call` };
    const called = owner.pool.member(index);
    if (POLYMORPHIC.has(called.owner)) return undefined;
    const types = methodTypes(called.descriptor);
    const same =
      called.name === callee.name &&
      (callee.parameters === undefined ||
        (types !== undefined &&
          types.returns === callee.returns &&
          types.parameters.join() === callee.parameters.join()));
    if (!same) return { why: `the call at ${bci} is of ${classTypeName(called.owner)}.${called.name}` };
    return this.#reaches(kind, called, callee.class.name, bci);
  }

  /** Static and special calls reach one method; the targets of a virtual call are unknown without all classes. */
  #reaches(
    kind: Instruction['kind'],
    called: { readonly owner: string; readonly name: string; readonly descriptor: string },
    callee: string,
    bci: number,
  ): Checked {
    if (kind !== 'invokestatic' && kind !== 'invokespecial') return undefined;
    const declared = this.#classes.declaring(classTypeName(called.owner), called.name, called.descriptor);
    if (declared === undefined || declared === 'unknown' || declared.owner.name === callee) return undefined;
    return { why: `the call at ${bci} is of ${declared.owner.name}.${called.name}` };
  }
}

/** Treats a class file with a damaged constant pool as unknown. */
function readable(check: () => Checked): Checked {
  try {
    return check();
  } catch (error) {
    if (error instanceof FormatError) return 'cannot tell';
    throw error;
  }
}

const INITIALISES: ReadonlySet<string> = new Set(['new', 'getstatic', 'putstatic', 'invokestatic']);
const POLYMORPHIC: ReadonlySet<string> = new Set(['java/lang/invoke/MethodHandle', 'java/lang/invoke/VarHandle']);

function at({ mnemonic }: Instruction, bci: number): string {
  return `${mnemonic} at ${bci}`;
}

function branch(
  instruction: Instruction,
  bci: number,
  targets: readonly number[],
  ways: number,
  strict: boolean,
): Checked {
  if (!isBranch(instruction)) return { why: `${at(instruction, bci)} is not a branch` };
  const own = destinations(instruction);
  const most = own.length;
  if (ways > most) return { why: `${at(instruction, bci)} has ${most} outcomes, not ${ways}` };
  const known = targets.filter((target) => own.includes(target)).length;
  if (strict ? known === targets.length && known > 0 : known * 2 >= targets.length) return undefined;
  return { why: `${at(instruction, bci)} leads to ${short(own)}, not to ${short(targets)}` };
}

function short(numbers: readonly number[]): string {
  const some = [...new Set(numbers)].sort((a, b) => a - b);
  return some.length > 4 ? `${some.slice(0, 4).join(', ')} …` : some.join(', ');
}
