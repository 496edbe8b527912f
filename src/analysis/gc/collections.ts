/**
 * The collections of a recording: what its events of collections, phases, heap and promotion say of each, joined by its number.
 *
 *   gc          7  G1New  cause                        ┐
 *   gc-phase    7  GC Pause  4.1 ms                    │  →  7  G1New  one pause of 4.1 ms, 13 MB → 4 MB
 *   heap-use    7  Before GC 13 MB, After GC 4 MB      ┘
 *
 * Concurrent phases are no pauses. Cost: a pass over each table, and a look-up a row.
 */
import { IntTable } from '../../base/columns/hash.js';
import { taken } from '../../base/columns/marks.js';
import { inTimeOrder } from '../../base/columns/order.js';
import { stringAt } from '../../base/text.js';
import {
  GC_EVENTS,
  GC_PHASE_EVENTS,
  type GcPhaseEvents,
  HEAP_USE_EVENTS,
  type HeapUseEvents,
  OLD_USE_EVENTS,
  PROMOTION_EVENTS,
} from '../../models/events/gc.js';
import { type RowPart, rowParts } from '../../models/packed-columns.js';
import { eventTable, type Profile } from '../../models/profile/profile.js';
import type { Program } from '../../models/program/program.js';

/**
 * A row a collection, in the order of their starts. Times in ns, sizes in bytes, names as rows of the program's; -1 is unknown. A time may be
 * below 0, before the recording began; NaN is unknown.
 */
export interface Collections {
  readonly length: number;
  readonly number: Float64Array;
  readonly time: Float64Array;
  /** Name of the collector; of a collection without an event of its own, that of its first part. */
  readonly name: Int32Array;
  /** Name of another part of such a collection. */
  readonly otherName: Int32Array;
  readonly cause: Int32Array;
  readonly duration: Float64Array;
  readonly paused: Float64Array;
  readonly longest: Float64Array;
  /** The longest part of its pauses; where most of a pause has no parts, the pause. */
  readonly phase: Int32Array;
  readonly phaseTime: Float64Array;
  /** Sum of its concurrent phases. */
  readonly concurrent: Float64Array;
  readonly before: Float64Array;
  readonly after: Float64Array;
  /** Growth of the heap since the end of the collection before. */
  readonly allocated: Float64Array;
  /** Time of that growth. */
  readonly growing: Float64Array;
  readonly promoted: Float64Array;
}

type Sheet = { -readonly [Key in keyof Collections]: Collections[Key] };

/** The collections of a profile; none if it has no such events. */
export function collectionsOf(program: Program, profile: Profile | undefined): Collections {
  const numbers = numberedBy(profile);
  const sheet = emptySheet(numbers.table.length);
  const { row } = numbers;
  addCollections(profile, sheet, row);
  addPhases(profile, sheet, row);
  addHeap(program, profile, sheet, row);
  addPromotion(profile, sheet, row);
  addOldGrowth(program, profile, sheet, row);
  numbers.fill(sheet.number);
  return inOrder(sheet);
}

/** Rows by the numbers of collections in all tables. */
function numberedBy(profile: Profile | undefined) {
  const table = new IntTable(16);
  const add = (number: number): number => table.add(number | 0, Math.floor(number / 2 ** 32) | 0);
  for (const { kind } of [GC_EVENTS, GC_PHASE_EVENTS, HEAP_USE_EVENTS, OLD_USE_EVENTS, PROMOTION_EVENTS])
    for (const { length, columns } of partsOf(profile, kind, ['collection'])) {
      const [numbers = []] = columns;
      for (let i = 0; i < length; i++) if (numbers[i] >= 0) add(numbers[i]);
    }
  return {
    table,
    row: (number: number): number => (number >= 0 ? add(number) : -1),
    fill: (numbers: Float64Array): void => {
      const [low, high] = [table.column(0), table.column(1)];
      for (let i = 0; i < numbers.length; i++) numbers[i] = high[i] * 2 ** 32 + (low[i] >>> 0);
    },
  };
}

/** Columns of a table of events, some rows at a time. */
function* partsOf(profile: Profile | undefined, kind: string, keys: readonly string[]): Generator<RowPart> {
  const table = profile && eventTable(profile, kind);
  if (table !== undefined) yield* rowParts(table, keys);
}

function emptySheet(length: number): Sheet {
  const wide = (): Float64Array => new Float64Array(length).fill(-1);
  const names = (): Int32Array => new Int32Array(length).fill(-1);
  return {
    length,
    number: wide(),
    time: new Float64Array(length).fill(Number.POSITIVE_INFINITY),
    name: names(),
    otherName: names(),
    cause: names(),
    duration: wide(),
    paused: wide(),
    longest: wide(),
    phase: names(),
    phaseTime: wide(),
    concurrent: wide(),
    before: wide(),
    after: wide(),
    allocated: wide(),
    growing: wide(),
    promoted: wide(),
  };
}

