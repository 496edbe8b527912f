/**
 * The programs of several experiments as one that keeps places: load objects of the same path and content, functions of the same place and frames of the
 * same address are one row. `analysis/merge` joins programs by names instead, for values of different builds, and drops code that was made at run time.
 */

import { sharedNames } from '../../analysis/identity/distinct.js';
import { Int32Builder } from '../../base/columns/columns.js';
import { IntRuns, IntTable } from '../../base/columns/hash.js';
import { NONE } from '../../base/flavor.js';
import { type StringTable, stringAt } from '../../base/text.js';
import { OffsetTable } from '../../models/program/places.js';
import {
  type ClassTable,
  type FunctionTable,
  type LoadObjectTable,
  type LocationTable,
  NO_LINE,
  type Program,
  UNKNOWN_BCI,
  type UnitTable,
} from '../../models/program/program.js';

/** The load object of functions that a program or the JVM made at run time. */
export const GENERATED = '[generated code]';

/** Where code that an experiment made at run time begins in the common load object of it, by number of the experiment. */
export function generatedShift(experiment: number): number {
  return experiment * 2 ** 40;
}

export interface JoinedProgram {
  readonly program: Program;
  /** By program, its rows to joined rows. */
  readonly strings: readonly Int32Array[];
  readonly classes: readonly Int32Array[];
  readonly functions: readonly Int32Array[];
  readonly locations: readonly Int32Array[];
  /** The names of `texts`. */
  readonly texts: Int32Array;
}

/** Names of load objects by program and path: the path, or the path with a mark where another experiment has other content there. */
export type ObjectKeys = (program: number, path: string) => string;

/** Joins programs in their order; `texts` become names, too. Cost: one pass over all rows, about 60 bytes a row while it runs. */
export function joinPrograms(
  programs: readonly Program[],
  keyOf: ObjectKeys,
  texts: readonly string[] = [],
): JoinedProgram {
  const { names: shared, rows: strings } = sharedNames(programs);
  const encoder = new TextEncoder();
  const nameOf = (text: string): number => {
    const bytes = encoder.encode(text);
    return shared.add(bytes, 0, bytes.length);
  };
  const classes = joinClasses(programs, strings);
  const objects = joinObjects(programs, strings, (program, path) => nameOf(keyOf(program, path)));
  const units = joinUnits(programs, strings, objects.rows);
  const isGenerated = (program: number, object: number): boolean => isGeneratedObject(programs[program], object);
  const functions = joinFunctions(programs, { strings, classes: classes.rows, units: units.rows, isGenerated });
  const locations = joinLocations(programs, { functions: functions.rows, objects: objects.rows, isGenerated });
  const textRows = Int32Array.from(texts, nameOf);
  const names: StringTable = { bytes: shared.bytes.finish(), offsets: shared.offsets.finish() };
  return {
    program: {
      names,
      classes: classes.table,
      functions: functions.table,
      locations: locations.table,
      ...(objects.table.length > 0 && { loadObjects: objects.table }),
      ...(units.table.length > 0 && { units: units.table }),
    },
    strings,
    classes: classes.rows,
    functions: functions.rows,
    locations: locations.rows,
    texts: textRows,
  };
}

function isGeneratedObject(program: Program | undefined, object: number): boolean {
  const path = program?.loadObjects?.path[object];
  return program !== undefined && path !== undefined && stringAt(program.names, path) === GENERATED;
}

/** -1 stays. */
function movedRow(rows: Int32Array | undefined, id: number | undefined): number {
  return id === undefined || id < 0 ? NONE : (rows?.[id] ?? NONE);
}

interface Rows<Table> {
  readonly table: Table;
  readonly rows: readonly Int32Array[];
}

function joinClasses(programs: readonly Program[], strings: readonly Int32Array[]): Rows<ClassTable> {
  const distinct = new IntTable(16);
  const [fileIds, first] = [new Int32Builder(), new Int32Builder()];
  const rows = programs.map(({ classes }, program) =>
    Int32Array.from({ length: classes.length }, (_, id) => {
      const module = movedRow(strings[program], classes.module?.[id]);
      const row = distinct.add(movedRow(strings[program], classes.name[id]), module, classes.kind[id]);
      if (row === fileIds.length) {
        fileIds.push(classes.fileId[id]);
        first.push(program);
      }
      return row;
    }),
  );
  const hasModules = programs.some(({ classes }) => classes.module !== undefined);
  const table: ClassTable = {
    length: distinct.length,
    name: distinct.column(0),
    kind: Uint8Array.from(distinct.column(2)),
    fileId: fileIds.finish(),
    ...(hasModules && { module: distinct.column(1) }),
  };
  return { table, rows };
}

