/** Rows of annotated source and disassembly: which lines and instructions are shown, in which order, and where their values are. */
import type { CodeInstruction } from '../../../models/program/code.js';
import { baseName, type CodeFunction, type CodeSource, type CodeUnit } from './model.js';

/** Key of values: of a line of the source, or of an instruction. */
export type ValueKey = string;

export interface CodeLine {
  readonly kind: 'source' | 'function' | 'instruction' | 'quote';
  readonly text: string;
  /** Line of the source; -1 if it is unknown. */
  readonly line: number;
  /** Whose values are shown; undefined shows none. */
  readonly key: ValueKey | undefined;
  /** Bytes of code, and where it begins in the load object. */
  readonly size: number;
  readonly start: number;
}

export function lineKey(line: number): ValueKey {
  return `line ${line}`;
}

/** Lines of one function apart from those of others: of calls that were inlined. */
export function ownLineKey(of: CodeFunction, line: number): ValueKey {
  return `line ${line} of ${of.start}`;
}

export function placeKey(of: CodeFunction, offset: number): ValueKey {
  return `place ${of.start} ${offset}`;
}

export interface SourceWanted {
  readonly unit: CodeUnit;
  readonly file: string;
  readonly text: readonly string[];
  /** Keys that have values. */
  readonly valued: ReadonlyMap<ValueKey, { readonly line: number; readonly name: string }>;
  /** Only lines of this function have values. */
  readonly only?: CodeFunction | undefined;
  /** Whether a function occurs in a stack. */
  readonly isUsed: (of: CodeFunction) => boolean;
  readonly nameOf: (of: CodeFunction) => string;
}

const row = (kind: CodeLine['kind'], text: string, line: number, key?: ValueKey): CodeLine => {
  return { kind, text, line, key, size: 0, start: 0 };
};

/** The lines of a source file, with a line for each function where it begins. */
export function sourceLines({ unit, file, text, valued, only, isUsed, nameOf }: SourceWanted): CodeLine[] {
  const rows: CodeLine[] = [];
  const onLine = unit.onLine.get(file);
  const quoted = [...valued].filter(([key]) => key.includes(' of ')).sort((a, b) => a[1].line - b[1].line);
  let shown: CodeFunction | undefined;
  const flush = (before: number): void => {
    while (quoted.length > 0 && (quoted[0]?.[1].line ?? 0) < before) {
      const [key, { line, name }] = quoted.shift() ?? ['', { line: 0, name: '' }];
      if (line > 0) rows.push(row('quote', name, line, key));
    }
  };
  for (const [i, content] of text.entries()) {
    const line = i + 1;
    const here = onLine?.get(line) ?? [];
    const beginning = here.filter((of) => of.firstLine === line && of.file === file);
    const begun = beginning.find(isUsed) ?? beginning[0];
    if (begun !== undefined && begun !== shown) {
      shown = begun;
      rows.push(row('function', `<Function: ${nameOf(begun)}>`, line));
    }
    flush(line);
    const first = quoted[0];
    // Where only inlined calls have values, they are those of the line.
    const isOwn = first !== undefined && first[1].line === line && !valued.has(lineKey(line));
    if (isOwn) quoted.shift();
    const hasCode = only === undefined ? here.length > 0 : here.includes(only);
    const key = isOwn ? first[0] : hasCode || valued.has(lineKey(line)) ? lineKey(line) : undefined;
    rows.push(row('source', content, line, key));
  }
  return rows;
}

/** One instruction of a function. */
export interface PlacedInstruction {
  /** From the begin of the function. */
  readonly offset: number;
  readonly size: number;
  /** With its address. */
  readonly text: string;
  readonly source: CodeSource;
}

/** Instructions with their offsets from the address at which the code begins, and their sizes. */
export function withSizes(
  listing: readonly CodeInstruction[],
  address: number,
  size: number,
): readonly { readonly instruction: CodeInstruction; readonly offset: number; readonly size: number }[] {
  return listing.map((instruction, i) => {
    const offset = instruction.offset - address;
    return { instruction, offset, size: (listing[i + 1]?.offset ?? address + size) - instruction.offset };
  });
}

export interface DisassemblyWanted {
  readonly function: CodeFunction;
  readonly name: string;
  readonly instructions: readonly PlacedInstruction[];
  /** The source of the function; undefined if it is not there, or hidden. */
  readonly text: readonly string[] | undefined;
  readonly file: string | undefined;
}

/** Column at which inlined calls are shown. */
export const INLINED_AT = 40;

/** The instructions of a function below the lines of its source. */
export function disassemblyLines({ function: of, name, instructions, text, file }: DisassemblyWanted): CodeLine[] {
  const rows: CodeLine[] = [];
  let next = text === undefined ? Number.POSITIVE_INFINITY : 1;
  let current: string | undefined;
  let isFirst = true;
  const showUpTo = (last: number): void => {
    for (; next <= last && next <= (text?.length ?? 0); next++) rows.push(row('source', text?.[next - 1] ?? '', next));
  };
  for (const { offset, size, text: code, source } of instructions) {
    if (source.file === file && source.line > 0) showUpTo(source.line);
    else if (source.line <= 0 && isFirst && of.file === file) showUpTo(of.firstLine);
    if (isFirst || source.file !== current) {
      current = source.file;
      rows.push(row('function', functionLine(name, current === file ? undefined : current), source.line));
    }
    isFirst = false;
    const shown = source.inlined === undefined ? code : `${`${code} `.padEnd(INLINED_AT)}<-- ${source.inlined} `;
    const line = source.line > 0 ? source.line : -1;
    rows.push({ kind: 'instruction', text: shown, line, key: placeKey(of, offset), size, start: of.start + offset });
  }
  showUpTo(text?.length ?? 0);
  return rows;
}

function functionLine(name: string, file: string | undefined): string {
  return file === undefined ? `<Function: ${name}>` : `<Function: ${name}, instructions from source file ${file}>`;
}

/** `matmul, line 22 in "cpuwork.c"`; `file` is the one that declares the function. */
export function lineText(
  name: string,
  { file, line }: { readonly file: string | undefined; readonly line: number },
  own: string | undefined,
): string {
  if (file === undefined) return `<Function: ${name}, instructions without line numbers>`;
  if (line <= 0) return `<Function: ${name}, instructions from source file ${baseName(file)}>`;
  return `${name}, line ${line} in ${file === own ? '' : 'alternate source context '}"${baseName(file)}"`;
}
