/** Counts and bytes of events by their types, whose ids get dense numbers. */
import { NONE } from '../../../base/flavor.js';

const SMALL_IDS = 1 << 12;

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