function joinObjects(
  programs: readonly Program[],
  strings: readonly Int32Array[],
  nameOf: (program: number, path: string) => number,
): Rows<LoadObjectTable> {
  const distinct = new IntTable(16);
  const [buildId, architecture, kind] = [new Int32Builder(), new Int32Builder(), new Int32Builder()];
  const rows = programs.map(({ loadObjects, names }, program) =>
    Int32Array.from({ length: loadObjects?.length ?? 0 }, (_, id) => {
      if (loadObjects === undefined) return NONE;
      const row = distinct.add(nameOf(program, stringAt(names, loadObjects.path[id])));
      if (row === kind.length) {
        buildId.push(movedRow(strings[program], loadObjects.buildId[id]));
        architecture.push(movedRow(strings[program], loadObjects.architecture[id]));
        kind.push(loadObjects.kind[id]);
      }
      return row;
    }),
  );
  const table: LoadObjectTable = {
    length: distinct.length,
    path: distinct.column(0),
    buildId: buildId.finish(),
    architecture: architecture.finish(),
    kind: Uint8Array.from(kind.finish()),
  };
  return { table, rows };
}

function joinUnits(
  programs: readonly Program[],
  strings: readonly Int32Array[],
  objects: readonly Int32Array[],
): Rows<UnitTable> {
  const distinct = new IntTable(16);
  const rows = programs.map(({ units }, program) =>
    Int32Array.from({ length: units?.length ?? 0 }, (_, id) =>
      distinct.add(movedRow(strings[program], units?.name[id]), movedRow(objects[program], units?.loadObject[id])),
    ),
  );
  const table = { length: distinct.length, name: distinct.column(0), loadObject: distinct.column(1) };
  return { table, rows };
}

interface FunctionParts {
  readonly strings: readonly Int32Array[];
  readonly classes: readonly Int32Array[];
  readonly units: readonly Int32Array[];
  /** Whether a load object of a program is that of code made at run time. */
  readonly isGenerated: (program: number, object: number) => boolean;
}

/** Columns of functions while they are joined. */
class FunctionColumns {
  readonly name = new Int32Builder();
  readonly class = new Int32Builder();
  readonly kind = new Int32Builder();
  readonly fileId = new Int32Builder();
  readonly file = new Int32Builder();
  readonly unit = new Int32Builder();
  readonly start: number[] = [];
  readonly signatureStart = new Int32Builder();
  readonly signature = new Int32Builder();
}

function joinFunctions(programs: readonly Program[], parts: FunctionParts): Rows<FunctionTable> {
  const distinct = new IntRuns();
  const places = new OffsetTable();
  const columns = new FunctionColumns();
  const rows = programs.map(({ functions, units }, program) =>
    Int32Array.from({ length: functions.length }, (_, id) => {
      const moved = {
        name: movedRow(parts.strings[program], functions.name[id]),
        class: movedRow(parts.classes[program], functions.class[id]),
        file: movedRow(parts.strings[program], functions.file?.[id]),
        unit: movedRow(parts.units[program], functions.unit?.[id]),
      };
      const place = functions.start?.[id] ?? NONE;
      const object = units?.loadObject[functions.unit?.[id] ?? NONE] ?? NONE;
      const start = place >= 0 && parts.isGenerated(program, object) ? place + generatedShift(program) : place;
      const begin = functions.signatureStart[id];
      const types = functions.signature.subarray(begin, functions.signatureStart[id + 1] ?? begin);
      for (const part of [moved.name, moved.class, moved.file, functions.kind[id], moved.unit]) distinct.push(part);
      distinct.push(start < 0 ? NONE : places.add(0, start));
      for (const type of types) distinct.push(movedRow(parts.classes[program], type));
      const row = distinct.add();
      if (row < columns.name.length) return row;
      columns.name.push(moved.name);
      columns.class.push(moved.class);
      columns.file.push(moved.file);
      columns.unit.push(moved.unit);
      columns.kind.push(functions.kind[id]);
      columns.fileId.push(functions.fileId[id]);
      columns.start.push(start);
      columns.signatureStart.push(columns.signature.length);
      for (const type of types) columns.signature.push(movedRow(parts.classes[program], type));
      return row;
    }),
  );
  columns.signatureStart.push(columns.signature.length);
  return { table: { ...functionTable(programs, columns), ...aliases(programs, rows, parts.strings) }, rows };
}

