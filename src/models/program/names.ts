/** Display names of classes and functions, and the matcher of names. */
import { markedRows } from '../../base/columns/marks.js';
import { dictionary } from '../../base/dictionary.js';
import { type StringId, type StringTable, stringAt } from '../../base/text.js';
import { CERTAIN, containedIn, containing, endingWith, mayContain } from './name-search.js';
import { isOverloaded } from './overloads.js';
import { bciOf, type NativePlace, nativePlace } from './places.js';
import {
  bciName,
  CLASS_KINDS,
  type ClassId,
  FUNCTION_KINDS,
  type FunctionId,
  LOAD_OBJECT_KINDS,
  type LoadObjectId,
  type LocationId,
  NO_LINE,
  type Program,
  UNKNOWN_BCI,
} from './program.js';

/** Primitive types by their descriptors. */
export const PRIMITIVES = dictionary<string>({
  Z: 'boolean',
  B: 'byte',
  C: 'char',
  S: 'short',
  I: 'int',
  J: 'long',
  F: 'float',
  D: 'double',
  V: 'void',
});

/** A class name as in Java source: `java.lang.String[]` for `[Ljava.lang.String;`, else the binary name with dots. */
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

/** `Class.getName()` of an array in Java source form, as agents write it: `int[][]` → `[[I`. Other names stay as they are. */
export function binaryTypeName(name: string): string {
  const at = name.indexOf('[]');
  if (at <= 0) return name;
  const element = name.slice(0, at);
  const letter = Object.keys(PRIMITIVES).find((one) => PRIMITIVES[one] === element);
  return '['.repeat((name.length - at) / 2) + (letter ?? `L${element};`);
}

/**
 * Dots for the slashes of the VM's form. A name with dots has none of those: a slash in it precedes the suffix of a
 * hidden class, which is part of its name (`A$$Lambda/0x…`, `A$$Lambda$14/1234`). async-profiler has `a/A$$Lambda.0x…`.
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
 * `java.util.HashMap.get(java.lang.Object)`: with parameter types if recorded; `main (tracer.py)`, `inflate
 * (libz.so.1)`: with its file, else its compile unit or load object, if a function has no class.
 */
export function functionSignature(program: Program, id: FunctionId): string {
  const { signature, signatureStart } = program.functions;
  const name = functionName(program, id);
  if (id >= 0 && program.functions.class[id] < 0) {
    const home = homeOf(program, id);
    if (home !== undefined) return `${name} (${home})`;
  }
  const start = signatureStart[id];
  const end = signatureStart[id + 1];
  if (id < 0 || end === undefined || end <= start) return name;
  const parameters: string[] = [];
  for (let i = start + 1; i < end; i++) parameters.push(className(program, signature[i]));
  return `${name}(${parameters.join(', ')})`;
}

/** The file that identifies a function without a class. */
function homeOf(program: Program, id: FunctionId): string | undefined {
  const { functions, units } = program;
  const file = fileOf(program, id);
  if (file >= 0) return fileText(program, id, file);
  const unit = functions.unit?.[id] ?? -1;
  // The pseudo function of a load object has its name.
  if (unit < 0 || units === undefined || FUNCTION_KINDS[functions.kind[id]] === 'pseudo') return undefined;
  const loadObject = units.loadObject[unit];
  return loadObject < 0 ? undefined : loadObjectName(program, loadObject);
}

/** The source file of a function: without folders where it is a path from the root or `.` and the load object, which tells more, is known. */
function fileText({ names, functions, units }: Program, id: FunctionId, file: StringId): string {
  const text = stringAt(names, file);
  const unit = functions.unit?.[id] ?? -1;
  return /^\.{0,2}\//.test(text) && (units?.loadObject[unit] ?? -1) >= 0 ? fileName(text) : text;
}

/** StringId of the source file of a function, else of its compile unit; -1 if neither is known. */
function fileOf({ functions, units }: Program, id: FunctionId): StringId {
  const file = functions.file?.[id] ?? -1;
  const unit = functions.unit?.[id] ?? -1;
  return file >= 0 || unit < 0 ? file : (units?.name[unit] ?? -1);
}

/** The name of a file without its folders. */
export function fileName(path: string): string {
  return path.slice(path.search(/[^/\\]*$/));
}

/** The display name of a load object: its path without folders. */
export function loadObjectName({ names, loadObjects }: Program, id: LoadObjectId): string {
  return loadObjects === undefined ? '' : fileName(stringAt(names, loadObjects.path[id]));
}

/**
 * Where in its function a place lies: `17`, a bytecode index; `+0x1c`, bytes from the beginning of a native function;
 * `libc.so.6!0x5d0`, an offset in a load object, if the start of the function is unknown; `0x00007f3c00001000`, an
 * address that no mapping covers.
 */
