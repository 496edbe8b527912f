/**
 * Allocations by site: sums of what a recording has of them. HPROF has live and allocated objects at dumps, JFR allocation samples and
 * objects that were alive when the recording was written, tracing of native memory its blocks. Cost: two passes over the events.
 */
import { Int32Builder } from '../base/columns/columns.js';
import { IntTable } from '../base/columns/hash.js';
import { NONE } from '../base/flavor.js';
import { type AllocationEvents, allocationKind } from '../models/events/allocation.js';
import { NATIVE_MEMORY_EVENTS, OLD_OBJECT_EVENTS, type OldObjectEvents } from '../models/events/memory.js';
import { SITE_EVENTS } from '../models/events/site.js';
import { shownDump } from '../models/profile/moment.js';
import type { Profile } from '../models/profile/profile.js';
import type { Program } from '../models/program/program.js';
import type { Column } from '../models/table.js';
import type { SiteGroup, SiteMemory } from '../questions/options/recording.js';
import type { ScopedRecording } from './scope/scoped.js';
import { linesOfStacks } from './stacks/lines-of-stacks.js';

/** Sums by site, NaN where unknown. A recording lacks those that its recorder does not measure. */
export interface SiteSums {
  readonly live_bytes?: Float64Array;
  readonly live_objects?: Float64Array;
  readonly allocated_bytes?: Float64Array;
  readonly allocated_objects?: Float64Array;
  /** Recorded allocations. */
  readonly samples?: Float64Array;
  /** Sampled objects that were alive, their bytes, and the age of the oldest in ns. */
  readonly old_objects?: Float64Array;
  readonly old_bytes?: Float64Array;
  readonly oldest?: Float64Array;
}

/** Objects of a VM, or native memory. */

export interface AllocationSites {
  readonly length: number;
  readonly memory: SiteMemory;
  /** Class of the objects, -1 unknown; of methods always -1. */
  readonly class: Int32Array;
  /** A stack of the site, -1 unknown; of classes always -1. */
  readonly stack: Int32Array;
  /** Row in the traces of the recording, -1 none. */
  readonly trace: Int32Array;
  readonly sums: SiteSums;
  /** Dump of the levels, from 1 on; 0 if there are no dumps. */
  readonly dump: number;
}

/** Rows of a table that belong to sites. */
interface SiteRows {
  readonly length: number;
  /** Absent of memory without classes. */
  readonly class?: Column;
  readonly stack: Column;
  readonly trace?: Column | undefined;
}

/**
 * The sites of objects of a recording in its scope: of dumps those of the chosen one, else of the last. Kinds of events that the scope could not
 * be applied to are left out; undefined if the whole recording has no others.
 */
export function allocationSites(
  { recording, profile, dump, unscoped }: Pick<ScopedRecording, 'recording' | 'profile' | 'dump' | 'unscoped'>,
  by: SiteGroup,
): AllocationSites | undefined {
  const whole = recording.profile;
  const groups = new Groups(recording.program, profile, by);
  const dumped = SITE_EVENTS.of(whole);
  if (dumped !== undefined && !unscoped.has(SITE_EVENTS.kind))
    return dumpedSites(groups, profile, shownDump(dump, dumped.dump));
  const table = allocationKind(whole);
  const allocated = table === undefined || unscoped.has(table.kind) ? undefined : table;
  const old = unscoped.has(OLD_OBJECT_EVENTS.kind) ? undefined : OLD_OBJECT_EVENTS.of(whole);
  if (allocated === undefined && old === undefined) return undefined;
  const at = old?.dump === undefined ? 0 : shownDump(dump, old.dump);
  return sampledSites(groups, {
    allocated: allocated && (allocated.of(profile) ?? 'none'),
    old: old && (OLD_OBJECT_EVENTS.of(profile) ?? 'none'),
    dump: at,
  });
}

function dumpedSites(groups: Groups, profile: Profile | undefined, dump: number): AllocationSites {
  const sites = SITE_EVENTS.of(profile);
  const of = groups.add(sites, (row) => sites?.dump[row] === dump - 1);
  const sum = (values: Column | undefined): Float64Array => groups.sum(of, values);
  // Of the sites that the recorder left out, which have no class, only the live bytes are known.
  const known = (values: Column | undefined): Float64Array => {
    const sums = sum(values);
    for (let row = 0; row < of.length; row++)
      if (of[row] >= 0 && (sites?.class[row] ?? NONE) < 0) sums[of[row]] = Number.NaN;
    return sums;
  };
  return groups.finish(dump, {
    live_bytes: sum(sites?.live_bytes),
    live_objects: known(sites?.live_objects),
    allocated_bytes: known(sites?.allocated_bytes),
    allocated_objects: known(sites?.allocated_objects),
  });
}

/** Events in scope; `none` if none of them is. */
interface Sampled {
  readonly allocated: AllocationEvents | 'none' | undefined;
  readonly old: OldObjectEvents | 'none' | undefined;
  readonly dump: number;
}

