/**
 * Tables of GraalVM 21.3 to 24.0. All virtual calls of one declared method share a row of `virtual_methods`, with all targets that any of
 * them has: so each call of the graph has these targets, too.
 */
import { Int32Builder } from '../../../base/columns/columns.js';
import type { ByteInterner } from '../../../base/columns/hash.js';
import { FormatError } from '../../../base/errors.js';
import { CallGraphBuilder } from '../../../models/callgraph/call-graph-builder.js';
import { MethodAdder } from '../../shared/points-to/method-text.js';
import { IdRows } from '../../shared/tree/id-rows.js';
import { BciReader, NO_BCIS } from '../bcis.js';
import type { Cells } from './cells.js';
import { MethodTable } from './method-table.js';
import type { TablesResidue } from './residue.js';
import type { FromTables, Tables, TakeRow } from './rows.js';
import { SEVEN_TABLES, type TableName } from './set-names.js';

/** Each virtual call repeats the targets of its declared method; in real reports that makes about twice as many as there are rows. */
const TARGETS_A_ROW = 256;
const ANY_TARGETS = 1 << 20;
/** 600 MB of columns. */
const MOST_TARGETS = 1 << 26;

export async function readSeven(tables: Tables, texts: ByteInterner): Promise<FromTables> {
  const reader = new SevenTables(texts);
  const read = (table: keyof typeof SEVEN_TABLES, take: TakeRow, options = {}) =>
    tables.read(table, [SEVEN_TABLES[table]], take, options);
  await read('vm', reader.vm, { optional: true });
  const methods = await read('methods', reader.method);
  // Without a heading until August 2022.
  const virtualMethods = await read('virtual_methods', reader.virtualMethod, { bare: true });
  const entries = await read('entry_points', reader.entry);
  const overrides = await read('override_by_edges', reader.override);
  const direct = await read('direct_edges', reader.directEdge);
  const virtual = await read('virtual_edges', reader.virtualEdge);
  reader.tell(tables);
  const sections = [
    { name: 'entries', entries },
    { name: 'methods', entries: methods },
    { name: 'virtual methods', entries: virtualMethods },
    { name: 'call sites', entries: direct + virtual },
    { name: 'targets', entries: direct + overrides },
  ];
  return { sections, ...reader.finish(tables) };
}

class SevenTables {
  readonly #adder = new MethodAdder();
  readonly #graph = new CallGraphBuilder(0, { counts: false });
  readonly #texts: ByteInterner;
  readonly #methods: MethodTable;
  readonly #virtualMethods: MethodTable;
  readonly #virtualRows = new IdRows();
  readonly #entries = new Int32Builder();
  readonly #declared = new Int32Builder();
  readonly #callee = new Int32Builder();
  /** Override edges grouped by row of `virtual_methods`; made when the first virtual edge comes. */
  #overrides: { readonly first: Int32Array; readonly callee: Int32Array } | undefined;

  readonly #bcis = new BciReader(this.#graph);
  /** Whether the last site has its BCIs. */
  #isSound = true;

  constructor(texts: ByteInterner) {
    this.#texts = texts;
    this.#methods = new MethodTable(this.#adder, texts, 'seven');
    this.#virtualMethods = new MethodTable(this.#adder, texts, 'seven');
  }

  readonly vm: TakeRow = (cells) =>
    cells.length === 2 && cells.is(0, '0') && cells.is(1, 'VM') ? undefined : 'expected the row 0,VM';

