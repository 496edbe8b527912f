/** Where places of a program are in its code. */
import { stringAt } from '../../../base/text.js';
import { className, functionSignature } from '../../../models/program/names.js';
import { bciOf } from '../../../models/program/places.js';
import type { Program } from '../../../models/program/program.js';
import { markedLike, plainPath } from '../../../session/together/marked-path.js';
import { DYNAMIC_FUNCTIONS, GENERATED } from '../peer/generated.js';
import type { FoundCode } from './model.js';
import type { ProgramCode } from './units.js';

/** A program with its code. */
export interface CodedProgram {
  readonly program: Program;
  readonly code: ProgramCode;
}

/** A function with its load object. */
export interface NamedFunction extends FoundCode {
  readonly object: string;
}

/** The path of the load object of a place; undefined for others. */
export function objectPath({ locations, loadObjects, names }: Program, id: number): string | undefined {
  const object = locations.loadObject?.[id] ?? -1;
  return object < 0 || loadObjects === undefined ? undefined : stringAt(names, loadObjects.path[object]);
}

/** A place of a program in its code. */
export interface LocatedCode extends NamedFunction {
  /** From the begin of the function. */
  readonly offset: number;
}

/** The code of a location; undefined if there is none of it. */
export async function locate(experiment: CodedProgram, id: number): Promise<LocatedCode | undefined> {
  const { program, code } = experiment;
  const path = objectPath(program, id);
  if (path !== undefined) {
    const at = program.locations.offset?.[id] ?? -1;
    const found = await code.at(path, at);
    const object = plainPath(path) === GENERATED ? markedLike(DYNAMIC_FUNCTIONS, path) : path;
    return found && { ...found, object, offset: at - found.function.start };
  }
  const found = await javaMethod(experiment, program.locations.function[id]);
  return found && { ...found, offset: bciOf(program, id) };
}

export async function javaMethod({ program, code }: CodedProgram, id: number) {
  const { functions, classes } = program;
  const of = functions.class[id] ?? -1;
  if (of < 0) return undefined;
  await code.java.load(Array.from({ length: classes.length }, (_, each) => className(program, each)));
  return code.java.method(className(program, of), functionSignature(program, id));
}
