/**
 * The call graph that a PGO profile shows: each frame in a context is a call site of the frame towards its leaf.
 *
 *   contexts  add:0<main:12   3 calls      sites  main@12 ── add  3, counted
 *             add:0           5 calls      entry  add  5, its callers are not recorded
 *
 * A context of counters proves that its leaf was inlined there. Calls of methods compiled on their own are not
 * recorded, so the edges are a lower bound, and counts of an edge are those of the inlined calls. Receivers give the
 * classes at a virtual site, but no method. O(frames of the stacks); 60 bytes a frame while it is built.
 */
import { IntTable } from '../../base/columns/hash.js';
import { note } from '../../base/note.js';
import type { CallGraph, CallSiteId, EdgeReason } from '../../models/callgraph/call-graph.js';
import { CallGraphBuilder } from '../../models/callgraph/call-graph-builder.js';
import { CALL_EVENTS } from '../../models/events/call.js';
import { RECEIVER_EVENTS } from '../../models/events/receiver.js';
import { SAMPLE_EVENTS } from '../../models/events/sample.js';
import { type Profile, STACK_ENDINGS, type StackEnding } from '../../models/profile/profile.js';
import { usedStacks } from '../../models/profile/used-stacks.js';
import { bciOf } from '../../models/program/places.js';
import type { FunctionId, Program } from '../../models/program/program.js';
import type { Table } from '../../models/table.js';
import type { UnitNodes } from './unit-nodes.js';

/** Why a method is an entry, by the way its stacks begin. */
export const ENTRY_REASONS: Readonly<Record<StackEnding, string>> = {
  whole: 'first frame of a sampled thread',
  cut: 'its callers are beyond the depth limit',
  failed: 'its callers could not be found',
  partial: 'not inlined: its callers are not recorded',
  hidden: 'its callers are hidden by the scope',
};

/** The note that accompanies every answer from an observed graph. */
export const OBSERVED_NOTE = note(
  'callers-of-inlined',
  'Only inlined calls have callers: calls of separately compiled methods are recorded without them.',
);

/** The graph of a profile; `around`: 1 for the functions whose callers and callees are needed, by default all. */
export function observedGraph(profile: Profile, program: Program, around?: Uint8Array): CallGraph {
  return new ObservedGraph(profile, program, around).build();
}

/** The graph of a profile whose methods are the nodes of units: the same calls, unit by unit. */
export function unitGraph(profile: Profile, program: Program, units: UnitNodes): CallGraph {
  return new ObservedGraph(profile, program, undefined, units).build();
}

class ObservedGraph {
  readonly #profile: Profile;
  readonly #program: Program;
  readonly #builder: CallGraphBuilder;
  /** (function, BCI): rows are sites of the graph. */
  readonly #sites = new IntTable();
  /** (site, callee): rows are targets of the graph. */
  readonly #targets = new IntTable();
  /** By function: 1 if its calls are needed, and if its entries and receivers are. */
  readonly #callers: Uint8Array;
  readonly #around: Uint8Array;

  /** The nodes in place of functions, if there are units. */
  readonly #units: UnitNodes | undefined;

  constructor(profile: Profile, program: Program, around: Uint8Array | undefined, units?: UnitNodes) {
    this.#profile = profile;
    this.#program = program;
    this.#units = units;
    const { length } = units ?? program.functions;
    this.#around = around ?? new Uint8Array(length).fill(1);
    this.#callers = around === undefined ? this.#around : this.#callersOf(around);
    const counts = CALL_EVENTS.of(profile) !== undefined;
    this.#builder = new CallGraphBuilder(length, { counts });
  }

