/**
 * The branches of a profile with the code of their methods. Counts are assigned to outcomes entry by entry, by the BCIs
 * of the targets: the compiler's numbering differs from context to context.
 *
 * Each place is looked up once. Memory: 20 bytes a target, 4 bytes a place of the program.
 */
import { Float64Builder, Int32Builder } from '../../base/columns/columns.js';
import { IntTable } from '../../base/columns/hash.js';
import { type GroupMembers, membersIn, membersOf } from '../../base/columns/lists.js';
import { NONE } from '../../base/flavor.js';
import { share } from '../../base/share.js';
import type { ClassSet } from '../../code/java/class-path/class-set.js';
import type { BranchEvents } from '../../models/events/branch.js';
import type { Profile, StackId } from '../../models/profile/profile.js';
import { bciOf } from '../../models/program/places.js';
import type { FunctionId, LocationId, Program } from '../../models/program/program.js';
import { type BranchCode, loopCheck, ProgramBranches, waysTaken } from './branch-code.js';
import { FewTargets, targetsByIndex } from './branch-targets.js';
import type { WeightedFinding } from './fit.js';
import { addTrips, type LoopShape, loopShape, type Trips } from './loop-trips.js';
import { isFinding, type MethodCode, ProgramCode, type SiteFinding } from './method-code.js';
import { rowsIn, type SiteGroups } from './sites.js';

/** An outcome of a branch, or a target without a known outcome, with its counts. */
export interface CountedWay {
  /** Index of the outcome, -1 if unknown. */
  readonly way: number;
  /** The BCIs of the outcome in the file. */
  readonly recorded: Set<number>;
  count: number;
}

export interface PlacedBranch {
  readonly branch: BranchCode | undefined;
  readonly ways: readonly CountedWay[];
  readonly findings: readonly WeightedFinding[];
}

/** A branch of the code, and the targets of the last entry with their outcomes: most entries have those of the one before. */
interface KnownBranch {
  readonly branch: BranchCode | SiteFinding;
  targets: readonly number[];
  ways: readonly number[] | SiteFinding;
}

const NO_FINDINGS: readonly WeightedFinding[] = [];

export class PlacedBranches {
  readonly #program: Program;
  readonly #profile: Profile;
  readonly #branches: ProgramBranches;
  readonly #groups: SiteGroups;
  readonly #known: KnownBranch[] = [];
  /** By place: 1 + its number in `#known`; 0: it was not looked up. */
  readonly #places: Int32Array;
  /** By entry: its targets are `start[entry]` up to `start[entry + 1] - 1`; none for functions that are not needed. */
  readonly #start: Int32Array;
  readonly #index = new Int32Builder();
  readonly #bci = new Int32Builder();
  readonly #count = new Float64Builder();
  /** By target: its outcome, -1 if unknown. */
  readonly #way = new Int32Builder();
  /** By entry: why its targets are not those of its branch, if the code has that. */
  readonly #misfits = new Map<number, SiteFinding>();
  readonly #shapes = new Map<MethodCode, Map<number, LoopShape | undefined>>();
  #contexts: Contexts | undefined;

  /** `only`: the functions whose branches are needed; all by default. */
  constructor(
    classes: ClassSet,
    program: Program,
    profile: Profile,
    events: BranchEvents,
    groups: SiteGroups,
    only?: ReadonlySet<FunctionId>,
  ) {
    this.#program = program;
    this.#profile = profile;
    this.#groups = groups;
    this.#branches = new ProgramBranches(new ProgramCode(classes, program), program);
    this.#places = new Int32Array(program.locations.length);
    const { length, stack } = groups.entries;
    const { location } = profile.stacks;
    this.#start = new Int32Array(length + 1);
    const few = new FewTargets(events);
    for (let entry = 0; entry < length; entry++) {
      const place = location[stack[entry]];
      if (only?.has(program.locations.function[place]) !== false) this.#addEntry(events, few, place, entry);
      this.#start[entry + 1] = this.#way.length;
    }
  }

