/**
 * Which target of a virtual call an object runs whose class inherits the method. In this order:
 *
 *   classes   the class path has the class and all above it: the method that JVMS 5.4.6 selects
 *   profile   a place with one receiver class and one inlined callee: this class runs this method
 *   report    R and S are classes of targets, S declares what R overrides: R is below S, since S has a constructor, so is no interface
 *
 * What the last two show is a part of the hierarchy. Of the targets whose classes are known to be above the receiver, the lowest one runs,
 * unless another target is known to be below that one: it may be between them. O(sites + targets) and 12 bytes a pair of classes.
 */
import { IntTable } from '../../base/columns/hash.js';
import { NONE } from '../../base/flavor.js';
import { stringAt } from '../../base/text.js';
import { descriptorOf } from '../../code/java/class-file/descriptor.js';
import type { ClassSet } from '../../code/java/class-path/class-set.js';
import type { CallGraph } from '../../models/callgraph/call-graph.js';
import { CALL_EVENTS } from '../../models/events/call.js';
import { RECEIVER_EVENTS } from '../../models/events/receiver.js';
import type { Profile } from '../../models/profile/profile.js';
import { className } from '../../models/program/names.js';
import type { ClassId, FunctionId, Program } from '../../models/program/program.js';
import type { UnitedPrograms } from '../identity/unite.js';
import { type DeclaredTarget, selectedMethod } from '../places/call-code.js';

/** What told the method that an object runs. */
export const INHERITED_BY = ['classes', 'profile', 'report'] as const;
export type InheritedBy = (typeof INHERITED_BY)[number];

export interface Inherited {
  /** One of the callees. */
  readonly callee: FunctionId;
  readonly by: InheritedBy;
}

export interface InheritanceSubject {
  readonly graph: CallGraph;
  readonly report: Program;
  readonly profile: Profile;
  readonly program: Program;
  /** Of the report's program, then of the profile's. */
  readonly united: UnitedPrograms;
  /** The receiver classes and all above them. */
  readonly classes: ClassSet | undefined;
}

export class Inheritance {
  readonly #of: InheritanceSubject;
  /** (joined class, joined function): a receiver and the method it runs. */
  readonly #runs = new IntTable();
  /** By joined class: joined classes that are directly known to be above it. */
  readonly #above = new Map<number, Set<number>>();

  constructor(of: InheritanceSubject) {
    this.#of = of;
    this.#seenRuns();
    this.#reportedSupers();
  }

  /**
   * What an object of a class of the profile runs at a call that declares `declared` and has the targets `callees`, all functions of the
   * report; undefined if that is unknown, or none of them.
   */
  target(type: ClassId, declared: FunctionId, callees: readonly FunctionId[]): Inherited | undefined {
    const owner = this.#ownerByClasses(type, declared);
    if (owner !== undefined) return this.#found(callees, 'classes', (id) => this.#classOf(id) === owner);
    const { functions, classes } = this.#of.united;
    const row = classes.rows[1][type];
    const seen = this.#found(callees, 'profile', (id) => this.#runs.find(row, functions.rows[0][id]) >= 0);
    return seen ?? this.#byReport(row, callees);
  }

