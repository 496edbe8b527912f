/**
 * Joins several programs: classes and functions that `unite` finds to be the same, or that have the same spelling, have
 * one row. The result does not depend on the order of the programs: rows are sorted by their content.
 *
 * Rows with the same spelling are joined by numbers alone; strings are made only for the few names with run-time
 * numbers or hashes of a build. Cost: 40 to 60 bytes a row of each program while it runs; a sort of the distinct ones.
 */
import { Int32Builder } from '../../base/columns.js';
import { NONE } from '../../base/flavor.js';
import { IntTable } from '../../base/hash.js';
import { OffsetTable } from '../../models/program/places.js';
import {
  CLASS_KINDS,
  type ClassTable,
  FUNCTION_KINDS,
  type FunctionTable,
  type Program,
  type UnitTable,
} from '../../models/program/program.js';
import { type United, unite } from '../identity/unite.js';
import { type Joined, joinLoadObjects, joinUnits } from './join-load-objects.js';
import { type JoinedNames, joinNames } from './join-names.js';
import { joinSpellings } from './join-rows.js';
import { trieOrder } from './trie-order.js';

export interface JoinedPrograms {
  readonly names: JoinedNames;
  readonly classes: ClassTable;
  readonly functions: FunctionTable;
  /** For each program: its rows → joined rows; -1 for rows that have only a number of their recording. */
  readonly classRows: readonly Int32Array[];
  readonly functionRows: readonly Int32Array[];
  /** Also -1 for code made at run time. */
  readonly loadObjectRows: readonly Int32Array[];
  /** Load objects and compile units, if any. */
  readonly native: Pick<Program, 'loadObjects' | 'units'>;
  /** Functions that were not joined although others may be the same. */
  readonly ambiguous: number;
}

const MISSING_CLASS = CLASS_KINDS.indexOf('missing');
const MISSING_FUNCTION = FUNCTION_KINDS.indexOf('missing');

/** `numbered`: whether rows get ids, for formats with ids. */
export function joinPrograms(programs: readonly Program[], numbered: boolean): JoinedPrograms {
  const names = joinNames(programs);
  const united = unite(programs);
  const classes = joinClasses(programs, names, united.classes, numbered);
  const loadObjects = joinLoadObjects(programs, united.loadObjects, names.rows);
  const units = joinUnits(programs, loadObjects.rows, names.rows);
  const functions = joinFunctions(programs, names, united.functions, classes, units, numbered);
  return {
    names,
    classes: classes.table,
    functions: functions.table,
    classRows: classes.rows,
    functionRows: functions.rows,
    loadObjectRows: loadObjects.rows,
    native: {
      ...(loadObjects.table === undefined ? {} : { loadObjects: loadObjects.table }),
      ...(units.table === undefined ? {} : { units: units.table }),
    },
    ambiguous: functions.ambiguous,
  };
}

interface JoinedRows<Rows> {
  readonly table: Rows;
  readonly rows: readonly Int32Array[];
  readonly ambiguous: number;
}

/** The rows of spellings that were not joined into another, in the order of `compare`; and the row of each spelling. */
function ranked(into: Int32Array, compare: (a: number, b: number) => number): { order: Int32Array; rank: Int32Array } {
  const order = Int32Array.from(into.keys())
    .filter((id) => into[id] === id)
    .sort(compare);
  const rank = new Int32Array(into.length);
  order.forEach((id, row) => {
    rank[id] = row;
  });
  return { order, rank: rank.map((_, id) => rank[into[id]]) };
}

function rowsOf(spellings: readonly Int32Array[], rank: Int32Array): Int32Array[] {
  return spellings.map((ids) => ids.map((id) => (id < 0 ? NONE : rank[id])));
}

