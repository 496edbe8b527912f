/** Positions of places: the only reader of the optional columns of `LocationTable`. */
import { IntTable } from '../../base/columns/hash.js';
import { type LoadObjectId, type LocationId, NO_LINE, type Program, UNKNOWN_BCI } from './program.js';

/** A place in native code. */
export interface NativePlace {
  readonly loadObject: LoadObjectId;
  /** Bytes from the beginning of the load object. */
  readonly offset: number;
}

/** The bytecode index of a place; `UNKNOWN_BCI` if unknown, and in native code. */
export function bciOf({ locations }: Program, id: LocationId): number {
  return locations.bci?.[id] ?? UNKNOWN_BCI;
}

/** The source line of a place, or its special value; `NO_LINE` if the recording has no lines. */
export function lineOf({ locations }: Program, id: LocationId): number {
  return locations.line?.[id] ?? NO_LINE;
}

/** The position of a place in native code; undefined for others. */
export function nativePlace({ locations }: Program, id: LocationId): NativePlace | undefined {
  const loadObject = locations.loadObject?.[id] ?? -1;
  return loadObject < 0 ? undefined : { loadObject, offset: locations.offset?.[id] ?? -1 };
}

/** The place that the code of a place was inlined into, -1 if it was not inlined. */
export function inlinedIntoOf({ locations }: Program, id: LocationId): LocationId {
  return locations.inlinedInto?.[id] ?? -1;
}

/** Pairs of a row and an offset, to 2^53, → dense numbers: one for each place in native code. */
export class OffsetTable {
  readonly #pairs = new IntTable(16);

  add(row: number, offset: number): number {
    return this.#pairs.add(row, Math.floor(offset / 2 ** 32), offset | 0);
  }

  /** The row of a pair. */
  rowOf(pair: number): number {
    return this.#pairs.key(pair, 0);
  }

  /** The offset of a pair. */
  offsetOf(pair: number): number {
    return this.#pairs.key(pair, 1) * 2 ** 32 + (this.#pairs.key(pair, 2) >>> 0);
  }

  /** Row and offset by number. */
  columns(): { readonly row: Int32Array; readonly offset: Float64Array } {
    const high = this.#pairs.column(1);
    const low = this.#pairs.column(2);
    return {
      row: this.#pairs.column(0),
      offset: Float64Array.from(high, (upper, id) => upper * 2 ** 32 + (low[id] >>> 0)),
    };
  }
}
