/**
 * Code as views see it: the instructions of a function and the lines of its source, also those that no event mentions.
 * `code/` implements it, of class files today.
 */
import type { MethodKey } from './method-key.js';

/** One instruction of a listing. */
export interface Instruction {
  /** Bytecode index. */
  readonly offset: number;
  /** Mnemonic and operands, as the usual disassembler of the architecture prints them. */
  readonly text: string;
  /** What an operand stands for: the method called, the constant loaded. Empty where there is nothing to say. */
  readonly comment: string;
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

export interface FunctionCode {
  /** In order of their offsets. Empty for functions without code: abstract and native ones. */
  readonly instructions: readonly Instruction[];
  /** Undefined where the compiler left no name of a source file. */
  readonly source: SourcePlace | undefined;
}

/** The code of programs. */
export interface CodeInfo {
  /** What it is taken from, as the user named it. */
  readonly name: string;
  /** `ambiguous`: the key knows no parameters and there are several functions of its name. */
  codeOf(key: MethodKey): FunctionCode | 'ambiguous' | undefined;
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
