/**
 * What a recording's program is made of, as far as the recording tells: classes, functions, places in them.
 * One for all models of a recording. Row ids are dense and never change; `-1` is "none".
 *
 *   locations ──function──► functions ──class──► classes
 *       │ bci                  │ name, signature     │ name
 *       ▼                      ▼                     ▼
 *     number                 names                 names
 */
import type { Flavor } from '../../base/flavor.js';
import type { StringTable } from '../../base/text.js';

export type ClassId = Flavor<number, 'class'>;
export type FunctionId = Flavor<number, 'function'>;
export type LocationId = Flavor<number, 'location'>;

/** How a class came to be known. `missing`: only its number is used in the file, its name is not there. */
export const CLASS_KINDS = ['class', 'missing'] as const;
/** `missing` as for classes. `pseudo`: not a function of the program, such as `<Total>`. */
export const FUNCTION_KINDS = ['java', 'native', 'pseudo', 'missing'] as const;

export interface ClassTable {
  readonly length: number;
  /** StringId: the name as the recording spells it (`[Ljava.lang.String;`, `Outer$Inner`). */
  readonly name: Int32Array;
  /** Index into `CLASS_KINDS`. */
  readonly kind: Uint8Array;
  /** The recording's own number for the class; it means nothing in another recording. */
  readonly fileId: Int32Array;
}

/** Function `f` has the types `signature[signatureStart[f] .. signatureStart[f + 1])`: its return type, then its parameters. */
export interface FunctionTable {
  readonly length: number;
  /** StringId: the name without class and parameters. */
  readonly name: Int32Array;
  /** ClassId of the declaring class. */
  readonly class: Int32Array;
  /** Index into `FUNCTION_KINDS`. */
  readonly kind: Uint8Array;
  readonly fileId: Int32Array;
  readonly signatureStart: Int32Array;
  /** ClassIds. */
  readonly signature: Int32Array;
}

/** A place in a function. */
export interface LocationTable {
  readonly length: number;
  readonly function: Int32Array;
  /** Bytecode index; negative ones are JVMCI's marks (see `bciName`). */
  readonly bci: Int32Array;
}

export interface Program {
  readonly names: StringTable;
  readonly classes: ClassTable;
  readonly functions: FunctionTable;
  readonly locations: LocationTable;
}

/**
 * A bytecode index as people read it. The negative ones are the constants of JVMCI's `BytecodeFrame`
 * (jdk.internal.vm.ci, JDK 17 and 25).
 */
export function bciName(bci: number): string {
  return BCI_MARKS[-bci - 1] ?? String(bci);
}

const BCI_MARKS = ['unwind', 'before', 'after', 'after-exception', 'unknown', 'invalid-frame-state'];
