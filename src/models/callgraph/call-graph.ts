/**
 * Which method may call which, or did: from the report of an analysis, from our own analysis, or from a profile.
 *
 *   methods      sites (a row an occurrence)        targets
 *   ┌────────┐   ┌────────┬──────┬──────────┐       ┌────────┬───────┐
 *   │function│ ◄─│ caller │ bcis │ declared │ first │ callee │ count │ ─► functions of the program
 *   └────────┘   └────────┴──────┴──────────┘ ────► └────────┴───────┘
 *        ▲ entries (why it is reached at all)  ───► receivers: classes seen or possible at the site
 *
 * Two sites may be equal in caller, BCIs and declared target (a report that lists one twice, two calls of one inlined
 * method): each row is an occurrence. Functions are rows of the program. Memory: 18 bytes per site and 4 per BCI, 17
 * per target, 16 per receiver, 16 per entry.
 */
import type { Flavor } from '../../base/flavor.js';
import type { StringTable } from '../../base/text.js';

export type CallSiteId = Flavor<number, 'call site'>;

/** `unknown`: not recorded whether a receiver selects the target. `virtual`: it does, for a class or an interface. */
export const CALL_KINDS = ['unknown', 'direct', 'virtual'] as const;
export type CallSiteKind = (typeof CALL_KINDS)[number];

/**
 * Why an edge exists; each is one bit of a target's `why`, so that one edge may have several reasons. `counted`: in a
 * context of counters, so the callee was inlined there. `sampled`: on a sampled stack. `reported`: the recording lists
 * it as an edge. `derived`: our own analysis found it.
 */
export const EDGE_REASONS = ['counted', 'sampled', 'reported', 'derived'] as const;
export type EdgeReason = (typeof EDGE_REASONS)[number];

export interface CallSiteTable {
  readonly length: number;
  /** FunctionId of the method that is compiled there: the outermost of an inlined chain. */
  readonly caller: Int32Array;
  /**
   * Site `s` lies at the BCIs `bcis[bciStart[s] .. bciStart[s + 1])`: the innermost inlined position first, that in the
   * caller itself last. Negative ones are JVMCI constants. Methods between are not recorded.
   */
  readonly bciStart: Int32Array;
  readonly bcis: Int32Array;
  /** Index into `CALL_KINDS`. */
  readonly kind: Uint8Array;
  /** FunctionId named by the instruction, maybe abstract; -1 if unknown. */
  readonly declared: Int32Array;
  /** 1 for virtual calls that the report calls interfacial; absent if it does not tell methods of interfaces from those of classes. */
  readonly ofInterface?: Uint8Array;
  /** Site `s` has the targets `first[s]` up to `first[s + 1]`, and the receivers likewise. Both may be empty. */
  readonly first: Int32Array;
  readonly firstReceiver: Int32Array;
}

export interface TargetTable {
  readonly length: number;
  readonly site: Int32Array;
  /** FunctionId. */
  readonly callee: Int32Array;
  /** Times the call was counted; NaN if it was seen but not counted. Absent if the graph has no counts. */
  readonly count?: Float64Array;
  /** Bits, of each reason `1 << EDGE_REASONS.indexOf(reason)`. */
  readonly why: Uint8Array;
}

/** Classes of the objects that a virtual site was called on, or may be. They do not determine the methods called. */
export interface ReceiverTable {
  readonly length: number;
  readonly site: Int32Array;
  /** ClassId. */
  readonly class: Int32Array;
  readonly count?: Float64Array;
}

/** Methods reached from outside the graph, or from an unrecorded place. A method may occur several times. */
export interface EntryTable {
  readonly length: number;
  /** FunctionId. */
  readonly function: Int32Array;
  /** StringId of `reasons` of the graph. */
  readonly reason: Int32Array;
  /** As of targets. */
  readonly count?: Float64Array;
}

export interface CallGraph {
  /** FunctionIds, each once: callers, callees, entries, and other methods of the graph. */
  readonly methods: Int32Array;
  readonly sites: CallSiteTable;
  readonly targets: TargetTable;
  readonly receivers: ReceiverTable;
  readonly entries: EntryTable;
  readonly reasons: StringTable;
  /** By row of `methods`: bytes of its machine code; NaN if unknown, absent if not recorded. */
  readonly codeBytes?: Float64Array;
  /** Whether further edges may exist: a run shows only a part of what can happen. */
  readonly partial: boolean;
}

export function bitOf(reason: EdgeReason): number {
  return 1 << EDGE_REASONS.indexOf(reason);
}

/** The BCI of a site in its caller. */
export function outerBci({ bcis, bciStart }: CallSiteTable, site: CallSiteId): number {
  return bcis[bciStart[site + 1] - 1];
}

/** Problems of the tables of a graph over a program with so many functions and classes; empty if valid. */
export function faultsOf(graph: CallGraph, functions: number, classes: number): string[] {
  const { sites, targets, receivers, entries, methods, reasons, codeBytes } = graph;
  const faults: string[] = [];
  const known = new Uint8Array(functions);
  const check = (holds: boolean, fault: string): void => {
    if (!holds && !faults.includes(fault)) faults.push(fault);
  };
  for (const id of methods) {
    check(id >= 0 && id < functions && known[id] === 0, 'a method is not in the program, or is listed twice');
    known[id] = 1;
  }
  const isMethod = (id: number): boolean => known[id] === 1;
  check(sites.caller.every(isMethod), 'a caller is not among the methods');
  check(targets.callee.every(isMethod), 'a callee is not among the methods');
  check(entries.function.every(isMethod), 'an entry is not among the methods');
  check(
    sites.declared.every((id) => id >= -1 && id < functions),
    'a declared target is not a function',
  );
  check(
    receivers.class.every((id) => id >= 0 && id < classes),
    'a receiver is not a class',
  );
  check(
    entries.reason.every((id) => id >= 0 && id < reasons.offsets.length - 1),
    'an entry has no reason',
  );
  check(
    targets.why.every((bits) => bits > 0),
    'an edge has no reason',
  );
  check(codeBytes === undefined || codeBytes.length === methods.length, 'sizes of code do not belong to the methods');
  check(rowsBelong(sites.first, targets.site, sites.length), 'targets are not grouped by site');
  check(rowsBelong(sites.firstReceiver, receivers.site, sites.length), 'receivers are not grouped by site');
  check(
    sites.caller.every((_, site) => sites.bciStart[site] < sites.bciStart[site + 1]),
    'a site has no BCI',
  );
  return faults;
}

function rowsBelong(first: Int32Array, site: Int32Array, sites: number): boolean {
  if (first[0] !== 0 || first[sites] !== site.length) return false;
  for (let id = 0; id < sites; id++)
    for (let row = first[id]; row < first[id + 1]; row++) if (site[row] !== id) return false;
  return true;
}
