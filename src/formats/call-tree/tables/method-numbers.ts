/** Which methods the tables of a recording have, in which order, with which ids. */
import { Int32Builder } from '../../../base/columns/columns.js';
import { NONE } from '../../../base/flavor.js';
import { stringAt } from '../../../base/text.js';
import { CALL_KINDS, type CallGraph } from '../../../models/callgraph/call-graph.js';
import type { FunctionId } from '../../../models/program/program.js';
import type { Recording } from '../../../models/recording.js';
import { printedType, printedTypes } from '../../shared/points-to/method-text.js';
import { displayOf } from './display.js';
import type { MethodRows } from './method-table.js';
import { isTablesResidue, type TablesResidue } from './residue.js';
import type { Layout } from './set-names.js';

const VIRTUAL = CALL_KINDS.indexOf('virtual');

/** Rows of a table: functions with their ids. */
export interface NumberedRows {
  readonly functions: ArrayLike<FunctionId>;
  /** By row. */
  readonly ids: ArrayLike<number>;
}

export class MethodNumbers {
  /** Present if the recording was read from tables. */
  readonly residue: TablesResidue | undefined;
  readonly methods: NumberedRows;
  /** Declared targets of virtual calls, where they have a table of their own. */
  readonly virtualMethods: NumberedRows;
  readonly #recording: Recording;
  /** By function: its id, as a method and as a declared target. */
  readonly #ids: Int32Array;
  readonly #virtualIds: Int32Array;
  /** By function: its row in the residue. */
  readonly #texts: { readonly rows: MethodRows; readonly rowOf: Int32Array }[];

  constructor(recording: Recording, graph: CallGraph, layout: Layout) {
    const { program, residue, format } = recording;
    const functions = program.functions.length;
    this.#recording = recording;
    this.residue = format === 'call-tree' && isTablesResidue(residue) ? residue : undefined;
    this.#ids = new Int32Array(functions).fill(NONE);
    const next = { id: 0 };
    this.methods = numbered(this.#methodRows(graph, layout), program.functions.fileId, this.#ids, next);
    this.#virtualIds = layout === 'seven' ? new Int32Array(functions).fill(NONE) : this.#ids;
    this.virtualMethods = layout === 'seven' ? this.#virtualRows(graph, next) : { functions: [], ids: [] };
    this.#texts = [this.residue?.methods, this.residue?.virtualMethods].flatMap((rows) => {
      if (rows === undefined) return [];
      const rowOf = new Int32Array(functions).fill(NONE);
      for (let row = rows.functions.length - 1; row >= 0; row--) rowOf[rows.functions[row]] = row;
      return [{ rows, rowOf }];
    });
  }

  /** The id of a method; -1 if it has none. */
  idOf(id: FunctionId): number {
    return id < 0 ? NONE : this.#ids[id];
  }

  /** The id of a declared target. */
  declaredIdOf(id: FunctionId): number {
    return id < 0 ? NONE : this.#virtualIds[id];
  }

  /** Name, Type, Parameters, Return, Display and Flags. Flags are empty where the recording has none. */
  cellsOf(id: FunctionId): string[] {
    const { program } = this.#recording;
    const { classes, functions, names } = program;
    const own = stringAt(names, functions.name[id]);
    const holder = functions.class[id];
    const type = holder < 0 ? '' : printedType(stringAt(names, classes.name[holder]));
    const [returns = '', ...types] = printedTypes(program, id);
    const parameters = types.length > 0 ? types.join(' ') : 'empty';
    const known = this.#texts.find(({ rowOf }) => rowOf[id] >= 0);
    const row = known?.rowOf[id] ?? NONE;
    const display = known === undefined ? displayOf(type, own) : this.#text(known.rows.display[row]);
    const flags = known === undefined ? '' : this.#text(known.rows.flags[row]);
    return [own, type, parameters, returns, display, flags];
  }

  #text(id: number): string {
    return this.residue === undefined ? '' : stringAt(this.residue.texts, id);
  }

  /** As read, else in the order of the graph; with all declared targets, unless those have a table of their own. */
  #methodRows(graph: CallGraph, layout: Layout): FunctionId[] {
    const rows = new Set<FunctionId>();
    const isMethod = new Set<FunctionId>(graph.methods);
    const own = this.residue?.methods.functions ?? [];
    for (const id of own) if (layout === 'three' || isMethod.has(id)) rows.add(id);
    for (const id of graph.methods) rows.add(id);
    if (layout === 'three') for (const id of graph.sites.declared) if (id >= 0) rows.add(id);
    return [...rows];
  }

  #virtualRows(graph: CallGraph, next: { id: number }): NumberedRows {
    const rows = new Set<FunctionId>();
    const ids = new Int32Array(this.#recording.program.functions.length).fill(NONE);
    const own = this.residue?.virtualMethods;
    own?.functions.forEach((id, row) => {
      rows.add(id);
      ids[id] = own.ids[row];
    });
    const { declared, kind } = graph.sites;
    declared.forEach((id, site) => {
      if (id >= 0 && kind[site] === VIRTUAL) rows.add(id);
    });
    return numbered([...rows], ids, this.#virtualIds, next);
  }
}

/** Gives each row its known id, if no other row has it; else the next number above all. */
function numbered(
  rows: readonly FunctionId[],
  known: ArrayLike<number>,
  idOf: Int32Array,
  next: { id: number },
): NumberedRows {
  const used = new Set<number>();
  for (const id of rows) {
    const own = known[id] ?? NONE;
    if (own < 0 || own < next.id || used.has(own)) continue;
    used.add(own);
    idOf[id] = own;
  }
  for (const id of used) next.id = Math.max(next.id, id + 1);
  const ids = new Int32Builder(rows.length);
  for (const id of rows) {
    if (idOf[id] < 0) idOf[id] = next.id++;
    ids.push(idOf[id]);
  }
  return { functions: rows, ids: ids.finish() };
}
