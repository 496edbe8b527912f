/**
 * The counts of each method in a PGO profile, context by context. The contexts of a method are disjoint, and a count
 * missing in one may be present in another. O(rows); 40 bytes a context; objects only for a function that is asked for.
 */
import { IntTable } from '../../base/columns/hash.js';
import { type GroupMembers, membersIn, membersOf } from '../../base/columns/lists.js';
import { BRANCH_EVENTS, type BranchEvents } from '../../models/events/branch.js';
import { CALL_EVENTS } from '../../models/events/call.js';
import type { CountedRows } from '../../models/events/counted.js';
import { SAMPLE_EVENTS } from '../../models/events/sample.js';
import { COUNT, STACK } from '../../models/events/shared-fields.js';
import type { Profile } from '../../models/profile/profile.js';
import { bciOf } from '../../models/program/places.js';
import type { FunctionId, Program } from '../../models/program/program.js';
import { columnOf } from '../../models/table.js';

/**
 * The records of one outcome of a branch. Targets with the same index are one outcome (spec: those without a BCI share
 * it).
 */
export interface BranchRecord {
  /** Bytecode index of the target; negative if no record of the index has one. */
  target: number;
  count: number;
}

/** A method where it was inlined, or compiled on its own. */
export interface MethodContext {
  /** Undefined if the profile has other counts in the context, but no calls. */
  calls: number | undefined;
  /** Branches by BCI, their outcomes by index. */
  readonly branches: Map<number, Map<number, BranchRecord>>;
}

/** Whether a method ran. `zero`: all its counts are 0. `none`: it has no counts. */
const RAN = ['none', 'zero', 'ran'] as const;
export type Ran = (typeof RAN)[number];

export interface FunctionRuns {
  ran(id: FunctionId): Ran;
  /** By stack: 2 if it, or a stack below, has a count above 0; 1 if all counts are 0; 0 if it has none. */
  readonly seen: Uint8Array;
}

const NONE = 0;
const ZERO = 1;
const YES = 2;

/** Which functions of a profile ran. */
export function functionRuns(profile: Profile, program: Program): FunctionRuns {
  const { parent, location } = profile.stacks;
  const functionOf = (stack: number): FunctionId => program.locations.function[location[stack]];
  const ran = new Uint8Array(program.functions.length);
  const seen = new Uint8Array(parent.length);
  for (const table of profile.events) {
    const [stack, count] = [columnOf(table, STACK), columnOf(table, COUNT)];
    if (stack === undefined) continue;
    for (let row = 0; row < table.length; row++) {
      if (stack[row] < 0) continue;
      // An event without a count happened.
      const level = count === undefined || count[row] > 0 ? YES : ZERO;
      // A sampled stack is not a context: its positions are those of the image.
      if (table.kind !== SAMPLE_EVENTS.kind) seen[stack[row]] = Math.max(seen[stack[row]], level);
      else if (level === YES) for (let id = stack[row]; id >= 0; id = parent[id]) ran[functionOf(id)] = YES;
    }
  }
  for (let id = parent.length - 1; id >= 0; id--) {
    if (seen[id] === NONE) continue;
    const of = functionOf(id);
    ran[of] = Math.max(ran[of], seen[id]);
    // A count above 0 proves that the methods around it ran, too; a count of 0 proves nothing.
    if (parent[id] >= 0 && seen[id] === YES) seen[parent[id]] = YES;
  }
  return { ran: (id) => RAN[ran[id]] ?? 'none', seen };
}

/** The contexts of each function that was counted. Stacks that differ only in the leaf's BCI have the same context. */
export class MethodContexts {
  readonly #profile: Profile;
  readonly #program: Program;
  /** (parent, function): rows are contexts. */
  readonly #keys = new IntTable();
  /** By context: its calls; NaN if the profile does not count them. */
  readonly #calls: Float64Array;
  readonly #branches: BranchEvents | undefined;
  /** The contexts of each function; the rows of branches of each context. */
  readonly #ofFunction: GroupMembers;
  readonly #rows: GroupMembers;

  constructor(profile: Profile, program: Program, seen: Uint8Array) {
    this.#profile = profile;
    this.#program = program;
    for (let id = seen.length - 1; id >= 0; id--) if (seen[id] !== NONE) this.#add(id);
    const calls = CALL_EVENTS.of(profile);
    const called = this.#contextsOf(calls);
    this.#branches = BRANCH_EVENTS.of(profile);
    const branched = this.#contextsOf(this.#branches);
    this.#calls = new Float64Array(this.#keys.length).fill(Number.NaN);
    for (let row = 0; row < called.length; row++) {
      const context = called[row];
      if (context >= 0) this.#calls[context] = orZero(this.#calls[context]) + (calls?.count[row] ?? 0);
    }
    this.#ofFunction = membersOf(this.#keys.column(1), program.functions.length);
    this.#rows = membersOf(branched, this.#keys.length);
  }

  #add(stack: number): number {
    const { parent, location } = this.#profile.stacks;
    return this.#keys.add(parent[stack], this.#program.locations.function[location[stack]]);
  }

  /** By row: its context; -1 if it has no stack. */
  #contextsOf(events: CountedRows | undefined): Int32Array {
    const contexts = new Int32Array(events?.length ?? 0).fill(-1);
    for (let row = 0; row < contexts.length; row++) {
      const stack = events?.stack[row] ?? -1;
      if (stack >= 0) contexts[row] = this.#add(stack);
    }
    return contexts;
  }

  of(id: FunctionId): MethodContext[] {
    return Array.from(membersIn(this.#ofFunction, id), (context) => ({
      calls: Number.isNaN(this.#calls[context]) ? undefined : this.#calls[context],
      branches: this.#branchesIn(context),
    }));
  }

  #branchesIn(context: number): MethodContext['branches'] {
    const branches: MethodContext['branches'] = new Map();
    if (this.#branches === undefined) return branches;
    const { stack, target, index, count } = this.#branches;
    for (const row of membersIn(this.#rows, context)) {
      const bci = bciOf(this.#program, this.#profile.stacks.location[stack[row]]);
      const ways = branches.get(bci) ?? new Map<number, BranchRecord>();
      branches.set(bci, ways);
      const way = ways.get(index[row]);
      if (way === undefined) ways.set(index[row], { target: target[row], count: count[row] });
      else {
        way.count += count[row];
        if (way.target < 0) way.target = target[row];
      }
    }
    return branches;
  }
}

function orZero(value: number): number {
  return Number.isNaN(value) ? 0 : value;
}