function functionTable(programs: readonly Program[], columns: FunctionColumns): FunctionTable {
  const has = (key: 'file' | 'unit'): boolean => programs.some(({ functions }) => functions[key] !== undefined);
  return {
    length: columns.name.length,
    name: columns.name.finish(),
    class: columns.class.finish(),
    kind: Uint8Array.from(columns.kind.finish()),
    fileId: columns.fileId.finish(),
    ...(has('file') && { file: columns.file.finish() }),
    ...(has('unit') && { unit: columns.unit.finish(), start: Float64Array.from(columns.start) }),
    signatureStart: columns.signatureStart.finish(),
    signature: columns.signature.finish(),
  };
}

/** Further names of the functions, each once. */
function aliases(
  programs: readonly Program[],
  rows: readonly Int32Array[],
  strings: readonly Int32Array[],
): Pick<FunctionTable, 'alias' | 'aliasOf'> {
  const distinct = new IntTable(16);
  for (const [program, { functions }] of programs.entries())
    for (const [i, alias] of functions.alias?.entries() ?? [])
      distinct.add(movedRow(strings[program], alias), movedRow(rows[program], functions.aliasOf?.[i]));
  return distinct.length === 0 ? {} : { alias: distinct.column(0), aliasOf: distinct.column(1) };
}

interface LocationParts {
  readonly functions: readonly Int32Array[];
  readonly objects: readonly Int32Array[];
  readonly isGenerated: FunctionParts['isGenerated'];
}

function joinLocations(programs: readonly Program[], parts: LocationParts): Rows<LocationTable> {
  const distinct = new IntRuns();
  const places = new OffsetTable();
  const column = (): Int32Builder => new Int32Builder();
  const columns = {
    function: column(),
    bci: column(),
    place: column(),
    into: column(),
    line: column(),
    mode: column(),
  };
  const rows: Int32Array[] = [];
  for (const [program, { locations }] of programs.entries()) {
    const newRows = new Int32Array(locations.length);
    rows.push(newRows);
    for (let id = 0; id < newRows.length; id++) {
      const object = locations.loadObject?.[id] ?? NONE;
      const offset = (locations.offset?.[id] ?? 0) + (parts.isGenerated(program, object) ? generatedShift(program) : 0);
      const values = {
        function: movedRow(parts.functions[program], locations.function[id]),
        bci: locations.bci?.[id] ?? UNKNOWN_BCI,
        place: object < 0 ? NONE : places.add(movedRow(parts.objects[program], object), offset),
        // Calls come before the code that was inlined into them.
        into: movedRow(newRows, locations.inlinedInto?.[id]),
        line: locations.line?.[id] ?? NO_LINE,
        mode: locations.mode?.[id] ?? 0,
      };
      for (const value of Object.values(values)) distinct.push(value);
      newRows[id] = distinct.add();
      if (newRows[id] < columns.function.length) continue;
      columns.function.push(values.function);
      columns.bci.push(values.bci);
      columns.place.push(values.place);
      columns.into.push(values.into);
      columns.line.push(values.line);
      columns.mode.push(values.mode);
    }
  }
  const place = columns.place.finish();
  const { row, offset } = places.columns();
  const has = (key: keyof LocationTable): boolean => programs.some(({ locations }) => locations[key] !== undefined);
  const table: LocationTable = {
    length: distinct.length,
    function: columns.function.finish(),
    ...(has('bci') && { bci: columns.bci.finish() }),
    ...(has('loadObject') && {
      loadObject: place.map((each) => (each < 0 ? NONE : row[each])),
      offset: Float64Array.from(place, (each) => (each < 0 ? NONE : offset[each])),
    }),
    ...(has('inlinedInto') && { inlinedInto: columns.into.finish() }),
    ...(has('line') && { line: columns.line.finish() }),
    ...(has('mode') && { mode: Uint8Array.from(columns.mode.finish()) }),
  };
  return { table, rows };
}
