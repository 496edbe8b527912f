/** Contention from single waits: those for one lock together, or those for locks of a class at a site. */
import { Float64Builder } from '../../base/columns/columns.js';
import { IntTable } from '../../base/columns/hash.js';
import { addToList } from '../../base/columns/lists.js';
import { WAIT_EVENTS, WAIT_REASONS, type WaitEvents } from '../../models/events/wait.js';
import type { StackTable } from '../../models/profile/profile.js';
import { className } from '../../models/program/names.js';
import type { Program } from '../../models/program/program.js';
import type { Table } from '../../models/table.js';
import type { WaitGrouping } from '../../questions/options/recording.js';
import { functionsOf } from '../origin.js';

export interface WaitSite {
  /** Index into `WAIT_REASONS`; of a lock, that of the site with most of its time. */
  readonly reason: number;
  /** ClassId of the monitor, or of what the thread was parked for; -1 unknown. */
  readonly class: number;
  /** Address of the lock while it was waited for; -1 unknown, and of sites. */
  readonly address: number;
  /** LocationId of the first place on its line; -1 unknown. Of a lock, that with most of its time. */
  readonly site: number;
  /** Of a lock: sites where threads waited for it. */
  readonly places: number;
  readonly time: number;
  readonly count: number;
  readonly longest: number;
  /** The threads that held it before, as far as they are known: the longest time first. */
  readonly owners: readonly WaitedFor[];
}

