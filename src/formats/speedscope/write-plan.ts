/**
 * What a written speedscope file will consist of, decided before anything is written: its frames, a profile for each
 * thread, and the type of each. A sampled profile repeats each stack in full; an evented one has only the frames that
 * open and close between two samples, in about 35 bytes each.
 */
import { stringAt } from '../../base/text.js';
import { TIME } from '../../models/events/shared-fields.js';
import { THREADS } from '../../models/profile/tables.js';
import type { Recording } from '../../models/recording.js';
import { columnOf } from '../../models/table.js';
import { bytesAlongStacks, type WrittenValues } from '../shared/written-values.js';

/** Times converted from seconds are only nearly multiples of a nanosecond. */
const LEAST_GAP = 1e-3;
const LONGEST_NAME = 200;
/** Of a frame as names are long, and of a sample without its frames. */
const FRAME_BYTES = 60;
const SAMPLE_BYTES = 6;
/** Of an event without the digits of its frame and time: `{"type":"O","frame":,"at":},`. */
const EVENT_BYTES = 28;
/** A profile is evented if a sampled one takes so many times as many bytes. Samples stay samples otherwise. */
const FAR_SMALLER = 4;

export interface SpeedscopePlan {
  /** Locations in the order of their numbers in the file. */
  readonly used: readonly number[];
  /** Number in the file of each used location, -1 for others. */
  readonly frameOf: Int32Array;
  readonly profiles: readonly PlannedProfile[];
  /** About how large the file will be. */
  readonly bytes: number;
}

export interface PlannedProfile {
  readonly name: string;
  readonly type: 'sampled' | 'evented';
  /** In nanoseconds for profiles of time, else 0. */
  readonly start: number;
  readonly samples: () => Iterable<Sample>;
}

/** A stack, -1 where nothing ran, with its weight. */
interface Sample {
  readonly stack: number;
  readonly weight: number;
}

/** Cost: a few passes over the rows of the metric and its stacks; 4 bytes a location and 8 a stack. */
export function planOf(recording: Recording, values: WrittenValues): SpeedscopePlan {
  const { used, frameOf } = usedLocations(recording, values);
  const digits = bytesAlongStacks(values, (location) => String(frameOf[location]).length + 1);
  let bytes = used.length * FRAME_BYTES;
  const profiles = rowsByThread(recording, values).map(({ name, rows }): PlannedProfile => {
    const times = isTimeline(recording, values) ? columnOf(values.table, TIME) : undefined;
    const start = times === undefined || rows.length === 0 ? 0 : times[rows[0]];
    const samples = () => samplesOf(rows, values, times);
    let sampled = 0;
    for (const { stack } of samples()) sampled += SAMPLE_BYTES + (stack < 0 ? 0 : digits[stack]);
    const evented = eventedBytes(samples(), start, values.profile.stacks.parent, digits, sampled / FAR_SMALLER);
    bytes += evented ?? sampled;
    return { name, type: evented === undefined ? 'sampled' : 'evented', start, samples };
  });
  return { used, frameOf, profiles, bytes };
}

/**
 * Bytes of the events of a profile; undefined if they are more than `most`, or if reading them would not give the same
 * values: events have times, and a weight that is not positive, or is lost to rounding when added to them, has none.
 */
function eventedBytes(
  samples: Iterable<Sample>,
  start: number,
  parent: Int32Array,
  digits: Float64Array,
  most: number,
): number | undefined {
  let bytes = 0;
  let open = -1;
  let now = start;
  const of = (stack: number): number => (stack < 0 ? 0 : digits[stack]);
  const change = (stack: number): void => {
    let [from, to] = [open, stack];
    let events = 0;
    // Parents have smaller numbers than children.
    for (; from !== to; events++)
      if (from > to) from = parent[from];
      else to = parent[to];
    // `digits` counts a comma for each frame.
    bytes += events * (EVENT_BYTES - 1 + String(now).length) + of(open) + of(stack) - 2 * of(from);
    open = stack;
  };
  for (const { stack, weight } of samples) {
    change(stack);
    if (bytes > most || !(weight > 0) || now + weight - now !== weight) return undefined;
    now += weight;
  }
  change(-1);
  return bytes > most ? undefined : bytes;
}