  /** The functions, and all that call them: with all calls of these, the sites keep the order of the whole graph. */
  #callersOf(around: Uint8Array): Uint8Array {
    const { parent } = this.#profile.stacks;
    const callers = around.slice();
    for (let id = 0; id < parent.length; id++)
      if (parent[id] >= 0 && around[this.#functionOf(id)] === 1) callers[this.#functionOf(parent[id])] = 1;
    return callers;
  }

  build(): CallGraph {
    const { stacks, events } = this.#profile;
    const isSample = ({ kind }: Table): boolean => kind === SAMPLE_EVENTS.kind;
    const sampled = usedStacks(stacks, events.filter(isSample));
    const counted = usedStacks(
      stacks,
      events.filter((table) => !isSample(table)),
    );
    const { parent } = stacks;
    for (let id = 0; id < parent.length; id++) {
      if (parent[id] < 0 || this.#callers[this.#functionOf(parent[id])] === 0) continue;
      if (counted[id] === 1) this.#edge(id, 'counted');
      if (sampled[id] === 1) this.#edge(id, 'sampled');
    }
    const rootCalls = this.#addCalls();
    this.#addEntries(counted, sampled, rootCalls);
    this.#addReceivers();
    return this.#builder.finish(true);
  }

  #functionOf(stack: number): FunctionId {
    if (this.#units !== undefined) return this.#units.ofStack[stack];
    return this.#program.locations.function[this.#profile.stacks.location[stack]];
  }

  /** The call site of a stack's frame. */
  #site(stack: number): CallSiteId {
    const bci = bciOf(this.#program, this.#profile.stacks.location[stack]);
    const caller = this.#functionOf(stack);
    const known = this.#sites.length;
    const site = this.#sites.add(caller, bci);
    if (site === known) this.#builder.site(caller, [bci], 'unknown');
    return site;
  }

  #edge(stack: number, why: EdgeReason, count?: number): void {
    const site = this.#site(this.#profile.stacks.parent[stack]);
    const callee = this.#functionOf(stack);
    const known = this.#targets.length;
    const target = this.#targets.add(site, callee);
    if (target === known) this.#builder.target(site, callee, why, count);
    else this.#builder.addTo(target, why, count);
  }

  /** Adds the counted calls to their edges; returns those of roots by function and ending. */
  #addCalls(): Map<number, number> {
    const rootCalls = new Map<number, number>();
    const counted = CALL_EVENTS.of(this.#profile);
    if (counted === undefined) return rootCalls;
    const { length, stack, count } = counted;
    for (let row = 0; row < length; row++) {
      const id = stack[row];
      if (id < 0) continue;
      const parent = this.#profile.stacks.parent[id];
      if (parent >= 0) {
        if (this.#callers[this.#functionOf(parent)] === 1) this.#edge(id, 'counted', count[row]);
      } else if (this.#around[this.#functionOf(id)] === 1)
        rootCalls.set(this.#rootKey(id), (rootCalls.get(this.#rootKey(id)) ?? 0) + count[row]);
    }
    return rootCalls;
  }

  #rootKey(stack: number): number {
    return this.#functionOf(stack) * STACK_ENDINGS.length + this.#profile.stacks.ending[stack];
  }

  #addEntries(counted: Uint8Array, sampled: Uint8Array, calls: ReadonlyMap<number, number>): void {
    const { parent, ending } = this.#profile.stacks;
    const known = new Set<number>();
    for (let id = 0; id < parent.length; id++) {
      if (parent[id] >= 0 || (counted[id] | sampled[id]) === 0) continue;
      if (this.#around[this.#functionOf(id)] === 0) continue;
      const key = this.#rootKey(id);
      if (known.has(key)) continue;
      known.add(key);
      this.#builder.entry(this.#functionOf(id), ENTRY_REASONS[STACK_ENDINGS[ending[id]]], calls.get(key));
    }
  }

  #addReceivers(): void {
    const receivers = RECEIVER_EVENTS.of(this.#profile);
    if (receivers === undefined) return;
    const { length, stack, type, count } = receivers;
    /** (site, class) → calls. */
    const keys = new IntTable();
    const calls: number[] = [];
    for (let row = 0; row < length; row++) {
      if (stack[row] < 0 || type[row] < 0 || this.#around[this.#functionOf(stack[row])] === 0) continue;
      const site = this.#site(stack[row]);
      this.#builder.setKind(site, 'virtual');
      const key = keys.add(site, type[row]);
      calls[key] = (calls[key] ?? 0) + count[row];
    }
    const sites = keys.column(0);
    const types = keys.column(1);
    for (let key = 0; key < keys.length; key++) this.#builder.receiver(sites[key], types[key], calls[key]);
  }
}
