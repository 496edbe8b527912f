/**
 * The branches of a profile with the code of their methods. Counts are assigned to outcomes entry by entry, by the BCIs
 * of the targets: the compiler's numbering differs from context to context.
 */

import { IntTable } from '../../base/hash.js';
import type { ClassSet } from '../../code/java/class-path/class-set.js';
import type { BranchEvents } from '../../models/events/branch.js';
import { forEachSite } from '../../models/events/counted.js';
import type { Profile, StackId } from '../../models/profile/profile.js';
import type { FunctionId, LocationId, Program } from '../../models/program/program.js';
import { type BranchCode, branchAt, loopCheck, waysTaken } from './branch-code.js';
import type { WeightedFinding } from './fit.js';
import { addTrips, type LoopShape, loopShape, type Trips } from './loop-trips.js';
import { type Finding, isFinding, type MethodCode, ProgramCode } from './method-code.js';
import { type SiteGroup, type Target, targetsOf } from './sites.js';

/** One entry of the file: its targets by the compiler's index, and the outcome of each (-1 if unknown). */
interface Entry {
  readonly targets: readonly Target[];
  readonly ways: readonly number[] | Finding;
  readonly executed: number;
}

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
  /** Iterations per entry of its loop, if the branch can leave the loop and all branches that leave it were counted. */
  readonly iterations: number | null;
  readonly findings: readonly WeightedFinding[];
}

export class PlacedBranches {
  readonly #program: Program;
  readonly #profile: Profile;
  readonly #code: ProgramCode;
  readonly #places = new Map<LocationId, BranchCode | Finding>();
  readonly #shapes = new Map<MethodCode, Map<number, LoopShape | undefined>>();
  /** By the first row of an entry. */
  readonly #entries = new Map<number, Entry>();
  /** (parent stack or -1, function) → counts of each outcome by BCI; undefined if not all are known. */
  readonly #contexts = new IntTable();
  readonly #counts: Map<number, number[] | undefined>[] = [];
  readonly #events: BranchEvents;

  /** `only`: the functions whose branches are needed; all by default. */
  constructor(
    classes: ClassSet,
    program: Program,
    profile: Profile,
    events: BranchEvents,
    only?: ReadonlySet<FunctionId>,
  ) {
    this.#program = program;
    this.#profile = profile;
    this.#events = events;
    this.#code = new ProgramCode(classes, program);
    const { location } = profile.stacks;
    forEachSite(events, (_site, stack, from, to) => {
      if (only?.has(program.locations.function[location[stack]]) !== false) this.#addEntry(stack, from, to);
    });
  }

  #addEntry(stack: StackId, from: number, to: number): void {
    const location = this.#profile.stacks.location[stack];
    const branch = this.#branchAt(location);
    const targets = targetsOf(
      this.#events,
      Array.from({ length: to - from }, (_, i) => from + i),
    );
    const executed = targets.reduce((sum, { count }) => sum + count, 0);
    const ways = isFinding(branch)
      ? branch
      : waysTaken(
          branch,
          targets.map(({ bci }) => bci),
        );
    this.#entries.set(from, { targets, ways, executed });
    if (isFinding(branch)) return;
    const context = this.#contextOf(stack);
    this.#counts[context] ??= new Map();
    const known = this.#counts[context];
    const { bci } = branch.instruction;
    if (isFinding(ways) || ways.includes(-1) || (known.has(bci) && known.get(bci) === undefined)) {
      known.set(bci, undefined);
      return;
    }
    const counts = known.get(bci) ?? branch.ways.map(() => 0);
    for (const [place, way] of ways.entries()) counts[way] += targets[place].count;
    known.set(bci, counts);
  }

  #branchAt(location: LocationId): BranchCode | Finding {
    let branch = this.#places.get(location);
    if (branch === undefined) {
      branch = branchAt(this.#code, this.#program, location);
      this.#places.set(location, branch);
    }
    return branch;
  }

  #contextOf(stack: StackId): number {
    const { parent, location } = this.#profile.stacks;
    return this.#contexts.add(parent[stack], this.#program.locations.function[location[stack]]);
  }

  /** Whether the entry that begins with a row is in the code, with all its outcomes. */
  fits(row: number): boolean {
    const entry = this.#entries.get(row);
    return entry === undefined || !isFinding(entry.ways);
  }

  /** The entries of a group, combined at their branch. */
  of(group: SiteGroup): PlacedBranch {
    const branch = this.#branchAt(group.location);
    const ways = new Map<string, CountedWay>();
    const findings: WeightedFinding[] = [];
    for (const row of group.rows) {
      const entry = this.#entries.get(row);
      if (entry === undefined) continue;
      if (isFinding(entry.ways)) findings.push({ finding: entry.ways, weight: entry.executed });
      for (const [place, { index, bci, count }] of entry.targets.entries()) {
        const way = isFinding(entry.ways) ? -1 : entry.ways[place];
        const key = way >= 0 ? String(way) : bci >= 0 ? `at ${bci}` : `#${index}`;
        const known = ways.get(key);
        if (known === undefined) ways.set(key, { way, recorded: new Set([bci]), count });
        else {
          known.count += count;
          known.recorded.add(bci);
        }
      }
    }
    const last = isFinding(branch) ? 0 : branch.ways.length;
    const order = (way: number): number => (way < 0 ? last : way);
    return {
      branch: isFinding(branch) ? undefined : branch,
      ways: [...ways.values()].sort((a, b) => order(a.way) - order(b.way)),
      iterations: isFinding(branch) ? null : this.#iterations(branch, group),
      findings,
    };
  }

  #iterations(branch: BranchCode, group: SiteGroup): number | null {
    if (!branch.ways.some((way) => way.leaves)) return null;
    const shape = this.#shapeOf(branch);
    if (shape === undefined) return null;
    const trips: Trips = { iterations: 0, entries: 0 };
    for (const context of new Set(group.stacks.map((stack) => this.#contextOf(stack))))
      addTrips(trips, shape, (bci) => this.#counts[context]?.get(bci));
    return trips.entries === 0 ? null : trips.iterations / trips.entries;
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
