/** Names of the code of an experiment: which functions it has, and what they are called. */

import { className, functionSignature } from '../../../models/program/names.js';
import { bciOf } from '../../../models/program/places.js';
import type { Experiment } from '../peer/experiment.js';
import type { PeerFunction } from '../peer/peer-program.js';
import { type CodeFunction, type CodeUnit, type FoundCode, objectPath } from './units.js';

/** A function with its load object. */
export interface NamedFunction extends FoundCode {
  readonly object: string;
}

const known = new WeakMap<Experiment, ReadonlyMap<string, PeerFunction>>();

function placeOf(object: string, start: number): string {
  return `${start} ${object}`;
}

/** The functions of stacks by load object and begin. */
function functionsByPlace(experiment: Experiment): ReadonlyMap<string, PeerFunction> {
  const made =
    known.get(experiment) ??
    new Map(
      experiment.functions.map((each): [string, PeerFunction] => [placeOf(each.path ?? each.name, each.start), each]),
    );
  known.set(experiment, made);
  return made;
}

/** The function of stacks that a code is; undefined if no stack has it. */
export function functionOf(
  experiment: Experiment,
  object: string,
  { start, name }: CodeFunction,
): PeerFunction | undefined {
  const byPlace = functionsByPlace(experiment);
  // Methods of Java are known by their names.
  return byPlace.get(placeOf(object, start)) ?? byPlace.get(placeOf(name, 0));
}

/** A place of a program in its code. */
export interface LocatedCode extends NamedFunction {
  /** From the begin of the function. */
  readonly offset: number;
}

/** The code of a location; undefined if there is none of it. */
export async function locate(
  experiment: Pick<Experiment, 'program' | 'code'>,
  id: number,
): Promise<LocatedCode | undefined> {
  const { program, code } = experiment;
  const path = objectPath(program, id);
  if (path !== undefined) {
    const at = program.locations.offset?.[id] ?? -1;
    const found = await code.at(path, at);
    return found && { ...found, object: path, offset: at - found.function.start };
  }
  const found = await javaMethod(experiment, program.locations.function[id]);
  return found && { ...found, offset: bciOf(program, id) };
}

async function javaMethod({ program, code }: Pick<Experiment, 'program' | 'code'>, id: number) {
  const { functions, classes } = program;
  const of = functions.class[id] ?? -1;
  if (of < 0) return undefined;
  await code.java.load(Array.from({ length: classes.length }, (_, each) => className(program, each)));
  return code.java.method(className(program, of), functionSignature(program, id));
}

/** All functions of a name, in the order of their load objects, and in each of their places. */
export async function functionsNamed(experiment: Experiment, name: string): Promise<NamedFunction[]> {
  const found = new Map<string, NamedFunction>();
  const put = (object: string, code: FoundCode | undefined): void => {
    if (code !== undefined) found.set(placeOf(object, code.function.start), { ...code, object });
  };
  for (const [id, { name: own, short, path, start }] of experiment.functions.entries()) {
    if (own !== name && short !== name) continue;
    const java = await javaMethod(experiment, id);
    if (java !== undefined) put(java.object, java);
    else if (path !== undefined) put(path, await experiment.code.at(path, start));
  }
  for (const { path } of experiment.objects) {
    const start = (await experiment.code.object(path))?.functions.startOf(name);
    if (start !== undefined) put(path, await experiment.code.at(path, start));
  }
  const order = new Map(experiment.objects.map(({ path, index }) => [path, index]));
  const at = ({ object }: NamedFunction): number => order.get(object) ?? 0;
  return [...found.values()].sort((x, y) => at(x) - at(y) || x.function.start - y.function.start);
}

/** The units with code of stacks. */
export async function unitsOf(experiment: Experiment): Promise<CodeUnit[]> {
  const units = new Set<CodeUnit>();
  for (let id = 0; id < experiment.program.locations.length; id++) {
    const unit = (await locate(experiment, id))?.unit;
    if (unit !== undefined) units.add(unit);
  }
  return [...units];
}
