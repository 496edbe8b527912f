/** Lines of a call tree → rows of a call graph. The tree in the file only says which calls belong to which method. */
import { Int32Builder } from '../../base/columns/columns.js';
import type { ProblemLog } from '../../base/problems.js';
import { decodeUtf8 } from '../../base/text.js';
import type { CallGraph } from '../../models/callgraph/call-graph.js';
import { CallGraphBuilder } from '../../models/callgraph/call-graph-builder.js';
import type { Recording } from '../../models/recording.js';
import { IdRows, RowColumn } from '../shared/tree/id-rows.js';
import { NOTHING, TreeLevels } from '../shared/tree/levels.js';
import { BciReader, NO_BCIS } from './bcis.js';
import { NodeNames } from './node-names.js';
import type { CallTreeResidue } from './residue.js';
import { DIRECT, ENTRY, type TreeLine, VIRTUAL } from './tree-line.js';

/** What a line at a depth is to the lines below it. */
const METHOD = 1;
const SITE = 2;

type Kept = Pick<Recording, 'metadata' | 'sections' | 'program' | 'callGraph' | 'complete' | 'residue'>;

export class TreeGraph {
  readonly #problems: ProblemLog;
  readonly #names = new NodeNames();
  readonly #graph = new CallGraphBuilder(0, { counts: false });
  readonly #ids = new IdRows();
  /** By row of a node: its id, and whether a line lists it (1). */
  readonly #idOf = new RowColumn();
  readonly #listed = new RowColumn();
  readonly #levels = new TreeLevels();
  readonly #openEnded = new Int32Builder();
  readonly #interfaces = new Int32Builder();
  /** Lines of the file, those without a known caller too. */
  readonly #counts = { entries: 0, methods: 0, sites: 0, targets: 0 };
  readonly #bcis = new BciReader(this.#graph);
  #lost = false;
  #reasons = false;
  /** The last entry, until its reason is complete. */
  #entry: { readonly row: number; reason: string } | undefined;

  constructor(problems: ProblemLog) {
    this.#problems = problems;
  }

  add(line: TreeLine, bytes: Uint8Array, offset: number): void {
    const { depth, kind } = line;
    this.#endEntry();
    if (depth > this.#levels.deepest + 1) this.#orphan(depth, offset);
    this.#close(depth, line.isLast);
    let below = NOTHING;
    let row = -1;
    if (kind === VIRTUAL) {
      row = this.#site(line, bytes, offset);
      below = row < 0 ? NOTHING : SITE;
    } else {
      row = this.#node(line, bytes, offset);
      below = METHOD;
      if (kind === ENTRY) this.#addEntry(line, row, offset);
      else if (kind === DIRECT) this.#target(this.#site(line, bytes, offset), row);
      else this.#target(this.#parent(depth, SITE, offset), row);
    }
    this.#levels.set(depth, below, row);
  }

  /** Adds a line to the reason of the entry before; false if no entry precedes. */
  continueReason(text: string): boolean {
    if (this.#entry === undefined) return false;
    this.#entry.reason += `\n${text}`;
    return true;
  }

  finish({ crlf }: { readonly crlf: boolean }): Kept {
    this.#endEntry();
    this.#close(0, true);
    const missing = this.#missing();
    const { program: builder, declared } = this.#names.finish();
    this.#graph.resolveDeclared(declared);
    const program = builder.finish();
    const fileId = program.functions.fileId;
    fileId.set(this.#idOf.finish(this.#names.nodes.length));
    const residue: CallTreeResidue = {
      loaders: this.#names.hasLoaders === true,
      reasons: this.#reasons,
      crlf,
      openEnded: this.#openEnded.finish(),
    };
    const { entries, methods, sites, targets } = this.#counts;
    return {
      metadata: [],
      sections: [
        { name: 'entries', entries },
        { name: 'methods', entries: methods },
        { name: 'call sites', entries: sites },
        { name: 'targets', entries: targets },
      ],
      program,
      callGraph: this.#withInterfaces(this.#graph.finish(missing > 0)),
      complete: missing === 0 && !this.#lost,
      residue,
    };
  }

  /** The graph with the calls that are `interfacially calls`, as in the documentation. */
  #withInterfaces(graph: CallGraph): CallGraph {
    if (this.#interfaces.length === 0) return graph;
    const ofInterface = new Uint8Array(graph.sites.length);
    for (const site of this.#interfaces.finish()) ofInterface[site] = 1;
    return { ...graph, sites: { ...graph.sites, ofInterface } };
  }

  /** Lines from this depth on have no further children: what was drawn with more to come had an omitted call. */
  #close(depth: number, isLast: boolean): void {
    const { deepest, kinds, lasts, rows } = this.#levels;
    for (let at = deepest; at > depth; at--)
      if (lasts[at] === 0 && kinds[at - 1] === METHOD) this.#openEnded.push(rows[at - 1]);
    // The entries end with the file.
    if (depth === 0 && deepest < 0) lasts[0] = 1;
    this.#levels.close(depth, isLast);
  }

  /** A line deeper than its predecessor's children: the lines between are lost. */
  #orphan(depth: number, offset: number): void {
    this.#levels.skipTo(depth);
    this.#lose('call-tree-parent', offset, `no line at depth ${depth - 1} precedes this one: its caller is unknown`);
  }

  /** The row above a line; -1 if it is of another kind. */
  #parent(depth: number, kind: number, offset: number): number {
    const { kinds, rows } = this.#levels;
    if (depth > 0 && kinds[depth - 1] === kind) return rows[depth - 1];
    if (depth === 0 || kinds[depth - 1] !== NOTHING) {
      const expected =
        kind === METHOD ? 'an entry, direct call or target above this call' : 'a virtual call above this target';
      this.#lose('call-tree-parent', offset, `expected ${expected}, found none: its caller is unknown`);
    }
    return -1;
  }

  #node(line: TreeLine, bytes: Uint8Array, offset: number): number {
    const { id, textFrom, textTo } = line;
    let row = this.#ids.rowOf(id);
    if (row >= 0 && !this.#names.isNode(row, bytes, textFrom, textTo)) {
      this.#lose('call-tree-id', offset, `id ${id} is that of another method, not of ${shown(line, bytes)}`);
      row = this.#name(line, bytes, offset);
    } else if (row < 0) {
      row = this.#name(line, bytes, offset);
      this.#ids.set(id, row);
      const known = this.#idOf.get(row);
      if (known >= 0) this.#lose('call-tree-id', offset, `this method has the ids ${known} and ${id}`);
      else this.#idOf.set(row, id);
    }
    this.#graph.method(row);
    if (!line.isReference) this.#list(row, id, offset);
    return row;
  }

