/**
 * Writes call graphs as tables of either generation (docs/formats/call-tree.md). Tables that were read come out byte for byte: rows have
 * the order of the graph and of the residue. Memory: 16 bytes a method; of `seven`, the keys of all calls, as they are distinct there.
 */
import { IntRuns, IntTable } from '../../../base/columns/hash.js';
import { dictionary } from '../../../base/dictionary.js';
import { UsageError } from '../../../base/errors.js';
import { phrase, theOption } from '../../../base/phrase.js';
import { CALL_KINDS, type CallGraph } from '../../../models/callgraph/call-graph.js';
import type { Recording } from '../../../models/recording.js';
import type { WriteOptions, WrittenSet } from '../../capabilities/writer.js';
import { textChunks } from '../../shared/text-chunks.js';
import { notesOnGraph, requireCallGraph } from '../graph-notes.js';
import { MethodNumbers, type NumberedRows } from './method-numbers.js';
import { type Layout, SEVEN_TABLES, THREE_TABLES } from './set-names.js';

const VIRTUAL = CALL_KINDS.indexOf('virtual');

/** The first version of GraalVM with each layout, as the option `version` names it. */
const VERSIONS = dictionary<Layout>({ '24.1': 'three', '21.3': 'seven' });

/** How cells are written: as in reports, or quoted where they have commas or quotes. */
export interface CellOptions {
  readonly quoted?: boolean;
}

/** Throws `UsageError` for recordings without a call graph, and for unknown versions. */
export async function writeCallTreeSet(
  recording: Recording,
  options: WriteOptions = {},
  cells: CellOptions = {},
): Promise<WrittenSet> {
  const graph = requireCallGraph(recording);
  const { version } = options;
  const layout = version === undefined ? undefined : VERSIONS[version];
  if (version !== undefined && layout === undefined)
    throw new UsageError(`tables of call trees have no version '${version}'`, {
      code: 'unknown-version',
      advice: phrase`Use ${theOption('version', { value: Object.keys(VERSIONS).join(' or ') })}.`,
      action: { choose: ['version'] },
    });
  return new SetWriter(recording, graph, layout, { ...options, ...cells }).written();
}

class SetWriter {
  readonly #graph: CallGraph;
  readonly #numbers: MethodNumbers;
  readonly #layout: Layout;
  readonly #lineEnd: string;
  readonly #options: WriteOptions & CellOptions;
  readonly #dropped: string[];

  constructor(recording: Recording, graph: CallGraph, layout: Layout | undefined, options: WriteOptions & CellOptions) {
    this.#graph = graph;
    this.#layout = layout ?? layoutOf(recording);
    this.#numbers = new MethodNumbers(recording, graph, this.#layout);
    this.#lineEnd = this.#numbers.residue?.crlf === true ? '\r\n' : '\n';
    this.#options = options;
    this.#dropped = [...notesOnGraph(recording.program, graph)];
  }

