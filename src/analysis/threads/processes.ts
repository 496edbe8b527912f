/**
 * Which dumps are of one process. No single fact decides it in every dump; dumps have
 *
 *   PID       in jcmd's output and in `dump_to_file`; in containers it is often 1 in all of them
 *   start     time of the dump minus `elapsed=` of a thread: the same in all dumps of a process
 *   ids       `tid=0x…` (an address) and `nid=` of a thread never change while it lives
 *
 * Equal PIDs or equal starts make two dumps one process, unless something contradicts.
 */
import { placeOf } from '../../base/columns/search.js';
import type { SeenDump, Timeline } from './timeline.js';

export interface Processes {
  /** `unknown`: of some dumps it is unknown whether they are of the same process as others. */
  readonly verdict: 'same' | 'different' | 'unknown';
  /** By dump: dumps with one number are known to be of one process. */
  readonly process: Int32Array;
}

/** Times of dumps are whole seconds, and a dump of many threads takes its time. */
const START_TOLERANCE = 2e9;

export function processesOf(timeline: Timeline): Processes {
  const { dumps } = timeline;
  const process = new Int32Array(dumps.length);
  // A dump without elapsed= between two that have it must not separate them.
  const pairs = [(later: number) => later - 1, earlierElapsed(timeline)].map((earlier) => judge(timeline, earlier));
  let verdict: Processes['verdict'] = 'same';
  let known = 1;
  for (let later = 1; later < dumps.length; later++) {
    const found = pairs.map((pair) => pair[later]);
    const same = found.find(({ is }) => is === 'same');
    if (found.some(({ is }) => is === 'different')) verdict = 'different';
    else if (same === undefined && verdict === 'same') verdict = 'unknown';
    process[later] = same === undefined ? known++ : process[same.earlier];
  }
  return { verdict, process };
}

/** For each dump the last one before it that reports how long threads have lived, -1 if none. */
function earlierElapsed({ watched, dumps, at, row }: Timeline): (later: number) => number {
  const known = new Uint8Array(dumps.length);
  for (let i = 0; i < at.length; i++) {
    const { elapsed } = watched[dumps[at[i]].of].states;
    if (elapsed !== undefined && elapsed[row[i]] >= 0) known[at[i]] = 1;
  }
  const earlier = new Int32Array(dumps.length).fill(-1);
  for (let dump = 1; dump < dumps.length; dump++) earlier[dump] = known[dump - 1] === 1 ? dump - 1 : earlier[dump - 1];
  return (later) => earlier[later];
}

interface Judged {
  readonly earlier: number;
  readonly is: Processes['verdict'];
}

/** Of each dump and the one that `earlier` names for it, whether they are of one process. Time: a look a sighting. */
function judge(timeline: Timeline, earlier: (later: number) => number): Judged[] {
  const { dumps, length, starts, at } = timeline;
  // More threads that agree than contradict: above 0.
  const start = new Int32Array(dumps.length);
  const ids = new Int32Array(dumps.length);
  for (let t = 0; t < length; t++) {
    for (let i = starts[t] + 1; i < starts[t + 1]; i++) {
      const before = sightingAt(at, starts[t], i, earlier(at[i]));
      if (before < 0) continue;
      start[at[i]] += sameStart(timeline, before, i);
      ids[at[i]] += sameIds(timeline, before, i);
    }
  }
  return dumps.map(({ process }, later): Judged => {
    const other = earlier(later);
    if (other < 0) return { earlier: other, is: 'unknown' };
    const knownPids = process >= 0 && dumps[other].process >= 0;
    const contradicted = start[later] < 0 || ids[later] < 0 || (knownPids && process !== dumps[other].process);
    if (contradicted) return { earlier: other, is: 'different' };
    return { earlier: other, is: knownPids || start[later] > 0 ? 'same' : 'unknown' };
  });
}

/** 1 where a thread began at the same time by two sightings, -1 where it did not, 0 if that is unknown. */
function sameStart({ watched, dumps, at, row }: Timeline, before: number, after: number): number {
  const [a, b] = [dumps[at[before]], dumps[at[after]]];
  const gap = startGap(a, b);
  const from = watched[a.of].states.elapsed?.[row[before]] ?? -1;
  const to = watched[b.of].states.elapsed?.[row[after]] ?? -1;
  if (gap === undefined || from < 0 || to < 0) return 0;
  return Math.abs(to - from - gap) <= START_TOLERANCE ? 1 : -1;
}

/** 1 where a thread has the same address in the VM and native id, -1 where one differs, 0 if both are unknown. */
function sameIds({ watched, dumps, at, row }: Timeline, before: number, after: number): number {
  const [a, b] = [watched[dumps[at[before]].of], watched[dumps[at[after]].of]];
  const [from, to] = [a.states.thread[row[before]], b.states.thread[row[after]]];
  let found = 0;
  for (const key of ['address', 'native'] as const) {
    const [left, right] = [a.threads[key]?.[from] ?? -1, b.threads[key]?.[to] ?? -1];
    if (left < 0 || right < 0) continue;
    if (left !== right) return -1;
    found = 1;
  }
  return found;
}

/** Nanoseconds between two dumps; undefined if their times are of different clocks. */
function startGap(a: SeenDump, b: SeenDump): number | undefined {
  return a.time < 0 || b.time < 0 || a.together !== b.together ? undefined : (b.time - a.time) * 1e6;
}

/** The sighting in a dump, among those from `from` to before `to`, whose dumps rise; -1 where there is none. */
function sightingAt(at: Int32Array, from: number, to: number, dump: number): number {
  return placeOf(at, dump, from, to);
}
