/** Code of programs as listings need it: functions, with the lines of their code and what was inlined into it. */
import type { DwarfFrame } from '../../../code/native/dwarf/debug-info.js';

/** A line of a source file; 0 is unknown. */
export interface SourceLine {
  readonly file: string | undefined;
  readonly line: number;
}

export interface LineRow extends SourceLine {
  /** From the begin of the function. */
  readonly offset: number;
  /** Bytes up to the next row. */
  size: number;
}

/** The code of a line in a function. */
export interface LineCode {
  /** From the begin of the function. */
  readonly offset: number;
  size: number;
}

export interface InlinedCode {
  /** From the begin of the function. */
  readonly from: number;
  readonly to: number;
  /** 0 is in the function itself. */
  readonly level: number;
  readonly call: SourceLine;
  readonly name: string | undefined;
}

/** A function with the lines of its code. */
export interface CodeFunction {
  readonly name: string;
  /** Offset in the load object. */
  readonly start: number;
  readonly size: number;
  /** Path of the file that declares it. */
  file: string | undefined;
  /** The line that declares it, else the first one of its code; 0 if unknown. */
  firstLine: number;
  /** In the order of offsets. */
  readonly rows: LineRow[];
  /** As gprofng knows them; empty without `strict`. */
  readonly inlined: InlinedCode[];
  /** By file and line. */
  readonly lines: Map<string, LineCode>;
  /** Finds the function and the calls inlined into it at an offset, outermost first; undefined of code without such calls, and with `strict`. */
  frames: ((offset: number) => Promise<readonly DwarfFrame[]>) | undefined;
}

/** A compile unit. */
export interface CodeUnit {
  readonly source: string | undefined;
  readonly object: string;
  /** In the order in which its debug information names them. */
  readonly functions: readonly CodeFunction[];
  /** By file and line, the functions with code there, in the order in which they were found. */
  readonly onLine: ReadonlyMap<string, ReadonlyMap<number, readonly CodeFunction[]>>;
}

/** A function and the unit that it is in; undefined if no debug information has it. */
export interface FoundCode {
  readonly unit: CodeUnit | undefined;
  readonly function: CodeFunction;
}

/** Where a place is in the source; with inlined code the line of the outermost call. */
export interface CodeSource extends SourceLine {
  /** The line of the code itself. */
  readonly innermost: SourceLine;
  /** `mac cpuwork.c:9`; undefined if nothing was inlined. */
  readonly inlined: string | undefined;
}

/** Key of `CodeFunction.lines`. */
export function lineOfFile(file: string | undefined, line: number): string {
  return `${line} ${file ?? ''}`;
}

export function baseName(path: string | undefined): string {
  return path === undefined ? '' : path.slice(path.lastIndexOf('/') + 1);
}

export function emptyFunction(name: string, start: number, size: number): CodeFunction {
  return {
    name,
    start,
    size,
    file: undefined,
    firstLine: 0,
    rows: [],
    inlined: [],
    lines: new Map(),
    frames: undefined,
  };
}
