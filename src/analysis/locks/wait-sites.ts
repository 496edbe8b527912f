/** Contention from single waits: those for monitors of a class at a site together. */
import { IntTable } from '../../base/columns/hash.js';
import { WAIT_REASONS, type WaitEvents } from '../../models/events/wait.js';
import type { StackTable } from '../../models/profile/profile.js';
import { className } from '../../models/program/names.js';
import type { Program } from '../../models/program/program.js';
import { functionsOf } from '../origin.js';

export interface WaitSite {
  /** ClassId of the monitor, or of what the thread was parked for; -1 unknown. */
  readonly class: number;
  /** LocationId of the first place on its line; -1 unknown. */
  readonly site: number;
  readonly time: number;
  readonly count: number;
  readonly longest: number;
  /** The thread that held it before the most of this time; -1 unknown. */
  readonly owner: number;
}

const ENTER = WAIT_REASONS.indexOf('enter');
const PARK = WAIT_REASONS.indexOf('park');

export interface WaitSites {
  readonly sites: readonly WaitSite[];
  /** Parked threads that waited for work: how often, and how long. */
  readonly idle: { readonly count: number; readonly time: number };
}

/** How a thread parks: frames that say nothing about what it waits for. */
const PARKING = /^(?:jdk\.internal\.misc\.|sun\.misc\.|java\.util\.concurrent\.locks\.)/;
/** What a lock parks its threads on; conditions and queues of pools are others. */
const LOCK = /^java\.util\.concurrent\..*(?:Sync|Lock)$/;

/**
 * Waits to enter, at the innermost frame; and parked threads, at the innermost frame of the program's own code. A thread
 * without such a frame, as those of pools, that is not parked for a lock is idle: it waits for work.
 */
export function waitSites(waits: WaitEvents, stacks: StackTable, program: Program): WaitSites {
  const { length, reason, stack, class: types, waited, other } = waits;
  const placeOf = parkedPlaces(stacks, program);
  const groups = new IntTable(64);
  const owners = new IntTable(64);
  const locks = new Map<number, boolean>();
  const siteOf = linePlaces(program);
  const sites: { time: number; count: number; longest: number }[] = [];
  const held: number[] = [];
  const idle = { count: 0, time: 0 };
  for (let row = 0; row < length; row++) {
    if (reason[row] !== ENTER && reason[row] !== PARK) continue;
    const leaf = stack?.[row] ?? -1;
    const type = types?.[row] ?? -1;
    const place = reason[row] === PARK ? placeOf(leaf) : { stack: leaf, isOwn: true };
    if (!place.isOwn && !locks.has(type)) locks.set(type, LOCK.test(className(program, type)));
    if (!place.isOwn && locks.get(type) === false) {
      idle.count++;
      idle.time += waited[row];
      continue;
    }
    const group = groups.add(reason[row], type, place.stack < 0 ? -1 : siteOf(stacks.location[place.stack]));
    sites[group] ??= { time: 0, count: 0, longest: 0 };
    sites[group].time += waited[row];
    sites[group].count++;
    sites[group].longest = Math.max(sites[group].longest, waited[row]);
    const owner = owners.add(group, other?.[row] ?? -1);
    held[owner] = (held[owner] ?? 0) + waited[row];
  }
  const most = new Int32Array(sites.length).fill(-1);
  for (let i = 0; i < owners.length; i++) {
    const group = owners.key(i, 0);
    if (owners.key(i, 1) >= 0 && (most[group] < 0 || held[i] > held[most[group]])) most[group] = i;
  }
  const named = sites.map((sums, group) => ({
    ...sums,
    class: groups.key(group, 1),
    site: groups.key(group, 2),
    owner: most[group] < 0 ? -1 : owners.key(most[group], 1),
  }));
  return { sites: named, idle };
}

/** One place for all of a line: those that differ in bytecode index, or in how the code ran, look the same to readers. */
function linePlaces({ locations }: Program): (location: number) => number {
  const lines = new IntTable(64);
  const first: number[] = [];
  return (location) => {
    const line = locations.line?.[location] ?? -1;
    if (line <= 0) return location;
    const known = lines.add(locations.function[location], line);
    first[known] ??= location;
    return first[known];
  };
}

interface ParkedPlace {
  /** StackId of the frame; -1 unknown. */
  readonly stack: number;
  /** Whether the program's own code is on the stack, or nothing is known of it. */
  readonly isOwn: boolean;
}

/** Where threads parked, by innermost frame. Each stack is walked once. */
function parkedPlaces(stacks: StackTable, program: Program): (leaf: number) => ParkedPlace {
  const own = functionsOf(program, ['own']);
  const functionAt = (at: number): number => program.locations.function[stacks.location[at]];
  const known = new Map<number, ParkedPlace>();
  const find = (leaf: number): ParkedPlace => {
    let at = leaf;
    let waiting = -1;
    while (at >= 0 && own[functionAt(at)] === 0) {
      if (waiting < 0 && !PARKING.test(className(program, program.functions.class[functionAt(at)]))) waiting = at;
      at = stacks.parent[at];
    }
    return at >= 0 ? { stack: at, isOwn: true } : { stack: waiting < 0 ? leaf : waiting, isOwn: leaf < 0 };
  };
  return (leaf) => {
    let place = known.get(leaf);
    if (place === undefined) {
      place = find(leaf);
      known.set(leaf, place);
    }
    return place;
  };
}
