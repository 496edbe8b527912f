/** Builds the tables of a program that only native code needs: load objects, compile units, mappings. */
import { Float64Builder, Int32Builder } from '../../base/columns/columns.js';
import { IntTable } from '../../base/columns/hash.js';
import type { StringId } from '../../base/text.js';
import {
  LOAD_OBJECT_KINDS,
  type LoadObjectId,
  type LoadObjectKind,
  type LoadObjectTable,
  type MappingTable,
  type Program,
  type UnitId,
} from './program.js';

/** Address range and time of a load object; units as in `MappingTable`. */
export interface Mapping {
  readonly loadObject: LoadObjectId;
  /** Upper and lower 32 bits of the address of its first byte. */
  readonly high: number;
  readonly low: number;
  readonly size: number;
  /** Offset in the load object of its first byte. */
  readonly offset: number;
  readonly from: number;
  readonly to: number;
}

const UNMAPPED = LOAD_OBJECT_KINDS.indexOf('unmapped');

export class LoadObjectBuilder {
  /** (path, build id, detail). */
  readonly #objects = new IntTable(16);
  /** (kind, architecture). */
  readonly #details = new IntTable(16);
  /** (name, load object). */
  readonly #units = new IntTable(16);
  readonly #mapped = new Int32Builder(16);
  readonly #starts = { high: new Int32Builder(16), low: new Int32Builder(16) };
  readonly #numbers = {
    size: new Float64Builder(16),
    offset: new Float64Builder(16),
    from: new Float64Builder(16),
    to: new Float64Builder(16),
  };

  loadObject(path: StringId, kind: LoadObjectKind, buildId: StringId, architecture: StringId): LoadObjectId {
    return this.#objects.add(path, buildId, this.#details.add(LOAD_OBJECT_KINDS.indexOf(kind), architecture));
  }

  unit(name: StringId, loadObject: LoadObjectId): UnitId {
    return this.#units.add(name, loadObject);
  }

  mapping({ loadObject, high, low, ...numbers }: Mapping): void {
    this.#mapped.push(loadObject);
    this.#starts.high.push(high);
    this.#starts.low.push(low);
    for (const key of ['size', 'offset', 'from', 'to'] as const) this.#numbers[key].push(numbers[key]);
  }

  pathOf(loadObject: LoadObjectId): StringId {
    return this.#objects.key(loadObject, 0);
  }

  isUnmapped(loadObject: LoadObjectId): boolean {
    return this.#details.key(this.#objects.key(loadObject, 2), 0) === UNMAPPED;
  }

  /** The non-empty tables. */
  finish(): Pick<Program, 'loadObjects' | 'units' | 'mappings'> {
    const units = { length: this.#units.length, name: this.#units.column(0), loadObject: this.#units.column(1) };
    return {
      ...(this.#objects.length > 0 ? { loadObjects: this.#finishObjects() } : {}),
      ...(units.length > 0 ? { units } : {}),
      ...(this.#mapped.length > 0 ? { mappings: this.#finishMappings() } : {}),
    };
  }

  #finishObjects(): LoadObjectTable {
    const [kinds, architectures] = [this.#details.column(0), this.#details.column(1)];
    const detail = this.#objects.column(2);
    return {
      length: detail.length,
      path: this.#objects.column(0),
      buildId: this.#objects.column(1),
      architecture: detail.map((id) => architectures[id]),
      kind: Uint8Array.from(detail, (id) => kinds[id]),
    };
  }

  #finishMappings(): MappingTable {
    const { size, offset, from, to } = this.#numbers;
    return {
      length: this.#mapped.length,
      loadObject: this.#mapped.finish(),
      startHigh: Uint32Array.from(this.#starts.high.finish()),
      startLow: Uint32Array.from(this.#starts.low.finish()),
      size: size.finish(),
      offset: offset.finish(),
      from: from.finish(),
      to: to.finish(),
    };
  }
}