  /** The row of the text of a line. */
  #name(line: TreeLine, bytes: Uint8Array, offset: number): number {
    const known = this.#names.nodes.length;
    const row = this.#names.node(bytes, line.textFrom, line.textTo);
    if (row === known && !this.#names.isMethod(row))
      this.#lose('call-tree-method', offset, `expected Class.name(types):type, found ${shown(line, bytes)}`);
    return row;
  }

  #list(row: number, id: number, offset: number): void {
    this.#counts.methods++;
    if (this.#listed.get(row) === 1)
      this.#lose(
        'call-tree-twice',
        offset,
        `id ${id} is listed before: the calls of the method are added to those above`,
      );
    this.#listed.set(row, 1);
  }

  /** Adds a site of the method above; -1 if that is unknown. */
  #site(line: TreeLine, bytes: Uint8Array, offset: number): number {
    this.#counts.sites++;
    const caller = this.#parent(line.depth, METHOD, offset);
    if (caller < 0) return -1;
    if (!this.#bcis.read(bytes, line.bciFrom, line.bciTo)) this.#lose('call-tree-bci', offset, NO_BCIS);
    if (line.kind !== VIRTUAL) return this.#graph.siteAt(caller, 'direct');
    const declared = this.#names.declared.add(bytes, line.textFrom, line.textTo);
    const site = this.#graph.siteAt(caller, 'virtual', declared);
    if (line.isInterface) this.#interfaces.push(site);
    return site;
  }

  #target(site: number, row: number): void {
    this.#counts.targets++;
    if (site >= 0) this.#graph.target(site, row, 'reported');
  }

  #addEntry(line: TreeLine, row: number, offset: number): void {
    this.#counts.entries++;
    if (line.depth > 0)
      this.#lose('call-tree-parent', offset, 'expected an entry at the left margin, found it below a method');
    if (line.reason !== undefined) this.#reasons = true;
    this.#entry = { row, reason: line.reason ?? '' };
  }

  #endEntry(): void {
    if (this.#entry === undefined) return;
    this.#graph.entry(this.#entry.row, this.#entry.reason);
    this.#entry = undefined;
  }

  /** Number of methods that are only referred to. */
  #missing(): number {
    const nodes = this.#names.nodes.length;
    let missing = 0;
    let first = -1;
    for (let row = 0; row < nodes; row++) {
      if (this.#listed.get(row) === 1) continue;
      if (missing++ === 0) first = this.#idOf.get(row);
    }
    if (missing > 0)
      this.#problems.add({
        code: 'call-tree-missing',
        severity: 'error',
        message: `${missing} methods are referred to and not listed, the first by id-ref=${first}: their calls are unknown`,
      });
    return missing;
  }

  #lose(code: string, offset: number, message: string): void {
    this.#lost = true;
    this.#problems.add({ code, severity: 'error', offset, message });
  }
}

function shown({ textFrom, textTo }: TreeLine, bytes: Uint8Array): string {
  return decodeUtf8(bytes, textFrom, Math.min(textTo, textFrom + 80));
}