function addCollections(profile: Profile | undefined, sheet: Sheet, row: (number: number) => number): void {
  const table = profile && eventTable(profile, GC_EVENTS.kind);
  if (table === undefined) return;
  const whole = new Uint8Array(sheet.length);
  for (const events of GC_EVENTS.parts(table, WHOLE_KEYS)) {
    const { length, collection, part, name, cause, time, duration, paused, longest } = events;
    for (let i = 0; i < length; i++) {
      const at = row(collection[i]);
      if (at < 0 || part[i] !== 0) continue;
      whole[at] = 1;
      sheet.name[at] = name[i];
      sheet.cause[at] = cause?.[i] ?? -1;
      sheet.time[at] = time[i];
      sheet.duration[at] = duration[i];
      sheet.paused[at] = paused?.[i] ?? -1;
      sheet.longest[at] = longest?.[i] ?? -1;
    }
  }
  for (const { length, collection, part, name, time, duration } of GC_EVENTS.parts(table, PART_KEYS))
    for (let i = 0; i < length; i++) {
      const at = row(collection[i]);
      if (at < 0 || part[i] === 0 || whole[at] === 1) continue;
      if (sheet.name[at] < 0) sheet.name[at] = name[i];
      else if (sheet.name[at] !== name[i]) sheet.otherName[at] = name[i];
      const known = sheet.duration[at] < 0 ? 0 : sheet.time[at] + sheet.duration[at];
      const end = Math.max(time[i] + duration[i], known);
      sheet.time[at] = Math.min(sheet.time[at], time[i]);
      sheet.duration[at] = end - sheet.time[at];
    }
}

const PART_KEYS = ['collection', 'part', 'name', 'time', 'duration'] as const;
const WHOLE_KEYS = [...PART_KEYS, 'cause', 'paused', 'longest'] as const;

function addPhases(profile: Profile | undefined, sheet: Sheet, row: (number: number) => number): void {
  const phases = GC_PHASE_EVENTS.of(profile);
  if (phases === undefined) return;
  const { length, collection, concurrent, level, duration, time } = phases;
  const paused = new Float64Array(sheet.length).fill(-1);
  const longest = new Float64Array(sheet.length).fill(-1);
  for (let i = 0; i < length; i++) {
    const at = row(collection[i]);
    if (at < 0 || !(duration[i] >= 0)) continue;
    if (sheet.duration[at] < 0) sheet.time[at] = Math.min(sheet.time[at], time[i]);
    if (level[i] === 0 && concurrent[i] === 1) sheet.concurrent[at] = Math.max(0, sheet.concurrent[at]) + duration[i];
    if (level[i] !== 0 || concurrent[i] === 1) continue;
    paused[at] = Math.max(0, paused[at]) + duration[i];
    longest[at] = Math.max(longest[at], duration[i]);
  }
  for (let at = 0; at < sheet.length; at++) {
    if (paused[at] < 0) continue;
    sheet.paused[at] = paused[at];
    sheet.longest[at] = longest[at];
  }
  addLongestPhases(phases, sheet, row);
}

/** The longest of: the parts of pauses, and the rest of pauses that has no parts, under the name of the longest pause. */
function addLongestPhases(
  { length, collection, level, concurrent, duration, name }: GcPhaseEvents,
  sheet: Sheet,
  row: (number: number) => number,
): void {
  const parts = new Float64Array(sheet.length);
  const longest = new Float64Array(sheet.length).fill(-1);
  const pause = new Int32Array(sheet.length).fill(-1);
  for (let i = 0; i < length; i++) {
    const at = row(collection[i]);
    if (at < 0 || concurrent[i] === 1 || !(duration[i] >= 0)) continue;
    if (level[i] === 0 && duration[i] > longest[at]) {
      longest[at] = duration[i];
      pause[at] = name[i];
    }
    if (level[i] !== 1) continue;
    parts[at] += duration[i];
    if (duration[i] <= sheet.phaseTime[at]) continue;
    sheet.phaseTime[at] = duration[i];
    sheet.phase[at] = name[i];
  }
  for (let at = 0; at < sheet.length; at++) {
    const rest = longest[at] - parts[at];
    if (longest[at] < 0 || (sheet.phase[at] >= 0 && rest <= sheet.phaseTime[at])) continue;
    sheet.phase[at] = pause[at];
    sheet.phaseTime[at] = rest;
  }
}

function addPromotion(profile: Profile | undefined, sheet: Sheet, row: (number: number) => number): void {
  const promotion = PROMOTION_EVENTS.of(profile);
  for (let i = 0; promotion !== undefined && i < promotion.length; i++) {
    const at = row(promotion.collection[i]);
    if (at >= 0) sheet.promoted[at] = Math.max(0, sheet.promoted[at]) + promotion.buffers[i] + promotion.direct[i];
  }
}