function joinClasses(
  programs: readonly Program[],
  { rows: nameRows }: JoinedNames,
  united: United,
  numbered: boolean,
): JoinedRows<ClassTable> {
  const distinct = new IntTable();
  const spellings = programs.map(({ classes }, program) =>
    Int32Array.from({ length: classes.length }, (_, id) => {
      if (classes.kind[id] === MISSING_CLASS) return NONE;
      const module = classes.module?.[id] ?? NONE;
      return distinct.add(rowAt(nameRows[program], classes.name[id]), rowAt(nameRows[program], module));
    }),
  );
  const [name, module] = [distinct.column(0), distinct.column(1)];
  const count = distinct.length;
  const compare = (a: number, b: number): number => name[a] - name[b] || module[a] - module[b];
  const { into } = joinSpellings(
    count,
    spellings,
    united,
    (a, b) => (module[a] < 0 === module[b] < 0 ? compare(a, b) < 0 : module[a] >= 0),
    () => true,
  );
  const { order, rank } = ranked(into, compare);
  const table: ClassTable = {
    length: order.length,
    name: order.map((id) => name[id]),
    kind: new Uint8Array(order.length).fill(CLASS_KINDS.indexOf('class')),
    fileId: numbered ? Int32Array.from(order.keys()) : new Int32Array(order.length).fill(NONE),
    ...(module.some((id) => id >= 0) ? { module: order.map((id) => module[id]) } : {}),
  };
  return { table, rows: rowsOf(spellings, rank), ambiguous: 0 };
}

/** The joined row of a program's row. */
function rowAt(rows: Int32Array | undefined, id: number): number {
  return id < 0 ? NONE : (rows?.[id] ?? NONE);
}

/** The distinct spellings of functions while they are joined, as columns. */
class FunctionSpellings {
  /** (class, name, detail). */
  readonly #distinct: IntTable;
  /** (types, file, kind); of native functions with a body (types, file, -1 - number in `#kinds`). */
  readonly #details: IntTable;
  /** (kind, number in `#bodies`). */
  readonly #kinds = new IntTable(16);
  /** (unit, start). */
  readonly #bodies = new OffsetTable();
  /** (types before, type): lists of types as a trie. */
  readonly #types: IntTable;

  /** `rows`: the smallest number of functions. */
  constructor(rows: number) {
    this.#distinct = new IntTable(rows);
    this.#details = new IntTable(rows / 4);
    this.#types = new IntTable(rows / 4);
  }

  /** The spelling of a function; -1 if the recording does not define it or one of its types. */
  add({ functions }: Program, id: number, parts: JoinedParts): number {
    const { names, classes, units, loadObjects } = parts;
    if (functions.kind[id] === MISSING_FUNCTION) return NONE;
    const owner = rowAt(classes, functions.class[id]);
    if (functions.class[id] >= 0 && owner < 0) return NONE;
    let types = NONE;
    const end = functions.signatureStart[id + 1] ?? functions.signature.length;
    for (let i = functions.signatureStart[id]; i < end; i++) {
      const type = rowAt(classes, functions.signature[i]);
      if (type < 0) return NONE;
      types = this.#types.add(types, type);
    }
    const unit = rowAt(units, functions.unit?.[id] ?? NONE);
    // The start of a function means nothing in code made at run time.
    const start = rowAt(loadObjects, unit) < 0 ? NONE : (functions.start?.[id] ?? NONE);
    const body = unit < 0 ? NONE : this.#bodies.add(unit, start);
    const kind = body < 0 ? functions.kind[id] : -1 - this.#kinds.add(functions.kind[id], body);
    const detail = this.#details.add(types, rowAt(names, functions.file?.[id] ?? NONE), kind);
    return this.#distinct.add(owner, rowAt(names, functions.name[id]), detail);
  }