/** How often, and how long, threads waited at a site for a thread that held the monitor. */
export interface WaitedFor {
  readonly thread: number;
  readonly count: number;
  readonly time: number;
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

/** Some of the waits of a table. */
type WaitPart = Pick<WaitEvents, 'length' | (typeof PART_KEYS)[number]>;
const PART_KEYS = ['reason', 'stack', 'class', 'address', 'waited', 'other'] as const;

/** Gets a wait of a thread that contended: its row in a part, where it waited, a LocationId or -1, and the first row of the part. */
type Visit = (waits: WaitPart, row: number, site: number, first: number) => void;

/**
 * Waits to enter, at the innermost frame; and parked threads, at the innermost frame of the program's own code. A thread
 * without such a frame, as those of pools, that is not parked for a lock is idle: it waits for work.
 */
export function waitSites(waits: Table, stacks: StackTable, program: Program, by: WaitGrouping): WaitSites {
  const { sites, idle } = sitesOf(waits, stacks, program, by === 'lock');
  return { sites: by === 'lock' ? joinedLocks(sites) : sites, idle };
}

/** `isApart`: the waits for several locks at a site are rows of their own. */
function sitesOf(waits: Table, stacks: StackTable, program: Program, isApart: boolean): WaitSites {
  const groups = new IntTable(64);
  const addresses = new Map<number, number>();
  const owners = new IntTable(64);
  const [time, count, longest, held, times] = [0, 1, 2, 3, 4].map(() => new Float64Builder());
  const idle = eachContention(waits, stacks, program, (part, row, site) => {
    const { reason, class: types, address, waited, other } = part;
    const place = isApart ? (address?.[row] ?? -1) : -1;
    if (place >= 0 && !addresses.has(place)) addresses.set(place, addresses.size);
    const kind = (types?.[row] ?? -1) * WAIT_REASONS.length + reason[row];
    const group = groups.add(kind, site, addresses.get(place) ?? -1);
    if (group === time.length) for (const sums of [time, count, longest]) sums.push(0);
    const spent = waited[row];
    time.values[group] += spent;
    count.values[group]++;
    if (spent > longest.values[group]) longest.values[group] = spent;
    const thread = other?.[row] ?? -1;
    if (thread < 0) return;
    const owner = owners.add(group, thread);
    if (owner === held.length) for (const sums of [held, times]) sums.push(0);
    held.values[owner] += spent;
    times.values[owner]++;
  });
  const ofSite = Array.from({ length: groups.length }, (): WaitedFor[] => []);
  for (let i = 0; i < owners.length; i++)
    ofSite[owners.key(i, 0)].push({ thread: owners.key(i, 1), count: times.values[i], time: held.values[i] });
  const places = [...addresses.keys()];
  const sites = ofSite.map((waitedFor, group) => ({
    time: time.values[group],
    count: count.values[group],
    longest: longest.values[group],
    reason: (groups.key(group, 0) + WAIT_REASONS.length) % WAIT_REASONS.length,
    class: Math.floor(groups.key(group, 0) / WAIT_REASONS.length),
    site: groups.key(group, 1),
    address: places[groups.key(group, 2)] ?? -1,
    places: 1,
    owners: waitedFor.sort((a, b) => b.time - a.time),
  }));
  return { sites, idle };
}

/** The sites of one lock as one row. Locks without an address are one by their class. */
function joinedLocks(sites: readonly WaitSite[]): WaitSite[] {
  const locks = new Map<string, WaitSite[]>();
  for (const site of sites) addToList(locks, `${site.class} ${site.address}`, site);
  return [...locks.values()].map((parts) => {
    const [most = parts[0], ...rest] = parts.toSorted((a, b) => b.time - a.time);
    if (most === undefined) throw new Error('a lock without a site');
    return {
      ...most,
      time: sumOf(parts, ({ time }) => time),
      count: sumOf(parts, ({ count }) => count),
      longest: rest.reduce((longest, part) => Math.max(longest, part.longest), most.longest),
      places: parts.length,
      owners: joinedOwners(parts),
    };
  });
}

function joinedOwners(parts: readonly WaitSite[]): WaitedFor[] {
  const threads = new Map<number, WaitedFor[]>();
  for (const { owners } of parts) for (const owner of owners) addToList(threads, owner.thread, owner);
  return [...threads]
    .map(([thread, waits]) => ({
      thread,
      count: sumOf(waits, ({ count }) => count),
      time: sumOf(waits, ({ time }) => time),
    }))
    .sort((a, b) => b.time - a.time);
}

function sumOf<Row>(rows: readonly Row[], numberOf: (row: Row) => number): number {
  return rows.reduce((sum, row) => sum + numberOf(row), 0);
}

/** Time of waits by FunctionId, and of all of them, those of unknown functions included. */
export interface WaitTimes {
  readonly byFunction: Float64Array;
  readonly sum: number;
}

/** The time of the same waits. */
export function waitTimes(waits: Table, stacks: StackTable, program: Program): WaitTimes {
  const byFunction = new Float64Array(program.functions.length);
  let sum = 0;
  eachContention(waits, stacks, program, ({ waited }, row, site) => {
    sum += waited[row];
    if (site >= 0) byFunction[program.locations.function[site]] += waited[row];
  });
  return { byFunction, sum };
}

/** Visits the waits of threads that contended; returns the sums of the others. */
export function eachContention(table: Table, stacks: StackTable, program: Program, visit: Visit): WaitSites['idle'] {
  const placeOf = parkedPlaces(stacks, program);
  const siteOf = linePlaces(program);
  const locks = new Map<number, boolean>();
  const idle = { count: 0, time: 0 };
  let first = 0;
  for (const part of WAIT_EVENTS.parts(table, PART_KEYS)) {
    const { length, reason, stack, class: types, waited } = part;
    for (let row = 0; row < length; row++) {
      if (reason[row] !== ENTER && reason[row] !== PARK) continue;
      let at = stack?.[row] ?? -1;
      if (reason[row] === PARK) {
        const place = placeOf(at);
        const type = types?.[row] ?? -1;
        if (!place.isOwn && !locks.has(type)) locks.set(type, LOCK.test(className(program, type)));
        if (!place.isOwn && locks.get(type) === false) {
          idle.count++;
          idle.time += waited[row];
          continue;
        }
        at = place.stack;
      }
      visit(part, row, at < 0 ? -1 : siteOf(stacks.location[at]), first);
    }
    first += length;
  }
  return idle;
}

/** One place for all of a line: those that differ in bytecode index, or in how the code ran, look the same to readers. */
function linePlaces({ locations }: Program): (location: number) => number {
  const lines = new IntTable(64);
  const first: number[] = [];
  return (location) => {
    const line = locations.line?.[location] ?? -1;
    if (line <= 0) return location;
    const lineNumber = lines.add(locations.function[location], line);
    first[lineNumber] ??= location;
    return first[lineNumber];
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
  const isOwnCode = functionsOf(program, ['own']);
  const functionAt = (at: number): number => program.locations.function[stacks.location[at]];
  const places = new Map<number, ParkedPlace>();
  const find = (leaf: number): ParkedPlace => {
    let at = leaf;
    let waiting = -1;
    while (at >= 0 && isOwnCode[functionAt(at)] === 0) {
      if (waiting < 0 && !PARKING.test(className(program, program.functions.class[functionAt(at)]))) waiting = at;
      at = stacks.parent[at];
    }
    return at >= 0 ? { stack: at, isOwn: true } : { stack: waiting < 0 ? leaf : waiting, isOwn: leaf < 0 };
  };
  return (leaf) => {
    let place = places.get(leaf);
    if (place === undefined) {
      place = find(leaf);
      places.set(leaf, place);
    }
    return place;
  };
}
