/**
 * The counts of a PGO profile at single instructions: branch outcomes, receiver classes of calls and type checks,
 * inlined methods, calls of a method. Contexts are folded.
 */
import { targetsOf } from '../../analysis/places/branch-targets.js';
import { callAt, checkAt, noCallAt } from '../../analysis/places/call-code.js';
import { fitOf, type ProfileFit, type WeightedFinding } from '../../analysis/places/fit.js';
import { isFinding, ProgramCode, type SiteFinding } from '../../analysis/places/method-code.js';
import { type PlacedBranch, PlacedBranches } from '../../analysis/places/placed-branches.js';
import { RECEIVER_KINDS, type ReceiverKind } from '../../analysis/places/placed-receivers.js';
import { rowsIn, type SiteGroups, siteGroups } from '../../analysis/places/sites.js';
import { membersIn } from '../../base/columns/lists.js';
import { rowsWhere } from '../../base/columns/marks.js';
import { share } from '../../base/share.js';
import type { ClassSet } from '../../code/java/class-path/class-set.js';
import { BRANCH_EVENTS } from '../../models/events/branch.js';
import { CALL_EVENTS } from '../../models/events/call.js';
import type { Profile } from '../../models/profile/profile.js';
import { className, functionSignature, locationName } from '../../models/program/names.js';
import { bciOf } from '../../models/program/places.js';
import { bciName, type FunctionId, type LocationId, type Program } from '../../models/program/program.js';
import { placedParts } from '../pgo/branch-ways.js';

export interface ObservedPart {
  readonly name: string;
  readonly count: number;
  readonly share: number | null;
}

export interface Observed {
  readonly function: FunctionId;
  /** A place in the function; `bci` may be another place. */
  readonly location: LocationId;
  readonly bci: number;
  /** Executions of the instruction, by these counts. */
  readonly executed: number;
  readonly parts: readonly ObservedPart[];
}

/** Counts of one kind at one place, with the reason if they do not fit the code. */
interface Counted extends Observed {
  readonly kind: 'branch' | 'virtual call' | 'type check' | 'call';
  readonly finding?: SiteFinding;
}

export interface ObservedCounts {
  /**
   * Counts that fit the code, or all without classes; for several kinds at one instruction, the kind with the most
   * executions.
   */
  readonly placed: readonly Observed[];
  /** Counts that do not fit, each part marked as such. */
  readonly strays: readonly Observed[];
  /** How many of the counts in the functions fit the code. */
  readonly fit: (functions: ReadonlySet<FunctionId>) => ProfileFit;
}

const NO_SITES = { length: 0, name: () => '', weight: () => 0, findings: () => [] };

export const NOTHING_OBSERVED: ObservedCounts = { placed: [], strays: [], fit: () => fitOf(NO_SITES) };

/** The counts in the functions. */
export function observedIn(
  profile: Profile,
  program: Program,
  functions: ReadonlySet<FunctionId>,
  classes: ClassSet | undefined,
): ObservedCounts {
  const observedPlaces = new Map<string, Observed>();
  const code = classes && new ProgramCode(classes, program);
  const all = [
    ...branchesIn(profile, program, functions, classes),
    ...metIn(profile, program, functions, 'virtual', code),
    ...metIn(profile, program, functions, 'instanceof', code),
    ...callsIn(profile, program, functions, code),
  ];
  for (const one of all.filter(({ finding }) => finding === undefined)) {
    const key = `${one.function}:${one.bci}`;
    const earlier = observedPlaces.get(key);
    observedPlaces.set(key, earlier === undefined ? one : { ...earlier, parts: [...earlier.parts, ...one.parts] });
  }
  return {
    placed: [...observedPlaces.values()],
    strays: all.flatMap((one) => (one.finding === undefined ? [] : marked(one, one.finding))),
    fit: (functionIds) => fitIn(program, all, functionIds),
  };
}

function marked({ kind, parts, ...one }: Counted, { reason }: SiteFinding): Observed {
  const mark = reason === 'other instruction' ? `not a ${kind}` : reason;
  return { ...one, parts: parts.map((part) => ({ ...part, name: `${mark}: ${part.name}` })) };
}

/** One site for each place and kind: the fitting and the other outcomes of a branch are parts of one. */
function fitIn(program: Program, all: readonly Counted[], functionIds: ReadonlySet<FunctionId>): ProfileFit {
  const sites = new Map<string, { location: LocationId; weight: number; findings: WeightedFinding[] }>();
  for (const { function: functionId, location, kind, executed, finding } of all) {
    if (!functionIds.has(functionId)) continue;
    const key = `${location} ${kind}`;
    const site = sites.get(key) ?? { location, weight: 0, findings: [] };
    site.weight += executed;
    if (finding !== undefined) site.findings.push({ finding, weight: executed });
    sites.set(key, site);
  }
  const list = [...sites.values()];
  return fitOf({
    length: list.length,
    name: (i) => locationName(program, list[i].location),
    weight: (i) => list[i].weight,
    findings: (i) => list[i].findings,
  });
}

/** The groups of entries in the functions. */
function groupsIn(groups: SiteGroups, program: Program, functions: ReadonlySet<FunctionId>) {
  const { locations } = program;
  const groupRows = rowsWhere(groups.length, (group) => functions.has(locations.function[groups.location[group]]));
  return Array.from(groupRows, (group) => {
    const location: LocationId = groups.location[group];
    return { group, location, function: locations.function[location], bci: bciOf(program, location) };
  });
}

