/**
 * Input of the writer from a recording: the ids of its rows and one table of entries per kind.
 *
 * A recording read from an `.iprof` file is written unchanged. Any other (of another format, or merged) is written from
 * its models: events that do not fit an entry are omitted and counted, events without sites are combined. This costs 8
 * bytes per stack and 16 to 32 per event.
 */
import { Float64Builder, Int32Builder } from '../../../base/columns/columns.js';
import { countedRows } from '../../../models/events/counted.js';
import type { Profile } from '../../../models/profile/profile.js';
import type { Program } from '../../../models/program/program.js';
import type { Recording } from '../../../models/recording.js';
import type { Column, Table } from '../../../models/table.js';
import { entryEvents, entryKindOf } from '../entry-events.js';
import type { IprofResidue } from '../residue.js';
import type { EntryKind } from '../rows.js';
import { ARITY, isSingle } from '../vocabulary.js';
import type { DropLog } from './drop-log.js';

/** Consecutive rows with the same `site` are the records of one entry. */
export interface EntryRows {
  readonly length: number;
  /** Number of entries. */
  readonly sites: number;
  readonly stack: Column;
  readonly site: Column;
  /** Class, or target of a branch. */
  readonly first: Column | undefined;
  /** Index of a branch. */
  readonly second: Column | undefined;
  readonly count: Column;
}

export interface RowSource {
  readonly program: Program;
  readonly profile: Profile | undefined;
  /** Ids to write, by row. */
  readonly classIds: Int32Array;
  readonly functionIds: Int32Array;
  /** Rows that have symbols of their own. */
  readonly types: number;
  readonly methods: number;
  readonly entries: ReadonlyMap<EntryKind, EntryRows>;
  /** The leaf of a call count is written as the start of the method. */
  readonly callsAtStart: boolean;
}

export function rowSource(recording: Recording, residue: IprofResidue | undefined, drops: DropLog): RowSource {
  const { program, profile } = recording;
  const own = recording.format === 'iprof';
  const entries = new Map<EntryKind, EntryRows>();
  for (const table of profile?.events ?? []) {
    const kind = entryKindOf(table.kind);
    if (kind === undefined)
      drops.add(table.length, ['event', 'events'], `.iprof does not support ${table.kind} events`);
    else entries.set(kind, residue === undefined ? collected(recording, kind, table, drops) : asRead(table));
  }
  return {
    program,
    profile,
    classIds: own ? program.classes.fileId : rowNumbers(program.classes.length),
    functionIds: own ? program.functions.fileId : rowNumbers(program.functions.length),
    types: residue?.types ?? program.classes.length,
    methods: residue?.methods ?? program.functions.length,
    entries,
    callsAtStart: !own,
  };
}

function rowNumbers(length: number): Int32Array {
  return Int32Array.from({ length }, (_, row) => row);
}

function asRead(table: Table): EntryRows {
  const { length, stack, site, type, target, index, count } = entryEvents(table);
  const sites = length === 0 ? 0 : site[length - 1] + 1;
  return { length, sites, stack, site, first: type ?? target, second: index, count };
}

/** Entries made of events, for a recording that was not read from one `.iprof` file. */
function collected(recording: Recording, kind: EntryKind, table: Table, drops: DropLog): EntryRows {
  const rows = new EntryCollector(kind, recording.profile?.stacks.length ?? 0);
  const usable = kind === 'monitor' ? undefined : namedStacks(recording);
  const { length, stack: stacks, site: sites, type, target, index: second, count: counts } = countedRows(table);
  const first = type ?? target;
  let placeless = 0;
  let typeless = 0;
  let rounded = 0;
  for (let row = 0; row < length; row++) {
    const stack = stacks[row];
    const count = counts[row];
    if (usable !== undefined && (stack < 0 || usable[stack] === 0)) placeless++;
    else if (ARITY[kind] === 2 && (first === undefined || first[row] < 0)) typeless++;
    else if (!Number.isFinite(count)) rounded++;
    else {
      if (!Number.isInteger(count)) rounded++;
      rows.add(stack, sites?.[row], first?.[row] ?? 0, second?.[row] ?? 0, Math.round(count));
    }
  }
  const events = [`${kind} event`, `${kind} events`] as const;
  drops.add(placeless, events, 'without a complete stack of known functions');
  drops.add(typeless, events, 'without a class');
  drops.add(rounded, events, 'a non-integer count is rounded, and one that is not a finite number is omitted');
  return rows.finish();
}

/** 1 for each stack whose frames all have a function. */
function namedStacks(recording: Recording): Uint8Array {
  const stacks = recording.profile?.stacks;
  if (stacks === undefined) return new Uint8Array(0);
  const functions = recording.program.locations.function;
  const named = new Uint8Array(stacks.length);
  for (let stack = 0; stack < stacks.length; stack++) {
    const parent = stacks.parent[stack];
    const known = stacks.location[stack] >= 0 && functions[stacks.location[stack]] >= 0;
    if (known && (parent < 0 || named[parent] === 1)) named[stack] = 1;
  }
  return named;
}

class EntryCollector {
  readonly #single: boolean;
  readonly #stack = new Int32Builder();
  readonly #site = new Int32Builder();
  readonly #first = new Int32Builder();
  readonly #second = new Int32Builder();
  readonly #count = new Float64Builder();
  /** Entry of each stack, plus one: a context is written once. */
  readonly #entryOf: Int32Array;
  #sites = 0;
  #lastSite: number | undefined;

  constructor(kind: EntryKind, stacks: number) {
    this.#single = isSingle(kind);
    this.#entryOf = new Int32Array(this.#single ? stacks : 0);
  }

  add(stack: number, site: number | undefined, first: number, second: number, count: number): void {
    const length = this.#count.length;
    if (this.#single) {
      const entry = this.#entryOf[stack] - 1;
      if (site === undefined && entry >= 0) {
        this.#count.values[entry] += count;
        return;
      }
      this.#entryOf[stack] = length + 1;
      this.#sites++;
    } else {
      const same = length > 0 && this.#stack.values[length - 1] === stack && this.#lastSite === site;
      if (!same) this.#sites++;
      this.#lastSite = site;
    }
    this.#stack.push(stack);
    this.#site.push(this.#sites - 1);
    this.#first.push(first);
    this.#second.push(second);
    this.#count.push(count);
  }

  finish(): EntryRows {
    return {
      length: this.#count.length,
      sites: this.#sites,
      stack: this.#stack.finish(),
      site: this.#site.finish(),
      first: this.#first.finish(),
      second: this.#second.finish(),
      count: this.#count.finish(),
    };
  }
}
