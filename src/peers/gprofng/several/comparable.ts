/**
 * Which functions of different groups of experiments are compared: those of one name in the same load object, of several those in the same source file.
 * Executables of groups with one process each are the same object, other objects where their file names are.
 */
import { stringAt } from '../../../base/text.js';
import { LOAD_OBJECT_KINDS } from '../../../models/program/program.js';
import { plainPath } from '../../../session/together/marked-path.js';
import { baseName } from '../code/model.js';
import type { Experiment, PrintedProcess } from '../peer/experiment.js';
import { programOf } from '../peer/process-names.js';

const EXECUTABLE = '<executable>';

/** The experiment whose comparable functions are one: the first of them. */
export function comparableExperiment(experiment: Experiment): Experiment {
  const { program } = experiment;
  const first = firstComparable(experiment);
  const members = new Map<number, number[]>();
  for (const [id, to] of first.entries()) if (to !== id) members.set(to, [...(members.get(to) ?? [to]), id]);
  const functionOf = program.locations.function;
  const merged = functionOf.map((id) => first[id] ?? id);
  return {
    ...experiment,
    compared: { members, functionOf, ...comparableProcesses(experiment.processes) },
    program: { ...program, locations: { ...program.locations, function: merged } },
  };
}

/** Processes of one program at one place of the lineage of their experiments are compared. By id of the first: all; by id of each: the first. */
function comparableProcesses(all: readonly PrintedProcess[]): {
  readonly processes: ReadonlyMap<number, readonly PrintedProcess[]>;
  readonly processOf: ReadonlyMap<number, number>;
} {
  const processes = new Map<number, PrintedProcess[]>();
  const processOf = new Map<number, number>();
  for (const process of all) {
    const match = [...processes.values()].find(
      ([first, ...others]) =>
        first?.prefix === process.prefix &&
        programOf(first) === programOf(process) &&
        [first, ...others].every(({ group }) => group !== process.group),
    );
    const id = match?.[0]?.id ?? process.id;
    processes.set(id, [...(match ?? []), process]);
    processOf.set(process.id, id);
  }
  return { processes, processOf };
}

/** The id of a process, of those that are compared the one of the first. */
export function comparableId({ compared }: Pick<Experiment, 'compared'>, { id }: Pick<PrintedProcess, 'id'>): number {
  return compared?.processOf.get(id) ?? id;
}

/** By function, the first of those that it is compared with. */
function firstComparable(experiment: Experiment): Int32Array {
  const { functions } = experiment;
  const groups = groupsOfObjects(experiment);
  const nameOf = objectNames(experiment);
  /** By what functions have in common, those that were found, with the groups that they are in. */
  const sets = new Map<string, { readonly first: number; readonly source: string; readonly groups: Set<number> }[]>();
  return Int32Array.from({ length: functions.length }, (_, id) => {
    const entry = functions[id];
    const ownGroups = entry && groups.get(entry.object);
    if (entry === undefined || ownGroups === undefined) return id;
    const key = JSON.stringify([nameOf(entry.object), entry.name.replaceAll(' ', '')]);
    const source = baseName(entry.source);
    const sameName = sets.get(key) ?? [];
    sets.set(key, sameName);
    // Functions of one group are different ones, whatever their names are.
    const candidates = sameName.filter((each) => [...ownGroups].every((group) => !each.groups.has(group)));
    const match = candidates.find((each) => each.source === source) ?? candidates[0];
    if (match === undefined) sameName.push({ first: id, source, groups: new Set(ownGroups) });
    else for (const group of ownGroups) match.groups.add(group);
    return match?.first ?? id;
  });
}

/** By number of a load object, the groups that have it. */
function groupsOfObjects({ processes, objectsOfProcess }: Experiment): ReadonlyMap<number, ReadonlySet<number>> {
  const groups = new Map<number, Set<number>>();
  for (const [i, { group }] of processes.entries())
    for (const object of objectsOfProcess[i] ?? [])
      groups.set(object, (groups.get(object) ?? new Set<number>()).add(group));
  return groups;
}

/** What load objects are compared by. */
function objectNames({ program, objects, processes }: Experiment): (object: number) => string {
  const { loadObjects, names } = program;
  const isAlone = new Set(processes.map(({ group }) => group)).size === processes.length;
  const executables = new Set<string>();
  for (let id = 0; isAlone && id < (loadObjects?.length ?? 0); id++)
    if (loadObjects !== undefined && LOAD_OBJECT_KINDS[loadObjects.kind[id]] === 'executable')
      executables.add(stringAt(names, loadObjects.path[id]));
  const keys = new Map(
    objects.map(({ path, index }) => [index, executables.has(path) ? EXECUTABLE : baseName(plainPath(path))]),
  );
  return (object) => keys.get(object) ?? String(object);
}

const groupsByObjects = new WeakMap<Experiment['objectsOfProcess'], ReadonlyMap<number, ReadonlySet<number>>>();

/** The size of a function in each group while groups are compared. A group without it has 0. */
export function sizesByGroup(experiment: Experiment, id: number): readonly number[] | undefined {
  if (experiment.compared === undefined) return undefined;
  const members = experiment.compared.members.get(id) ?? [id];
  const groups = groupsByObjects.get(experiment.objectsOfProcess) ?? groupsOfObjects(experiment);
  groupsByObjects.set(experiment.objectsOfProcess, groups);
  const sizes: number[] = [];
  for (const { group } of experiment.processes)
    for (const member of members) {
      const { object = 0, size = 0 } = experiment.functions[member] ?? {};
      sizes[group] ??= 0;
      if (groups.get(object)?.has(group) === true) sizes[group] = size;
    }
  return sizes;
}