  #addEntry(events: BranchEvents, few: FewTargets, location: LocationId, entry: number): void {
    const { entries } = this.#groups;
    const first = this.#way.length;
    few.length = 0;
    if (few.add(entries.from[entry], entries.from[entry + 1])) {
      few.sort();
      for (let at = 0; at < few.length; at++) this.#addTarget(few.index[at], few.bci[at], few.count[at]);
    } else
      for (const { index, bci, count } of targetsByIndex(events, rowsIn(entries, Int32Array.of(entry))))
        this.#addTarget(index, bci, count);
    const known = this.#knownAt(location);
    if (isFinding(known.branch)) return;
    const ways = this.#waysOf(known, known.branch, first);
    if (isFinding(ways)) this.#misfits.set(entry, ways);
    else for (let at = 0; at < ways.length; at++) this.#way.values[first + at] = ways[at];
  }

  #addTarget(index: number, bci: number, count: number): void {
    this.#index.push(index);
    this.#bci.push(bci);
    this.#count.push(count);
    this.#way.push(NONE);
  }

  /** The outcomes of the targets from `first` on, or why they are not those of the branch. */
  #waysOf(known: KnownBranch, branch: BranchCode, first: number): readonly number[] | SiteFinding {
    const { targets } = known;
    const bcis = this.#bci.values;
    const length = this.#bci.length - first;
    let same = targets.length === length;
    for (let at = 0; same && at < length; at++) same = bcis[first + at] === targets[at];
    if (!same) {
      known.targets = [...bcis.subarray(first, first + length)];
      known.ways = waysTaken(branch, known.targets);
    }
    return known.ways;
  }

  #knownAt(location: LocationId): KnownBranch {
    if (this.#places[location] === 0) {
      const branch = this.#branches.at(location);
      this.#places[location] = this.#known.push({ branch, targets: [], ways: [] });
    }
    return this.#known[this.#places[location] - 1];
  }

  /** The branch of a group; undefined if it is not in the code. */
  branchOf(group: number): BranchCode | undefined {
    const { branch } = this.#knownAt(this.#groups.location[group]);
    return isFinding(branch) ? undefined : branch;
  }

  /** Whether an entry is in the code, with all its outcomes. */
  fits(entry: number): boolean {
    return this.#findingOf(entry) === undefined;
  }

  #findingOf(entry: number): SiteFinding | undefined {
    const { branch } = this.#knownAt(this.#profile.stacks.location[this.#groups.entries.stack[entry]]);
    return isFinding(branch) ? branch : this.#misfits.get(entry);
  }

  /** Why entries of a group are not in the code. */
  findingsOf(group: number): readonly WeightedFinding[] {
    return this.#findingsIn(membersIn(this.#groups, group));
  }

  #findingsIn(entries: Int32Array): readonly WeightedFinding[] {
    let findings: WeightedFinding[] | undefined;
    for (const entry of entries) {
      const finding = this.#findingOf(entry);
      if (finding === undefined) continue;
      let weight = 0;
      for (let at = this.#start[entry]; at < this.#start[entry + 1]; at++) weight += this.#count.values[at];
      findings ??= [];
      findings.push({ finding, weight });
    }
    return findings ?? NO_FINDINGS;
  }

  /** Share of the most frequent outcome of each group; NaN if none was taken. */
  biases(): Float64Array {
    const biases = new Float64Array(this.#groups.length);
    for (let group = 0; group < biases.length; group++) biases[group] = this.#biasOf(group) ?? Number.NaN;
    return biases;
  }

  #biasOf(group: number): number | null {
    const { start, members } = this.#groups;
    const known: number[] = [];
    const others = new Map<number, number>();
    for (let i = start[group]; i < start[group + 1]; i++)
      for (let at = this.#start[members[i]]; at < this.#start[members[i] + 1]; at++) {
        const [way, bci, count] = [this.#way.values[at], this.#bci.values[at], this.#count.values[at]];
        const key = bci >= 0 ? 2 * bci : 2 * this.#index.values[at] + 1;
        if (way >= 0) known[way] = (known[way] ?? 0) + count;
        else others.set(key, (others.get(key) ?? 0) + count);
      }
    let most = 0;
    let all = 0;
    const add = (count: number): void => {
      most = Math.max(most, count);
      all += count;
    };
    // Skips the outcomes without a target.
    known.forEach(add);
    others.forEach(add);
    return share(most, all);
  }

  /** A group of entries, combined at their branch; by default all of it. */
  of(group: number, entries: Int32Array = membersIn(this.#groups, group)): PlacedBranch {
    const branch = this.branchOf(group);
    return {
      branch,
      ways: this.#countedWays(branch, entries),
      findings: this.#findingsIn(entries),
    };
  }

  #countedWays(branch: BranchCode | undefined, entries: Int32Array): CountedWay[] {
    const ways = new Map<string, CountedWay>();
    for (const entry of entries)
      for (let at = this.#start[entry]; at < this.#start[entry + 1]; at++) {
        const [way, bci, count] = [this.#way.values[at], this.#bci.values[at], this.#count.values[at]];
        const key = way >= 0 ? String(way) : bci >= 0 ? `at ${bci}` : `#${this.#index.values[at]}`;
        const known = ways.get(key);
        if (known === undefined) ways.set(key, { way, recorded: new Set([bci]), count });
        else {
          known.count += count;
          known.recorded.add(bci);
        }
      }
    const last = branch?.ways.length ?? 0;
    const order = (way: number): number => (way < 0 ? last : way);
    return [...ways.values()].sort((a, b) => order(a.way) - order(b.way));
  }

  /** Iterations per entry of its loop, if the branch of a group can leave it and all that leave it were counted; else null. */
  iterationsOf(group: number): number | null {
    const branch = this.branchOf(group);
    const shape = branch?.ways.some((way) => way.leaves) === true ? this.#shapeOf(branch) : undefined;
    if (shape === undefined) return null;
    this.#contexts ??= new Contexts(this.#profile, this.#program, this.#groups);
    const trips: Trips = { iterations: 0, entries: 0 };
    for (const context of this.#contexts.of(membersIn(this.#groups, group))) {
      const entries = this.#contexts.entriesIn(context);
      addTrips(trips, shape, (bci) => this.#wayCounts(entries, bci));
    }
    return trips.entries === 0 ? null : trips.iterations / trips.entries;
  }

  /** Counts of each outcome of the branch at a BCI in one context; undefined if it has none, or one is unknown. */
  #wayCounts(entries: Int32Array, bci: number): number[] | undefined {
    let counts: number[] | undefined;
    for (const entry of entries) {
      const location = this.#profile.stacks.location[this.#groups.entries.stack[entry]];
      const { branch } = this.#knownAt(location);
      if (isFinding(branch) || bciOf(this.#program, location) !== bci) continue;
      if (this.#misfits.has(entry)) return undefined;
      counts ??= branch.ways.map(() => 0);
      for (let at = this.#start[entry]; at < this.#start[entry + 1]; at++) {
        const way = this.#way.values[at];
        if (way < 0) return undefined;
        counts[way] += this.#count.values[at];
      }
    }
    return counts;
  }

  #shapeOf({ method, loop }: BranchCode): LoopShape | undefined {
    let shapes = this.#shapes.get(method);
    if (shapes === undefined) {
      shapes = new Map();
      this.#shapes.set(method, shapes);
    }
    if (!shapes.has(loop))
      shapes.set(
        loop,
        loopShape(method.flow, loop, (block) => loopCheck(method, loop, block) === 'head'),
      );
    return shapes.get(loop);
  }
}

/** The entries of each context of a method: of stacks that differ only in the leaf's BCI. */
class Contexts {
  readonly #contextOf: Int32Array;
  readonly #members: GroupMembers;

  constructor({ stacks }: Profile, { locations }: Program, { entries }: SiteGroups) {
    const keys = new IntTable(entries.length);
    this.#contextOf = new Int32Array(entries.length);
    for (let entry = 0; entry < entries.length; entry++) {
      const stack: StackId = entries.stack[entry];
      this.#contextOf[entry] = keys.add(stacks.parent[stack], locations.function[stacks.location[stack]]);
    }
    this.#members = membersOf(this.#contextOf, keys.length);
  }

  /** The contexts of some entries, each once. */
  of(entries: Int32Array): ReadonlySet<number> {
    const contexts = new Set<number>();
    for (const entry of entries) contexts.add(this.#contextOf[entry]);
    return contexts;
  }

  entriesIn(context: number): Int32Array {
    return membersIn(this.#members, context);
  }
}