function usedLocations({ program }: Recording, { rows, stack, profile: { stacks } }: WrittenValues) {
  const frameOf = new Int32Array(program.locations.length).fill(-1);
  const seen = new Uint8Array(stacks.length);
  const used: number[] = [];
  for (const row of rows) {
    for (let id = stack[row]; id >= 0 && seen[id] === 0; id = stacks.parent[id]) {
      seen[id] = 1;
      const location = stacks.location[id];
      if (frameOf[location] >= 0) continue;
      frameOf[location] = used.length;
      used.push(location);
    }
  }
  return { used, frameOf };
}

/** Stacks with their weights; consecutive rows of one stack are combined. */
function* samplesOf(
  rows: Int32Array,
  { stack, value }: WrittenValues,
  times: ArrayLike<number> | undefined,
): Generator<Sample> {
  let current = -1;
  let weight = 0;
  let held = false;
  let now = 0;
  for (const [index, row] of rows.entries()) {
    const gap = times === undefined || index === 0 ? 0 : times[row] - now;
    if (times !== undefined) now = times[row] + value(row);
    if (held && (stack[row] !== current || gap > LEAST_GAP)) {
      yield { stack: current, weight };
      held = false;
    }
    if (gap > LEAST_GAP) yield { stack: -1, weight: gap };
    weight = held ? weight + value(row) : value(row);
    current = stack[row];
    held = true;
  }
  if (held) yield { stack: current, weight };
}

/** Whether a value is the duration from the time of its row; only then gaps between rows are idle time. */
export function isTimeline(recording: Recording, { metric, table }: WrittenValues): boolean {
  return recording.format === 'speedscope' && metric.id === 'time' && columnOf(table, TIME) !== undefined;
}

interface ThreadRows {
  readonly name: string;
  readonly rows: Int32Array;
}

/** One profile per thread, in the order of the threads; rows without a thread come last. */
function rowsByThread(recording: Recording, values: WrittenValues): ThreadRows[] {
  const { rows, thread, profile } = values;
  const { threads } = profile;
  const whole = [{ name: baseName(recording.name), rows: inTime(recording, values, rows) }];
  if (thread === undefined || threads === undefined) return whole;
  const counts = new Int32Array(threads.length + 1);
  const slot = (row: number): number => (thread[row] < 0 ? threads.length : thread[row]);
  for (const row of rows) counts[slot(row)]++;
  const lists = Array.from(counts, (count) => new Int32Array(count));
  counts.fill(0);
  for (const row of rows) {
    const at = slot(row);
    lists[at][counts[at]++] = row;
  }
  const names = threadNames(recording, values);
  const planned = lists.map((list, at) => ({ name: names[at] ?? baseName(recording.name), list }));
  const used = planned.filter(({ list }) => list.length > 0);
  return used.length === 0 ? whole : used.map(({ name, list }) => ({ name, rows: inTime(recording, values, list) }));
}

/** Rows of a timeline by their times: profiles with the same name were read one after the other. */
function inTime(recording: Recording, values: WrittenValues, rows: Int32Array): Int32Array {
  const times = isTimeline(recording, values) ? columnOf(values.table, TIME) : undefined;
  if (times === undefined) return rows;
  return rows.sort((a, b) => times[a] - times[b] || a - b);
}

/** Unique names of profiles: threads with equal names get their numbers. */
function threadNames({ program }: Recording, { profile }: WrittenValues): string[] {
  const { threads } = profile;
  if (threads === undefined) return [];
  const { name: names, tid } = THREADS.rows(threads);
  const taken = new Map<string, number>();
  const plain = Array.from(names, (id) => (id < 0 ? '' : stringAt(program.names, id)));
  for (const name of plain) taken.set(name, (taken.get(name) ?? 0) + 1);
  return plain.map((name, row) =>
    (taken.get(name) ?? 0) > 1 ? `${name} ${tid === undefined ? `(${row + 1})` : `tid=${tid[row]}`}`.trimStart() : name,
  );
}

/** The name of an input without its folders. */
export function baseName(name: string): string {
  return name.slice(name.search(/[^/\\]*$/)).slice(0, LONGEST_NAME);
}
