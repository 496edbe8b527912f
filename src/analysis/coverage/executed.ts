/**
 * Which methods and branches of a PGO profile ran, summed over groups of methods (packages, classes, modules). Three
 * cases are distinguished: code that ran, code that was counted and never ran, and code that was not counted. The last
 * may have run: the compiler folds branches and expands methods before they are counted.
 *
 * O(methods of the profile + instructions of the classes).
 */
import type { MethodInfo } from '../../code/java/class-file/class-file.js';
import { eachBranch } from '../../code/java/flow/ways.js';
import { FUNCTION_KINDS, type FunctionId, type Program } from '../../models/program/program.js';
import type { BranchRecord, MethodRuns, Ran } from './method-contexts.js';

/** Counts of a group. */
export interface Executed {
  /** Methods that ran; that were counted and never ran; that the profile lists but did not count. */
  ran: number;
  never: number;
  uncounted: number;
  /** Methods of the class path with code; how many of them ran; how many the profile does not list. */
  code: number;
  codeRan: number;
  unlisted: number;
  /** Counted branches, and their outcomes: taken, never taken, without a place in the code. */
  branches: number;
  taken: number;
  untaken: number;
  unplaced: number;
  /** Outcomes of all branches in the code, and how many of them were taken. */
  ways: number;
  waysTaken: number;
}

function nothingExecuted(): Executed {
  return {
    ran: 0,
    never: 0,
    uncounted: 0,
    code: 0,
    codeRan: 0,
    unlisted: 0,
    branches: 0,
    taken: 0,
    untaken: 0,
    unplaced: 0,
    ways: 0,
    waysTaken: 0,
  };
}

/** Counts by group. `groupOf` returns the group of a function, or undefined to leave it out. */
export class ExecutedGroups {
  readonly groups = new Map<string, Executed>();
  readonly total = nothingExecuted();
  /** Whether there is a class path, and the number of classes that could not be read. */
  withClasses = false;
  unreadable = 0;
  readonly #runs: MethodRuns;

  constructor(runs: MethodRuns) {
    this.#runs = runs;
  }

  /** All methods of the profile. */
  addProfile(program: Program, groupOf: (id: FunctionId) => string | undefined): void {
    const java = FUNCTION_KINDS.indexOf('java');
    for (let id = 0; id < program.functions.length; id++) {
      const ran = this.#runs.ran(id);
      // If the profile has only the number of a method, nothing is known except its counts.
      if (program.functions.kind[id] !== java && ran === 'none') continue;
      const group = groupOf(id);
      if (group === undefined) continue;
      const sums = this.#sumsOf(group);
      addRun(sums, ran);
      addRun(this.total, ran);
      // Most methods of a profile have no counts.
      if (!this.#runs.contexts.has(id)) continue;
      const ways = countWays(foldedBranches(this.#runs, [id]).values());
      addWays(sums, ways);
      addWays(this.total, ways);
    }
  }

  /** Adds a method of the class path and its functions in the profile. */
  addMethod(method: MethodInfo, functions: readonly FunctionId[], group: string): void {
    const code = method.code();
    if (code === undefined) return;
    const folded = foldedBranches(this.#runs, functions);
    let ways = 0;
    let waysTaken = 0;
    eachBranch(code, (bci, targets) => {
      const taken = [...(folded.get(bci)?.values() ?? [])].filter(({ count }) => count > 0).length;
      ways += targets;
      waysTaken += Math.min(taken, targets);
    });
    const ran = functions.some((id) => this.#runs.ran(id) === 'ran');
    for (const sums of [this.#sumsOf(group), this.total]) {
      sums.code++;
      if (ran) sums.codeRan++;
      if (functions.length === 0) sums.unlisted++;
      sums.ways += ways;
      sums.waysTaken += waysTaken;
    }
  }

  #sumsOf(group: string): Executed {
    let sums = this.groups.get(group);
    if (sums === undefined) {
      sums = nothingExecuted();
      this.groups.set(group, sums);
    }
    return sums;
  }
}

function addRun(sums: Executed, ran: Ran): void {
  if (ran === 'ran') sums.ran++;
  else if (ran === 'zero') sums.never++;
  else sums.uncounted++;
}

function addWays(sums: Executed, ways: ReturnType<typeof countWays>): void {
  sums.branches += ways.branches;
  sums.taken += ways.taken;
  sums.untaken += ways.untaken;
  sums.unplaced += ways.unplaced;
}

/** Branches of the functions by BCI, added over contexts, with their outcomes by index. */
function foldedBranches(runs: MethodRuns, functions: readonly FunctionId[]): Map<number, Map<number, BranchRecord>> {
  const folded = new Map<number, Map<number, BranchRecord>>();
  for (const id of functions) {
    for (const context of runs.contexts.get(id) ?? []) {
      for (const [bci, ways] of context.branches) {
        const sums = folded.get(bci) ?? new Map<number, BranchRecord>();
        folded.set(bci, sums);
        for (const [index, { target, count }] of ways) {
          const known = sums.get(index);
          if (known === undefined) sums.set(index, { target, count });
          else {
            known.count += count;
            if (known.target < 0) known.target = target;
          }
        }
      }
    }
  }
  return folded;
}

function countWays(branches: Iterable<ReadonlyMap<number, BranchRecord>>) {
  const sums = { branches: 0, taken: 0, untaken: 0, unplaced: 0 };
  for (const ways of branches) {
    sums.branches++;
    for (const { target, count } of ways.values()) {
      if (target < 0) sums.unplaced++;
      else if (count > 0) sums.taken++;
      else sums.untaken++;
    }
  }
  return sums;
}
