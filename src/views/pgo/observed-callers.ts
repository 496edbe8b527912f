/** `callers` of counted calls: the observed call graph around a function, call site by call site. */
import { ENTRY_REASONS, OBSERVED_NOTE, observedGraph } from '../../analysis/callgraph/observed-graph.js';
import { NONE } from '../../base/flavor.js';
import { type Note, note } from '../../base/note.js';
import { stringAt } from '../../base/text.js';
import { plural } from '../../base/units.js';
import { type CallGraph, outerBci } from '../../models/callgraph/call-graph.js';
import type { Profile } from '../../models/profile/profile.js';
import { className, functionSignature } from '../../models/program/names.js';
import { bciName, type FunctionId, type Program } from '../../models/program/program.js';

/** Shown instead of the callers of a method compiled on its own. */
export const NOT_INLINED = `<${ENTRY_REASONS.partial}>`;

export interface SiteNeighbour {
  /** -1 if it is no function. */
  readonly id: FunctionId;
  readonly function: string;
  /** BCI of the call in the caller; undefined without a call site. */
  readonly at: string | undefined;
  /** Null if the call was seen but not counted. */
  readonly count: number | null;
}

export interface ObservedAround {
  readonly callers: readonly SiteNeighbour[];
  readonly callees: readonly SiteNeighbour[];
  /** All counted calls of the functions. */
  readonly calls: number;
  readonly notes: readonly Note[];
}

export function observedAround(profile: Profile, program: Program, chosen: readonly FunctionId[]): ObservedAround {
  const isChosen = new Uint8Array(program.functions.length);
  for (const id of chosen) isChosen[id] = 1;
  const graph = observedGraph(profile, program, isChosen);
  const callers = new Neighbours();
  const callees = new Neighbours();
  const name = (id: FunctionId): string => functionSignature(program, id);
  const { sites, targets } = graph;
  for (let row = 0; row < targets.length; row++) {
    const site = targets.site[row];
    const caller = sites.caller[site];
    const callee = targets.callee[row];
    const count = targets.count?.[row];
    if (isChosen[callee] === 1) callers.add(caller, outerBci(sites, site), name(caller), count);
    if (isChosen[caller] === 1) callees.add(callee, outerBci(sites, site), name(callee), count);
  }
  addEntries(graph, isChosen, callers);
  const calleeCount = callees.list.length;
  addReceivers(graph, program, isChosen, callees);
  return {
    callers: callers.list,
    callees: callees.list,
    calls: callers.list.reduce((sum, { count }) => sum + (count ?? 0), 0),
    notes: [OBSERVED_NOTE, ...notesOn(callers.list, callees.list, calleeCount)],
  };
}

function addEntries({ entries, reasons }: CallGraph, isChosen: Uint8Array, callers: Neighbours): void {
  for (let row = 0; row < entries.length; row++)
    if (isChosen[entries.function[row]] === 1)
      callers.add(
        -1 - entries.reason[row],
        undefined,
        `<${stringAt(reasons, entries.reason[row])}>`,
        entries.count?.[row],
      );
}

/** Calls at virtual sites by receiver class; the methods that they reached are not recorded. */
function addReceivers(
  { sites, receivers }: CallGraph,
  program: Program,
  isChosen: Uint8Array,
  callees: Neighbours,
): void {
  for (let row = 0; row < receivers.length; row++) {
    const site = receivers.site[row];
    if (isChosen[sites.caller[site]] !== 1) continue;
    const type = receivers.class[row];
    const text = `<virtual call on ${className(program, type)}: method not recorded>`;
    callees.add(-1 - type, outerBci(sites, site), text, receivers.count?.[row]);
  }
}

function notesOn(callers: readonly SiteNeighbour[], callees: readonly SiteNeighbour[], calleeCount: number): Note[] {
  const uncounted = [...callers, ...callees].filter(({ count }) => count === null).length;
  return [
    ...(uncounted === 0
      ? []
      : [
          note(
            'uncounted-calls',
            `${plural(uncounted, 'row')} without a number: the calls were seen, but not counted.`,
          ),
        ]),
    ...(callees.length === calleeCount
      ? []
      : [
          note(
            'counted-twice',
            'Virtual calls are counted by receiver type, even if the callee was inlined: do not add both.',
          ),
        ]),
  ];
}

/** Neighbours by function and call site, in order of appearance. */
class Neighbours {
  readonly #rows = new Map<
    string,
    { id: FunctionId; function: string; at: string | undefined; count: number | null }
  >();

  get list(): readonly SiteNeighbour[] {
    return [...this.#rows.values()];
  }

  add(key: number, bci: number | undefined, name: string, counted: number | undefined): void {
    const count = counted === undefined || Number.isNaN(counted) ? null : counted;
    const earlier = this.#rows.get(`${key} ${bci}`);
    if (earlier === undefined)
      this.#rows.set(`${key} ${bci}`, {
        id: Math.max(key, NONE),
        function: name,
        at: bci === undefined ? undefined : bciName(bci),
        count,
      });
    else if (count !== null) earlier.count = (earlier.count ?? 0) + count;
  }
}
