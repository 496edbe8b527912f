/**
 * The counts of each method in a PGO profile, context by context. The contexts of a method are disjoint, and a count
 * missing in one may be present in another. O(rows); 40 bytes a context.
 */
import { IntTable } from '../../base/hash.js';
import { addToList } from '../../base/lists.js';
import { BRANCH_EVENTS } from '../../models/events/branch.js';
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

export interface MethodRuns {
  /** Contexts of each function that was counted. */
  readonly contexts: ReadonlyMap<FunctionId, readonly MethodContext[]>;
  ran(id: FunctionId): Ran;
}

const NONE = 0;
const ZERO = 1;
const YES = 2;

export function methodRuns(profile: Profile, program: Program): MethodRuns {
  const { parent, location } = profile.stacks;
  const functionOf = (stack: number): FunctionId => program.locations.function[location[stack]];
  const ran = new Uint8Array(program.functions.length);
  /** By stack: 2 if it, or a stack below, has a count above 0; 1 if all counts are 0. */
  const seen = new Uint8Array(parent.length);
  for (const table of profile.events) {
    const [stack, count] = [columnOf(table, STACK), columnOf(table, COUNT)];
    if (stack === undefined || count === undefined) continue;
    for (let row = 0; row < table.length; row++) {
      if (stack[row] < 0) continue;
      const level = count[row] > 0 ? YES : ZERO;
      // A sampled stack is not a context: its positions are those of the image.
      if (table.kind !== SAMPLE_EVENTS.kind) seen[stack[row]] = Math.max(seen[stack[row]], level);
      else if (level === YES) for (let id = stack[row]; id >= 0; id = parent[id]) ran[functionOf(id)] = YES;
    }
  }
  const contexts = new ContextIndex(parent, functionOf);
  for (let id = parent.length - 1; id >= 0; id--) {
    if (seen[id] === NONE) continue;
    ran[functionOf(id)] = Math.max(ran[functionOf(id)], seen[id]);
    contexts.at(id);
    // A count above 0 proves that the methods around it ran, too; a count of 0 proves nothing.
    if (parent[id] >= 0 && seen[id] === YES) seen[parent[id]] = YES;
  }
  addCounts(profile, program, contexts);
  return { contexts: contexts.byFunction, ran: (id) => RAN[ran[id]] ?? 'none' };
}

class ContextIndex {
  readonly byFunction = new Map<FunctionId, MethodContext[]>();
  readonly #keys = new IntTable();
  readonly #list: MethodContext[] = [];
  readonly #parent: Int32Array;
  readonly #functionOf: (stack: number) => FunctionId;

  constructor(parent: Int32Array, functionOf: (stack: number) => FunctionId) {
    this.#parent = parent;
    this.#functionOf = functionOf;
  }

  /** The context of a stack; stacks that differ only in the leaf's BCI have the same context. */
  at(stack: number): MethodContext {
    const of = this.#functionOf(stack);
    const key = this.#keys.add(this.#parent[stack], of);
    const known = this.#list[key];
    if (known !== undefined) return known;
    const context: MethodContext = { calls: undefined, branches: new Map() };
    this.#list.push(context);
    addToList(this.byFunction, of, context);
    return context;
  }
}

function addCounts(profile: Profile, program: Program, contexts: ContextIndex): void {
  eachRow(CALL_EVENTS.of(profile), (stack, count) => {
    const context = contexts.at(stack);
    context.calls = (context.calls ?? 0) + count;
  });
  const branches = BRANCH_EVENTS.of(profile);
  if (branches === undefined) return;
  const { target, index } = branches;
  eachRow(branches, (stack, count, row) => {
    const bci = bciOf(program, profile.stacks.location[stack]);
    const { branches: known } = contexts.at(stack);
    const ways = known.get(bci) ?? new Map<number, BranchRecord>();
    known.set(bci, ways);
    const way = ways.get(index[row]);
    if (way === undefined) ways.set(index[row], { target: target[row], count });
    else {
      way.count += count;
      if (way.target < 0) way.target = target[row];
    }
  });
}

function eachRow(counted: CountedRows | undefined, visit: (stack: number, count: number, row: number) => void): void {
  if (counted === undefined) return;
  const { length, stack, count } = counted;
  for (let row = 0; row < length; row++) if (stack[row] >= 0) visit(stack[row], count[row], row);
}
