/**
 * What lanes are made of, exactly: spans of states, numbers of samples, readings of counters.
 *
 *   lane 0 (main, park)      first 0   from 10  60   to 40  65   value 1  1
 *   lane 1 (main, Samples)   first 2   from  1   2   to  1   2   value 1  3
 *                            first 4
 */
import { Float64Builder, Int32Builder } from '../../base/columns/columns.js';
import { UsageError } from '../../base/errors.js';
import { phrase, theStep } from '../../base/phrase.js';
import { formatCount } from '../../base/units.js';

export interface LaneRows {
  /** By lane its first row, and the number of rows at the end. */
  readonly first: Int32Array;
  /** Nanoseconds; ascending in a lane. */
  readonly from: Float64Array;
  /** Nanoseconds; `from` for samples and readings. Spans of one lane do not overlap. */
  readonly to: Float64Array;
  /** Number of samples, or the value of a counter; of a span how many events it is made of: more than 1 where some lie within another. */
  readonly value: Float64Array;
  /** Of spans that are waits: a row of `WaitDetails`; else -1. */
  readonly detail: Int32Array;
}

/** The most rows: 24 bytes each here, about 6 in a page. */
const MOST_ROWS = 1 << 22;

export class LaneRowsBuilder {
  readonly #lane = new Int32Builder();
  readonly #from = new Float64Builder();
  readonly #to = new Float64Builder();
  readonly #value = new Float64Builder();
  readonly #detail = new Int32Builder();
  /** The last row of each lane. */
  readonly #last: number[] = [];

  /** Throws `UsageError` if there are too many. */
  add(lane: number, from: number, to: number, value: number, detail = -1): void {
    if (this.#lane.push(lane) >= MOST_ROWS)
      throw new UsageError(`more than ${formatCount(MOST_ROWS)} spans and samples are too many for one picture`, {
        code: 'timeline-too-large',
        advice: phrase`Choose a part with ${theStep('time')} or ${theStep('thread')}.`,
        action: { addSteps: ['time'] },
      });
    this.#last[lane] = this.#from.length;
    this.#from.push(from);
    this.#to.push(to);
    this.#value.push(value);
    this.#detail.push(detail);
  }

  /** Notes an event that lies within the last span of a lane. */
  addWithin(lane: number): void {
    const row = this.#last[lane];
    if (row !== undefined) this.#value.values[row]++;
  }

  /** The rows in the order of lanes and of time; a span that overlaps the one before is cut. */
  finish(lanes: number): LaneRows {
    const [lane, from, to, value] = [this.#lane.finish(), this.#from.finish(), this.#to.finish(), this.#value.finish()];
    const order = Int32Array.from(lane, (_, i) => i).sort((a, b) => lane[a] - lane[b] || from[a] - from[b] || a - b);
    const rows = {
      first: new Int32Array(lanes + 1),
      from: new Float64Array(order.length),
      to: new Float64Array(order.length),
      value: new Float64Array(order.length),
      detail: new Int32Array(order.length),
    };
    const detail = this.#detail.finish();
    let length = 0;
    let at = 0;
    for (let of = 0; of < lanes; of++) {
      rows.first[of] = length;
      let reached = Number.NEGATIVE_INFINITY;
      for (; at < order.length && lane[order[at]] === of; at++) {
        const i = order[at];
        const start = Math.max(from[i], reached);
        if (start > to[i] || (start === to[i] && from[i] < to[i])) {
          rows.value[length - 1] += value[i];
          continue;
        }
        reached = to[i] > from[i] ? to[i] : reached;
        rows.from[length] = start;
        rows.to[length] = to[i];
        rows.detail[length] = detail[i];
        rows.value[length++] = value[i];
      }
    }
    rows.first[lanes] = length;
    return {
      first: rows.first,
      from: rows.from.slice(0, length),
      to: rows.to.slice(0, length),
      value: rows.value.slice(0, length),
      detail: rows.detail.slice(0, length),
    };
  }
}
