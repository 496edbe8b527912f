/** Names of classes and functions as people read them, and the one matcher of names. */
import { stringAt } from '../../base/text.js';
import {
  bciName,
  CLASS_KINDS,
  type ClassId,
  FUNCTION_KINDS,
  type FunctionId,
  type LocationId,
  NO_LINE,
  type Program,
  UNKNOWN_BCI,
} from './program.js';

/** Primitive types by their descriptors. */
export const PRIMITIVES: Readonly<Record<string, string>> = {
  Z: 'boolean',
  B: 'byte',
  C: 'char',
  S: 'short',
  I: 'int',
  J: 'long',
  F: 'float',
  D: 'double',
  V: 'void',
};

/** A class as Java source spells it: `java.lang.String[]` for `[Ljava.lang.String;`, else the binary name with dots. */
export function className(program: Program, id: ClassId): string {
  if (id < 0) return '<unknown>';
  if (CLASS_KINDS[program.classes.kind[id]] === 'missing') return `<type ${program.classes.fileId[id]}>`;
  return sourceTypeName(stringAt(program.names, program.classes.name[id]));
}

/**
 * `Class.getName()` form or the VM's form with slashes → Java source form (JVMS 4.2.1, and 4.3.2 for the descriptors
 * after brackets).
 */
export function sourceTypeName(name: string): string {
  if (!name.startsWith('[')) return dotted(name).replace(/ (?=\[\])/, '');
  const depth = name.lastIndexOf('[') + 1;
  const element = name.slice(depth);
  const base =
    PRIMITIVES[element] ?? (element.startsWith('L') && element.endsWith(';') ? element.slice(1, -1) : element);
  return dotted(base) + '[]'.repeat(depth);
}

/**
 * Dots for the slashes of the VM's form. A name with dots has none of those: a slash in it stands before the suffix of a
 * hidden class, which is a part of its name (`A$$Lambda/0x…`, `A$$Lambda$14/1234`). async-profiler has `a/A$$Lambda.0x…`.
 */
function dotted(name: string): string {
  return !name.includes('/') || /\.(?!0x[0-9a-f]+$)/.test(name)
    ? name
    : name.replace(/\/(?!(?:0x[0-9a-f]+|\d+)$)/g, '.');
}

/** `java.util.HashMap.get`: class and name, without types. */
export function functionName(program: Program, id: FunctionId): string {
  const functions = program.functions;
  if (id < 0) return '<unknown>';
  const kind = FUNCTION_KINDS[functions.kind[id]];
  if (kind === 'missing') return `<method ${functions.fileId[id]}>`;
  const name = stringAt(program.names, functions.name[id]);
  return kind === 'pseudo' || functions.class[id] < 0 ? name : `${className(program, functions.class[id])}.${name}`;
}

/**
 * `java.util.HashMap.get(java.lang.Object)`: with parameter types where the recording has them; `main (tracer.py)`: with
 * its file where a function has no class that would tell it from others.
 */
export function functionSignature(program: Program, id: FunctionId): string {
  const { signature, signatureStart, file } = program.functions;
  const name = functionName(program, id);
  if (id >= 0 && program.functions.class[id] < 0 && file !== undefined && file[id] >= 0)
    return `${name} (${stringAt(program.names, file[id])})`;
  const start = signatureStart[id];
  const end = signatureStart[id + 1];
  if (id < 0 || end === undefined || end <= start) return name;
  const parameters: string[] = [];
  for (let i = start + 1; i < end; i++) parameters.push(className(program, signature[i]));
  return `${name}(${parameters.join(', ')})`;
}

/** `java.util.HashMap.get:17`, or `java.util.HashMap.get(HashMap.java:556)` where the recording has lines. */
export function locationName(program: Program, id: LocationId): string {
  const { locations, functions } = program;
  const of = locations.function[id];
  const line = locations.line?.[id];
  if (line === undefined || (line === NO_LINE && locations.bci[id] !== UNKNOWN_BCI))
    return `${functionName(program, of)}:${bciName(locations.bci[id])}`;
  const file = functions.file?.[of] ?? -1;
  const source = file < 0 ? '' : stringAt(program.names, file);
  if (line > 0) return `${functionName(program, of)}(${source === '' ? 'line' : source}:${line})`;
  const mark = LINE_MARKS[-line] ?? '';
  return mark === '' && source === '' ? functionName(program, of) : `${functionName(program, of)}(${source || mark})`;
}

/** By what stands for the line: none, unknown, compiled, native. */
const LINE_MARKS = ['', '', 'compiled method', 'native method'];

/**
 * The functions a pattern means: 1 for each that matches. A pattern is a regular expression, unanchored and
 * case-sensitive as in pprof, tried on `functionSignature`. Throws `SyntaxError` where it is none.
 */
export function matchFunctions(program: Program, pattern: string): Uint8Array {
  const expression = new RegExp(pattern, 'u');
  const matched = new Uint8Array(program.functions.length);
  for (let id = 0; id < matched.length; id++) if (expression.test(functionSignature(program, id))) matched[id] = 1;
  return matched;
}

/** The classes a pattern means, as `matchFunctions` does; the pattern is tried on `className`. */
export function matchClasses(program: Program, pattern: string): Uint8Array {
  const expression = new RegExp(pattern, 'u');
  return Uint8Array.from({ length: program.classes.length }, (_, id) =>
    expression.test(className(program, id)) ? 1 : 0,
  );
}

/** Lists of parameters are the same with and without blanks after their commas. */
export function closeCommas(text: string): string {
  return text.includes(',') ? text.replace(/, +/g, ',') : text;
}

/**
 * The functions a person names: those whose name, or name with parameters, is exactly `text` (blanks after commas do not
 * count); if there are none, those whose name ends with it after a dot; if there are none, those that match it as a pattern.
 */
export function findFunctions(program: Program, text: string): FunctionId[] {
  const exact: FunctionId[] = [];
  const suffix: FunctionId[] = [];
  const asked = closeCommas(text);
  for (let id = 0; id < program.functions.length; id++) {
    const name = functionName(program, id);
    const signature = closeCommas(functionSignature(program, id));
    if (name === text || signature === asked) exact.push(id);
    else if (name.endsWith(`.${text}`) || signature.endsWith(`.${asked}`)) suffix.push(id);
  }
  if (exact.length > 0) return exact;
  if (suffix.length > 0) return suffix;
  const found: FunctionId[] = [];
  const matched = matchFunctions(program, text);
  for (let id = 0; id < matched.length; id++) if (matched[id] === 1) found.push(id);
  return found;
}
