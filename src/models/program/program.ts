/**
 * What a recording's program is made of, as far as the recording tells: classes, functions, places in them, and the files
 * that native code is loaded from. One for all models of a recording. Row ids are dense and never change; `-1` is "none".
 *
 *   locations ──function──► functions ──class──► classes
 *    │  │ bytecode index         │ unit              │ name
 *    │  │ or offset              ▼                   ▼
 *    │  └─load object─┐        units               names
 *    └─inlined into   ▼          │ load object
 *      (location)   load objects ◄────────── mappings (address range, from, to)
 *
 * A place lies in bytecode (an index) or in native code (a load object and an offset in it): places.ts tells which. An
 * address says nothing without its process and its moment, so places have none: whoever reads one looks its mapping up
 * (mappings.ts) and keeps the load object and the offset, which are the same in every run.
 */
import type { Flavor } from '../../base/flavor.js';
import type { StringTable } from '../../base/text.js';

export type ClassId = Flavor<number, 'class'>;
export type FunctionId = Flavor<number, 'function'>;
export type LocationId = Flavor<number, 'location'>;
export type LoadObjectId = Flavor<number, 'load object'>;
export type UnitId = Flavor<number, 'unit'>;

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
  /** UnitId of native functions, -1 where it is not known; absent where the recording never tells. */
  readonly unit?: Int32Array;
  /** Offset in the load object of its unit at which the function begins, -1 where it is not known; absent as `unit`. */
  readonly start?: Float64Array;
  readonly signatureStart: Int32Array;
  /** ClassIds. */
  readonly signature: Int32Array;
}

/**
 * A place in a function, in bytecode or in native code. Columns are absent where no place of the recording has the value:
 * `places.ts` reads all of them that tell where a place lies.
 */
export interface LocationTable {
  readonly length: number;
  readonly function: Int32Array;
  /** Bytecode index; negative ones are JVMCI's marks (see `bciName`), `UNKNOWN_BCI` where none is known. */
  readonly bci?: Int32Array;
  /** LoadObjectId of places in native code, -1 of others. */
  readonly loadObject?: Int32Array;
  /** Bytes from the beginning of the load object, -1 where it has none. Files are far smaller than 2^53 bytes. */
  readonly offset?: Float64Array;
  /**
   * LocationId of the call that was replaced by this code, -1 where none was. It lies at the same offset, and its row is a
   * smaller one. In stacks it is the frame above, unless a scope hid that.
   */
  readonly inlinedInto?: Int32Array;
  /** Source line from 1 on, or one of the marks below; absent where the recording has no lines. */
  readonly line?: Int32Array;
  /** Index into `FRAME_MODES`; absent where the recording tells of no frame how it ran. */
  readonly mode?: Uint8Array;
}

/**
 * `jit`: code that was made at run time, one piece behind the other in the order they were made. `unmapped`: addresses
 * that no mapping covers, 2^32 of them; its path is their upper half, `0x00007f3c`.
 */
export const LOAD_OBJECT_KINDS = ['executable', 'library', 'kernel', 'jit', 'jar', 'unmapped'] as const;
export type LoadObjectKind = (typeof LOAD_OBJECT_KINDS)[number];

/** A file that code is loaded from, or what stands for one: `[vdso]`, `[kernel.kallsyms]`. */
export interface LoadObjectTable {
  readonly length: number;
  /** StringId. */
  readonly path: Int32Array;
  /** StringId of the build id in lower-case hexadecimal, -1 where it is not known. */
  readonly buildId: Int32Array;
  /** StringId of the instruction set as ELF tools name it (`x86_64`, `aarch64`), -1 where it is not known. */
  readonly architecture: Int32Array;
  /** Index into `LOAD_OBJECT_KINDS`. */
  readonly kind: Uint8Array;
}

/** A compile unit: what one run of a compiler made a part of a load object of. */
export interface UnitTable {
  readonly length: number;
  /** StringId of its source file, -1 where only the load object is known. */
  readonly name: Int32Array;
  /** LoadObjectId, -1 where it is not known. */
  readonly loadObject: Int32Array;
}

/**
 * Where a load object lay in memory, and when. Addresses have 64 bits: those of a kernel, and pointers with tags, are
 * beyond 2^53, where doubles lose digits, and a `BigInt64Array` allocates at each look. So a start is two halves of 32
 * bits; sizes, offsets and times are doubles.
 */
export interface MappingTable {
  readonly length: number;
  readonly loadObject: Int32Array;
  /** Upper and lower half of the address of the first byte. */
  readonly startHigh: Uint32Array;
  readonly startLow: Uint32Array;
  /** Bytes. */
  readonly size: Float64Array;
  /** Offset in the load object of the first byte. */
  readonly offset: Float64Array;
  /** Nanoseconds since the recording began; `to` is the first moment without it, `Infinity` where it stayed. */
  readonly from: Float64Array;
  readonly to: Float64Array;
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
  /** Absent where the recording tells of none, as are the next two. */
  readonly loadObjects?: LoadObjectTable;
  readonly units?: UnitTable;
  /** Of one process. What is joined of several recordings has none. */
  readonly mappings?: MappingTable;
}

/**
 * A bytecode index as people read it. The negative ones are the constants of JVMCI's `BytecodeFrame`
 * (jdk.internal.vm.ci, JDK 17 and 25).
 */
export function bciName(bci: number): string {
  return BCI_MARKS[-bci - 1] ?? String(bci);
}

const BCI_MARKS = ['unwind', 'before', 'after', 'after-exception', 'unknown', 'invalid-bci'];
