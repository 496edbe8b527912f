/**
 * Spans of a thread, from begins and ends or with a duration, as rows of self time: at each moment the innermost open span runs.
 *
 *   a  0 ───────────── 14        rows  a      0..1, 13..14
 *   b     1 ──────── 13                a;b    1..2, 7..13
 *   c       2 ── 7                     a;b;c  2..7
 *
 * Memory: 40 bytes a span; a sort of the spans of a thread by time.
 */
import { Float64Builder, Int32Builder } from '../../base/columns/columns.js';
import { rootOf, type StackBuilder } from '../../models/profile/stack-builder.js';

/** Events at one time that are looked at for one that fits. */
const MOST_AT_ONCE = 64;

/** Of spans with the same times, those of begins and ends are around those with a duration, as in speedscope. */
const AFTER_EVENTS = 2 ** 30;

/** A row: microseconds. */
export type AddRow = (stack: number, time: number, spent: number) => void;

export class ThreadSpans {
  readonly #place = new Int32Builder();
  readonly #begin = new Float64Builder();
  readonly #end = new Float64Builder();
  /** Events of B and E, in the order of the file. */
  readonly #events = {
    place: new Int32Builder(),
    time: new Float64Builder(),
    isBegin: new Int32Builder(),
    sequence: new Int32Builder(),
  };
  /** By span, its place among the events of the thread. */
  readonly #sequence = new Int32Builder();
  #count = 0;
  #latest = Number.NEGATIVE_INFINITY;
  /** Ends of spans that were not open, or not the innermost ones. */
  unbalanced = 0;
  /** Spans that have no end: they last until the last event of the thread. */
  unclosed = 0;
  /** Spans that end after the one around them: cut there. */
  overlapping = 0;

  span(place: number, time: number, duration: number): void {
    this.#add(place, time, time + duration, AFTER_EVENTS + this.#count++);
    this.#latest = Math.max(this.#latest, time + duration);
  }

  #add(place: number, begin: number, end: number, sequence: number): void {
    this.#place.push(place);
    this.#begin.push(begin);
    this.#end.push(end);
    this.#sequence.push(sequence);
  }

  event(place: number, time: number, isBegin: boolean): void {
    this.#events.place.push(place);
    this.#events.time.push(time);
    this.#events.isBegin.push(isBegin ? 1 : 0);
    this.#events.sequence.push(this.#count++);
    this.#latest = Math.max(this.#latest, time);
  }

  /** Rows in the order of time. */
  rows(stacks: StackBuilder, add: AddRow): void {
    this.#match();
    const [begin, end, place] = [this.#begin.values, this.#end.values, this.#place.values];
    const sequence = this.#sequence.values;
    const order = Int32Array.from({ length: this.#place.length }, (_, i) => i);
    order.sort((a, b) => begin[a] - begin[b] || end[b] - end[a] || sequence[a] - sequence[b]);
    const open: { readonly stack: number; readonly end: number }[] = [];
    let now = Number.NEGATIVE_INFINITY;
    const advance = (time: number): void => {
      for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
        const until = Math.min(top.end, time);
        if (until > now) add(top.stack, now, until - now);
        now = Math.max(now, until);
        if (top.end > time) return;
        open.pop();
      }
      now = Math.max(now, time);
    };
    for (const span of order) {
      advance(begin[span]);
      const around = open.at(-1);
      const last = around === undefined ? end[span] : Math.min(end[span], around.end);
      if (last < end[span]) this.overlapping++;
      open.push({ stack: stacks.add(around?.stack ?? rootOf('whole'), place[span]), end: last });
    }
    advance(Number.POSITIVE_INFINITY);
  }

  /** Begins and ends as spans: an end is of the innermost open span of its name. */
  #match(): void {
    const { place, time, isBegin } = this.#events;
    const order = Array.from({ length: place.length }, (_, i) => i).sort(
      (a, b) => time.values[a] - time.values[b] || a - b,
    );
    const open: number[] = [];
    for (let at = 0; at < order.length; at++) {
      this.#pull(order, at, open);
      const event = order[at] ?? 0;
      if (isBegin.values[event] === 1) open.push(event);
      else this.#close(event, open);
    }
    this.unclosed += open.length;
    for (const event of open.reverse()) this.#matched(event, this.#latest);
  }

  /** Of events at one time their order may be any: what fits the open spans comes next. */
  #pull(order: number[], at: number, open: readonly number[]): void {
    const { place, time, isBegin } = this.#events;
    const event = order[at] ?? 0;
    const top = open.at(-1);
    const isOf = (other: number | undefined): boolean =>
      other !== undefined && place.values[other] === place.values[event];
    if (isBegin.values[event] === 1 || isOf(top)) return;
    const isOpen = open.some(isOf);
    for (let i = at + 1; i < Math.min(order.length, at + MOST_AT_ONCE); i++) {
      const other = order[i] ?? 0;
      if (time.values[other] !== time.values[event]) return;
      const endsTop = isBegin.values[other] === 0 && top !== undefined && place.values[other] === place.values[top];
      const beginsIt = isBegin.values[other] === 1 && !isOpen && isOf(other);
      if (!endsTop && !beginsIt) continue;
      order.splice(i, 1);
      order.splice(at, 0, other);
      return;
    }
  }

  #close(event: number, open: number[]): void {
    const { place, time } = this.#events;
    let depth = open.length - 1;
    while (depth >= 0 && place.values[open[depth] ?? 0] !== place.values[event]) depth--;
    if (depth !== open.length - 1 || depth < 0) this.unbalanced++;
    if (depth < 0) return;
    for (const inner of open.splice(depth).reverse()) this.#matched(inner, time.values[event]);
  }

  #matched(event: number, end: number): void {
    const { place, time, sequence } = this.#events;
    this.#add(place.values[event], time.values[event], end, sequence.values[event]);
  }
}