  finish(): SpelledFunctions {
    const details = this.#distinct.column(2);
    const [types, file, kinds] = [this.#details.column(0), this.#details.column(1), this.#details.column(2)];
    const body = kinds.map((kind) => (kind < 0 ? this.#kinds.key(-1 - kind, 1) : NONE));
    const kind = kinds.map((key) => (key < 0 ? this.#kinds.key(-1 - key, 0) : key));
    const { row: unit, offset: start } = this.#bodies.columns();
    const before = this.#types.column(0);
    const type = this.#types.column(1);
    const order = trieOrder(before, type);
    return {
      length: details.length,
      class: this.#distinct.column(0),
      name: this.#distinct.column(1),
      types: details.map((detail) => types[detail]),
      typesPlace: details.map((detail) => (types[detail] < 0 ? NONE : order[types[detail]])),
      file: details.map((detail) => file[detail]),
      kind: Uint8Array.from(details, (detail) => kind[detail]),
      unit: details.map((detail) => (body[detail] < 0 ? NONE : unit[body[detail]])),
      start: Float64Array.from(details, (detail) => (body[detail] < 0 ? NONE : start[body[detail]])),
      before,
      type,
    };
  }
}

interface SpelledFunctions {
  readonly length: number;
  readonly class: Int32Array;
  readonly name: Int32Array;
  /** The last node of a list of types in the trie of `before` and `type`, and the position of the list among all. */
  readonly types: Int32Array;
  readonly typesPlace: Int32Array;
  readonly file: Int32Array;
  readonly kind: Uint8Array;
  readonly unit: Int32Array;
  readonly start: Float64Array;
  readonly before: Int32Array;
  readonly type: Int32Array;
}

/** The joined rows of the parts of one program. */
interface JoinedParts {
  readonly names: Int32Array | undefined;
  readonly classes: Int32Array | undefined;
  readonly units: Int32Array | undefined;
  /** Load object of each joined unit. */
  readonly loadObjects: Int32Array | undefined;
}

function joinFunctions(
  programs: readonly Program[],
  names: JoinedNames,
  united: United,
  classes: JoinedRows<ClassTable>,
  units: Joined<UnitTable>,
  numbered: boolean,
): JoinedRows<FunctionTable> {
  const distinct = new FunctionSpellings(Math.max(...programs.map(({ functions }) => functions.length)));
  const spellings = programs.map((program, index) => {
    const parts = {
      names: names.rows[index],
      classes: classes.rows[index],
      units: units.rows[index],
      loadObjects: units.table?.loadObject,
    };
    return Int32Array.from({ length: program.functions.length }, (_, id) => distinct.add(program, id, parts));
  });
  const known = distinct.finish();
  const { class: owner, name, typesPlace, file, kind, unit, start } = known;
  const details = (id: number): number =>
    (typesPlace[id] < 0 ? 0 : 4) + (file[id] < 0 ? 0 : 2) + (unit[id] < 0 ? 0 : 1);
  const compare = (a: number, b: number): number =>
    owner[a] - owner[b] ||
    name[a] - name[b] ||
    typesPlace[a] - typesPlace[b] ||
    file[a] - file[b] ||
    kind[a] - kind[b] ||
    unit[a] - unit[b] ||
    start[a] - start[b];
  const { into, ambiguous } = joinSpellings(
    known.length,
    spellings,
    united,
    (a, b) => (details(a) === details(b) ? compare(a, b) < 0 : details(a) > details(b)),
    // A method belongs to its class: if the classes are not joined, neither are the methods.
    (a, b) => owner[a] === owner[b],
  );
  const { order, rank } = ranked(into, compare);
  const left = ambiguous.reduce((sum, each) => sum + each, 0);
  return { table: functionTable(order, known, numbered), rows: rowsOf(spellings, rank), ambiguous: left };
}

function functionTable(order: Int32Array, known: SpelledFunctions, numbered: boolean): FunctionTable {
  const signature = new Int32Builder(order.length * 4);
  const signatureStart = new Int32Array(order.length + 1);
  order.forEach((id, row) => {
    const from = signature.length;
    for (let node = known.types[id]; node >= 0; node = known.before[node]) signature.push(known.type[node]);
    signature.values.subarray(from, signature.length).reverse();
    signatureStart[row + 1] = signature.length;
  });
  return {
    length: order.length,
    name: order.map((id) => known.name[id]),
    class: order.map((id) => known.class[id]),
    kind: Uint8Array.from(order, (id) => known.kind[id]),
    fileId: numbered ? Int32Array.from(order.keys()) : new Int32Array(order.length).fill(NONE),
    ...(known.file.some((id) => id >= 0) ? { file: order.map((id) => known.file[id]) } : {}),
    ...(known.unit.some((id) => id >= 0)
      ? { unit: order.map((id) => known.unit[id]), start: Float64Array.from(order, (id) => known.start[id]) }
      : {}),
    signatureStart,
    signature: signature.finish(),
  };
}
