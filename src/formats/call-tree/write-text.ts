/**
 * Writes call graphs as trees in text (docs/formats/call-tree.md), as GraalVM does. A tree that was read comes out byte for byte, if it
 * was printed by GraalVM: the order of entries, calls and targets is that of the graph, and where a method is expanded follows from it.
 *
 * Memory: that of `treeOrder`, 8 bytes a level of the tree, and a chunk of 1 MiB.
 */
import { ByteBuilder } from '../../base/columns/columns.js';
import { encodeUtf8, stringAt } from '../../base/text.js';
import { CALL_KINDS, type CallGraph } from '../../models/callgraph/call-graph.js';
import { type TreeOrder, treeOrder } from '../../models/callgraph/tree-order.js';
import type { FunctionId, Program } from '../../models/program/program.js';
import type { Recording } from '../../models/recording.js';
import type { WriteOptions, Written } from '../capabilities/writer.js';
import { printedTypes } from '../shared/points-to/method-text.js';
import { BAR, BLANKS, CHILD, LAST } from '../shared/tree/glyphs.js';
import { notesOnKinds, requireCallGraph } from './graph-notes.js';
import { HEADING } from './read-text.js';
import type { CallTreeResidue } from './residue.js';

const CHUNK = 1 << 20;
const VIRTUAL = CALL_KINDS.indexOf('virtual');

/** Throws `UsageError` for recordings without a call graph. */
export function writeCallTree(recording: Recording, options: WriteOptions = {}): Written {
  const graph = requireCallGraph(recording);
  const dropped: string[] = [];
  return {
    dropped,
    chunks: {
      *[Symbol.iterator]() {
        const writer = new TreeWriter(recording, graph);
        for (const chunk of writer.chunks()) {
          options.work?.signal?.throwIfAborted();
          yield chunk;
        }
        dropped.splice(0, dropped.length, ...writer.dropped());
      },
    },
  };
}

/** A row of sites or targets that is being printed: the next one and the end. */
class Level {
  next = 0;
  end = 0;
  /** Whether rows are targets of a virtual site; else they are positions in `order.sites`. */
  isTargets = false;
  /** Whether the line that this level is below has no sibling after it. */
  isLast = false;
  method: FunctionId = -1;
}

class TreeWriter {
  readonly #graph: CallGraph;
  readonly #program: Program;
  readonly #order: TreeOrder;
  readonly #residue: CallTreeResidue;
  readonly #openEnded: ReadonlySet<number>;
  readonly #out = new ByteBuilder(CHUNK + (1 << 16));
  readonly #lineEnd: Uint8Array;
  readonly #levels: Level[] = [];
  #depth = 0;

  constructor({ program, residue, format }: Recording, graph: CallGraph) {
    this.#program = program;
    this.#graph = graph;
    this.#order = treeOrder(graph, program.functions.length);
    this.#residue = format === 'call-tree' && isResidue(residue) ? residue : plainResidue(program, graph);
    this.#openEnded = new Set(this.#residue.openEnded);
    this.#lineEnd = encodeUtf8(this.#residue.crlf ? '\r\n' : '\n');
  }

  *chunks(): Iterable<Uint8Array> {
    const { entries } = this.#graph;
    this.#text(HEADING);
    this.#bytes(this.#lineEnd);
    for (let entry = 0; entry < entries.length; entry++) {
      const method = entries.function[entry];
      const isLast = entry === entries.length - 1;
      this.#bytes(isLast ? LAST : CHILD);
      this.#text('entry ');
      this.#node(method);
      this.#text(` id=${this.#idOf(method)}${this.#reason(entry)} `);
      this.#bytes(this.#lineEnd);
      this.#openMethod(method, isLast);
      yield* this.#below();
    }
    this.#bytes(this.#lineEnd);
    yield this.#out.finish();
  }

