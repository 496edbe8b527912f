/**
 * The sightings of each thread in several dumps, in order.
 *
 *   dumps    0        1        2          threads   starts   sightings (dump, row of the states of its recording)
 *   main     RUNNABLE RUNNABLE RUNNABLE   main      0        (0,0) (1,0) (2,0)
 *   worker   -        BLOCKED  BLOCKED    worker    3        (1,4) (2,4)
 *
 * Within one recording a thread is a row of its threads. In several, Java threads are one by number and name; threads of
 * the VM, which have no number, by native id and name, else by name. Cost: a few passes over the rows, and two look-ups a
 * thread of several recordings.
 */
import { addToList } from '../../base/columns/lists.js';
import { stringAt } from '../../base/text.js';
import { STATE_EVENTS, type StateEvents } from '../../models/events/state.js';
import { SNAPSHOTS } from '../../models/locks/locks.js';
import { chosenDumps } from '../../models/profile/moment.js';
import type { Profile } from '../../models/profile/profile.js';
import type { ThreadRows } from '../../models/profile/tables.js';
import type { Recording } from '../../models/recording.js';
import { dumpCountOf } from '../scope/moment.js';
import type { ScopedRecording } from '../scope/scoped.js';

/** A recording with states of threads. */
export interface Watched extends Pick<ScopedRecording, 'recording' | 'dump'> {
  readonly profile: Profile;
  readonly states: StateEvents;
  readonly threads: ThreadRows;
}

export interface SeenDump {
  /** Index of its recording. */
  readonly of: number;
  /** Which dump of its recording, from 0 on. */
  readonly dump: number;
  /** Milliseconds since 1970, -1 unknown. */
  readonly time: number;
  /** -1 unknown. */
  readonly process: number;
  /** As in `SNAPSHOTS`: dumps that differ in it are of different tools, which see different threads and clocks. */
  readonly together: number;
}

export interface Timeline {
  readonly watched: readonly Watched[];
  /** In the order of their times, as far as those can be compared, or in the order in which they were given. */
  readonly dumps: readonly SeenDump[];
  /** Whether they were put in another order than they were given in. */
  readonly sorted: boolean;
  /** The first dump that is earlier than the one before it, -1 if there is none. */
  readonly backwards: number;
  /** Number of threads. */
  readonly length: number;
  /** For each recording: its threads → joined threads. */
  readonly joined: readonly Int32Array[];
  /** Sightings of thread `t`: `starts[t] .. starts[t + 1])`, in the order of the dumps. */
  readonly starts: Int32Array;
  /** Index into `dumps`, by sighting. */
  readonly at: Int32Array;
  /** Row of the states of its recording, by sighting. */
  readonly row: Int32Array;
}

/** `order`: whether the dumps are ordered by their times, or stay as they were given. */
export function timelineOf(watched: readonly Watched[], order: 'time' | 'given'): Timeline {
  const given = watched.flatMap(dumpsOf);
  const byTime = inOrder(given, watched);
  const place = new Map(byTime.map((dump, i) => [dump, i]));
  const backwards = given.findIndex((dump, i) => i > 0 && (place.get(dump) ?? 0) < (place.get(given[i - 1]) ?? 0));
  const dumps = order === 'time' ? byTime : given;
  const { joined, length } = joinThreads(watched);
  const { sources, rows, at } = byDump(watched, dumps);
  const starts = new Int32Array(length + 1);
  const threadOf = (i: number): number => joined[sources[i]][watched[sources[i]].states.thread[rows[i]]];
  for (let i = 0; i < rows.length; i++) starts[threadOf(i) + 1]++;
  for (let t = 0; t < length; t++) starts[t + 1] += starts[t];
  const next = starts.slice();
  const sighted = { at: new Int32Array(rows.length), row: new Int32Array(rows.length) };
  for (let i = 0; i < rows.length; i++) {
    const place = next[threadOf(i)]++;
    sighted.at[place] = at[i];
    sighted.row[place] = rows[i];
  }
  return {
    watched,
    dumps,
    ...(order === 'time' ? { sorted: backwards > 0, backwards: -1 } : { sorted: false, backwards }),
    length,
    joined,
    starts,
    ...sighted,
  };
}

function dumpsOf({ recording, dump: moment }: Watched, of: number): SeenDump[] {
  return chosenDumps(moment, dumpCountOf(recording, STATE_EVENTS.kind)).map((dump) => ({
    of,
    dump,
    ...snapshotOf(recording, dump),
  }));
}