  written(): WrittenSet {
    const parts = new Map<string, Iterable<Uint8Array>>();
    const add = (table: string, heading: string, rows: () => Iterable<string>): void => {
      parts.set(table, { [Symbol.iterator]: () => textChunks(this.#lines(heading, rows()), this.#options.work) });
    };
    if (this.#layout === 'three') {
      add('methods', THREE_TABLES.methods, () => this.#methodRows(this.#numbers.methods, true));
      add('invokes', THREE_TABLES.invokes, () => this.#invokes());
      add('targets', THREE_TABLES.targets, () => this.#targets());
    } else {
      add('vm', SEVEN_TABLES.vm, () => ['0,VM']);
      add('methods', SEVEN_TABLES.methods, () => this.#methodRows(this.#numbers.methods, false));
      add('virtual_methods', SEVEN_TABLES.virtual_methods, () => this.#methodRows(this.#numbers.virtualMethods, false));
      add('entry_points', SEVEN_TABLES.entry_points, () => this.#entries());
      add('direct_edges', SEVEN_TABLES.direct_edges, () => this.#directEdges());
      add('virtual_edges', SEVEN_TABLES.virtual_edges, () => this.#virtualEdges());
      add('override_by_edges', SEVEN_TABLES.override_by_edges, () => this.#overrides());
    }
    return { parts, dropped: this.#dropped };
  }

  *#lines(heading: string, rows: Iterable<string>): Iterable<string> {
    yield heading + this.#lineEnd;
    for (const row of rows) yield row + this.#lineEnd;
  }

  *#methodRows({ functions, ids }: NumberedRows, marked: boolean): Iterable<string> {
    const isEntry = new Set(this.#marksEntries() ? this.#graph.entries.function : []);
    for (let row = 0; row < ids.length; row++) {
      const id = functions[row] ?? -1;
      const cells = this.#numbers.cellsOf(id).map((cell) => (this.#options.quoted === true ? quoted(cell) : cell));
      yield `${ids[row]},${cells.join(',')}${marked ? `,${isEntry.has(id)}` : ''}`;
    }
  }

  #marksEntries(): boolean {
    return this.#numbers.residue?.noEntries !== true;
  }

  *#entries(): Iterable<string> {
    if (!this.#marksEntries()) return;
    for (const id of new Set(this.#graph.entries.function)) yield String(this.#numbers.idOf(id));
  }

  *#invokes(): Iterable<string> {
    const { sites, targets } = this.#graph;
    let undeclared = 0;
    for (let site = 0; site < sites.length; site++) {
      const isVirtual = sites.kind[site] === VIRTUAL;
      const hasTarget = sites.first[site] < sites.first[site + 1];
      // The target of a direct call is the method it declares.
      const direct = isVirtual || !hasTarget ? -1 : targets.callee[sites.first[site]];
      const declared = this.#numbers.idOf(sites.declared[site] >= 0 ? sites.declared[site] : direct);
      if (declared < 0) undeclared++;
      const cells = [this.#invokeId(site), this.#numbers.idOf(sites.caller[site]), this.#bcis(site)];
      yield `${cells.join(',')},${declared < 0 ? '' : declared},${!isVirtual}`;
    }
    if (undeclared > 0) this.#dropped.push(`of ${undeclared} calls, TargetId: the recording has no declared method`);
  }

  *#targets(): Iterable<string> {
    const { site, callee, length } = this.#graph.targets;
    for (let row = 0; row < length; row++) yield `${this.#invokeId(site[row])},${this.#numbers.idOf(callee[row])}`;
  }

  #invokeId(site: number): number {
    return this.#numbers.residue?.invokeIds?.[site] ?? site;
  }

  *#directEdges(): Iterable<string> {
    const { sites, targets } = this.#graph;
    const known = new IntRuns();
    let without = 0;
    let twice = 0;
    for (let site = 0; site < sites.length; site++) {
      if (sites.kind[site] === VIRTUAL) continue;
      if (sites.first[site] === sites.first[site + 1]) without++;
      for (let row = sites.first[site]; row < sites.first[site + 1]; row++) {
        const callee = targets.callee[row];
        if (!this.#isNew(known, site, callee)) twice++;
        else yield `${this.#numbers.idOf(sites.caller[site])},${this.#numbers.idOf(callee)},${this.#bcis(site)}`;
      }
    }
    this.#drop(without, 'direct calls without a target');
    this.#drop(twice, 'direct calls with the caller, target and BCIs of another one');
  }

  *#virtualEdges(): Iterable<string> {
    const { sites } = this.#graph;
    const known = new IntRuns();
    let undeclared = 0;
    let twice = 0;
    for (let site = 0; site < sites.length; site++) {
      if (sites.kind[site] !== VIRTUAL) continue;
      const declared = sites.declared[site];
      if (declared < 0) undeclared++;
      else if (!this.#isNew(known, site, declared)) twice++;
      else
        yield `${this.#numbers.idOf(sites.caller[site])},${this.#numbers.declaredIdOf(declared)},${this.#bcis(site)}`;
    }
    this.#drop(undeclared, 'virtual calls without a declared method');
    this.#drop(twice, 'virtual calls with the caller, declared method and BCIs of another one');
  }

  /** Whether no call before has this caller, BCIs and other end. */
  #isNew(known: IntRuns, site: number, other: number): boolean {
    const { caller, bcis, bciStart } = this.#graph.sites;
    const before = known.length;
    known.push(caller[site]);
    known.push(other);
    for (let at = bciStart[site]; at < bciStart[site + 1]; at++) known.push(bcis[at]);
    return known.add() === before;
  }

  *#overrides(): Iterable<string> {
    const { sites, targets } = this.#graph;
    const { residue, virtualMethods } = this.#numbers;
    const known = new IntTable();
    const { overrides } = residue ?? {};
    for (let row = 0; row < (overrides?.declared.length ?? 0); row++) {
      const [declared, callee] = [virtualMethods.functions[overrides?.declared[row] ?? 0], overrides?.callee[row]];
      if (declared === undefined || callee === undefined) continue;
      known.add(declared, callee);
      yield `${this.#numbers.declaredIdOf(declared)},${this.#numbers.idOf(callee)}`;
    }
    const most = new Map<number, number>();
    for (let row = 0; row < targets.length; row++) {
      const [site, callee] = [targets.site[row], targets.callee[row]];
      const declared = sites.declared[site];
      if (sites.kind[site] !== VIRTUAL || declared < 0) continue;
      const before = known.length;
      if (known.add(declared, callee) < before) continue;
      yield `${this.#numbers.declaredIdOf(declared)},${this.#numbers.idOf(callee)}`;
    }
    for (let key = 0; key < known.length; key++) most.set(known.key(key, 0), (most.get(known.key(key, 0)) ?? 0) + 1);
    let merged = 0;
    for (let site = 0; site < sites.length; site++) {
      if (sites.kind[site] !== VIRTUAL || sites.declared[site] < 0) continue;
      if (sites.first[site + 1] - sites.first[site] < (most.get(sites.declared[site]) ?? 0)) merged++;
    }
    this.#drop(merged, 'virtual calls, which targets are theirs: they get all targets of their declared method');
  }

  #drop(count: number, what: string): void {
    if (count > 0) this.#dropped.push(`${count} ${what}`);
  }

  #bcis(site: number): string {
    const { bcis, bciStart } = this.#graph.sites;
    return bcis.subarray(bciStart[site], bciStart[site + 1]).join('->');
  }
}

/** As RFC 4180 has it. */
function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

function layoutOf({ format, residue }: Recording): Layout {
  const isOwn = format === 'call-tree' && typeof residue === 'object' && residue !== null && 'layout' in residue;
  return isOwn && residue.layout === 'seven' ? 'seven' : 'three';
}
