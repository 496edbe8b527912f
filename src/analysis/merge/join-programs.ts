/**
 * Joins several programs: classes and functions that `unite` finds to be the same, or that have the same spelling, have
 * one row. The result does not depend on the order of the programs: rows are sorted by their content.
 *
 * Rows with the same spelling are joined by numbers alone; strings are made only for the few names with run-time
 * numbers or hashes of a build. Cost: 40 to 60 bytes a row of each program while it runs; a sort of the distinct ones.
 */
import { Int32Builder } from '../../base/columns/columns.js';
import { IntRuns, IntTable } from '../../base/columns/hash.js';
import { countMarked, mapped, rowsWhere, taken } from '../../base/columns/marks.js';
import { NONE } from '../../base/flavor.js';
import { OffsetTable } from '../../models/program/places.js';
import {
  CLASS_KINDS,
  type ClassTable,
  FUNCTION_KINDS,
  type FunctionTable,
  type Program,
} from '../../models/program/program.js';
import { distinctSpellings, type Spellings } from '../identity/distinct.js';
import { type United, unite } from '../identity/unite.js';
import { inOrder, sortRuns } from './counting-order.js';
import { joinLoadObjects, joinUnits } from './join-load-objects.js';
import { type JoinedNames, joinNames } from './join-names.js';
import { joinSpellings } from './join-rows.js';

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
/** Not joined yet. */
const UNSEEN = -2;
const MISSING_FUNCTION = FUNCTION_KINDS.indexOf('missing');

/** `numbered`: whether rows get ids, for formats with ids. */
export function joinPrograms(programs: readonly Program[], numbered: boolean): JoinedPrograms {
  const names = joinNames(programs);
  const spellings = distinctSpellings(programs, names.rows);
  const united = unite(programs, spellings);
  const classes = joinClasses(programs, names, united.classes, numbered);
  const loadObjects = joinLoadObjects(programs, united.loadObjects, names.rows);
  const units = joinUnits(programs, loadObjects.rows, names.rows);
  const parts = programs.map((_, program) => ({
    names: names.rows[program] ?? new Int32Array(0),
    classes: classes.rows[program] ?? new Int32Array(0),
    units: units.rows[program],
    loadObjects: units.table?.loadObject,
  }));
  const functions = joinFunctions(programs, parts, united.functions, classes.shared, spellings.functions, numbered);
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
}

/**
 * The rows of spellings that were not joined into another, by `first`, then `second`, then `compare`; and the row of
 * each spelling.
 */
function ranked(
  into: Int32Array,
  first: Int32Array,
  second: Int32Array,
  compare: (a: number, b: number) => number,
): { order: Int32Array; rank: Int32Array } {
  const own = rowsWhere(into.length, (id) => into[id] === id);
  const order = inOrder(inOrder(own, second), first);
  sortRuns(order, (a, b) => first[a] === first[b] && second[a] === second[b], compare);
  const rank = new Int32Array(into.length);
  for (let row = 0; row < order.length; row++) rank[order[row]] = row;
  return { order, rank: mapped(into, rank) };
}

function rowsOf(spellings: readonly Int32Array[], rank: Int32Array): Int32Array[] {
  return spellings.map((ids) => mapped(ids, rank));
}

function joinClasses(
  programs: readonly Program[],
  { rows: nameRows }: JoinedNames,
  united: United,
  numbered: boolean,
): JoinedRows<ClassTable> & { readonly shared: Uint8Array } {
  const distinct = new IntTable();
  const spellings = programs.map(({ classes }, program) => {
    const rows = new Int32Array(classes.length).fill(NONE);
    for (let id = 0; id < rows.length; id++) {
      if (classes.kind[id] === MISSING_CLASS) continue;
      const module = classes.module?.[id] ?? NONE;
      rows[id] = distinct.add(rowAt(nameRows[program], classes.name[id]), rowAt(nameRows[program], module));
    }
    return rows;
  });
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
  const { order, rank } = ranked(into, name, module, compare);
  const table: ClassTable = {
    length: order.length,
    name: taken(name, order),
    kind: new Uint8Array(order.length).fill(CLASS_KINDS.indexOf('class')),
    fileId: fileIds(order.length, numbered),
    ...(module.some((id) => id >= 0) ? { module: taken(module, order) } : {}),
  };
  const shared = new Uint8Array(order.length);
  for (let id = 0; id < into.length; id++) if (into[id] !== id) shared[rank[id]] = 1;
  return { table, rows: rowsOf(spellings, rank), shared };
}

