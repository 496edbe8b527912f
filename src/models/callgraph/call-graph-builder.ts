/**
 * Builds a call graph in any order of its source: tables of edges are separate from the sites, a tree comes depth
 * first. `finish` groups targets and receivers by site with a counting sort, O(rows).
 */
import { ByteBuilder, Float64Builder, Int32Builder } from '../../base/columns/columns.js';
import { ByteInterner } from '../../base/columns/hash.js';
import { encodeUtf8 } from '../../base/text.js';
import type { ClassId, FunctionId } from '../program/program.js';
import { bitOf, CALL_KINDS, type CallGraph, type CallKind, type CallSiteId, type EdgeReason } from './call-graph.js';

/** Stands for the count of an edge that was seen but not counted. NaN, since a damaged recording may count -1. */
const NOT_COUNTED = Number.NaN;

export class CallGraphBuilder {
  readonly #methods = new Int32Builder();
  readonly #known: Uint8Array;
  readonly #caller = new Int32Builder();
  readonly #kind = new ByteBuilder();
  readonly #declared = new Int32Builder();
  readonly #bcis = new Int32Builder();
  readonly #bciStart = new Int32Builder();
  readonly #targets = new EdgeBuilder();
  readonly #why = new ByteBuilder();
  readonly #receivers = new EdgeBuilder();
  readonly #entryFunction = new Int32Builder();
  readonly #entryReason = new Int32Builder();
  readonly #entryCount = new Float64Builder();
  readonly #reasons = new ByteInterner();
  readonly #counts: boolean;

  /** `functions`: number in the program. `counts`: whether the source counts calls. */
  constructor(functions: number, { counts }: { readonly counts: boolean }) {
    this.#known = new Uint8Array(functions);
    this.#counts = counts;
    this.#bciStart.push(0);
  }

  /** Adds a method to the graph, even without callers and callees. */
  method(id: FunctionId): void {
    if (this.#known[id] === 1) return;
    this.#known[id] = 1;
    this.#methods.push(id);
  }

  /** Adds a site, even if an equal one exists. `bcis`: innermost first, at least one. */
  site(caller: FunctionId, bcis: readonly number[], kind: CallKind, declared: FunctionId = -1): CallSiteId {
    this.method(caller);
    for (const bci of bcis) this.#bcis.push(bci);
    this.#bciStart.push(this.#bcis.length);
    this.#kind.push(CALL_KINDS.indexOf(kind));
    this.#declared.push(declared);
    return this.#caller.push(caller);
  }

  /** Sets the kind of the site. */
  setKind(site: CallSiteId, kind: CallKind): void {
    this.#kind.bytes[site] = CALL_KINDS.indexOf(kind);
  }

  /** A call of `callee` at the site; the row, for `addTo`. */
  target(site: CallSiteId, callee: FunctionId, why: EdgeReason, count: number = NOT_COUNTED): number {
    this.method(callee);
    this.#why.push(bitOf(why));
    return this.#targets.add(site, callee, count);
  }

  /** Adds a reason for an edge, and counted calls. */
  addTo(target: number, why: EdgeReason, count: number = NOT_COUNTED): void {
    this.#why.bytes[target] |= bitOf(why);
    if (Number.isNaN(count)) return;
    const { values } = this.#targets.count;
    values[target] = (Number.isNaN(values[target]) ? 0 : values[target]) + count;
  }

  receiver(site: CallSiteId, type: ClassId, count: number = NOT_COUNTED): void {
    this.#receivers.add(site, type, count);
  }

  entry(id: FunctionId, reason: string, count: number = NOT_COUNTED): void {
    this.method(id);
    const bytes = encodeUtf8(reason);
    this.#entryFunction.push(id);
    this.#entryReason.push(this.#reasons.add(bytes, 0, bytes.length));
    this.#entryCount.push(count);
  }

  finish(partial: boolean): CallGraph {
    const sites = this.#caller.length;
    const targets = this.#targets.bySite(sites);
    const receivers = this.#receivers.bySite(sites);
    const why = this.#why.finish();
    const counted = (count: Float64Array) => (this.#counts ? { count } : {});
    return {
      methods: this.#methods.finish(),
      sites: {
        length: sites,
        caller: this.#caller.finish(),
        bciStart: this.#bciStart.finish(),
        bcis: this.#bcis.finish(),
        kind: this.#kind.finish(),
        declared: this.#declared.finish(),
        first: targets.first,
        firstReceiver: receivers.first,
      },
      targets: {
        length: targets.site.length,
        site: targets.site,
        callee: targets.other,
        why: Uint8Array.from(targets.rows, (row) => why[row]),
        ...counted(targets.count),
      },
      receivers: {
        length: receivers.site.length,
        site: receivers.site,
        class: receivers.other,
        ...counted(receivers.count),
      },
      entries: {
        length: this.#entryFunction.length,
        function: this.#entryFunction.finish(),
        reason: this.#entryReason.finish(),
        ...counted(this.#entryCount.finish()),
      },
      reasons: { bytes: this.#reasons.bytes.finish(), offsets: this.#reasons.offsets.finish() },
      partial,
    };
  }
}

/** Rows that belong to sites, in order of insertion. */
class EdgeBuilder {
  readonly site = new Int32Builder();
  readonly other = new Int32Builder();
  readonly count = new Float64Builder();

  add(site: CallSiteId, other: number, count: number): number {
    this.other.push(other);
    this.count.push(count);
    return this.site.push(site);
  }

  /** The columns sorted by site, stable; `rows`: the previous row of each. */
  bySite(sites: number) {
    const first = new Int32Array(sites + 1);
    const site = this.site.finish();
    for (const id of site) first[id + 1]++;
    for (let id = 0; id < sites; id++) first[id + 1] += first[id];
    const next = first.slice();
    const rows = new Int32Array(site.length);
    for (let row = 0; row < site.length; row++) rows[next[site[row]]++] = row;
    return {
      first,
      rows,
      site: rows.map((row) => site[row]),
      other: rows.map((row) => this.other.values[row]),
      count: Float64Array.from(rows, (row) => this.count.values[row]),
    };
  }
}
