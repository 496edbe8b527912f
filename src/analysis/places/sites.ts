/** Sites of a PGO profile: places of code (method and BCI) with their records, one by one or folded over contexts. */

import { MissingError } from '../../base/errors.js';
import { IntTable } from '../../base/hash.js';
import type { Work } from '../../base/progress.js';
import { type ClassSet, loadClasses } from '../../code/java/class-path/class-set.js';
import type { BRANCH_EVENTS, BranchEvents } from '../../models/events/branch.js';
import { CALL_EVENTS } from '../../models/events/call.js';
import { forEachSite, type SiteRows } from '../../models/events/counted.js';
import type { EventKind } from '../../models/events/event-kind.js';
import type { INSTANCEOF_EVENTS } from '../../models/events/instanceof.js';
import type { RECEIVER_EVENTS } from '../../models/events/receiver.js';
import type { Profile, StackId } from '../../models/profile/profile.js';
import type { ClassPath } from '../../models/program/class-path.js';
import { className, locationName } from '../../models/program/names.js';
import type { LocationId, Program } from '../../models/program/program.js';
import type { Field } from '../../models/table.js';
import type { Rows } from '../../models/table-kind.js';

/** The events of a kind, or a usage error that names the missing data. */
export function requireEvents<F extends Field>(profile: Profile, kind: EventKind<F>, what: string): Rows<F> {
  const events = kind.of(profile);
  if (events === undefined) throw new MissingError(`this recording has no ${what}`);
  return events;
}

/** The kinds of events counted at places of code. */
export type SiteKind = typeof BRANCH_EVENTS | typeof RECEIVER_EVENTS | typeof INSTANCEOF_EVENTS;

/** A profile and the class path with its code. */
export interface ProfiledClasses {
  readonly profile: Profile;
  readonly program: Program;
  readonly classes: ClassPath;
}

/** The classes that declare methods with sites of a kind. */
export async function classesOfSites(
  { profile, program, classes }: ProfiledClasses,
  kind: SiteKind,
  work: Work,
): Promise<ClassSet> {
  const { locations, functions } = program;
  const declaring = new Set<number>();
  for (const stack of kind.of(profile)?.stack ?? [])
    declaring.add(functions.class[locations.function[profile.stacks.location[stack]]]);
  const names = [...declaring].map((id) => className(program, id));
  return loadClasses(classes, names, work, { supers: false });
}

/** A group of entries: all entries of one place, or, if not folded, a single one. */
export interface SiteGroup {
  readonly location: LocationId;
  /** Contexts of the entries, and the rows of the table that hold their records. */
  readonly stacks: StackId[];
  readonly rows: number[];
}

/** The sites of counted events; folded: one group a place of code, over all contexts. */
export function siteGroups(profile: Profile, events: SiteRows, folded: boolean): SiteGroup[] {
  const groups: SiteGroup[] = [];
  const byLocation = new Map<LocationId, SiteGroup>();
  forEachSite(events, (_site, stack, from, to) => {
    const location = profile.stacks.location[stack];
    let group = folded ? byLocation.get(location) : undefined;
    if (group === undefined) {
      group = { location, stacks: [], rows: [] };
      groups.push(group);
      byLocation.set(location, group);
    }
    group.stacks.push(stack);
    for (let row = from; row < to; row++) group.rows.push(row);
  });
  return groups;
}

/** A target of a branch by the compiler's number; the lowest one if several numbers have one BCI. */
export interface Target {
  index: number;
  readonly bci: number;
  count: number;
}

/**
 * The targets in rows of the branch table. Cases of a switch that share a target have one record with its BCI and
 * further ones with BCI -5 (unknown) and the same index, in one entry; in other contexts the index may belong to
 * another outcome. Indexes with the same BCI are one outcome; those without a BCI are distinguished by the index.
 */
export function targetsOf(branches: BranchEvents, rows: readonly number[]): Target[] {
  const { count, target, index, site: entry } = branches;
  const places = new Map<string, number>();
  for (const row of rows) if (target[row] >= 0) places.set(`${entry[row]} ${index[row]}`, target[row]);
  const ways = new Map<string, Target>();
  for (const row of rows) {
    const bci = target[row] >= 0 ? target[row] : (places.get(`${entry[row]} ${index[row]}`) ?? target[row]);
    const key = bci < 0 ? `#${index[row]}` : String(bci);
    const known = ways.get(key);
    if (known === undefined) ways.set(key, { index: index[row], bci, count: count[row] });
    else {
      known.count += count[row];
      known.index = Math.min(known.index, index[row]);
    }
  }
  return [...ways.values()].sort((a, b) => a.index - b.index);
}

/** The frames that a context is inlined into, nearest first: `< java.util.ArrayList.add:20 < …`. Empty for a root. */
export function inlinedInto(profile: Profile, program: Program, stack: StackId): string[] {
  const frames: string[] = [];
  for (let id = profile.stacks.parent[stack]; id >= 0; id = profile.stacks.parent[id]) {
    frames.push(locationName(program, profile.stacks.location[id]));
  }
  return frames;
}

/**
 * The number of calls of a context's method in the same context: the call count of the stack that differs only in the
 * leaf's BCI, which is 0.
 */
export class EntryCounts {
  /** (parent stack or -1, function) → index into `#calls`. */
  readonly #keys = new IntTable();
  readonly #calls: number[] = [];
  readonly #profile: Profile;
  readonly #functions: Int32Array;

  constructor(profile: Profile, program: Program) {
    this.#profile = profile;
    this.#functions = program.locations.function;
    const calls = CALL_EVENTS.of(profile);
    if (calls === undefined) return;
    const { length, stack, count } = calls;
    for (let row = 0; row < length; row++) {
      const index = this.#keys.add(profile.stacks.parent[stack[row]], this.#functionOf(stack[row]));
      this.#calls[index] = (this.#calls[index] ?? 0) + count[row];
    }
  }

  /** Undefined if the file does not have a call count for the context. */
  of(stack: StackId): number | undefined {
    const index = this.#keys.find(this.#profile.stacks.parent[stack], this.#functionOf(stack));
    return index < 0 ? undefined : this.#calls[index];
  }

  #functionOf(stack: StackId): number {
    return this.#functions[this.#profile.stacks.location[stack]];
  }
}