function branchesIn(
  profile: Profile,
  program: Program,
  functions: ReadonlySet<FunctionId>,
  classes: ClassSet | undefined,
): Counted[] {
  const events = BRANCH_EVENTS.of(profile);
  if (events === undefined) return [];
  const groups = siteGroups(profile, events, true);
  const placed = classes && new PlacedBranches(classes, program, profile, events, groups, functions);
  return groupsIn(groups, program, functions).flatMap(({ group, ...place }): Counted[] => {
    const entries = membersIn(groups, group);
    if (placed !== undefined) {
      const fitting = entries.filter((entry) => placed.fits(entry));
      const others = entries.filter((entry) => !placed.fits(entry));
      return [fitting, others].flatMap((some) => placedIn(placed.of(group, some), place));
    }
    const targets = targetsOf(events, groups, entries);
    const executed = targets.reduce((sum, { count }) => sum + count, 0);
    const parts = targets.map(({ bci, count }) => ({
      name: `to ${bciName(bci)}`,
      count,
      share: share(count, executed),
    }));
    return [{ ...place, kind: 'branch', executed, parts }];
  });
}

/** The entries of a branch that fit its code, or those that do not; nothing if there are none. */
function placedIn(branch: PlacedBranch, place: Pick<Counted, 'location' | 'function' | 'bci'>): Counted[] {
  if (branch.ways.length === 0) return [];
  const executed = branch.ways.reduce((sum, { count }) => sum + count, 0);
  const finding = branch.findings[0]?.finding;
  const parts = placedParts(branch, executed);
  return [{ ...place, kind: 'branch', executed, parts, ...(finding && { finding }) }];
}

/** Receiver classes of calls or type checks. */
function metIn(
  profile: Profile,
  program: Program,
  functions: ReadonlySet<FunctionId>,
  receiverKind: ReceiverKind,
  code: ProgramCode | undefined,
): Counted[] {
  const events = RECEIVER_KINDS[receiverKind].of(profile);
  if (events === undefined) return [];
  const { type, count } = events;
  const groups = siteGroups(profile, events, true);
  return groupsIn(groups, program, functions).map(({ group, ...place }) => {
    const counts = new Map<number, number>();
    for (const row of rowsIn(groups.entries, membersIn(groups, group)))
      counts.set(type[row], (counts.get(type[row]) ?? 0) + count[row]);
    const executed = [...counts.values()].reduce((sum, one) => sum + one, 0);
    const most = [...counts].sort(([, a], [, b]) => b - a);
    const parts = most.map(([id, one]) => ({ name: className(program, id), count: one, share: share(one, executed) }));
    const kind = receiverKind === 'virtual' ? 'virtual call' : 'type check';
    const codePlace = code && (receiverKind === 'virtual' ? callAt : checkAt)(code, program, place.location);
    const finding = codePlace && isFinding(codePlace) ? codePlace : undefined;
    return { ...place, kind, executed, parts, ...(finding && { finding }) };
  });
}

/** Calls of the functions themselves (at BCI 0), and of methods inlined into them, at the BCI of the call. */
function callsIn(
  profile: Profile,
  program: Program,
  functions: ReadonlySet<FunctionId>,
  code: ProgramCode | undefined,
): Counted[] {
  const calls = CALL_EVENTS.of(profile);
  if (calls === undefined) return [];
  const { stacks } = profile;
  const { locations } = program;
  const { length, stack, count } = calls;
  const called = new Map<LocationId, number>();
  const inlined = new Map<LocationId, Map<string, number>>();
  for (let row = 0; row < length; row++) {
    const location = stacks.location[stack[row]];
    const callee = locations.function[location];
    if (functions.has(callee)) called.set(location, (called.get(location) ?? 0) + count[row]);
    const parent = stacks.parent[stack[row]];
    if (parent < 0 || !functions.has(locations.function[stacks.location[parent]])) continue;
    const place = stacks.location[parent];
    const callees = inlined.get(place) ?? new Map<string, number>();
    inlined.set(place, callees);
    const name = functionSignature(program, callee);
    callees.set(name, (callees.get(name) ?? 0) + count[row]);
  }
  return [...calledCounts(program, called, code), ...inlinedCounts(program, inlined, code)];
}

/** Calls of the functions, at index 0. */
function calledCounts(
  { locations }: Program,
  called: ReadonlyMap<LocationId, number>,
  code: ProgramCode | undefined,
): Counted[] {
  const sums = new Map<FunctionId, Counted>();
  for (const [location, count] of called) {
    const functionId = locations.function[location];
    const functionCode = code?.of(functionId);
    // A native method can be called although it has no code.
    const finding =
      functionCode && isFinding(functionCode) && functionCode.reason !== 'no bytecode' ? functionCode : undefined;
    const executed = (sums.get(functionId)?.executed ?? 0) + count;
    const parts = [{ name: 'called', count: executed, share: null }];
    sums.set(functionId, {
      function: functionId,
      bci: 0,
      location,
      kind: 'call',
      executed,
      parts,
      ...(finding && { finding }),
    });
  }
  return [...sums.values()];
}

/** The methods inlined into the functions, at their calls. */
function inlinedCounts(
  program: Program,
  inlined: ReadonlyMap<LocationId, ReadonlyMap<string, number>>,
  code: ProgramCode | undefined,
): Counted[] {
  const { locations } = program;
  return [...inlined].map(([location, calls]) => {
    const parts = [...calls].map(([name, count]) => ({ name: `inlined ${name}`, count, share: null }));
    const executed = parts.reduce((sum, { count }) => sum + count, 0);
    const finding = code && noCallAt(code, program, location);
    const place = { function: locations.function[location], bci: bciOf(program, location), location };
    return { ...place, kind: 'call', executed, parts, ...(finding && { finding }) };
  });
}
