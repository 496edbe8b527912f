/**
 * Builds a call graph in any order of its source: tables of edges are separate from the sites, a tree comes depth
 * first. `finish` groups targets and receivers by site with a counting sort, O(rows).
 */
import { ByteBuilder, Float64Builder, Int32Builder } from '../../base/columns/columns.js';
import { ByteInterner } from '../../base/columns/hash.js';
import { encodeUtf8 } from '../../base/text.js';
import type { ClassId, FunctionId } from '../program/program.js';
import {
  bitOf,
  CALL_KINDS,
  type CallGraph,
  type CallSiteId,
  type CallSiteKind,
  type EdgeReason,
} from './call-graph.js';

/** Stands for the count of an edge that was seen but not counted. NaN, since a damaged recording may count -1. */
const NOT_COUNTED = Number.NaN;

export class CallGraphBuilder {
  readonly #methods = new Int32Builder();
  #known: Uint8Array;
  readonly #caller = new Int32Builder();
  readonly #kind = new ByteBuilder();
  readonly #declared = new Int32Builder();
  readonly #bcis = new Int32Builder();
  readonly #bciStart = new Int32Builder();
  readonly #targets: EdgeBuilder;
  readonly #why = new ByteBuilder();
  readonly #receivers: EdgeBuilder;
  readonly #entryFunction = new Int32Builder();
  readonly #entryReason = new Int32Builder();
  readonly #entryCount = new Float64Builder();
  readonly #reasons = new ByteInterner();
  readonly #counts: boolean;

  /** `functions`: number in the program, as far as known. `counts`: whether the source counts calls. */
  constructor(functions: number, { counts }: { readonly counts: boolean }) {
    this.#known = new Uint8Array(Math.max(functions, 64));
    this.#counts = counts;
    this.#targets = new EdgeBuilder(counts);
    this.#receivers = new EdgeBuilder(counts);
    this.#bciStart.push(0);
  }

  get sites(): number {
    return this.#caller.length;
  }

  get targets(): number {
    return this.#targets.site.length;
  }

  /** Adds a method to the graph, even without callers and callees. */
  method(id: FunctionId): void {
    if (this.#known[id] === 1) return;
    if (id >= this.#known.length) {
      const known = new Uint8Array(Math.max(this.#known.length * 2, id + 1));
      known.set(this.#known);
      this.#known = known;
    }
    this.#known[id] = 1;
    this.#methods.push(id);
  }

  /** Adds a site, even if an equal one exists. `bcis`: innermost first, at least one. */
  site(caller: FunctionId, bcis: readonly number[], kind: CallSiteKind, declared: FunctionId = -1): CallSiteId {
    for (const bci of bcis) this.#bcis.push(bci);
    return this.siteAt(caller, kind, declared);
  }

  /** A bytecode index of the site that `siteAt` will add, innermost first. */
  bci(bci: number): void {
    this.#bcis.push(bci);
  }

  /** Adds a site at the indexes that `bci` got: for readers with many sites, without an array for each. */
  siteAt(caller: FunctionId, kind: CallSiteKind, declared: FunctionId = -1): CallSiteId {
    this.method(caller);
    this.#bciStart.push(this.#bcis.length);
    this.#kind.push(CALL_KINDS.indexOf(kind));
    this.#declared.push(declared);
    return this.#caller.push(caller);
  }

  /** Sets the kind of the site. */
  setKind(site: CallSiteId, kind: CallSiteKind): void {
    this.#kind.bytes[site] = CALL_KINDS.indexOf(kind);
  }

  /** Replaces each declared target by its entry in `functions`, for readers that learn late which function a name means. */
  resolveDeclared(functions: ArrayLike<FunctionId>): void {
    const { values, length } = this.#declared;
    for (let site = 0; site < length; site++) if (values[site] >= 0) values[site] = functions[values[site]];
  }

  /** By function: 1 for those that a site declares as its target. `functions`: number in the program. */
  declaredIn(functions: number): Uint8Array {
    const { values, length } = this.#declared;
    const declared = new Uint8Array(functions);
    for (let site = 0; site < length; site++) if (values[site] >= 0) declared[values[site]] = 1;
    return declared;
  }

  /** The methods that no site calls. */
  uncalled(): FunctionId[] {
    const called = new Uint8Array(this.#known.length);
    const { values, length } = this.#targets.other;
    for (let row = 0; row < length; row++) called[values[row]] = 1;
    return [...this.#methods.finish()].filter((id) => called[id] === 0);
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
    const why = targets.reordered(this.#why.bytes.subarray(0, this.#why.length), new Uint8Array(this.#why.length));
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
        length: targets.other.length,
        site: targets.sorted(),
        callee: targets.other,
        why,
        ...counted(targets.count),
      },
      receivers: {
        length: receivers.other.length,
        site: receivers.sorted(),
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
  readonly count: Float64Builder;
  readonly #counts: boolean;

  constructor(counts: boolean) {
    this.#counts = counts;
    this.count = new Float64Builder(counts ? undefined : 0);
  }

  add(site: CallSiteId, other: number, count: number): number {
    this.other.push(other);
    if (this.#counts) this.count.push(count);
    return this.site.push(site);
  }

  /** The columns sorted by site, stable; `reordered` sorts another column of the rows. Nothing can be added afterwards. */
  bySite(sites: number) {
    const first = new Int32Array(sites + 1);
    const site = this.site.finish();
    for (const id of site) first[id + 1]++;
    // Without rows the column stays zero, and needs no memory.
    if (site.length > 0) for (let id = 0; id < sites; id++) first[id + 1] += first[id];
    // One column for all sorts: a graph may have millions of sites.
    const next = new Int32Array(sites);
    const reordered = <Values extends Int32Array | Float64Array | Uint8Array>(from: Values, to: Values): Values => {
      if (site.length > 0) next.set(first.subarray(0, sites));
      for (let row = 0; row < site.length; row++) to[next[site[row]]++] = from[row];
      return to;
    };
    return {
      first,
      reordered,
      other: reordered(this.other.finish(), new Int32Array(site.length)),
      count: this.#counts ? reordered(this.count.finish(), new Float64Array(site.length)) : new Float64Array(),
      /** The sites of the rows, in the memory of the unsorted ones: the last that is taken. */
      sorted: (): Int32Array => {
        if (site.length > 0) for (let id = 0; id < sites; id++) site.fill(id, first[id], first[id + 1]);
        return site;
      },
    };
  }
}
