/** Sites of a PGO profile: places of code (method and BCI) with their records, one by one or folded over contexts. */
import { Int32Builder } from '../../base/columns/columns.js';
import { IntTable } from '../../base/columns/hash.js';
import { type GroupMembers, membersOf } from '../../base/columns/lists.js';
import { taken } from '../../base/columns/marks.js';
import { MissingError } from '../../base/errors.js';
import type { Work } from '../../base/progress.js';
import { type ClassSet, loadClasses } from '../../code/java/class-path/class-set.js';
import type { BRANCH_EVENTS } from '../../models/events/branch.js';
import { CALL_EVENTS } from '../../models/events/call.js';
import { forEachSite, type SiteRows } from '../../models/events/counted.js';
import type { EventKind } from '../../models/events/event-kind.js';
import type { INSTANCEOF_EVENTS } from '../../models/events/instanceof.js';
import type { RECEIVER_EVENTS } from '../../models/events/receiver.js';
import type { Profile, StackId } from '../../models/profile/profile.js';
import type { ClassPath } from '../../models/program/class-path.js';
import { className, locationName } from '../../models/program/names.js';
import type { Program } from '../../models/program/program.js';
import type { Field } from '../../models/table.js';
import type { TableRows } from '../../models/table-kind.js';

/** The events of a kind, or a usage error that names the missing data. */
export function requireEvents<F extends Field>(profile: Profile, kind: EventKind<F>, what: string): TableRows<F> {
  const events = kind.of(profile);
  if (events === undefined)
    throw new MissingError(`this recording has no ${what}`, {
      code: 'no-counts',
      advice: 'PGO profiles (.iprof) have them.',
    });
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
  forEachSite(kind.of(profile) ?? { length: 0, stack: new Int32Array() }, (_site, stack) => {
    declaring.add(functions.class[locations.function[profile.stacks.location[stack]]]);
  });
  const names = [...declaring].map((id) => className(program, id));
  return loadClasses(classes, names, work, { supers: false });
}

/** Entries of counted events: each is a run of rows with the records of one place in one context. */
export interface SiteEntries {
  readonly length: number;
  /** By entry: its context. */
  readonly stack: Int32Array;
  /** Entry `e` has the rows `from[e]` up to `from[e + 1] - 1`. */
  readonly from: Int32Array;
}

/** Groups of entries, in the order of their first entries. */
export interface SiteGroups extends GroupMembers {
  readonly length: number;
  /** By group: its place. */
  readonly location: Int32Array;
  readonly entries: SiteEntries;
}

/** The sites of counted events; folded: one group a place of code, over all contexts; else one an entry. */
export function siteGroups(profile: Profile, events: SiteRows, folded: boolean): SiteGroups {
  const entries = entriesOf(events);
  const places = taken(profile.stacks.location, entries.stack);
  const { length } = entries;
  if (!folded) {
    const each = numbersUpTo(length + 1);
    return { length, location: places, start: each, members: each.subarray(0, length), entries };
  }
  const groups = new IntTable();
  const groupOf = places;
  for (let entry = 0; entry < length; entry++) groupOf[entry] = groups.add(places[entry]);
  return { length: groups.length, location: groups.column(0), ...membersOf(groupOf, groups.length), entries };
}

function entriesOf(events: SiteRows): SiteEntries {
  const stacks = new Int32Builder();
  const from = new Int32Builder();
  forEachSite(events, (_site, stack, first) => {
    stacks.push(stack);
    from.push(first);
  });
  from.push(events.length);
  return { length: stacks.length, stack: stacks.finish(), from: from.finish() };
}

function numbersUpTo(length: number): Int32Array {
  const numbers = new Int32Array(length);
  for (let i = 0; i < length; i++) numbers[i] = i;
  return numbers;
}

/** The rows of some entries. */
export function rowsIn({ from }: SiteEntries, entries: Int32Array): number[] {
  const rows: number[] = [];
  for (const entry of entries) for (let row = from[entry]; row < from[entry + 1]; row++) rows.push(row);
  return rows;
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
  readonly #keys: IntTable;
  readonly #calls: Float64Array;
  readonly #profile: Profile;
  readonly #functions: Int32Array;

  constructor(profile: Profile, program: Program) {
    this.#profile = profile;
    this.#functions = program.locations.function;
    const calls = CALL_EVENTS.of(profile);
    this.#keys = new IntTable(calls?.length ?? 0);
    this.#calls = new Float64Array(calls?.length ?? 0);
    if (calls === undefined) return;
    const { length, stack, count } = calls;
    for (let row = 0; row < length; row++) {
      const index = this.#keys.add(profile.stacks.parent[stack[row]], this.#functionOf(stack[row]));
      this.#calls[index] += count[row];
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
