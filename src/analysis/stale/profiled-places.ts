/**
 * The counted places of each method in a PGO profile, folded over contexts, and the calls in its contexts. One pass
 * over events and stacks; about 50 bytes a place.
 */
import { IntTable } from '../../base/columns/hash.js';
import { type CountedRows, countedEvents, forEachSite } from '../../models/events/counted.js';
import type { Profile } from '../../models/profile/profile.js';
import { bciOf } from '../../models/program/places.js';
import type { FunctionId, LocationId, Program } from '../../models/program/program.js';
import type { Column } from '../../models/table.js';

/** Kinds of entries, by the kind of their event table. Monitor counts do not have a place. */
export const ENTRY_KINDS = ['call', 'branch', 'receiver', 'instanceof', 'sample'] as const;
export type PlaceEntryKind = (typeof ENTRY_KINDS)[number];

/** Kinds of counts at a place. A call count is at the start of its method, which every method has. */
const PLACE_KINDS = ['branch', 'receiver', 'instanceof', 'sample', 'caller'] as const;
export type PlaceKind = (typeof PLACE_KINDS)[number];

/** A place of code and its counts. */
export interface ProfiledPlace {
  /** Index into the places of the profile. */
  readonly id: number;
  readonly function: FunctionId;
  readonly location: LocationId;
  readonly bci: number;
  readonly kind: PlaceKind;
  /** For callers: the called function; else -1. */
  readonly callee: FunctionId;
  /** For branches: all targets with a BCI. */
  readonly targets: Set<number>;
  /** For branches: the most outcomes of an entry. */
  ways: number;
}

/** Of all places of other kinds. */
const NO_TARGETS = new Set<number>();

export class ProfiledPlaces {
  readonly places: ProfiledPlace[] = [];
  /** Places by function; absent for functions without counts. */
  readonly byFunction = new Map<FunctionId, number[]>();
  /** By stack: the place of the call in its parent; -1 for roots and for stacks outside of all entries' contexts. */
  readonly callers: Int32Array;
  /** 1 for stacks in the context of an entry. */
  readonly used: Uint8Array;
  readonly #keys = new IntTable();
  readonly #program: Program;
  readonly #profile: Profile;

  constructor(program: Program, profile: Profile) {
    this.#program = program;
    this.#profile = profile;
    this.callers = new Int32Array(profile.stacks.length).fill(-1);
    this.used = new Uint8Array(profile.stacks.length);
    for (const kind of ENTRY_KINDS) {
      const counted = countedEvents(profile, kind);
      if (counted === undefined) continue;
      forEachSite(counted, (_site, stack, from, to) => {
        this.#function(profile.stacks.location[stack]);
        if (kind === 'call') this.used[stack] = 1;
        else this.#leaf(kind, counted, stack, from, to);
        this.used[stack] = 1;
      });
    }
    this.#contexts();
  }

  /** The place of an entry's leaf; undefined for a call count. */
  leaf(kind: PlaceEntryKind, stack: number): ProfiledPlace | undefined {
    if (kind === 'call') return undefined;
    const id = this.#keys.find(this.#profile.stacks.location[stack], PLACE_KINDS.indexOf(kind), -1);
    return this.places[id];
  }

  #function(location: LocationId): number[] {
    const of = this.#program.locations.function[location];
    let known = this.byFunction.get(of);
    if (known === undefined) {
      known = [];
      this.byFunction.set(of, known);
    }
    return known;
  }

  #place(location: LocationId, kind: PlaceKind, callee: FunctionId): number {
    const id = this.#keys.add(location, PLACE_KINDS.indexOf(kind), callee);
    if (id === this.places.length) {
      const { locations } = this.#program;
      this.places.push({
        id,
        function: locations.function[location],
        location,
        bci: bciOf(this.#program, location),
        kind,
        callee,
        targets: kind === 'branch' ? new Set() : NO_TARGETS,
        ways: 0,
      });
      this.#function(location).push(id);
    }
    return id;
  }

  #leaf(kind: Exclude<PlaceEntryKind, 'call'>, counted: CountedRows, stack: number, from: number, to: number): void {
    const place = this.places[this.#place(this.#profile.stacks.location[stack], kind, -1)];
    const { target, index } = counted;
    if (target === undefined || index === undefined || place === undefined) return;
    for (let row = from; row < to; row++) if (target[row] >= 0) place.targets.add(target[row]);
    place.ways = Math.max(place.ways, distinct(index, from, to));
  }

  #contexts(): void {
    const { parent, location, length } = this.#profile.stacks;
    const { function: functions } = this.#program.locations;
    // Children come after their parents.
    for (let stack = length - 1; stack >= 0; stack--) {
      if (this.used[stack] === 0 || parent[stack] < 0) continue;
      this.used[parent[stack]] = 1;
      this.callers[stack] = this.#place(location[parent[stack]], 'caller', functions[location[stack]]);
    }
  }
}

/** Entries with more rows are rare. */
const FEW_ROWS = 8;

/** The number of different values from row `from` up to `to`. */
function distinct(column: Column, from: number, to: number): number {
  if (to - from > FEW_ROWS) return new Set(column.subarray(from, to)).size;
  let count = 0;
  for (let row = from; row < to; row++) {
    let before = from;
    while (column[before] !== column[row]) before++;
    if (before === row) count++;
  }
  return count;
}
