/**
 * Joins the places of several programs. A place is a joined function and a position in it: bytecode index, line and
 * mode; in native code load object and offset. Cost: 4 bytes a place of each program, 30 to 60 a distinct one.
 */
import { IntTable } from '../../base/columns/hash.js';
import { NONE } from '../../base/flavor.js';
import { bciOf, inlinedIntoOf, lineOf, nativePlace, OffsetTable } from '../../models/program/places.js';
import type { LocationTable, Program } from '../../models/program/program.js';

export interface PlaceInput {
  readonly program: Program;
  /** Its functions → joined functions, -1 for those that cannot be joined. */
  readonly functionRows: Int32Array;
  /** Its load objects → joined ones, -1 for code made at run time. */
  readonly loadObjectRows: Int32Array;
}

/** Not seen yet. */
const UNSEEN = -2;

export class JoinedPlaces {
  /** (function, bytecode index, number in `#details`). */
  readonly #places = new IntTable();
  /** (line, mode, number in `#natives`). */
  readonly #details = new IntTable(16);
  /** (number in `#offsets`, place that it was inlined into). */
  readonly #natives = new IntTable(16);
  /** (load object, offset). */
  readonly #offsets = new OffsetTable();

  /** The joined place of each location of a program; -1 where its function cannot be joined. */
  of(input: PlaceInput): (location: number) => number {
    const known = new Int32Array(input.program.locations.length).fill(UNSEEN);
    return (location) => {
      if (known[location] === UNSEEN) this.#add(input, location, known);
      return known[location];
    };
  }

  /** Adds a place, after the places that it was inlined into. */
  #add(input: PlaceInput, location: number, known: Int32Array): void {
    const { program, functionRows } = input;
    const chain = [location];
    for (let into = inlinedIntoOf(program, location); into >= 0 && known[into] === UNSEEN; )
      into = inlinedIntoOf(program, chain[chain.push(into) - 1]);
    for (const place of chain.reverse()) {
      const of = functionRows[program.locations.function[place]] ?? NONE;
      const into = inlinedIntoOf(program, place);
      known[place] = of < 0 ? NONE : this.#place(input, place, of, into < 0 ? NONE : known[into]);
    }
  }

  #place({ program, loadObjectRows }: PlaceInput, location: number, of: number, into: number): number {
    const native = nativePlace(program, location);
    const loadObject = native === undefined ? NONE : loadObjectRows[native.loadObject];
    const offset = native === undefined || loadObject < 0 ? NONE : this.#offsets.add(loadObject, native.offset);
    const inside = offset < 0 && into < 0 ? NONE : this.#natives.add(offset, into);
    const detail = this.#details.add(lineOf(program, location), program.locations.mode?.[location] ?? 0, inside);
    return this.#places.add(of, bciOf(program, location), detail);
  }

  /**
   * All places: first those that others were inlined into, then by function, bytecode index, line, mode, load object,
   * offset. `rank` is the new row of each place; `columns` lists the columns of the table.
   */
  finish(columns: ReadonlySet<keyof LocationTable>): { table: LocationTable; rank: Int32Array } {
    const [of, bci, detail] = [this.#places.column(0), this.#places.column(1), this.#places.column(2)];
    const detailOf = (which: 0 | 1): Int32Array => detail.map((id) => this.#details.key(id, which));
    const [line, mode] = [detailOf(0), detailOf(1)];
    const { loadObject, offset, into } = this.#nativeColumns(detail);
    const depth = depths(into);
    const rank = new Int32Array(of.length);
    const compare = (a: number, b: number): number =>
      of[a] - of[b] ||
      bci[a] - bci[b] ||
      line[a] - line[b] ||
      mode[a] - mode[b] ||
      loadObject[a] - loadObject[b] ||
      offset[a] - offset[b] ||
      (into[a] < 0 || into[b] < 0 ? into[a] - into[b] : rank[into[a]] - rank[into[b]]);
    const order = new Int32Array(of.length);
    let placed = 0;
    for (let level = 0; placed < order.length; level++) {
      const begin = placed;
      for (let id = 0; id < depth.length; id++) if (depth[id] === level) order[placed++] = id;
      order.subarray(begin, placed).sort(compare);
      for (let row = begin; row < placed; row++) rank[order[row]] = row;
    }
    const table: LocationTable = {
      length: order.length,
      function: order.map((id) => of[id]),
      ...(columns.has('bci') ? { bci: order.map((id) => bci[id]) } : {}),
      ...(columns.has('line') ? { line: order.map((id) => line[id]) } : {}),
      ...(columns.has('mode') ? { mode: Uint8Array.from(order, (id) => mode[id]) } : {}),
      ...(loadObject.some((id) => id >= 0)
        ? { loadObject: order.map((id) => loadObject[id]), offset: Float64Array.from(order, (id) => offset[id]) }
        : {}),
      ...(into.some((id) => id >= 0) ? { inlinedInto: order.map((id) => (into[id] < 0 ? NONE : rank[into[id]])) } : {}),
    };
    return { table, rank };
  }

  /** Load object, offset and the place it was inlined into, by place. */
  #nativeColumns(detail: Int32Array) {
    const inside = detail.map((id) => this.#details.key(id, 2));
    const place = inside.map((id) => (id < 0 ? NONE : this.#natives.key(id, 0)));
    const { row, offset } = this.#offsets.columns();
    return {
      loadObject: place.map((id) => (id < 0 ? NONE : row[id])),
      offset: Float64Array.from(place, (id) => (id < 0 ? NONE : offset[id])),
      into: inside.map((id) => (id < 0 ? NONE : this.#natives.key(id, 1))),
    };
  }
}

/** The number of inlined calls above each place; a place that others were inlined into has a smaller number. */
function depths(into: Int32Array): Int32Array {
  const depth = new Int32Array(into.length);
  for (let id = 0; id < into.length; id++) depth[id] = into[id] < 0 ? 0 : depth[into[id]] + 1;
  return depth;
}

/** The columns that the places of at least one program have. */
export function columnsOf(inputs: readonly PlaceInput[]): ReadonlySet<keyof LocationTable> {
  const has = (key: 'bci' | 'line' | 'mode'): boolean =>
    inputs.some(({ program }) => program.locations[key] !== undefined);
  return new Set((['bci', 'line', 'mode'] as const).filter(has));
}
