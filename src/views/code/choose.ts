/**
 * Finds the method that a user names: one that the recording mentions, else one of the classes. Several candidates are
 * listed, never guessed.
 */
import { isFunctionHandle } from '../../analysis/identity/named-functions.js';
import { codeOfKey, isFinding, MethodCode } from '../../analysis/places/method-code.js';
import { MissingError, UsageError } from '../../base/errors.js';
import type { Work } from '../../base/progress.js';
import { ACCESS } from '../../code/java/class-file/access.js';
import type { MethodInfo } from '../../code/java/class-file/class-file.js';
import { type ClassSet, loadClasses } from '../../code/java/class-path/class-set.js';
import type { ClassPath } from '../../models/program/class-path.js';
import { keyText, type MethodKey, methodKey } from '../../models/program/method-key.js';
import { closeCommas, functionName, functionSignature } from '../../models/program/names.js';
import type { FunctionId, Program } from '../../models/program/program.js';
import { functionsNamed } from '../question.js';

/** A method as the recording and the user name it; `functions` are its rows in the recording, empty if it is not there. */
export interface NamedMethod {
  readonly key: MethodKey;
  readonly functions: readonly FunctionId[];
}

export interface ChosenMethod extends NamedMethod {
  readonly code: MethodCode;
}

/** Candidates that an error lists. */
const LISTED = 20;

/**
 * The one method that is meant; a usage error that lists the candidates if there are several. Undefined if there is
 * none. A text that is not a name is a regular expression, unless `exact` is true.
 */
export function methodNamed(program: Program, text: string, exact = false): NamedMethod | undefined {
  const { name, parameters } = splitName(text);
  const methods = new Map<string, { key: MethodKey; functions: FunctionId[] }>();
  const add = (id: FunctionId, withParameters: boolean): void => {
    const recordedKey = methodKey(program, id);
    if (recordedKey?.class === undefined) return;
    const key = withParameters && parameters !== undefined ? { ...recordedKey, parameters } : recordedKey;
    const spelled = `${key.returns} ${keyText(key)}`;
    const same = methods.get(spelled);
    if (same === undefined) methods.set(spelled, { key, functions: [id] });
    else same.functions.push(id);
  };
  // A recording without parameters still names one of the methods that only parameters distinguish.
  for (let id = 0; parameters !== undefined && id < program.functions.length; id++)
    if (isNamed(functionName(program, id), name) && methodKey(program, id)?.parameters === undefined) add(id, true);
  if (methods.size === 0)
    for (const id of functionsNamed(program, text, 'method')) {
      const hasName = isNamed(functionName(program, id), text) || isNamed(functionSignature(program, id), text);
      if (hasName || !exact || isFunctionHandle(text)) add(id, false);
    }
  const [only] = methods.values();
  if (methods.size <= 1) return only;
  throw severalMeant(
    text,
    [...methods.values()].map(({ key }) => keyText(key)),
  );
}

function isNamed(name: string, text: string): boolean {
  const spelled = closeCommas(name);
  const searchText = closeCommas(text);
  return spelled === searchText || spelled.endsWith(`.${searchText}`);
}

function severalMeant(text: string, candidates: readonly string[]): UsageError {
  return new UsageError(`ambiguous: ${candidates.length} methods match ${text}`, {
    code: 'ambiguous-name',
    advice: 'Name one of them:',
    lines: choiceLines(candidates),
  });
}

/** The first names in the order of the alphabet, a line each, and how many more there are. */
export function choiceLines(names: readonly string[]): string[] {
  const more = names.length - LISTED;
  const lines = [...names].sort().slice(0, LISTED);
  return [...lines, ...(more > 0 ? [`… and ${more} more`] : [])].map((line) => `  ${line}`);
}

