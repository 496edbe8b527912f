/** Counts and bytes of events by their types, whose ids get dense numbers. */
import { NONE } from '../../../base/flavor.js';
import { CHECKPOINT_EVENT, METADATA_EVENT } from './header.js';
import type { Metadata, MetaType } from './metadata.js';

const SMALL_IDS = 1 << 12;

/** Where an event is. */
export interface EventSpan {
  /** In the chunk. */
  readonly offset: number;
  readonly size: number;
}

/** Number and bytes of the events of a type. */
export interface TypeCount {
  readonly type: MetaType;
  readonly count: number;
  readonly bytes: number;
}

export class EventCounts {
  readonly #direct = new Int32Array(SMALL_IDS).fill(NONE);
  readonly #other = new Map<number, number>();
  /** By number. */
  readonly ids: number[] = [];
  readonly counts: number[] = [];
  readonly bytes: number[] = [];

  /** The number of a type. */
  of(id: number): number {
    const known = id < SMALL_IDS ? this.#direct[id] : (this.#other.get(id) ?? NONE);
    if (known >= 0) return known;
    const number = this.ids.push(id) - 1;
    this.counts.push(0);
    this.bytes.push(0);
    if (id < SMALL_IDS) this.#direct[id] = number;
    else this.#other.set(id, number);
    return number;
  }
}

/** How many checkpoints there were. */
export function checkpointsIn({ ids, counts }: EventCounts): number {
  return counts[ids.indexOf(CHECKPOINT_EVENT)] ?? 0;
}

/** Counts by type: those of the metadata, then events of unknown types. */
export function countsOf({ types }: Metadata, { ids, counts, bytes }: EventCounts): TypeCount[] {
  const rows = new Map(ids.map((id, i) => [id, i]));
  const known = [...types.values()].filter(({ isEvent }) => isEvent);
  const unknown = ids.filter(
    (id, i) => counts[i] > 0 && types.get(id)?.isEvent !== true && id !== METADATA_EVENT && id !== CHECKPOINT_EVENT,
  );
  const row = (id: number): number => rows.get(id) ?? -1;
  return [...known, ...unknown.map(unknownType)].map((type) => ({
    type,
    count: counts[row(type.id)] ?? 0,
    bytes: bytes[row(type.id)] ?? 0,
  }));
}

/** A type that the metadata lack. */
function unknownType(id: number): MetaType {
  return {
    id,
    name: `type ${id}`,
    isEvent: true,
    simple: false,
    fields: [],
    label: '',
    description: '',
    category: [],
  };
}
