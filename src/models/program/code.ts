/**
 * Code for views: the instructions of a function and its source lines, also those without events. Look-up is by place,
 * since one function may have several bodies (compiled versions, clones, outlined parts), and an inlined one has none
 * of its own. `analysis/places` answers for bytecode, from class files.
 */
import type { LocationId } from './program.js';

/** One instruction of a listing. */
export interface CodeInstruction {
  /** Bytecode index, or address in the load object as its linker gave it. */
  readonly offset: number;
  /** Mnemonic and operands on one line, as printed by the usual disassembler of the architecture. */
  readonly text: string;
  /** Source line, or `NO_LINE`. */
  readonly line: number;
}

/** Where to find the source of a function. */
export interface SourcePlace {
  /** Java module, if known. */
  readonly module?: string;
  /** Package as folders, `java/util`; empty for the unnamed package. */
  readonly folder: string;
  /** `HashMap.java`. */
  readonly file: string;
}

/** Where the source of a class is: its package as folders, and the file that the class names. */
export function sourcePlace(className: string, file: string): SourcePlace {
  return { folder: className.split('.').slice(0, -1).join('/'), file };
}

/** The code of a function. */
export interface FunctionCode {
  /** In order of their offsets. */
  readonly listing: readonly CodeInstruction[];
  /** Its source lines, each once; none if compiled without line numbers. */
  readonly lines: readonly number[];
  /** Undefined if compiled without the name of the source file. */
  readonly source: SourcePlace | undefined;
  /** The source line of the instruction that begins at an offset; `NO_LINE` if none begins there, or it has no line. */
  lineAt(offset: number): number;
}

/** A function that was made at run time, as the recorder kept it. */
export interface GeneratedCode {
  readonly name: string;
  /** Name of its source file, if known. */
  readonly file: string | undefined;
  /** Where it begins in the load object of generated code, and in memory. */
  readonly offset: number;
  readonly address: number;
  readonly code: Uint8Array;
  /** Where the code is in the file that it was kept in. */
  readonly place: number;
  /** As ELF tools name it. */
  readonly architecture: string;
  /** Rising: from an offset in the code on, the line. */
  readonly lines: readonly { readonly offset: number; readonly line: number }[];
}

/** The line of an offset in such a function; undefined before the first entry. */
export function lineIn({ lines }: Pick<GeneratedCode, 'lines'>, offset: number): number | undefined {
  return lines.findLast((entry) => entry.offset <= offset)?.line;
}

/** The code around a place. */
export interface PlacedCode {
  readonly code: FunctionCode;
  /** Offset of the place in the code, in the unit of its instructions; negative if only the function is known. */
  readonly offset: number;
}

/** Turns machine code into instructions. */
export interface Disassembler {
  /** Unique in this process. */
  readonly id: string;
  /**
   * The instructions of code that lies at an address. `architecture` is named as ELF tools do (`x86_64`, `aarch64`). Bytes that are no
   * instruction are listed as data. The lines are `NO_LINE`.
   */
  disassemble(code: Uint8Array, address: number, architecture: string): Promise<readonly CodeInstruction[] | NoCode>;
}

/** Why a place has no code. */
export interface NoCode {
  /** A word or two of a fixed list. */
  readonly reason: string;
  /** Text for users: what was expected and what was found. */
  readonly text: string;
}

/** The code of a program. */
export interface CodeInfo {
  codeOf(location: LocationId): PlacedCode | NoCode;
}

/** A source file. */
export interface SourceText {
  /** Where it was found. */
  readonly name: string;
  readonly lines: readonly string[];
}

/** Finds source files; of several matches, the one from the first entry of its path. */
export interface SourceFinder {
  readonly name: string;
  /** Unique in this process. */
  readonly id: string;
  find(place: SourcePlace): Promise<SourceText | undefined>;
}