/** Collectors that leave the old generation as it is, but for what they copy to it. */
const YOUNG_COLLECTORS: readonly string[] = ['ParallelScavenge'];

/** What a collection of the young generation copied to the old one is the growth of that one. */
function addOldGrowth(
  program: Program,
  profile: Profile | undefined,
  sheet: Sheet,
  row: (number: number) => number,
): void {
  const old = OLD_USE_EVENTS.of(profile);
  if (old === undefined) return;
  const isAfter = afterNames(program);
  const before = new Float64Array(sheet.length).fill(Number.NaN);
  for (let i = 0; i < old.length; i++) {
    const at = row(old.collection[i]);
    if (at >= 0 && !isAfter(old.when[i])) before[at] = old.used[i];
  }
  for (let i = 0; i < old.length; i++) {
    const at = row(old.collection[i]);
    if (at < 0 || !isAfter(old.when[i]) || sheet.name[at] < 0 || sheet.promoted[at] >= 0) continue;
    const grown = old.used[i] - before[at];
    if (grown >= 0 && YOUNG_COLLECTORS.includes(stringAt(program.names, sheet.name[at]))) sheet.promoted[at] = grown;
  }
}

/** The first size before and the last size after each collection. */
function addHeap(program: Program, profile: Profile | undefined, sheet: Sheet, row: (number: number) => number): void {
  const isAfter = afterNames(program);
  // Use and time after the collection before.
  let [used, time] = [-1, 0];
  for (const { heap, order } of heapParts(profile))
    for (let next = 0; next < heap.length; next++) {
      const i = order === undefined ? next : order[next];
      const at = row(heap.collection[i]);
      if (isAfter(heap.when[i])) {
        if (at >= 0) sheet.after[at] = heap.used[i];
        [used, time] = [heap.used[i], heap.time[i]];
        continue;
      }
      if (at >= 0 && sheet.before[at] < 0) {
        sheet.before[at] = heap.used[i];
        if (sheet.duration[at] < 0) sheet.time[at] = Math.min(sheet.time[at], heap.time[i]);
        const grown = used < 0 ? -1 : heap.used[i] - used;
        if (grown >= 0) {
          sheet.allocated[at] = grown;
          sheet.growing[at] = heap.time[i] - time;
        }
      }
      // The collector works from here on: what the heap has next is no growth alone.
      used = -1;
    }
}

const HEAP_KEYS = ['time', 'collection', 'when', 'used'] as const;
type HeapPart = Pick<HeapUseEvents, 'length' | (typeof HEAP_KEYS)[number]>;

/** The uses of the heap; those that are not in the order of time as one part with this order. */
function* heapParts(
  profile: Profile | undefined,
): Generator<{ readonly heap: HeapPart; readonly order?: Int32Array | undefined }> {
  const table = profile && eventTable(profile, HEAP_USE_EVENTS.kind);
  if (table === undefined) return;
  let [last, isOrdered] = [Number.NEGATIVE_INFINITY, true];
  for (const { length, time } of HEAP_USE_EVENTS.parts(table, ['time']))
    for (let i = 0; i < length; i++) {
      if (!(time[i] >= last)) isOrdered = false;
      last = time[i];
    }
  if (isOrdered) for (const heap of HEAP_USE_EVENTS.parts(table, HEAP_KEYS)) yield { heap };
  else {
    const heap = HEAP_USE_EVENTS.of(profile);
    if (heap !== undefined) yield { heap, order: inTimeOrder(heap.time) };
  }
}

/** Whether a row of names means the end of a collection. */
function afterNames(program: Program): (name: number) => boolean {
  const known = new Map<number, boolean>();
  return (name) => {
    const isAfter = known.get(name) ?? (name >= 0 && /^after/i.test(stringAt(program.names, name)));
    known.set(name, isAfter);
    return isAfter;
  };
}

/** By time, then by number; those without a time come last. In place: there may be hundreds of thousands. */
function inOrder(sheet: Sheet): Collections {
  const { length, number, time } = sheet;
  for (let i = 0; i < length; i++) if (Number.isNaN(time[i])) time[i] = Number.POSITIVE_INFINITY;
  const byNumber = inTimeOrder(number);
  const byTime = inTimeOrder(byNumber === undefined ? time : taken(time, byNumber));
  const order = byNumber === undefined || byTime === undefined ? (byNumber ?? byTime) : taken(byNumber, byTime);
  if (order !== undefined) reorder(sheet, order);
  for (let i = 0; i < length; i++) if (!Number.isFinite(time[i])) time[i] = Number.NaN;
  return sheet;
}

function reorder(sheet: Sheet, order: Int32Array): void {
  const before = new Float64Array(order.length);
  for (const values of Object.values(sheet)) {
    if (typeof values === 'number') continue;
    before.set(values);
    for (let i = 0; i < order.length; i++) values[i] = before[order[i]];
  }
}
