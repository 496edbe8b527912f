/**
 * Which methods a policy forbids: those that one of its patterns names, without those that an exception names.
 *
 *   java.awt.**  java.awt.*        every method whose `class.method` matches: of all packages below, too
 *   sun.misc.Unsafe                all methods of the class
 *   java.lang.System.exit          the method, with all parameter types; its end is enough: System.exit
 *   ^java\\.(awt|applet)\\.         a regular expression, by its signs: ^ | + { } or a backslash
 *
 * A policy must not fail because of a similar name: a text without these signs never matches a part of a name, as it does where a person
 * looks for a method.
 */
import { NONE } from '../../base/flavor.js';
import { className, closeCommas, functionName, functionSignature } from '../../models/program/names.js';
import type { FunctionId, Program } from '../../models/program/program.js';
import { functionsMeant, isFunctionHandle } from '../identity/named-functions.js';
import { methodsNamed, methodsSelected } from './method-filter.js';

export interface MethodPolicy {
  readonly forbid: readonly string[];
  /** Exceptions. */
  readonly allow: readonly string[];
}

/** What a policy says of the methods of a graph. */
export interface PolicyMarks {
  /** By function: index of the first pattern that forbids it, -1 if none does; -2 if an exception allows what one forbids. */
  readonly pattern: Int32Array;
  /** By pattern, and by exception: whether it matches a method of the graph. */
  readonly isUsed: readonly boolean[];
  readonly isAllowanceUsed: readonly boolean[];
}

/** In place of a pattern: an exception allows the method. */
export const ALLOWED = -2;

/** The single patterns of texts that name several: a comma separates them, except in parameters. */
export function patternsOf(texts: readonly string[]): string[] {
  return texts.flatMap((text) =>
    text
      .split(/,(?![^(]*\))/)
      .map((pattern) => pattern.trim())
      .filter((pattern) => pattern !== ''),
  );
}

/** Marks all functions of the program that the policy forbids. Throws `SyntaxError` for what is neither a name nor a pattern. */
export function policyMarks(
  program: Program,
  methods: ArrayLike<FunctionId>,
  { forbid, allow }: MethodPolicy,
): PolicyMarks {
  const pattern = new Int32Array(program.functions.length).fill(NONE);
  const isMethod = new Uint8Array(program.functions.length);
  for (let i = 0; i < methods.length; i++) isMethod[methods[i]] = 1;
  const isUsed = forbid.map((text, i) => {
    const matching = methodsOfPattern(program, text);
    for (const id of matching) if (pattern[id] === NONE) pattern[id] = i;
    return matching.some((id) => isMethod[id] === 1);
  });
  const isAllowanceUsed = allow.map((text) => {
    const matching = methodsOfPattern(program, text);
    for (const id of matching) if (pattern[id] >= 0) pattern[id] = ALLOWED;
    return matching.some((id) => isMethod[id] === 1);
  });
  return { pattern, isUsed, isAllowanceUsed };
}

/** The methods that one pattern names. Throws `SyntaxError` if it is no pattern. */
export function methodsOfPattern(program: Program, text: string): readonly FunctionId[] {
  if (isFunctionHandle(text) || /[\\^|+{}]/.test(text)) return methodsNamed(program, text);
  const ofClass = methodsOfClass(program, text);
  if (ofClass.length > 0) return ofClass;
  if (/[*?;]/.test(text)) return [...methodsSelected(program, text)];
  // As an expression, it would match parts of names, too.
  return functionsMeant(program, text).filter((id) => isNameOf(program, id, text));
}

function methodsOfClass(program: Program, text: string): FunctionId[] {
  const { functions, classes } = program;
  const isNamed = Uint8Array.from({ length: classes.length }, (_, id) => (className(program, id) === text ? 1 : 0));
  if (!isNamed.includes(1)) return [];
  return Array.from(functions.class.keys()).filter(
    (id) => functions.class[id] >= 0 && isNamed[functions.class[id]] === 1,
  );
}

function isNameOf(program: Program, id: FunctionId, text: string): boolean {
  const askedName = closeCommas(text);
  const names = [functionName(program, id), closeCommas(functionSignature(program, id))];
  return /^#\d+$/.test(text) || names.some((name) => name === askedName || name.endsWith(`.${askedName}`));
}
