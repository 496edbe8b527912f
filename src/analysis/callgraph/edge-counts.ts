/**
 * Counts of a PGO profile on the calls of a report. A call is the same if caller, bytecode index and callee are, by joined names. A profile
 * counts calls of methods that were inlined, and the classes of receivers at virtual sites: those of a class count for the target that the class
 * declares, for the only target of the site, or for the one that the class inherits (`inheritance.ts`). Calls with both counts have the larger
 * one, since both count the same calls.
 *
 * Calls of a report at several indexes (code inlined before the analysis) are never counted. O(frames of the profile + targets).
 */
import { IntTable } from '../../base/columns/hash.js';
import { NONE } from '../../base/flavor.js';
import type { ClassSet } from '../../code/java/class-path/class-set.js';
import { type CallGraph, outerBci } from '../../models/callgraph/call-graph.js';
import type { Profile } from '../../models/profile/profile.js';
import type { FunctionId, Program } from '../../models/program/program.js';
import type { UnitedPrograms } from '../identity/unite.js';
import { Inheritance, type Inherited, type InheritedBy } from './inheritance.js';
import { observedGraph } from './observed-graph.js';

export interface EdgeCounts {
  /** By row of targets: counted calls; NaN if the profile does not have the call, or saw it without a count. Equal calls have the same. */
  readonly calls: Float64Array;
  /** Different calls of the report, how many of them the profile saw, and their sum. */
  readonly edges: number;
  readonly observed: number;
  readonly sum: number;
  /** Different calls of the profile that the report lacks; and how many of them are between methods of the report. */
  readonly missing: number;
  readonly between: number;
  /** Calls by receivers whose class inherits the target, by what shows which one that is. */
  readonly inherited: Readonly<Record<InheritedBy, number>>;
  /** Calls by receivers whose target is unknown: at places that the report has, and at others. */
  readonly unplaced: number;
  readonly elsewhere: number;
}

/** `united`: of the report's program, then of the profile's; `classes`: those of the receivers and all above them. */
export function edgeCounts(
  graph: CallGraph,
  report: Program,
  { profile, program }: { readonly profile: Profile; readonly program: Program },
  united: UnitedPrograms,
  classes?: ClassSet,
): EdgeCounts {
  const edges = new ReportedEdges(graph, report, united);
  const inheritance = new Inheritance({ graph, report, profile, program, united, classes });
  return edges.count(observedGraph(profile, program), united, inheritance);
}

class ReportedEdges {
  readonly #graph: CallGraph;
  readonly #report: Program;
  readonly #functions: Int32Array;
  readonly #classes: Int32Array;
  /** (caller, index, callee): rows are different calls. */
  readonly #keys = new IntTable();
  /** By row of targets: its call, -1 if it has several indexes. */
  readonly #keyOf: Int32Array;
  /** (caller, index) → rows of targets, as a chain through `#next`. */
  readonly #places = new IntTable();
  readonly #first: number[] = [];
  readonly #next: Int32Array;

  constructor(graph: CallGraph, report: Program, { functions, classes }: UnitedPrograms) {
    this.#graph = graph;
    this.#report = report;
    this.#functions = functions.rows[0];
    this.#classes = classes.rows[0];
    const { sites, targets } = graph;
    this.#keyOf = new Int32Array(targets.length).fill(NONE);
    this.#next = new Int32Array(targets.length).fill(NONE);
    for (let row = 0; row < targets.length; row++) {
      const site = targets.site[row];
      const caller = this.#functions[sites.caller[site]];
      // A chain names positions in methods that the report does not.
      const bci = sites.bciStart[site + 1] - sites.bciStart[site] === 1 ? outerBci(sites, site) : -1 - row;
      this.#keyOf[row] = this.#keys.add(caller, bci, this.#functions[targets.callee[row]]);
      const place = this.#places.add(caller, bci);
      this.#next[row] = this.#first[place] ?? NONE;
      this.#first[place] = row;
    }
  }