/** The joined row of a program's row. */
function rowAt(rows: Int32Array | undefined, id: number): number {
  return id < 0 ? NONE : (rows?.[id] ?? NONE);
}

/** The distinct spellings of functions while they are joined, as columns. */
class FunctionSpellings {
  readonly class: Int32Builder;
  readonly name: Int32Builder;
  readonly kind: Int32Builder;
  readonly file: Int32Builder;
  /** Compile unit and start of native functions, as a number in `bodies`. */
  readonly body: Int32Builder;
  readonly bodies = new OffsetTable();
  /** A program that has the spelling, and its row. */
  readonly program: Int32Builder;
  readonly row: Int32Builder;
  readonly #programs: readonly Program[];
  readonly #parts: readonly JoinedParts[];
  /** 1 for joined classes of several spellings. */
  readonly #shared: Uint8Array;
  /** The spellings that another one of `distinct.ts` may be equal to, and their numbers: these are few. */
  readonly #distinct = new IntRuns();
  readonly #numbers = new Int32Builder();

  /** `rows`: the smallest number of functions. */
  constructor(programs: readonly Program[], parts: readonly JoinedParts[], shared: Uint8Array, rows: number) {
    this.#shared = shared;
    this.#programs = programs;
    this.#parts = parts;
    const column = () => new Int32Builder(rows);
    [this.class, this.name, this.kind, this.file, this.body] = [column(), column(), column(), column(), column()];
    [this.program, this.row] = [column(), column()];
  }

  get length(): number {
    return this.class.length;
  }

