/** Names of the code of an experiment: which functions it has, and what they are called. */
import type { Experiment } from '../peer/experiment.js';
import type { PeerFunction } from '../peer/peer-program.js';
import { javaMethod, locate, type NamedFunction } from './locate.js';
import type { CodeFunction, CodeUnit, FoundCode } from './model.js';

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
  return byPlace.get(placeOf(object, start)) ?? byPlace.get(placeOf(name, start)) ?? byPlace.get(placeOf(name, 0));
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