function snapshotOf({ locks }: Recording, dump: number): Pick<SeenDump, 'time' | 'process' | 'together'> {
  const rows = locks && SNAPSHOTS.rows(locks.snapshots);
  return {
    time: rows?.time[dump] ?? -1,
    process: rows?.process?.[dump] ?? -1,
    together: rows?.together[dump] ?? -1,
  };
}

/**
 * By time, and within a second by the longest time that a thread has lived. The VM writes local time and `dump_to_file`
 * UTC: dumps of each change places among themselves only.
 */
function inOrder(dumps: readonly SeenDump[], watched: readonly Watched[]): readonly SeenDump[] {
  if (dumps.some(({ time }) => time < 0)) return dumps;
  const ages = watched.map(longestElapsed);
  const age = ({ of, dump }: SeenDump): number => ages[of].get(dump) ?? -1;
  const sorted = [...dumps].sort((a, b) => a.time - b.time || age(a) - age(b));
  const clocks = new Map<number, SeenDump[]>();
  for (const dump of sorted) addToList(clocks, dump.together, dump);
  const next = new Map([...clocks].map(([clock, list]) => [clock, list.values()]));
  return dumps.map((given) => next.get(given.together)?.next().value ?? given);
}

function longestElapsed({ states: { length, dump, elapsed } }: Watched): ReadonlyMap<number, number> {
  const longest = new Map<number, number>();
  if (elapsed === undefined) return longest;
  for (let row = 0; row < length; row++)
    if (elapsed[row] > (longest.get(dump[row]) ?? -1)) longest.set(dump[row], elapsed[row]);
  return longest;
}

/** All rows of states in the order of their dumps: recording, row and dump of each. */
function byDump(watched: readonly Watched[], dumps: readonly SeenDump[]) {
  const places = watched.map(() => new Map<number, number>());
  dumps.forEach(({ of, dump }, place) => {
    places[of].set(dump, place);
  });
  const ends = new Int32Array(dumps.length + 1);
  const each = (visit: (of: number, row: number, place: number) => void): void => {
    watched.forEach(({ states: { length, thread, dump } }, of) => {
      for (let row = 0; row < length; row++) {
        const place = places[of].get(dump[row]);
        if (place !== undefined && thread[row] >= 0) visit(of, row, place);
      }
    });
  };
  each((_, __, place) => {
    ends[place + 1]++;
  });
  for (let place = 0; place < dumps.length; place++) ends[place + 1] += ends[place];
  const count = ends[dumps.length];
  const [sources, rows, at] = [new Int32Array(count), new Int32Array(count), new Int32Array(count)];
  each((of, row, place) => {
    const i = ends[place]++;
    sources[i] = of;
    rows[i] = row;
    at[i] = place;
  });
  return { sources, rows, at };
}

function joinThreads(watched: readonly Watched[]): { joined: readonly Int32Array[]; length: number } {
  const [first] = watched;
  if (watched.length === 1 && first !== undefined)
    return { joined: [Int32Array.from({ length: first.threads.length }, (_, id) => id)], length: first.threads.length };
  const joins = new ThreadJoins();
  const joined = watched.map(({ recording: { program }, threads }, of) => {
    const { length, name, number, native } = threads;
    const ids = new Int32Array(length);
    for (let id = 0; id < length; id++)
      ids[id] = joins.add(of, stringAt(program.names, name[id]), number?.[id] ?? -1, native?.[id] ?? -1);
    return ids;
  });
  return { joined, length: joins.length };
}

/** Threads of several recordings. */
class ThreadJoins {
  readonly #exact = new Map<string, number>();
  /** The native id may be unknown, or that of another process. */
  readonly #byName = new Map<string, number>();
  /** The recording that has it last: two threads of one recording are never one. */
  readonly #last: number[] = [];

  get length(): number {
    return this.#last.length;
  }

  add(of: number, name: string, number: number, native: number): number {
    const byName = `${number} ${name}`;
    const exact = `${native} ${byName}`;
    for (const known of [this.#exact.get(exact), this.#byName.get(byName)]) {
      if (known === undefined || this.#last[known] === of) continue;
      this.#last[known] = of;
      this.#exact.set(exact, known);
      return known;
    }
    const id = this.length;
    this.#last.push(of);
    if (!this.#exact.has(exact)) this.#exact.set(exact, id);
    if (!this.#byName.has(byName)) this.#byName.set(byName, id);
    return id;
  }
}
