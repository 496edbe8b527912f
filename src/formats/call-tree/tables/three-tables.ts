/** Tables since GraalVM 24.1: methods, invokes and targets. */
import { Int32Builder } from '../../../base/columns/columns.js';
import type { ByteInterner } from '../../../base/columns/hash.js';
import { CallGraphBuilder } from '../../../models/callgraph/call-graph-builder.js';
import { MethodAdder } from '../../shared/points-to/method-text.js';
import { IdRows } from '../../shared/tree/id-rows.js';
import { BciReader, NO_BCIS } from '../bcis.js';
import type { Cells } from './cells.js';
import { MethodTable } from './method-table.js';
import type { TablesResidue } from './residue.js';
import type { FromTables, Tables, TakeRow } from './rows.js';
import { THREE_TABLES } from './set-names.js';

/** As the forge of graalvm-reachability-metadata makes tables by hand. */
const INVOKES_WITHOUT_TARGET = 'Id,MethodId,BytecodeIndexes,IsDirect';

export async function readThree(tables: Tables, texts: ByteInterner): Promise<FromTables> {
  const reader = new ThreeTables(texts);
  const methods = await tables.read('methods', [THREE_TABLES.methods], reader.method);
  const invokes = await tables.read('invokes', [THREE_TABLES.invokes, INVOKES_WITHOUT_TARGET], reader.invoke);
  const targets = await tables.read('targets', [THREE_TABLES.targets], reader.target);
  reader.tell(tables);
  const sections = [
    { name: 'entries', entries: reader.entries },
    { name: 'methods', entries: methods },
    { name: 'call sites', entries: invokes },
    { name: 'targets', entries: targets },
  ];
  return { sections, ...reader.finish(tables) };
}

class ThreeTables {
  readonly #adder = new MethodAdder();
  readonly #graph = new CallGraphBuilder(0, { counts: false });
  readonly #texts: ByteInterner;
  readonly #methods: MethodTable;
  readonly #entries = new Int32Builder();
  /** By site: its Id, its declared target (as in the graph), and whether it is direct. */
  readonly #invokeIds = new Int32Builder();
  readonly #directTo = new Int32Builder();
  readonly #siteOf = new IdRows();
  /** Direct calls with a target that is not the declared one. */
  #others = 0;

  readonly #bcis = new BciReader(this.#graph);

  constructor(texts: ByteInterner) {
    this.#texts = texts;
    this.#methods = new MethodTable(this.#adder, texts, 'three');
  }

  /** Rows that are marked. */
  get entries(): number {
    return this.#entries.length;
  }

  readonly method: TakeRow = (cells) => {
    const fault = this.#methods.add(cells);
    if (fault !== undefined) return `${fault}; row skipped`;
    const isEntry = cells.is(cells.length - 1, 'true');
    if (isEntry) this.#entries.push(this.#methods.functionOf(cells.number(0)));
    return isEntry || cells.is(cells.length - 1, 'false') ? undefined : 'IsEntryPoint is neither true nor false';
  };

  readonly invoke: TakeRow = (cells) => {
    const last = cells.length - 1;
    const isDirect = cells.is(last, 'true');
    const [id, of] = [cells.number(0), cells.number(1)];
    if ((last !== 3 && last !== 4) || id < 0 || of < 0 || !(isDirect || cells.is(last, 'false')))
      return 'its cells are not those of a call; row skipped';
    if (this.#siteOf.rowOf(id) >= 0) return `Id ${id} is listed before; row skipped`;
    const caller = this.#methods.functionOf(of);
    if (caller < 0) return { id: of, column: 'MethodId', table: 'methods' };
    const isSound = this.#bcis.read(cells.bytes, cells.from(2), cells.to(2));
    const declared = last === 4 ? this.#methods.functionOf(cells.number(3)) : -1;
    this.#siteOf.set(id, this.#graph.siteAt(caller, isDirect ? 'direct' : 'virtual', declared));
    this.#invokeIds.push(id);
    this.#directTo.push(isDirect ? declared : -1);
    if (!isSound) return NO_BCIS;
    return last < 4 || declared >= 0 || cells.isEmpty(3) ? undefined : missingTarget(cells);
  };

  readonly target: TakeRow = (cells) => {
    const [invoke, to] = [cells.number(0), cells.number(1)];
    if (cells.length !== 2 || invoke < 0 || to < 0) return 'its cells are not two ids; row skipped';
    const site = this.#siteOf.rowOf(invoke);
    if (site < 0) return { id: invoke, column: 'InvokeId', table: 'invokes' };
    const callee = this.#methods.functionOf(to);
    if (callee < 0) return { id: to, column: 'TargetId', table: 'methods' };
    const declared = this.#directTo.values[site];
    if (declared >= 0 && declared !== callee) this.#others++;
    this.#graph.target(site, callee, 'reported');
    return undefined;
  };

  /** What only all tables together show. */
  tell(tables: Tables): void {
    if (this.#others > 0)
      tables.lose(
        'targets',
        'call-tree-runs',
        `${this.#others} direct calls have another target than in the table invokes: the tables are of different runs`,
      );
    if (this.#entries.length === 0)
      tables.problem('methods', {
        code: 'call-tree-entries',
        severity: 'warning',
        message: 'no method is marked as an entry point: methods that nothing calls are taken as entries',
      });
  }

  finish(tables: Tables): Omit<FromTables, 'sections'> {
    const graph = this.#graph;
    const program = this.#adder.program.finish();
    const methods = this.#methods.finish();
    for (let row = 0; row < methods.ids.length; row++)
      program.functions.fileId[methods.functions[row]] = methods.ids[row];
    const isDeclared = graph.declaredIn(program.functions.length);
    // Declared targets that nothing reaches have rows, too.
    for (const id of methods.functions) if (isDeclared[id] === 0) graph.method(id);
    const noEntries = this.#entries.length === 0;
    for (const id of noEntries ? graph.uncalled() : this.#entries.finish()) graph.entry(id, '');
    const residue: TablesResidue = {
      layout: 'three',
      crlf: tables.crlf,
      texts: { bytes: this.#texts.bytes.finish(), offsets: this.#texts.offsets.finish() },
      methods,
      invokeIds: this.#invokeIds.finish(),
      noEntries,
    };
    return { program, callGraph: graph.finish(tables.lost), residue };
  }
}

function missingTarget(cells: Cells): ReturnType<TakeRow> {
  const id = cells.number(3);
  return id < 0
    ? 'TargetId is not a number: the declared method is unknown'
    : { id, column: 'TargetId', table: 'methods', kept: true };
}
