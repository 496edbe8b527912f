/** Names of the code of an experiment: which functions it has, and what they are called. */

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
    new Map(experiment.functions.map((each): [string, PeerFunction] => [placeOf(each.path ?? '', each.start), each]));
  known.set(experiment, made);
  return made;
}

/** The function of stacks that a code is; undefined if no stack has it. */
export function functionOf(experiment: Experiment, object: string, { start }: CodeFunction): PeerFunction | undefined {
  return functionsByPlace(experiment).get(placeOf(object, start));
}

/** All functions of a name, those of stacks first. */
export async function functionsNamed(experiment: Experiment, name: string): Promise<NamedFunction[]> {
  const found = new Map<string, NamedFunction>();
  const add = async (object: string, start: number): Promise<void> => {
    const code = await experiment.code.at(object, start);
    if (code !== undefined) found.set(placeOf(object, code.function.start), { ...code, object });
  };
  for (const { name: own, short, path, start } of experiment.functions)
    if (path !== undefined && (own === name || short === name)) await add(path, start);
  if (found.size > 0) return [...found.values()];
  for (const { path } of experiment.objects) {
    const start = (await experiment.code.object(path))?.functions.startOf(name);
    if (start !== undefined) await add(path, start);
  }
  return [...found.values()];
}

/** The units with code of stacks. */
export async function unitsOf({ program, code }: Experiment): Promise<CodeUnit[]> {
  const units = new Set<CodeUnit>();
  for (let id = 0; id < program.locations.length; id++) {
    const path = objectPath(program, id);
    const found = path === undefined ? undefined : await code.at(path, program.locations.offset?.[id] ?? -1);
    if (found?.unit !== undefined) units.add(found.unit);
  }
  return [...units];
}
