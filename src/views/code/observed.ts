/**
 * What a PGO profile counted at single instructions: which way branches went, which classes calls and type checks met,
 * what was inlined, how often a method was called. Contexts are folded.
 */
import type { ClassSet } from '../../code/java/class-set.js';
import { eventTable, type Profile } from '../../models/profile/profile.js';
import { className, functionSignature } from '../../models/program/names.js';
import { bciName, type FunctionId, type Program } from '../../models/program/program.js';
import { column, type Table } from '../../models/table.js';
import { codedParts } from '../pgo/branch-ways.js';
import { CodedBranches } from '../pgo/coded-branches.js';
import { siteGroups, targetsOf } from '../pgo/sites.js';
import { share } from '../view.js';

export interface ObservedPart {
  readonly name: string;
  readonly count: number;
  readonly share: number | null;
}

export interface Observed {
  readonly function: FunctionId;
  readonly bci: number;
  /** Times the instruction ran, as far as this tells. */
  readonly executed: number;
  readonly parts: readonly ObservedPart[];
}

/** What was counted in the functions; of one instruction that which tells most of it. */
export function observedIn(
  profile: Profile,
  program: Program,
  functions: ReadonlySet<FunctionId>,
  classes: ClassSet | undefined,
): Observed[] {
  const found = new Map<string, Observed>();
  const all = [
    ...branchesIn(profile, program, functions, classes),
    ...metIn(profile, program, functions, 'receiver'),
    ...metIn(profile, program, functions, 'instanceof'),
    ...callsIn(profile, program, functions),
  ];
  for (const one of all) {
    const key = `${one.function}:${one.bci}`;
    const known = found.get(key);
    found.set(key, known === undefined ? one : { ...known, parts: [...known.parts, ...one.parts] });
  }
  return [...found.values()];
}

function groupsIn(profile: Profile, program: Program, functions: ReadonlySet<FunctionId>, table: Table) {
  const { locations } = program;
  return siteGroups(profile, table, true)
    .filter((group) => functions.has(locations.function[group.location]))
    .map((group) => ({ group, function: locations.function[group.location], bci: locations.bci[group.location] }));
}

function branchesIn(
  profile: Profile,
  program: Program,
  functions: ReadonlySet<FunctionId>,
  classes: ClassSet | undefined,
): Observed[] {
  const table = eventTable(profile, 'branch');
  if (table === undefined) return [];
  const coded = classes && new CodedBranches(classes, program, profile, table, functions);
  return groupsIn(profile, program, functions, table).map(({ group, ...place }) => {
    const targets = targetsOf(table, group.rows);
    const executed = targets.reduce((sum, { count }) => sum + count, 0);
    const parts =
      coded === undefined
        ? targets.map(({ bci, count }) => ({ name: `to ${bciName(bci)}`, count, share: share(count, executed) }))
        : codedParts(coded.of(group), executed);
    return { ...place, executed, parts };
  });
}

/** Classes met by calls or type checks. */
function metIn(profile: Profile, program: Program, functions: ReadonlySet<FunctionId>, kind: string): Observed[] {
  const table = eventTable(profile, kind);
  if (table === undefined) return [];
  const type = column(table, 'type');
  const count = column(table, 'count');
  return groupsIn(profile, program, functions, table).map(({ group, ...place }) => {
    const counts = new Map<number, number>();
    for (const row of group.rows) counts.set(type[row], (counts.get(type[row]) ?? 0) + count[row]);
    const executed = [...counts.values()].reduce((sum, one) => sum + one, 0);
    const most = [...counts].sort(([, a], [, b]) => b - a);
    const parts = most.map(([id, one]) => ({ name: className(program, id), count: one, share: share(one, executed) }));
    return { ...place, executed, parts };
  });
}

/** Calls of the functions themselves (at BCI 0), and what was inlined into them, at the BCI of its call. */
function callsIn(profile: Profile, program: Program, functions: ReadonlySet<FunctionId>): Observed[] {
  const table = eventTable(profile, 'call');
  if (table === undefined) return [];
  const { stacks } = profile;
  const { locations } = program;
  const stack = column(table, 'stack');
  const count = column(table, 'count');
  const places = new Map<string, CallsAt>();
  const at = (id: FunctionId, bci: number): CallsAt => {
    const key = `${id}:${bci}`;
    const known = places.get(key) ?? { function: id, bci, called: 0, inlined: new Map<string, number>() };
    places.set(key, known);
    return known;
  };
  for (let row = 0; row < table.length; row++) {
    const callee = locations.function[stacks.location[stack[row]]];
    if (functions.has(callee)) at(callee, 0).called += count[row];
    const parent = stacks.parent[stack[row]];
    if (parent < 0 || !functions.has(locations.function[stacks.location[parent]])) continue;
    const place = stacks.location[parent];
    const { inlined } = at(locations.function[place], locations.bci[place]);
    const name = functionSignature(program, callee);
    inlined.set(name, (inlined.get(name) ?? 0) + count[row]);
  }
  return [...places.values()].map(({ called, inlined, ...place }) => {
    const own = called === 0 ? [] : [{ name: 'called', count: called, share: null }];
    const parts = [...inlined].map(([name, calls]) => ({ name: `inlined ${name}`, count: calls, share: null }));
    const executed = called === 0 ? parts.reduce((sum, one) => sum + one.count, 0) : called;
    return { ...place, executed, parts: [...own, ...parts] };
  });
}

interface CallsAt {
  readonly function: FunctionId;
  readonly bci: number;
  called: number;
  readonly inlined: Map<string, number>;
}