export function placeName(program: Program, id: LocationId): string {
  const place = nativePlace(program, id);
  if (place === undefined) return bciName(bciOf(program, id));
  const start = startOf(program, program.locations.function[id], place);
  return start >= 0 ? `+0x${(place.offset - start).toString(16)}` : nativeName(program, place);
}

/** `libc.so.6!0x5d0`, or the address if no mapping covers it. */
export function nativeName(program: Program, { loadObject, offset }: NativePlace): string {
  const name = loadObjectName(program, loadObject);
  if (LOAD_OBJECT_KINDS[program.loadObjects?.kind[loadObject] ?? 0] === 'unmapped')
    return `${name}${offset.toString(16).padStart(8, '0')}`;
  return `${name}!0x${offset.toString(16)}`;
}

/** Where the function of a place begins in its load object; -1 if unknown, or in another load object. */
function startOf({ functions, units }: Program, of: FunctionId, { loadObject, offset }: NativePlace): number {
  const start = functions.start?.[of] ?? -1;
  const unit = functions.unit?.[of] ?? -1;
  return start <= offset && unit >= 0 && units?.loadObject[unit] === loadObject ? start : -1;
}

/** The name of a function before a place in it: with parameter types only where it is overloaded. */
function placedName(program: Program, id: FunctionId): string {
  return isOverloaded(program, id) ? functionSignature(program, id) : functionName(program, id);
}

/**
 * `java.util.HashMap.get:17`, or `java.util.HashMap.get(HashMap.java:556)` where the recording has lines; of methods
 * that the program has several of, `java.util.Objects.requireNonNull(java.lang.Object):1`. Places in native code
 * without a line are `main+0x1c`, `main(app!0x40)` if unknown at which offset the function begins, and `app!0x40` where
 * the function is not known.
 */
export function locationName(program: Program, id: LocationId): string {
  const { locations, functions } = program;
  const of = locations.function[id];
  const line = locations.line?.[id];
  const place = nativePlace(program, id);
  if (place !== undefined && (line ?? NO_LINE) <= NO_LINE) {
    if (FUNCTION_KINDS[functions.kind[of]] === 'pseudo') return nativeName(program, place);
    const where = placeName(program, id);
    return functionName(program, of) + (where.startsWith('+') ? where : `(${where})`);
  }
  const bci = bciOf(program, id);
  const name = placedName(program, of);
  if ((line === undefined && locations.bci !== undefined) || (line === NO_LINE && bci !== UNKNOWN_BCI))
    return `${name}:${bciName(bci)}`;
  const file = fileOf(program, of);
  const source = file < 0 ? '' : fileText(program, of, file);
  if (line !== undefined && line > 0) return `${name}(${source === '' ? 'line' : source}:${line})`;
  const mark = LINE_MARKS[-(line ?? NO_LINE)] ?? '';
  return mark === '' && source === '' ? name : `${name}(${source || mark})`;
}

/** By the value of the line column: none, unknown, compiled, native. */
const LINE_MARKS = ['', '', 'compiled method', 'native method'];

/** A pattern of letters, dots and stars behind dots: all its words are in what it matches. */
const PLAIN = /^\^?(?:\w|\\[.$]|\.[*+]?)*\$?$/;

/** A pattern that is one word: a function matches if one of its parts contains it. */
const ONE_WORD = /^\w+$/;
const JAVA = FUNCTION_KINDS.indexOf('java');
const MISSING = CLASS_KINDS.indexOf('missing');

/**
 * By function: 0 if it cannot match a pattern, by the names of its parts, one of which has any word of it, since parts are joined by other
 * signs; `CERTAIN` if it matches; else 1. Undefined if all may. Each name and class is looked at once.
 */
function mayMatchOf({ classes, functions, names }: Program, pattern: string): Uint8Array | undefined {
  const contains = PLAIN.test(pattern) ? mayContain(names, pattern) : undefined;
  if (contains === undefined) return undefined;
  if (!ONE_WORD.test(pattern)) for (let id = 0; id < contains.length; id++) if (contains[id] > 1) contains[id] = 1;
  const ofClass = new Uint8Array(classes.length).fill(1);
  for (let id = 0; id < ofClass.length; id++)
    if (classes.name[id] >= 0 && classes.kind[id] !== MISSING) ofClass[id] = contains[classes.name[id]];
  const { class: holder, kind, length, name, signature, signatureStart } = functions;
  const may = new Uint8Array(length).fill(1);
  for (let id = 0; id < length; id++) {
    if (kind[id] !== JAVA || holder[id] < 0 || name[id] < 0) continue;
    let found = Math.max(contains[name[id]], ofClass[holder[id]]);
    for (let at = signatureStart[id] + 1, end = signatureStart[id + 1]; at < end; at++)
      found = Math.max(found, signature[at] < 0 ? 1 : ofClass[signature[at]]);
    may[id] = found;
  }
  return may;
}

