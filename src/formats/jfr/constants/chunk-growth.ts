/**
 * What was read of a chunk that grows: its metadata, and its constants as tables to which those of a further flush are appended. So a refresh
 * reads only what was added.
 *
 * Constants may come after what refers to them. Where one comes in a later flush than a constant that refers to it, all are read again.
 */
import type { ChunkFinisher, ChunkRows } from '../chunk/chunk-data.js';
import { ChunkState } from '../chunk/chunk-state.js';
import type { EventSpan } from '../chunk/event-counts.js';
import { type ChunkHeader, HEADER_BYTES } from '../chunk/header.js';
import type { Metadata, MetaType } from '../chunk/metadata.js';
import type { ConstantPlans } from './constant-plans.js';
import { GrownTable } from './grown-table.js';
import type { Pools } from './pools.js';

export class ChunkGrowth {
  /** The metadata event that was read last. */
  #metadata: { readonly metadata: Metadata; readonly event: EventSpan | undefined } | undefined;
  #state: ChunkState | undefined;
  #pools: Pools | undefined;
  /** By id of the type. */
  #tables = new Map<number, GrownTable>();
  /** Offset in the chunk up to which its constants were read. */
  #end = HEADER_BYTES;
  /** Another object where rows of constants and strings are not those of the part before. */
  rowsId = {};

  /** The metadata at the place in a header, if they were read. */
  metadataAt({ metadata }: ChunkHeader): { readonly metadata: Metadata; readonly event: EventSpan } | undefined {
    const { event } = this.#metadata ?? {};
    return this.#metadata !== undefined && event !== undefined && event.offset === metadata
      ? { metadata: this.#metadata.metadata, event }
      : undefined;
  }

  /** Begins a part of the chunk with these metadata: its state, with the strings and keys of the parts before. */
  begin(header: ChunkHeader, metadata: Metadata, event: EventSpan | undefined): ChunkState {
    const before = this.#metadata?.metadata;
    const goesOn = before === metadata || (before !== undefined && isExtended(before, metadata));
    const isLike = this.#state?.header.compressed === header.compressed;
    if (this.#state === undefined || !goesOn || !isLike) {
      this.#state = new ChunkState(header);
      this.#end = HEADER_BYTES;
      this.restart();
    } else this.#state.beginPart();
    this.#metadata = { metadata, event };
    return this.#state;
  }

  /** The pools of the parts before; those that `make` makes if there are none. */
  pools(make: () => Pools, metadata: Metadata, plans: ConstantPlans): Pools {
    if (this.#pools === undefined) {
      this.#pools = make();
      this.#pools.noteMissed();
    } else this.#pools.goOn(metadata, plans);
    return this.#pools;
  }

  /** Whether constants came after others that were handed over and refer to them. */
  get isLate(): boolean {
    return this.#pools?.isLate === true;
  }

  /** Constants are read up to an offset in the chunk; returns up to where they were read before. */
  goOnTo(offset: number): number {
    const end = this.#end;
    this.#end = offset;
    return end;
  }

  /** Forgets all constants: they are read again. */
  restart(): void {
    this.#pools = undefined;
    this.#tables = new Map();
    this.rowsId = {};
  }

  /** All constants so far, after those of a part were read. */
  tables(pools: Pools, finisher: ChunkFinisher): ReadonlyMap<number, ChunkRows> {
    // Tables of new constants are finished before any of them is forgotten.
    const parts = pools.all.map((pool) => ({ pool, part: finisher.table(pool.rows) }));
    return new Map(
      parts.map(({ pool, part }) => {
        const { type, skipped } = pool;
        const table = this.#tables.get(type.id) ?? new GrownTable(part);
        this.#tables.set(type.id, table);
        table.append(part);
        pool.forgetRows();
        return [type.id, { type, table: table.finish(), skipped }];
      }),
    );
  }
}

/** Whether metadata have all types of those before, unchanged. */
function isExtended(before: Metadata, metadata: Metadata): boolean {
  for (const [id, type] of before.types) if (!isEqual(type, metadata.types.get(id))) return false;
  return true;
}

function isEqual(type: MetaType, other: MetaType | undefined): boolean {
  return JSON.stringify(type) === JSON.stringify(other);
}
