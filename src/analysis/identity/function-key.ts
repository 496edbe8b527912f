/**
 * Keys of functions that stay valid: a file of a store, or of another program, can name a function by one, and any later recording finds
 * it again. docs/names-that-stay.md has the grammar.
 *
 *   1:java.util.HashMap.get;p=java.lang.Object;r=java.lang.Object
 *   1:inflate;f=inflate.c;o=libz.so.1;B=4a5f…;F=/src/zlib/
 *   ╰────────────── stem ───────────╯╰────── build ──────╯
 *
 * The stem says which function it is, as `unite` compares functions: without numbers of the run, hashes of the build and folders. What was
 * left out and is the same in every run of one build follows in fields with capital letters. So two recordings of a build have equal keys,
 * and keys of two builds have equal stems. Cost: two to four texts a function.
 */
import { stringAt } from '../../base/text.js';
import { cachedTypes, type MethodKey, methodKey, type TypeKeys } from '../../models/program/method-key.js';
import { fileName } from '../../models/program/names.js';
import type { FunctionId, Program } from '../../models/program/program.js';
import { decodedField, encodedField, encodedPart } from './key-text.js';
import { identityOf, withoutHashes } from './spelling.js';

/** The version of the grammar, at the beginning of each key. */
const VERSION = '1:';
/** The class that stands for a return type that is not recorded. */
const UNKNOWN_TYPE = '?';
/** Before the first field of the build. Names have no semicolon, since it is written as `%3B`. */
const BUILD = /;(?=[A-Z]=)/;

/** What a key says of a function. Texts are without numbers of the run and hashes of the build. */
export interface FunctionKeyParts {
  /** With its class, if that is recorded: `java.util.HashMap.get`. */
  readonly name: string;
  /** Java source types; absent if not recorded. */
  readonly parameters?: readonly string[];
  readonly returns?: string;
  /** Source file of a function without class; of native ones without folders. */
  readonly file?: string;
  /** Compile unit and load object of native functions, without folders. */
  readonly unit?: string;
  readonly loadObject?: string;
  /** In lower-case hexadecimal. */
  readonly buildId?: string;
}

/** The key of a function; undefined if there is none with this id, or if the recording has only a number for it, its class or one of its types. */
export function functionKey(program: Program, id: FunctionId, types?: TypeKeys): string | undefined {
  if (!(id >= 0 && id < program.functions.length)) return undefined;
  const key = methodKey(program, id, types);
  return key && keyOf(program, id, key);
}

/** The part of a key that is the same in all builds. */
export function stemOf(key: string): string {
  const end = key.search(BUILD);
  return end < 0 ? key : key.slice(0, end);
}

/** Whether a text begins as a key of this version. */
export function isFunctionKey(text: string): boolean {
  return text.startsWith(VERSION);
}

/** What a key says; undefined if it is none of this version. */
export function functionKeyParts(key: string): FunctionKeyParts | undefined {
  if (!isFunctionKey(key)) return undefined;
  const [name, ...pairs] = key.slice(VERSION.length).split(';');
  const fields = new Map(pairs.map((pair) => [pair.slice(0, 1), pair.slice(2)]));
  const parameters = fields.get('p');
  const text = <Key extends string>(as: Key, letter: string) => {
    const value = fields.get(letter);
    return value === undefined ? {} : { [as]: decodedField(value) };
  };
  return {
    name: decodedField(name),
    ...(parameters !== undefined && { parameters: parameters === '' ? [] : parameters.split(',').map(decodedField) }),
    ...text('returns', 'r'),
    ...text('file', 'f'),
    ...text('unit', 'u'),
    ...text('loadObject', 'o'),
    ...text('buildId', 'B'),
  };
}

/** The functions with a key, and whether they are of its build; of another build if that has none. */
export interface KeyedFunctions {
  readonly functions: readonly FunctionId[];
  readonly sameBuild: boolean;
}

/** All functions that a key means. Cost: the name of each function of the program, and the keys of those with the name of the key. */
export function functionsOfKey(program: Program, key: string): KeyedFunctions {
  return functionsOfKeys(program, [key]).get(key) ?? { functions: [], sameBuild: false };
}