/**
 * The functions that match a pattern: 1 for each. A pattern is a regular expression, unanchored and case-sensitive as
 * in pprof, tried on `functionSignature`. A name as it is shown, of a function or of a place by its bytecode index,
 * means its functions, too, although brackets mean something else in expressions; where nothing matches, so does a part of
 * a name, since `$` of nested classes and lambdas is an end in expressions. Throws `SyntaxError` if it is neither an expression nor a whole name.
 */
export function matchFunctions(program: Program, pattern: string): Uint8Array {
  const [, place] = PLACE_BEHIND.exec(pattern) ?? [];
  const shown = closeCommas(place ?? pattern);
  const { expression, error } = expressionOf(pattern);
  const matched = new Uint8Array(program.functions.length);
  let named = false;
  const mayMatch = mayMatchOf(program, pattern);
  for (let id = 0; id < matched.length; id++) {
    const match = mayMatch === undefined ? 1 : mayMatch[id];
    if (match === 0) continue;
    if (match === CERTAIN) {
      matched[id] = 1;
      continue;
    }
    const signature = functionSignature(program, id);
    const isNamed = closeCommas(signature) === shown || (place !== undefined && functionName(program, id) === place);
    named ||= isNamed;
    if (isNamed || expression?.test(signature) === true) matched[id] = 1;
  }
  if (error !== undefined && !named) throw error;
  return matched.includes(1)
    ? matched
    : containingText(pattern, matched.length, (id) => functionSignature(program, id));
}

/** Characters that mean something else in expressions than in names. */
const SIGNS = /[$()[\]{}*+?|^\\]/;

/** 1 for each name that contains a text in which expressions would see more than letters. */
function containingText(text: string, length: number, nameOf: (id: number) => string): Uint8Array {
  if (!SIGNS.test(text)) return new Uint8Array(length);
  return Uint8Array.from({ length }, (_, id) => (nameOf(id).includes(text) ? 1 : 0));
}

/** A bytecode index after a name or its parameters, as in `locationName`. */
const PLACE_BEHIND = /^(.*[^:]):[\w-]+$/s;

function expressionOf(pattern: string): { readonly expression?: RegExp; readonly error?: unknown } {
  try {
    return { expression: new RegExp(pattern, 'u') };
  } catch (error) {
    return { error };
  }
}

/** The classes that match a pattern, as in `matchFunctions`; the pattern is tried on `className`. */
export function matchClasses(program: Program, pattern: string): Uint8Array {
  return matchNames(pattern, program.classes.length, (id) => className(program, id));
}

/** The same for any names, which mean themselves, too. */
export function matchNames(pattern: string, length: number, nameOf: (id: number) => string): Uint8Array {
  const { expression, error } = expressionOf(pattern);
  const isMatch = (name: string): boolean => name === pattern || expression?.test(name) === true;
  const marks = Uint8Array.from({ length }, (_, id) => (isMatch(nameOf(id)) ? 1 : 0));
  if (marks.includes(1)) return marks;
  if (error !== undefined) throw error;
  return containingText(pattern, length, nameOf);
}

/** Lists of parameters are equal with and without spaces after commas. */
export function closeCommas(text: string): string {
  return text.includes(',') ? text.replace(/, +/g, ',') : text;
}

/**
 * By name of a method: 0 if no function with it can be meant by `text`; undefined if all may be. A name that ends with `text` contains the
 * part of `text` before its parameters, or is contained in it.
 */
function namesMeant(names: StringTable, text: string): Uint8Array | undefined {
  if (ONE_WORD.test(text)) return endingWith(names, text);
  const head = closeCommas(text.replace(/\(.*$/s, '')).trimEnd();
  const last = head.endsWith('.') ? '.' : head.slice(head.lastIndexOf('.') + 1);
  if (last === '' || last.includes(',') || (text.includes(')') && !text.includes('('))) return undefined;
  const marks = containing(names, last);
  const contained = containedIn(names, closeCommas(text));
  for (let id = 0; id < marks.length; id++) marks[id] |= contained[id];
  return marks;
}

/**
 * The functions for a name given by the user: those with exactly this name, or name with parameters (spaces after
 * commas are ignored); if there are none, those with a name that ends with it after a dot; if there are none, those
 * that match it as a pattern.
 */
export function findFunctions(program: Program, text: string): FunctionId[] {
  const exact: FunctionId[] = [];
  const suffix: FunctionId[] = [];
  const asked = closeCommas(text);
  const isMeant = namesMeant(program.names, text);
  const { length, name: nameOf } = program.functions;
  for (let id = 0; id < length; id++) {
    if (isMeant !== undefined && nameOf[id] >= 0 && isMeant[nameOf[id]] === 0) continue;
    const name = functionName(program, id);
    const signature = closeCommas(functionSignature(program, id));
    if (name === text || signature === asked) exact.push(id);
    else if (name.endsWith(`.${text}`) || signature.endsWith(`.${asked}`)) suffix.push(id);
  }
  if (exact.length > 0) return exact;
  if (suffix.length > 0) return suffix;
  return [...markedRows(matchFunctions(program, text))];
}
