/**
 * What happened in a program: stacks, and tables of events that point at them.
 *
 *   events (a table a kind)      stacks                      locations
 *   ┌────────────┬───────┐      ┌────────┬──────────┐
 *   │ stack      │ count │  ──► │ parent │ location │  ──►  function, bci
 *   └────────────┴───────┘      └────────┴──────────┘
 */
import type { Flavor } from '../../base/flavor.js';
import type { Note } from '../../base/note.js';
import { stringAt } from '../../base/text.js';
import type { Unit } from '../../base/units.js';
import type { Program } from '../program/program.js';
import { type Column, column, type Nature, type Table } from '../table.js';

export type StackId = Flavor<number, 'stack'>;

/**
 * How a stack begins. `whole`: at the thread's first frame. `cut`: deeper than the recorder's limit. `failed`:
 * unwinding stopped. `partial`: at the root of a compilation, with unknown callers. `hidden`: the scope removed that
 * root.
 */
export const STACK_ENDINGS = ['whole', 'cut', 'failed', 'partial', 'hidden'] as const;
export type StackEnding = (typeof STACK_ENDINGS)[number];

/** A trie of frames: a row is a frame and, through its parents, the stack up to it. Parents come before children. */
export interface StackTable {
  readonly length: number;
  /** StackId of the caller's frame, -1 at a root. */
  readonly parent: Int32Array;
  /** LocationId. */
  readonly location: Int32Array;
  /** Index into `STACK_ENDINGS`; children have their root's. */
  readonly ending: Uint8Array;
}

/** A number to ask for: the sum of a column of an event table. */
export interface Metric {
  readonly id: string;
  readonly title: string;
  readonly unit: Unit;
  readonly nature: Nature;
  /** `kind` of the event table, and the field that is summed; without a field each row counts 1. */
  readonly table: string;
  readonly field?: string;
  /** For sampled metrics: the interval between two samples. */
  readonly period?: { readonly value: number; readonly unit: Unit };
  /** The step in which the recorder wrote the numbers, in `unit`; undefined if it wrote them as exactly as the unit shows. */
  readonly resolution?: number;
  /** Of recordings without whole stacks: the field of `ARCS` with what calls cost, callees included. Its stacks have no callers. */
  readonly arcField?: string;
  /** The recording itself says that this one is to be shown. */
  readonly usual?: true;
  /** Remarks for every place that shows its numbers. */
  readonly notes?: readonly Note[];
  /** The metric of the same table that it is a part of, and what the rest of that one counts. */
  readonly whole?: { readonly metric: string; readonly rest: string };
}

export interface Profile {
  readonly stacks: StackTable;
  /** One table per kind of event. */
  readonly events: readonly Table[];
  /** In order of interest: of several with as many events a view shows the first when none is named. */
  readonly metrics: readonly Metric[];
  /** Threads (`THREADS` with additional fields of the format); columns that hold threads point here. */
  readonly threads?: Table;
  /** The recording's own names for stacks (TRACE 300123): `TRACES`. */
  readonly traces?: Table;
  /** Caller and callee pairs of recordings without stacks: `ARCS`. */
  readonly arcs?: Table;
  /** Values over time: `COUNTERS`. */
  readonly counters?: Table;
  /** Spans of time: samples, pauses, lives: `RANGES`. */
  readonly ranges?: Table;
}

/** The event table of a kind, if the profile has one. */
export function eventTable(profile: Profile, kind: string): Table | undefined {
  return profile.events.find((table) => table.kind === kind);
}

/** The values of a metric by row of its table; undefined if each row counts 1. */
export function metricColumn(metric: Metric, table: Table): Column | undefined {
  return metric.field === undefined ? undefined : column(table, metric.field);
}

/** Rows of all event tables. */
export function eventCount(profile: Profile | undefined): number {
  return profile?.events.reduce((sum, { length }) => sum + length, 0) ?? 0;
}

/** The name of a thread; undefined if there is no such thread. */
export function threadName(profile: Profile, program: Program, id: number): string | undefined {
  const { threads } = profile;
  return threads === undefined || id < 0 || id >= threads.length
    ? undefined
    : stringAt(program.names, column(threads, 'name')[id]);
}

/** The profile with every table of it changed: events, and others by stack, thread or time. */
export function mapTables(profile: Profile, change: (table: Table) => Table): Profile {
  const { traces, arcs, counters, ranges } = profile;
  return {
    ...profile,
    events: profile.events.map(change),
    ...(traces === undefined ? {} : { traces: change(traces) }),
    ...(arcs === undefined ? {} : { arcs: change(arcs) }),
    ...(counters === undefined ? {} : { counters: change(counters) }),
    ...(ranges === undefined ? {} : { ranges: change(ranges) }),
  };
}