/** All functions that each of several keys means, in one pass over the functions of the program. */
export function functionsOfKeys(program: Program, keys: readonly string[]): ReadonlyMap<string, KeyedFunctions> {
  const matches = new Map<string, KeyMatches>(keys.map((key) => [key, { stem: stemOf(key), ofStem: [], exact: [] }]));
  const keysByName = new Map<string, string[]>();
  for (const key of matches.keys()) {
    const name = functionKeyParts(key)?.name;
    if (name !== undefined) keysByName.set(name, [...(keysByName.get(name) ?? []), key]);
  }
  const types = cachedTypes();
  for (let id = 0; id < program.functions.length; id++) {
    const details = methodKey(program, id, types);
    const namedKeys = details && keysByName.get(withoutHashes(plainName(details)));
    if (details === undefined || namedKeys === undefined) continue;
    const candidate = keyOf(program, id, details);
    for (const key of namedKeys) {
      const match = matches.get(key);
      if (candidate === key) match?.exact.push(id);
      else if (stemOf(candidate) === match?.stem) match.ofStem.push(id);
    }
  }
  return new Map(
    [...matches].map(([key, { exact, ofStem }]) => [
      key,
      exact.length > 0 ? { functions: exact, sameBuild: true } : { functions: ofStem, sameBuild: false },
    ]),
  );
}

/** The functions with a key, and those with its stem only. */
interface KeyMatches {
  readonly stem: string;
  readonly exact: FunctionId[];
  readonly ofStem: FunctionId[];
}

/** The one function that a key means, of its build or another one. */
export function functionOfKey(program: Program, key: string): FunctionId | 'none' | 'ambiguous' {
  const [id, another] = functionsOfKey(program, key).functions;
  return id === undefined ? 'none' : another === undefined ? id : 'ambiguous';
}

/** Class and name without numbers of the run. */
function plainName(key: MethodKey): string {
  const name = identityOf(key.name);
  return key.class === undefined ? name : `${identityOf(key.class.name)}.${name}`;
}

function keyOf(program: Program, id: FunctionId, key: MethodKey): string {
  const { file, unit, loadObject, parameters } = key;
  const returns = key.returns === UNKNOWN_TYPE ? undefined : key.returns;
  // The file of a script is known by its path; that of native code is where it was built.
  const isNative = unit !== undefined || loadObject !== undefined;
  const hashed = new Hashed();
  const stem = [`${VERSION}${encodedField(hashed.without(plainName(key)))}`];
  if (parameters !== undefined)
    stem.push(`p=${parameters.map((type) => encodedPart(hashed.without(identityOf(type)))).join(',')}`);
  for (const [letter, text] of [
    ['r', returns && identityOf(returns)],
    ['f', file && (isNative ? fileName(file) : file)],
    ['u', unit && fileName(unit)],
    ['o', loadObject && fileName(loadObject)],
  ] as const)
    if (text !== undefined) stem.push(`${letter}=${encodedField(hashed.without(text))}`);
  const buildId = buildIdOf(program, id, key);
  const build = [
    ['B', buildId],
    ['D', unit && folderOf(unit)],
    ['F', isNative ? file && folderOf(file) : undefined],
    // A build id says more of a load object than its folder.
    ['L', buildId === undefined ? loadObject && folderOf(loadObject) : undefined],
  ] as const;
  for (const [letter, text] of build) if (text) stem.push(`${letter}=${encodedField(text)}`);
  return [...stem, ...hashed.field()].join(';');
}

/** The texts of a stem that lose their hashes, as they were. */
class Hashed {
  readonly #texts: string[] = [];
  #count = 0;

  without(text: string): string {
    const stable = withoutHashes(text);
    if (stable !== text) this.#texts[this.#count] = text;
    this.#count++;
    return stable;
  }

  /** The list of these texts, empty for those that had no hash; nothing if none had. */
  field(): string[] {
    if (this.#texts.length === 0) return [];
    const parts = Array.from({ length: this.#texts.length }, (_, i) => this.#texts[i]);
    return [`H=${parts.map((text) => (text === undefined ? '' : encodedPart(text))).join(',')}`];
  }
}

function folderOf(path: string): string {
  return path.slice(0, path.length - fileName(path).length);
}

/** The build id of the load object that a native function is in. */
function buildIdOf(
  { functions, units, loadObjects, names }: Program,
  id: FunctionId,
  key: MethodKey,
): string | undefined {
  if (key.loadObject === undefined || units === undefined || loadObjects === undefined) return undefined;
  const buildId = loadObjects.buildId[units.loadObject[functions.unit?.[id] ?? -1]];
  return buildId < 0 ? undefined : stringAt(names, buildId);
}
