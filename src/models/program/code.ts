/**
 * Code as views see it: the instructions of a function and the lines of its source, also those that no event mentions. It
 * is asked by place, since one function may have several bodies (compiled versions, clones, outlined parts), and an inlined
 * one has none of its own. `analysis/places` answers for bytecode, from class files.
 */
import type { LocationId } from './program.js';

/** One instruction of a listing. */
export interface Instruction {
  /** Bytecode index, or offset in the load object. */
  readonly offset: number;
  /** Mnemonic and operands on one line, as the usual disassembler of the architecture prints them. */
  readonly text: string;
  /** Source line, or `NO_LINE`. */
  readonly line: number;
}

/** Where the source of a function is looked for. */
export interface SourcePlace {
  /** Java module, where it is known. */
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
  readonly listing: readonly Instruction[];
  /** The lines that it was compiled from, each once; none where the compiler left them out. */
  readonly lines: readonly number[];
  /** Undefined where the compiler left no name of a source file. */
  readonly source: SourcePlace | undefined;
  /** The source line of the instruction that begins at an offset; `NO_LINE` where none begins there, or it has no line. */
  lineAt(offset: number): number;
}

/** The code around a place. */
export interface PlacedCode {
  readonly code: FunctionCode;
  /** Where in the code the place lies, as its instructions count; negative where only the function is known. */
  readonly offset: number;
}

/** Why there is no code of a place. */
export interface NoCode {
  /** A word or two of a fixed list. */
  readonly reason: string;
  /** For people: what was looked for and what is there. */
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

/** Finds source files; what it finds several files for, it takes from the first entry of its path. */
export interface SourceFinder {
  readonly name: string;
  /** Unlike that of any other finder of this process. */
  readonly id: string;
  find(place: SourcePlace): Promise<SourceText | undefined>;
}