  count(observed: CallGraph, { functions, classes }: UnitedPrograms, inheritance: Inheritance): EdgeCounts {
    const rows = functions.rows[1];
    const [isSeen, inlined, received] = [0, 1, 2].map(() => new Float64Array(this.#keys.length).fill(Number.NaN));
    const isMethod = new Uint8Array(functions.length);
    for (const id of this.#graph.methods) isMethod[this.#functions[id]] = 1;
    const { sites, targets, receivers } = observed;
    const missing = new IntTable();
    let between = 0;
    for (let row = 0; row < targets.length; row++) {
      const site = targets.site[row];
      const [caller, callee] = [rows[sites.caller[site]], rows[targets.callee[row]]];
      const key = this.#keys.find(caller, outerBci(sites, site), callee);
      if (key >= 0) {
        isSeen[key] = 1;
        inlined[key] = plus(inlined[key], targets.count?.[row] ?? Number.NaN);
        continue;
      }
      const known = missing.length;
      missing.add(caller, outerBci(sites, site), callee);
      if (missing.length > known && isMethod[caller] === 1 && isMethod[callee] === 1) between++;
    }
    const inherited = { classes: 0, profile: 0, report: 0 };
    let unplaced = 0;
    let elsewhere = 0;
    for (let row = 0; row < receivers.length; row++) {
      const site = receivers.site[row];
      const count = receivers.count?.[row] ?? 0;
      if (!(count > 0)) continue;
      const place = this.#places.find(rows[sites.caller[site]], outerBci(sites, site));
      if (place < 0) {
        elsewhere += count;
        continue;
      }
      const type = receivers.class[row];
      const { key, by } = this.#targetOf(place, classes.rows[1][type], (declared, callees) =>
        inheritance.target(type, declared, callees),
      );
      if (by !== undefined) inherited[by] += count;
      if (key < 0) unplaced += count;
      else {
        isSeen[key] = 1;
        received[key] = plus(received[key], count);
      }
    }
    const calls = Float64Array.from(this.#keyOf, (key) => larger(inlined[key], received[key]));
    const sum = inlined.reduce((all, count, key) => all + (larger(count, received[key]) || 0), 0);
    const seen = isSeen.reduce((all, one) => all + (one === 1 ? 1 : 0), 0);
    return {
      calls,
      edges: this.#keys.length,
      observed: seen,
      sum,
      missing: missing.length,
      between,
      inherited,
      unplaced,
      elsewhere,
    };
  }

  /** The call that objects of a joined class make at a place; its key is -1 if it is unknown. Several sites at a place must agree. */
  #targetOf(
    place: number,
    type: number,
    inherits: (declared: FunctionId, callees: readonly FunctionId[]) => Inherited | undefined,
  ): { readonly key: number; readonly by?: InheritedBy } {
    const { callee, site } = this.#graph.targets;
    const byDeclared = new Map<FunctionId, Map<number, FunctionId>>();
    for (let row = this.#first[place]; row >= 0; row = this.#next[row]) {
      const declared = this.#graph.sites.declared[site[row]];
      const callees = byDeclared.get(declared) ?? new Map<number, FunctionId>();
      byDeclared.set(declared, callees.set(this.#keyOf[row], callee[row]));
    }
    const { functions } = this.#report;
    const found = new Set<number>();
    let by: InheritedBy | undefined;
    for (const [declared, callees] of byDeclared) {
      const own = [...callees].find(([, id]) => this.#classes[functions.class[id]] === type);
      const [only] = callees.size === 1 ? callees.keys() : [];
      const inherited = own === undefined && only === undefined ? inherits(declared, [...callees.values()]) : undefined;
      const above = [...callees].find(([, id]) => id === inherited?.callee);
      by ??= inherited?.by;
      found.add(own?.[0] ?? only ?? above?.[0] ?? NONE);
    }
    const [key = NONE, another] = found;
    return another !== undefined || key < 0 ? { key: NONE } : { key, ...(by !== undefined && { by }) };
  }
}

function plus(sum: number, value: number): number {
  if (Number.isNaN(value)) return sum;
  return Number.isNaN(sum) ? value : sum + value;
}

/** Of two numbers the larger, or the one that is known. */
function larger(a: number, b: number): number {
  return Number.isNaN(a) ? b : Number.isNaN(b) ? a : Math.max(a, b);
}
