/**
 * Which methods and branches of a PGO profile ran, summed over groups of methods (packages, classes, modules). Three
 * cases are distinguished: code that ran, code that was counted and never ran, and code that was not counted. The last
 * may have run: the compiler folds branches and expands methods before they are counted.
 *
 * O(methods of the profile + instructions of the classes).
 */
import { NONE } from '../../base/flavor.js';
import type { MethodInfo } from '../../code/java/class-file/class-file.js';
import { eachBranch } from '../../code/java/flow/ways.js';
import { FUNCTION_KINDS, type FunctionId, type Program } from '../../models/program/program.js';
import type { FoldedBranches } from './folded-branches.js';
import type { FunctionRuns, Ran } from './method-contexts.js';

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

/** Counts by group. */
export class ExecutedGroups {
  readonly groups = new Map<string, Executed>();
  /** By group of one method: its function in the profile; -1 for groups of several. */
  readonly functions = new Map<string, FunctionId>();
  readonly total = nothingExecuted();
  /** Whether there is a class path, and the number of classes that could not be read. */
  withClasses = false;
  unreadable = 0;
  readonly #runs: FunctionRuns;
  readonly #branches: FoldedBranches;

  constructor(runs: FunctionRuns, branches: FoldedBranches) {
    this.#runs = runs;
    this.#branches = branches;
  }

  /** All methods of the profile. `groupOf` returns the counts of a function's group, or undefined to leave it out. */
  addProfile(program: Program, groupOf: (id: FunctionId) => Executed | undefined): void {
    const java = FUNCTION_KINDS.indexOf('java');
    for (let id = 0; id < program.functions.length; id++) {
      const ran = this.#runs.ran(id);
      // If the profile has only the number of a method, nothing is known except its counts.
      if (program.functions.kind[id] !== java && ran === 'none') continue;
      const sums = groupOf(id);
      if (sums === undefined) continue;
      addRun(sums, ran);
      addRun(this.total, ran);
    }
    // Most methods of a profile have no branches.
    this.#branches.forEachBranch((of) => {
      const sums = groupOf(of);
      if (sums === undefined) return;
      sums.branches++;
      this.total.branches++;
    });
    this.#branches.forEachOutcome((of, count, placed) => {
      const sums = groupOf(of);
      if (sums === undefined) return;
      const outcome = !placed ? 'unplaced' : count > 0 ? 'taken' : 'untaken';
      sums[outcome]++;
      this.total[outcome]++;
    });
  }

  /** Adds a method of the class path and its functions in the profile. */
  addMethod(method: MethodInfo, functions: readonly FunctionId[], group: string): void {
    const code = method.code();
    if (code === undefined) return;
    let ways = 0;
    let waysTaken = 0;
    eachBranch(code, (bci, targets) => {
      ways += targets;
      waysTaken += Math.min(this.#branches.takenAt(functions, bci), targets);
    });
    const ran = functions.some((id) => this.#runs.ran(id) === 'ran');
    for (const sums of [this.of(group), this.total]) {
      sums.code++;
      if (ran) sums.codeRan++;
      if (functions.length === 0) sums.unlisted++;
      sums.ways += ways;
      sums.waysTaken += waysTaken;
    }
  }

  /** The counts of the group of a method, by its name. */
  ofMethod(name: string, id: FunctionId): Executed {
    const methodId = this.functions.get(name) ?? id;
    this.functions.set(name, methodId === id ? id : NONE);
    return this.of(name);
  }

  /** The counts of a group; all 0 if it is new. */
  of(group: string): Executed {
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