  /**
   * The spelling of a function, which must not be one of `distinct.ts` that was added before, unless it has a unit; -1 if the recording does not define it or one of its types.
   */
  add(program: number, id: number): number {
    const { functions } = this.#programs[program];
    const { names, classes, units, loadObjects } = this.#parts[program];
    if (functions.kind[id] === MISSING_FUNCTION) return NONE;
    const owner = rowAt(classes, functions.class[id]);
    if (functions.class[id] >= 0 && owner < 0) return NONE;
    const { from, to } = this.#signature(program, id);
    let isAlone = owner < 0 || this.#shared[owner] === 0;
    for (let i = from; i < to; i++) {
      const type = rowAt(classes, functions.signature[i]);
      if (type < 0) return NONE;
      if (this.#shared[type] === 1) isAlone = false;
    }
    const unit = rowAt(units, functions.unit?.[id] ?? NONE);
    // The start of a function means nothing in code made at run time.
    const start = rowAt(loadObjects, unit) < 0 ? NONE : (functions.start?.[id] ?? NONE);
    const body = unit < 0 ? NONE : this.bodies.add(unit, start);
    const name = rowAt(names, functions.name[id]);
    const file = rowAt(names, functions.file?.[id] ?? NONE);
    if (!isAlone || body >= 0) {
      const distinct = this.#distinct;
      distinct.push(owner);
      distinct.push(name);
      distinct.push(file);
      distinct.push(functions.kind[id]);
      distinct.push(body);
      for (let i = from; i < to; i++) distinct.push(classes[functions.signature[i]]);
      const known = distinct.add();
      if (known < this.#numbers.length) return this.#numbers.values[known];
      this.#numbers.push(this.length);
    }
    this.class.push(owner);
    this.name.push(name);
    this.kind.push(functions.kind[id]);
    this.file.push(file);
    this.body.push(body);
    this.program.push(program);
    return this.row.push(id);
  }

  /** Appends the types of a spelling to `list`. */
  types(spelling: number, list: Int32Builder): void {
    const program = this.program.values[spelling];
    const { from, to } = this.#signature(program, this.row.values[spelling]);
    const { signature } = this.#programs[program].functions;
    const { classes } = this.#parts[program];
    for (let i = from; i < to; i++) list.push(classes[signature[i]]);
  }

  hasTypes(spelling: number): boolean {
    const { from, to } = this.#signature(this.program.values[spelling], this.row.values[spelling]);
    return to > from;
  }

  /** Compares the types of two spellings, the first ones first; a list precedes those that begin with it. */
  compareTypes(a: number, b: number): number {
    const [one, other] = [this.program.values[a], this.program.values[b]];
    const first = this.#signature(one, this.row.values[a]);
    const second = this.#signature(other, this.row.values[b]);
    const most = Math.min(first.to - first.from, second.to - second.from);
    for (let i = 0; i < most; i++) {
      const type = this.#parts[one].classes[this.#programs[one].functions.signature[first.from + i]];
      const against = this.#parts[other].classes[this.#programs[other].functions.signature[second.from + i]];
      if (type !== against) return type - against;
    }
    return first.to - first.from - (second.to - second.from);
  }

  #signature(program: number, id: number): { from: number; to: number } {
    const { signature, signatureStart } = this.#programs[program].functions;
    return { from: signatureStart[id], to: signatureStart[id + 1] ?? signature.length };
  }
}

/** The joined rows of the parts of one program. */
interface JoinedParts {
  readonly names: Int32Array;
  readonly classes: Int32Array;
  readonly units: Int32Array | undefined;
  /** Load object of each joined unit. */
  readonly loadObjects: Int32Array | undefined;
}

/** `shared`: 1 for joined classes of several spellings. `distinct`: the spellings of functions by themselves, apart from where native ones begin. */
function joinFunctions(
  programs: readonly Program[],
  parts: readonly JoinedParts[],
  united: United,
  shared: Uint8Array,
  distinct: Spellings,
  numbered: boolean,
): JoinedRows<FunctionTable> & { readonly ambiguous: number } {
  const known = new FunctionSpellings(programs, parts, shared, distinct.length);
  const seen = new Int32Array(distinct.length).fill(UNSEEN);
  const spellings = programs.map(({ functions }, program) => {
    const rows = new Int32Array(functions.length);
    for (let id = 0; id < rows.length; id++) {
      const spelling = distinct.rows[program]?.[id] ?? NONE;
      if (functions.unit !== undefined || seen[spelling] === UNSEEN) seen[spelling] = known.add(program, id);
      rows[id] = seen[spelling];
    }
    return rows;
  });
  const [owner, name, file, kind, body] = [known.class, known.name, known.file, known.kind, known.body].map((column) =>
    column.finish(),
  );
  const { row, offset } = known.bodies.columns();
  const unit = mapped(body, row);
  const start = new Float64Array(body.length).fill(NONE);
  if (row.length > 0) for (let id = 0; id < body.length; id++) if (body[id] >= 0) start[id] = offset[body[id]];
  const details = (id: number): number =>
    (known.hasTypes(id) ? 4 : 0) + (file[id] < 0 ? 0 : 2) + (unit[id] < 0 ? 0 : 1);
  const compare = (a: number, b: number): number =>
    owner[a] - owner[b] ||
    name[a] - name[b] ||
    known.compareTypes(a, b) ||
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
  const { order, rank } = ranked(into, owner, name, compare);
  const table = functionTable(order, known, { owner, name, file, kind, unit, start }, numbered);
  return { table, rows: rowsOf(spellings, rank), ambiguous: countMarked(ambiguous) };
}

/** Ids in the file: the rows, or none. */
function fileIds(length: number, numbered: boolean): Int32Array {
  const ids = new Int32Array(length).fill(NONE);
  if (numbered) for (let row = 0; row < length; row++) ids[row] = row;
  return ids;
}

interface FunctionColumns {
  readonly owner: Int32Array;
  readonly name: Int32Array;
  readonly file: Int32Array;
  readonly kind: Int32Array;
  readonly unit: Int32Array;
  readonly start: Float64Array;
}

function functionTable(
  order: Int32Array,
  known: FunctionSpellings,
  { owner, name, file, kind, unit, start }: FunctionColumns,
  numbered: boolean,
): FunctionTable {
  const signature = new Int32Builder(order.length * 4);
  const signatureStart = new Int32Array(order.length + 1);
  for (let at = 0; at < order.length; at++) {
    known.types(order[at], signature);
    signatureStart[at + 1] = signature.length;
  }
  return {
    length: order.length,
    name: taken(name, order),
    class: taken(owner, order),
    kind: new Uint8Array(taken(kind, order)),
    fileId: fileIds(order.length, numbered),
    ...(file.some((id) => id >= 0) ? { file: taken(file, order) } : {}),
    ...(unit.some((id) => id >= 0) ? { unit: taken(unit, order), start: taken(start, order) } : {}),
    signatureStart,
    signature: signature.finish(),
  };
}
