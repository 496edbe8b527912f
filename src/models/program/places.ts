/** Where places lie: the one reader of the columns of `LocationTable` that recordings need not have. */
import { IntTable } from '../../base/hash.js';
import { type LoadObjectId, type LocationId, NO_LINE, type Program, UNKNOWN_BCI } from './program.js';

/** A place in native code. */
export interface NativePlace {
  readonly loadObject: LoadObjectId;
  /** Bytes from the beginning of the load object. */
  readonly offset: number;
}

/** The bytecode index of a place; `UNKNOWN_BCI` where none is known, and in native code. */
export function bciOf({ locations }: Program, id: LocationId): number {
  return locations.bci?.[id] ?? UNKNOWN_BCI;
}

/** The source line of a place, or what stands for it; `NO_LINE` where the recording has no lines. */
export function lineOf({ locations }: Program, id: LocationId): number {
  return locations.line?.[id] ?? NO_LINE;
}

/** Where in native code a place lies; undefined where it does not. */
export function nativePlace({ locations }: Program, id: LocationId): NativePlace | undefined {
  const loadObject = locations.loadObject?.[id] ?? -1;
  return loadObject < 0 ? undefined : { loadObject, offset: locations.offset?.[id] ?? -1 };
}

/** The place that the code of a place was inlined into, -1 where it was not. */
export function inlinedIntoOf({ locations }: Program, id: LocationId): LocationId {
  return locations.inlinedInto?.[id] ?? -1;
}

/** Pairs of a row and an offset, to 2^53, → dense numbers: one for each place in native code. */
export class OffsetTable {
  readonly #pairs = new IntTable(16);

  add(row: number, offset: number): number {
    return this.#pairs.add(row, Math.floor(offset / 2 ** 32), offset | 0);
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