/** `a.B.m(int, long)` → `a.B.m` and its parameters. */
function splitName(text: string): { readonly name: string; readonly parameters?: readonly string[] } {
  const match = /^([^(]+)\(([^()]*)\)$/.exec(text);
  if (match === null) return { name: text };
  const [, name = '', types = ''] = match;
  return { name, parameters: types.trim() === '' ? [] : types.split(',').map((type) => type.trim()) };
}

/**
 * The classes that the text may mean, in memory: the class of the recording's method, else the classes of that name on
 * the path.
 */
export async function classesNamed(program: Program, path: ClassPath, text: string, work: Work): Promise<ClassSet> {
  const exact = methodNamed(program, text, true);
  const others = exact === undefined ? classesEnding(path.names(), classPart(text)) : [];
  const method = exact ?? (others.length > 0 ? undefined : methodNamed(program, text));
  const names = method === undefined ? others : [method.key.class?.name ?? ''];
  return loadClasses(path, names, work, { supers: false });
}

/** `a.B` of `a.B.m(int)`. */
export function classPart(text: string): string {
  const { name } = splitName(text);
  return name.slice(0, Math.max(0, name.lastIndexOf('.')));
}

/** The class of exactly that name; if there is none, those whose name ends with it after a dot. */
export function classesEnding(names: Iterable<string>, text: string): string[] {
  if (text === '') return [];
  const ending: string[] = [];
  for (const name of names) {
    if (name === text) return [name];
    if (name.endsWith(`.${text}`)) ending.push(name);
  }
  return ending;
}

/** The one method that is meant, with its code; an error that lists the methods if there is none, or several. */
export function chooseMethod(program: Program, classes: ClassSet, text: string, where: string): ChosenMethod {
  const method = methodNamed(program, text, true) ?? methodOfClasses(classes, text) ?? methodNamed(program, text);
  if (method !== undefined) return withCode(classes, method, text, where);
  throw new MissingError(`neither the recording nor ${where} has a method ${text}`, {
    code: 'no-method',
    advice: 'Write package.Class.method, as in the recording.',
  });
}

/** A method that the recording does not mention. */
function methodOfClasses(classes: ClassSet, text: string): NamedMethod | undefined {
  const { name, parameters } = splitName(text);
  const method = name.slice(name.lastIndexOf('.') + 1);
  const keys = classesEnding(classes.names(), classPart(text))
    .filter((owner) => classes.methodsNamed(owner, method).length > 0)
    .map((owner): MethodKey => ({ class: { name: owner }, name: method, ...(parameters && { parameters }) }));
  const [key] = keys;
  if (keys.length > 1) throw severalMeant(text, keys.map(keyText));
  return key === undefined ? undefined : { key, functions: [] };
}

function withCode(classes: ClassSet, namedMethod: NamedMethod, text: string, where: string): ChosenMethod {
  const code = codeOfKey(classes, namedMethod.key);
  if (!isFinding(code)) return { ...namedMethod, code };
  if (code.reason !== 'several methods')
    throw new MissingError(`${where} does not have the code of ${keyText(namedMethod.key)}: ${code.text}`, {
      code: 'no-code',
    });
  const overloads = overloadsOf(classes, namedMethod.key);
  const [only] = overloads;
  if (overloads.length === 1 && only !== undefined) {
    const body = only.code();
    if (body !== undefined) return { ...namedMethod, code: new MethodCode(namedMethod.key, only, body) };
  }
  const texts = overloads.map((method) => keyText({ ...namedMethod.key, parameters: method.types?.parameters ?? [] }));
  throw severalMeant(text, texts);
}

/** The methods that a key may mean, without the compiler's bridges to another one of them. */
function overloadsOf(classes: ClassSet, { class: owner, name, parameters }: MethodKey): MethodInfo[] {
  const methods = classes
    .methodsNamed(owner?.name ?? '', name)
    .filter((method) => parameters === undefined || method.types?.parameters.join() === parameters.join());
  const written = methods.filter((method) => (method.access & ACCESS.bridge) === 0);
  return written.length === 0 ? methods : written;
}
