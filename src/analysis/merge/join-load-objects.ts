/**
 * Joins the load objects and compile units of several programs, in an order that does not depend on the order of the
 * programs. Code made at run time has no row: an offset in it means nothing in another recording.
 */
import { IntTable } from '../../base/columns/hash.js';
import { NONE } from '../../base/flavor.js';
import type { LoadObjectTable, Program, UnitTable } from '../../models/program/program.js';

/** A table of the joined program, undefined if it has no rows, and for each program its rows → joined rows. */
export interface JoinedTable<Rows> {
  readonly table: Rows | undefined;
  readonly rows: readonly Int32Array[];
}

/** The known details of a load object, with joined names. */
interface Known {
  readonly buildId: number;
  readonly path: number;
  readonly kind: number;
  readonly architecture: number;
}

/** `united`: for each program, its load objects → joined ones with the same bytes. `names`: its names → joined ones. */
export function joinLoadObjects(
  programs: readonly Program[],
  united: readonly Int32Array[],
  names: readonly Int32Array[],
): JoinedTable<LoadObjectTable> {
  const joined: Known[] = [];
  programs.forEach(({ loadObjects }, program) => {
    united[program].forEach((row, id) => {
      if (row < 0 || loadObjects === undefined) return;
      const name = (string: number): number => (string < 0 ? NONE : names[program][string]);
      const known = {
        buildId: name(loadObjects.buildId[id]),
        path: name(loadObjects.path[id]),
        kind: loadObjects.kind[id],
        architecture: name(loadObjects.architecture[id]),
      };
      const others = joined[row];
      joined[row] = others === undefined ? known : together(known, others);
    });
  });
  const order = joined
    .map((known, row) => ({ ...known, row }))
    .sort((a, b) => a.path - b.path || a.buildId - b.buildId || a.kind - b.kind || a.architecture - b.architecture);
  const rank = new Int32Array(order.length);
  order.forEach(({ row }, place) => {
    rank[row] = place;
  });
  const table: LoadObjectTable = {
    length: order.length,
    path: Int32Array.from(order, ({ path }) => path),
    buildId: Int32Array.from(order, ({ buildId }) => buildId),
    architecture: Int32Array.from(order, ({ architecture }) => architecture),
    kind: Uint8Array.from(order, ({ kind }) => kind),
  };
  return {
    table: order.length === 0 ? undefined : table,
    rows: united.map((ids) => ids.map((row) => (row < 0 ? NONE : rank[row]))),
  };
}

/** Combines the details of one load object; of several paths or kinds, the first is used. */
function together(a: Known, b: Known): Known {
  return {
    buildId: Math.max(a.buildId, b.buildId),
    path: Math.min(a.path, b.path),
    kind: Math.min(a.kind, b.kind),
    architecture: Math.max(a.architecture, b.architecture),
  };
}

/** `loadObjects`: for each program its load objects → joined ones. */
export function joinUnits(
  programs: readonly Program[],
  loadObjects: readonly Int32Array[],
  names: readonly Int32Array[],
): JoinedTable<UnitTable> {
  const distinct = new IntTable(16);
  const spellings = programs.map(({ units }, program) =>
    Int32Array.from({ length: units?.length ?? 0 }, (_, id) => {
      const name = units?.name[id] ?? NONE;
      const loadObject = units?.loadObject[id] ?? NONE;
      const joined = loadObject < 0 ? NONE : loadObjects[program][loadObject];
      return name < 0 && joined < 0 ? NONE : distinct.add(name < 0 ? NONE : names[program][name], joined);
    }),
  );
  const [name, loadObject] = [distinct.column(0), distinct.column(1)];
  const order = Int32Array.from(name.keys()).sort((a, b) => loadObject[a] - loadObject[b] || name[a] - name[b]);
  const rank = new Int32Array(order.length);
  order.forEach((id, row) => {
    rank[id] = row;
  });
  const table: UnitTable = {
    length: order.length,
    name: order.map((id) => name[id]),
    loadObject: order.map((id) => loadObject[id]),
  };
  return {
    table: order.length === 0 ? undefined : table,
    rows: spellings.map((ids) => ids.map((id) => (id < 0 ? NONE : rank[id]))),
  };
}