  /** Methods that no entry reaches, and calls without a known kind. */
  dropped(): string[] {
    const { methods } = this.#graph;
    let unreached = 0;
    for (const id of methods) if (this.#order.number[id] < 0) unreached++;
    return [...(unreached > 0 ? [`${unreached} methods that no entry reaches`] : []), ...notesOnKinds(this.#graph)];
  }

  /** Prints all lines below the entry; the open levels are a stack. */
  *#below(): Iterable<Uint8Array> {
    while (this.#depth > 0) {
      const level = this.#levels[this.#depth - 1];
      if (level === undefined || level.next >= level.end) this.#depth--;
      else if (level.isTargets) this.#target(level);
      else this.#site(level);
      if (this.#out.length >= CHUNK) {
        yield this.#out.finish();
        this.#out.length = 0;
      }
    }
  }

  #site(level: Level): void {
    const { sites, targets } = this.#graph;
    const site = this.#order.sites[level.next++];
    const isLast = level.next >= level.end && !this.#openEnded.has(level.method);
    const from = sites.first[site];
    const isVirtual = sites.kind[site] === VIRTUAL;
    const declared = this.#declared(site);
    // Builders print nothing for a direct call without a target.
    if (isVirtual ? declared < 0 : from === sites.first[site + 1]) return;
    this.#indent(isLast);
    if (!isVirtual) {
      const callee = targets.callee[from];
      const isExpanded = this.#order.expandedAt[callee] === from;
      this.#text('directly calls ');
      this.#node(callee);
      this.#text(` ${isExpanded ? 'id' : 'id-ref'}=${this.#idOf(callee)} @bci=${this.#bcis(site)} `);
      this.#bytes(this.#lineEnd);
      if (isExpanded) this.#openMethod(callee, isLast);
      return;
    }
    this.#text(sites.ofInterface?.[site] === 1 ? 'interfacially calls ' : 'virtually calls ');
    this.#method(declared);
    this.#text(` @bci=${this.#bcis(site)}`);
    this.#bytes(this.#lineEnd);
    const below = this.#open(isLast);
    below.isTargets = true;
    below.next = from;
    below.end = sites.first[site + 1];
    below.method = site;
  }

  /** What a call names: tables may lack the declared target, then the first one that is called. */
  #declared(site: number): FunctionId {
    const { sites, targets } = this.#graph;
    const own = sites.declared[site];
    if (own >= 0 || sites.first[site] === sites.first[site + 1]) return own;
    return targets.callee[sites.first[site]];
  }

  #target(level: Level): void {
    const row = level.next++;
    const callee = this.#graph.targets.callee[row];
    const isLast = level.next >= level.end;
    const isExpanded = this.#order.expandedAt[callee] === row;
    this.#indent(isLast);
    this.#text(this.#graph.sites.ofInterface?.[level.method] === 1 ? 'is implemented by ' : 'is overridden by ');
    this.#node(callee);
    this.#text(` ${isExpanded ? 'id' : 'id-ref'}=${this.#idOf(callee)} `);
    this.#bytes(this.#lineEnd);
    if (isExpanded) this.#openMethod(callee, isLast);
  }

  #openMethod(method: FunctionId, isLast: boolean): void {
    const level = this.#open(isLast);
    level.isTargets = false;
    level.next = this.#order.first[method];
    level.end = this.#order.first[method + 1];
    level.method = method;
  }

  #open(isLast: boolean): Level {
    const level = this.#levels[this.#depth] ?? new Level();
    this.#levels[this.#depth++] = level;
    level.isLast = isLast;
    return level;
  }

  #indent(isLast: boolean): void {
    for (let depth = 0; depth < this.#depth; depth++) this.#bytes(this.#levels[depth]?.isLast === true ? BLANKS : BAR);
    this.#bytes(isLast ? LAST : CHILD);
  }

  /** With its loader, where the report has loaders. */
  #node(id: FunctionId): void {
    const { classes, functions, names } = this.#program;
    const module = classes.module?.[functions.class[id]] ?? -1;
    if (this.#residue.loaders && module >= 0) {
      this.#text(stringAt(names, module));
      this.#text(':');
    }
    this.#method(id);
  }

  #method(id: FunctionId): void {
    this.#text(methodName(this.#program, id));
  }

  #idOf(id: FunctionId): number {
    const own = this.#program.functions.fileId[id];
    return own >= 0 ? own : this.#order.number[id];
  }

  #bcis(site: number): string {
    const { bcis, bciStart } = this.#graph.sites;
    return bcis.subarray(bciStart[site], bciStart[site + 1]).join('->');
  }

  #reason(entry: number): string {
    if (!this.#residue.reasons) return '';
    return `, parsing reason:  ${stringAt(this.#graph.reasons, this.#graph.entries.reason[entry])}`;
  }

  #text(text: string): void {
    const out = this.#out;
    out.reserve(text.length * 3);
    out.length += ENCODER.encodeInto(text, out.bytes.subarray(out.length)).written;
  }

  #bytes(bytes: Uint8Array): void {
    this.#out.append(bytes, 0, bytes.length);
  }
}

const ENCODER = new TextEncoder();

/** `Holder.name(types):type`, as the report spells it. */
export function methodName(program: Program, id: FunctionId): string {
  const { classes, functions, names } = program;
  const own = stringAt(names, functions.name[id]);
  const holder = functions.class[id];
  if (holder < 0) return own;
  const name = `${stringAt(names, classes.name[holder])}.${own}`;
  const [returns, ...parameters] = printedTypes(program, id);
  return returns === undefined ? `${name}()` : `${name}(${parameters.join(', ')}):${returns}`;
}

function isResidue(residue: unknown): residue is CallTreeResidue {
  return typeof residue === 'object' && residue !== null && 'openEnded' in residue;
}

/** As GraalVM 25 writes, as far as the recording has it. */
function plainResidue(program: Program, graph: CallGraph): CallTreeResidue {
  return {
    loaders: program.classes.module !== undefined,
    reasons: graph.entries.reason.some((id) => graph.reasons.offsets[id] < graph.reasons.offsets[id + 1]),
    crlf: false,
    openEnded: new Int32Array(),
  };
}