  readonly method: TakeRow = (cells) => skipped(this.#methods.add(cells));

  readonly virtualMethod: TakeRow = (cells) => {
    const row = this.#virtualMethods.length;
    const fault = this.#virtualMethods.add(cells);
    if (fault === undefined) this.#virtualRows.set(cells.number(0), row);
    return skipped(fault);
  };

  readonly entry: TakeRow = (cells) => {
    const id = cells.number(0);
    if (cells.length !== 1 || id < 0) return 'it is not an id; row skipped';
    const method = this.#methods.functionOf(id);
    if (method < 0) return { id, column: 'Id', table: 'methods' };
    this.#entries.push(method);
    return undefined;
  };

  readonly override: TakeRow = (cells) => {
    const [start, end] = [cells.number(0), cells.number(1)];
    if (cells.length !== 2 || start < 0 || end < 0) return 'its cells are not two ids; row skipped';
    const declared = this.#virtualRows.rowOf(start);
    if (declared < 0) return { id: start, column: 'StartId', table: 'virtual_methods' };
    const callee = this.#methods.functionOf(end);
    if (callee < 0) return { id: end, column: 'EndId', table: 'methods' };
    this.#declared.push(declared);
    this.#callee.push(callee);
    return undefined;
  };

  readonly directEdge: TakeRow = (cells) => {
    const callee = this.#methods.functionOf(cells.number(1));
    const site = this.#site(cells, callee, 'direct', 'methods');
    if (typeof site !== 'number') return site;
    this.#graph.target(site, callee, 'reported');
    return this.#bciFault;
  };

  readonly virtualEdge: TakeRow = (cells) => {
    const end = cells.number(1);
    const row = end < 0 ? -1 : this.#virtualRows.rowOf(end);
    const declared = row < 0 ? -1 : this.#virtualMethods.functionOf(end);
    const site = this.#site(cells, declared, 'virtual', 'virtual_methods');
    if (typeof site !== 'number') return site;
    this.#overrides ??= this.#grouped();
    const { first, callee } = this.#overrides;
    const most = Math.min(MOST_TARGETS, ANY_TARGETS + TARGETS_A_ROW * (this.#graph.sites + callee.length));
    if (this.#graph.targets + first[row + 1] - first[row] > most) throw tooMany(most);
    for (let at = first[row]; at < first[row + 1]; at++) this.#graph.target(site, callee[at], 'reported');
    return this.#bciFault;
  };

  /** Adds a site; or says why not. */
  #site(cells: Cells, declared: number, kind: 'direct' | 'virtual', table: TableName): number | ReturnType<TakeRow> {
    const [start, end] = [cells.number(0), cells.number(1)];
    if (cells.length !== 3 || start < 0 || end < 0) return 'its cells are not two ids and BCIs; row skipped';
    const caller = this.#methods.functionOf(start);
    if (caller < 0) return { id: start, column: 'StartId', table: 'methods' };
    if (declared < 0) return { id: end, column: 'EndId', table };
    this.#isSound = this.#bcis.read(cells.bytes, cells.from(2), cells.to(2));
    return this.#graph.siteAt(caller, kind, declared);
  }

  get #bciFault(): string | undefined {
    return this.#isSound ? undefined : NO_BCIS;
  }

  #grouped(): { readonly first: Int32Array; readonly callee: Int32Array } {
    const [declared, callees] = [this.#declared.finish(), this.#callee.finish()];
    const first = new Int32Array(this.#virtualMethods.length + 1);
    for (const row of declared) first[row + 1]++;
    for (let row = 1; row < first.length; row++) first[row] += first[row - 1];
    const next = first.slice();
    const callee = new Int32Array(callees.length);
    for (let at = 0; at < callees.length; at++) callee[next[declared[at]]++] = callees[at];
    return { first, callee };
  }

  tell(tables: Tables): void {
    if (this.#entries.length === 0 && tables.has('entry_points'))
      tables.problem('entry_points', {
        code: 'call-tree-entries',
        severity: 'warning',
        message: 'it lists no method: methods that nothing calls are taken as entries',
      });
  }

  finish(tables: Tables): Omit<FromTables, 'sections'> {
    const graph = this.#graph;
    const program = this.#adder.program.finish();
    const methods = this.#methods.finish();
    for (let row = 0; row < methods.ids.length; row++) {
      program.functions.fileId[methods.functions[row]] = methods.ids[row];
      graph.method(methods.functions[row]);
    }
    const noEntries = this.#entries.length === 0;
    for (const id of noEntries ? graph.uncalled() : this.#entries.finish()) graph.entry(id, '');
    const residue: TablesResidue = {
      layout: 'seven',
      crlf: tables.crlf,
      texts: { bytes: this.#texts.bytes.finish(), offsets: this.#texts.offsets.finish() },
      methods,
      virtualMethods: this.#virtualMethods.finish(),
      overrides: { declared: this.#declared.finish(), callee: this.#callee.finish() },
      noEntries,
    };
    return { program, callGraph: graph.finish(tables.lost), residue };
  }
}

const skipped = (fault: string | undefined): string | undefined => fault && `${fault}; row skipped`;

function tooMany(most: number): FormatError {
  return new FormatError({
    format: 'call-tree',
    offset: 0,
    expected: `at most ${most} targets of virtual calls`,
    found: 'more, as each call has all overrides of its declared method',
  });
}