  #found(
    callees: readonly FunctionId[],
    by: InheritedBy,
    isIt: (callee: FunctionId) => boolean,
  ): Inherited | undefined {
    const callee = callees.find(isIt);
    return callee === undefined ? undefined : { callee, by };
  }

  #classOf(id: FunctionId): string {
    const { report } = this.#of;
    return className(report, report.functions.class[id]);
  }

  /** The class whose method the class path selects; undefined if it lacks a class, or the types of the method are unknown. */
  #ownerByClasses(type: ClassId, declared: FunctionId): string | undefined {
    const { classes, program, report } = this.#of;
    const target = declaredTarget(report, declared);
    if (classes === undefined || target === undefined) return undefined;
    const selected = selectedMethod(classes, className(program, type), target);
    return typeof selected === 'string' ? undefined : selected.owner.name;
  }

  #byReport(type: number, callees: readonly FunctionId[]): Inherited | undefined {
    const { report, united } = this.#of;
    const rowOf = (id: FunctionId): number => united.classes.rows[0][report.functions.class[id]];
    const above = this.#allAbove(type);
    const candidates = callees.filter((id) => above.has(rowOf(id)));
    const lowest = candidates.filter((id) => !candidates.some((other) => this.#allAbove(rowOf(other)).has(rowOf(id))));
    const [callee, another] = lowest;
    if (callee === undefined || another !== undefined) return undefined;
    const isBetween = (id: FunctionId): boolean =>
      !above.has(rowOf(id)) && this.#allAbove(rowOf(id)).has(rowOf(callee));
    return callees.some(isBetween) ? undefined : { callee, by: 'report' };
  }

  /** Classes known to be above one, without itself. */
  #allAbove(type: number): Set<number> {
    const found = new Set<number>();
    const waiting = [type];
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop())
      for (const above of this.#above.get(at) ?? [])
        if (above !== type && !found.has(above)) {
          found.add(above);
          waiting.push(above);
        }
    return found;
  }

  #isBelow(type: number, above: number): void {
    if (type === above) return;
    const known = this.#above.get(type);
    if (known === undefined) this.#above.set(type, new Set([above]));
    else known.add(above);
  }

  /** Takes the contexts of the profile with one receiver class and one called callee. */
  #seenRuns(): void {
    const { profile, program, united } = this.#of;
    const receivers = RECEIVER_EVENTS.of(profile);
    const calls = CALL_EVENTS.of(profile);
    if (receivers === undefined || calls === undefined) return;
    const [types, callees] = [new Only(), new Only()];
    for (let row = 0; row < receivers.length; row++)
      if (receivers.count[row] > 0) types.add(receivers.stack[row], receivers.type[row]);
    const { parent, location } = profile.stacks;
    for (let row = 0; row < calls.length; row++) {
      const stack = calls.stack[row];
      if (stack >= 0 && calls.count[row] > 0 && parent[stack] >= 0)
        callees.add(parent[stack], program.locations.function[location[stack]]);
    }
    for (const [stack, type] of types.values) {
      const callee = callees.values.get(stack) ?? NONE;
      if (type < 0 || callee < 0) continue;
      const declaring = program.functions.class[callee];
      this.#runs.add(united.classes.rows[1][type], united.functions.rows[1][callee]);
      if (declaring >= 0) this.#isBelow(united.classes.rows[1][type], united.classes.rows[1][declaring]);
    }
  }

  /** Takes the pairs of declaring and overriding classes of the report. */
  #reportedSupers(): void {
    const { graph, report, united } = this.#of;
    const { sites, targets } = graph;
    const { functions, names } = report;
    const rows = united.classes.rows[0];
    const isClass = new Uint8Array(united.classes.length);
    for (const id of graph.methods)
      if (functions.class[id] >= 0 && stringAt(names, functions.name[id]) === '<init>')
        isClass[rows[functions.class[id]]] = 1;
    for (let target = 0; target < targets.length; target++) {
      const declared = sites.declared[targets.site[target]];
      const [upper, lower] = [functions.class[declared], functions.class[targets.callee[target]]];
      if (declared >= 0 && upper >= 0 && lower >= 0 && isClass[rows[upper]] === 1)
        this.#isBelow(rows[lower], rows[upper]);
    }
  }
}

/** The one value of each key; -1 for keys with several. */
class Only {
  readonly values = new Map<number, number>();

  add(key: number, value: number): void {
    const known = this.values.get(key);
    this.values.set(key, known === undefined || known === value ? value : NONE);
  }
}

/** Undefined without types. */
function declaredTarget(program: Program, id: FunctionId): DeclaredTarget | undefined {
  const { functions, names } = program;
  if (id < 0) return undefined;
  const [returns, ...parameters] = Array.from(
    functions.signature.subarray(functions.signatureStart[id], functions.signatureStart[id + 1]),
    (type) => descriptorOf(className(program, type)),
  );
  if (returns === undefined) return undefined;
  return {
    owner: className(program, functions.class[id]),
    name: stringAt(names, functions.name[id]),
    descriptor: `(${parameters.join('')})${returns}`,
  };
}