function sampledSites(groups: Groups, { allocated, old, dump }: Sampled): AllocationSites {
  const events = allocated === 'none' ? undefined : allocated;
  const objects = old === 'none' ? undefined : old;
  const ofEvents = groups.add(events, () => true);
  const ofObjects = groups.add(objects, (row) => objects?.dump === undefined || objects.dump[row] === dump - 1);
  return groups.finish(dump, {
    ...(allocated !== undefined && {
      allocated_bytes: groups.sum(ofEvents, events?.bytes),
      samples: groups.rows(ofEvents),
    }),
    ...(old !== undefined && { old_objects: groups.sum(ofObjects, objects?.objects) }),
    ...(objects?.bytes && { old_bytes: groups.sum(ofObjects, objects.bytes) }),
    ...(objects?.age && { oldest: groups.most(ofObjects, objects.age) }),
  });
}

/**
 * The sites of native memory of a profile, without the events that freed it; undefined if `whole`, the profile before its scope, has no such events. By
 * `stack`, stacks of the same lines are apart.
 */
export function nativeSites(
  program: Program,
  profile: Profile | undefined,
  by: SiteGroup | 'stack',
  whole = profile,
): AllocationSites | undefined {
  if (NATIVE_MEMORY_EVENTS.of(whole) === undefined) return undefined;
  const groups = new Groups(program, profile, by);
  const events = NATIVE_MEMORY_EVENTS.of(profile);
  const of = groups.add(events, (row) => events !== undefined && (events.allocations[row] > 0 || events.live[row] > 0));
  const blocks = Float64Array.from(events?.live ?? [], (bytes) => (bytes > 0 ? 1 : 0));
  const sums = {
    live_bytes: groups.sum(of, events?.live),
    live_objects: groups.sum(of, blocks),
    allocated_bytes: groups.sum(of, events?.bytes),
    allocated_objects: groups.sum(of, events?.allocations),
  };
  return { ...groups.finish(0, sums), memory: 'native' };
}

class Groups {
  readonly #profile: Profile | undefined;
  readonly #program: Program;
  readonly #by: SiteGroup | 'stack';
  readonly #groups = new IntTable(64);
  readonly #class = new Int32Builder(64);
  readonly #stack = new Int32Builder(64);
  readonly #trace = new Int32Builder(64);
  /** By stack: a number for its methods and lines. */
  #lines: Int32Array | undefined;

  constructor(program: Program, profile: Profile | undefined, by: SiteGroup | 'stack') {
    this.#program = program;
    this.#profile = profile;
    this.#by = by;
  }

  /** The group of each row, -1 of rows that are not `kept`. */
  add(rows: SiteRows | undefined, kept: (row: number) => boolean): Int32Array {
    const of = new Int32Array(rows?.length ?? 0).fill(NONE);
    for (let row = 0; rows !== undefined && row < of.length; row++)
      if (kept(row)) of[row] = this.#groupOf(rows.class?.[row] ?? NONE, rows.stack[row], rows.trace?.[row] ?? NONE);
    return of;
  }

  #groupOf(type: number, stack: number, trace: number): number {
    const by = this.#by;
    const [shownClass, shownStack, shownTrace] = [
      by === 'method' ? NONE : type,
      by === 'class' ? NONE : stack,
      by === 'site' ? trace : NONE,
    ];
    const place = by === 'method' ? this.#functionOf(stack) : by === 'stack' ? stack : this.#sameLines(shownStack);
    const group = this.#groups.add(shownClass, place, shownTrace);
    if (group < this.#class.length) return group;
    this.#class.push(shownClass);
    this.#stack.push(shownStack);
    this.#trace.push(shownTrace);
    return group;
  }

  /** One number for all stacks of the same methods and lines: those that differ in how their code ran are one site. */
  #sameLines(stack: number): number {
    if (stack < 0) return NONE;
    const stacks = this.#profile?.stacks;
    this.#lines ??= stacks === undefined ? new Int32Array() : linesOfStacks(this.#program, stacks);
    return this.#lines[stack];
  }

  #functionOf(stack: number): number {
    const location = this.#profile?.stacks.location[stack];
    return location === undefined ? NONE : this.#program.locations.function[location];
  }

  sum(of: Int32Array, values: Column | undefined): Float64Array {
    const sums = new Float64Array(this.#groups.length);
    for (let row = 0; row < of.length; row++) if (of[row] >= 0) sums[of[row]] += values?.[row] ?? 0;
    return sums;
  }

  rows(of: Int32Array): Float64Array {
    const counts = new Float64Array(this.#groups.length);
    for (let row = 0; row < of.length; row++) if (of[row] >= 0) counts[of[row]]++;
    return counts;
  }

  /** NaN of groups without a value. */
  most(of: Int32Array, values: Column): Float64Array {
    const most = new Float64Array(this.#groups.length).fill(Number.NaN);
    for (let row = 0; row < of.length; row++)
      if (of[row] >= 0 && values[row] >= 0 && !(most[of[row]] >= values[row])) most[of[row]] = values[row];
    return most;
  }

  finish(dump: number, sums: SiteSums): AllocationSites {
    return {
      dump,
      memory: 'objects',
      length: this.#groups.length,
      class: this.#class.finish(),
      stack: this.#stack.finish(),
      trace: this.#trace.finish(),
      sums,
    };
  }
}
