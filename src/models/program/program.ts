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
/** `missing` as for classes. `pseudo`: not a function of the program, such as `<Total>`. `kernel`: of the operating system. */
export const FUNCTION_KINDS = ['java', 'native', 'pseudo', 'missing', 'kernel'] as const;
/** How the code of a frame was run. `jit`: compiled, where C1 is not told apart. `inlined`: into the frame above it. */
export const FRAME_MODES = ['unknown', 'interpreted', 'c1', 'jit', 'inlined'] as const;
export type FrameMode = (typeof FRAME_MODES)[number];

export interface ClassTable {
  readonly length: number;
  /** StringId: the name as the recording spells it (`[Ljava.lang.String;`, `Outer$Inner`). */
  readonly name: Int32Array;
  /** Index into `CLASS_KINDS`. */
  readonly kind: Uint8Array;
  /** The recording's own number for the class; it means nothing in another recording. -1 where it numbers none. */
  readonly fileId: Int32Array;
  /** StringId of the Java module or class loader, -1 where none is told; absent where the recording never tells. */
  readonly module?: Int32Array;
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
  /** StringId of the source file, -1 where it is not known; absent where the recording never tells. */
  readonly file?: Int32Array;
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
  /** Source line from 1 on, or one of the marks below; absent where the recording has no lines. */
  readonly line?: Int32Array;
  /** Index into `FRAME_MODES`; absent where the recording tells of no frame how it ran. */
  readonly mode?: Uint8Array;
}

/** What stands for a line that has no number. The values are those of binary HPROF (frame record). */
export const NO_LINE = 0;
export const UNKNOWN_LINE = -1;
export const COMPILED_METHOD = -2;
export const NATIVE_METHOD = -3;

/** The BCI of a place of which only the line is known. */
export const UNKNOWN_BCI = -5;

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
