/**
 * A recording as gprofng sees it: each wait and each call in whole microseconds, leaks without the old addresses of realloc, a pseudo function above
 * stacks that were cut, and functions of its own making in libraries without symbols. All values are computed from this, by the stages of all views.
 */
import { eventEnds } from '../../../analysis/index-objects/event-values.js';
import { AddressTable } from '../../../base/columns/address-table.js';
import { Int32Builder } from '../../../base/columns/columns.js';
import { inTimeOrder } from '../../../base/columns/order.js';
import {
  type Metric,
  mapTables,
  type Profile,
  STACK_ENDINGS,
  type StackTable,
} from '../../../models/profile/profile.js';
import { rootOf, StackBuilder } from '../../../models/profile/stack-builder.js';
import type { Recording } from '../../../models/recording.js';
import type { Column, Field, Table } from '../../../models/table.js';
import { clockColumns, heapColumns, isHeap, withMoved } from './event-columns.js';
import type { CutLocations, PeerProgram } from './peer-program.js';

const MICROSECOND = 1000;
/** Times that gprofng cuts event by event, by kind of events. */
const CUT: Readonly<Record<string, readonly string[]>> = {
  wait: ['sync'],
  io: ['read_time', 'write_time', 'other_time', 'error_time'],
};

export interface PeerOptions {
  /** States of OpenMP by row of the clock events: see `withOpenMp`. */
  readonly states: Int32Array;
  /** Numbers of lightweight processes by row of the clock events. */
  readonly lwps: Int32Array;
  /** Whether the microstates of Solaris were recorded. */
  readonly microstates: boolean;
  /** Whether values are those of gprofng where it is wrong. */
  readonly strict: boolean;
}

/** The recording with the program and the stacks of gprofng. */
export function peerRecording(
  recording: Recording,
  program: PeerProgram,
  { states, lwps, strict, microstates }: PeerOptions,
): Recording {
  const { profile } = program;
  if (profile === undefined) return recording;
  const { stacks, moved } = withCutRoots(profile.stacks, program.cutLocation);
  const changed = mapTables(profile, (table) => {
    const own = moved === undefined ? table : withMoved(table, moved);
    return strict ? inMicroseconds(withLeaks(own)) : own;
  });
  const own = { ...changed, stacks };
  const strictly = (): Profile =>
    withOpenMp(microstates ? withTraps(own) : own, states, microstates ? lwps : undefined);
  return { ...recording, program: program.program, profile: strict ? strictly() : own };
}

/** Stacks whose beginning is unknown begin in a pseudo function. `moved`: by stack what it has become, if any has changed. */
function withCutRoots(
  old: StackTable,
  cut: CutLocations,
): { readonly stacks: StackTable; readonly moved?: Int32Array } {
  if (old.ending.every((ending) => STACK_ENDINGS[ending] === 'whole')) return { stacks: old };
  const builder = new StackBuilder(old.length);
  const moved = new Int32Array(old.length);
  for (let id = 0; id < old.length; id++) {
    const parent = old.parent[id];
    const ending = STACK_ENDINGS[old.ending[id]];
    const pseudo = ending === 'cut' ? cut.cut : ending === 'failed' ? cut.failed : undefined;
    const root = pseudo === undefined ? rootOf('whole') : builder.add(rootOf('whole'), pseudo);
    moved[id] = builder.add(parent >= 0 ? moved[parent] : root, old.location[id]);
  }
  return { stacks: builder.finish(), moved };
}

function inMicroseconds(table: Table): Table {
  const columns: Record<string, Column> = { ...table.columns };
  for (const key of CUT[table.kind] ?? []) {
    const own = columns[key];
    if (own !== undefined) columns[key] = Float64Array.from(own, (value) => value - (value % MICROSECOND));
  }
  return { ...table, columns };
}

const OPENMP_METRICS = [
  { id: 'omp-work', key: 'omp_work', title: 'OpenMP work time' },
  { id: 'omp-wait', key: 'omp_wait', title: 'OpenMP wait time' },
  { id: 'omp-overhead', key: 'omp_overhead', title: 'OpenMP overhead time' },
] as const;
const MASTER = { id: 'omp-master', key: 'omp_master', title: 'Master thread time' } as const;
const OVERHEAD = 1;
/** States in which the program runs: none, work, serial, reduction. */
const WORKING: ReadonlySet<number> = new Set([0, 2, 6, 7]);
const USER = 0;

/**
 * The profile with the times of OpenMP states: work counts as waiting unless the microstate is user mode, as on Linux it never is. `states`: by row of
 * the clock events, -1 for none. `lwps`: numbers of lightweight processes where the first one is the master, as on Solaris.
 */
export function withOpenMp(profile: Profile, states: Int32Array, lwps?: Int32Array): Profile {
  const metric = profile.metrics.find(({ id }) => id === 'cpu');
  const table = profile.events.find(({ kind }) => kind === metric?.table);
  if (metric === undefined || table === undefined || !states.some((state) => state >= 0)) return profile;
  const { cpu: spent, microstate: micro } = clockColumns(table);
  const of = (wanted: (state: number, isUser: boolean) => boolean): Float64Array =>
    Float64Array.from(states, (state, row) => (wanted(state, micro?.[row] === USER) ? spent[row] : 0));
  const columns = {
    omp_work: of((state, isUser) => WORKING.has(state) && isUser),
    omp_wait: of((state, isUser) => state !== OVERHEAD && state >= 0 && !(WORKING.has(state) && isUser)),
    omp_overhead: of((state) => state === OVERHEAD),
    ...(lwps && { omp_master: spent.map((time, row) => (lwps[row] === 1 ? time : 0)) }),
  };
  const made = lwps === undefined ? OPENMP_METRICS : [...OPENMP_METRICS, MASTER];
  const fields = made.map(({ key, title }): Field => {
    const meaning = `${title} of the sample`;
    return { key, title, holds: 'number', unit: 'ns', meaning, wide: true, nature: 'flow', extension: true };
  });
  const changed = { ...table, fields: [...table.fields, ...fields], columns: { ...table.columns, ...columns } };
  const metrics = made.map(({ id, key, title }): Metric => {
    return { id, title, unit: 'ns', nature: 'flow', table: table.kind, field: key };
  });
  return {
    ...profile,
    events: profile.events.map((each) => (each === table ? changed : each)),
    metrics: [...profile.metrics, ...metrics],
  };
}

const SYSTEM = 1;
const TRAP = 2;

/** The profile with traps apart from system time, as gprofng counts them. */
function withTraps(profile: Profile): Profile {
  const metric = profile.metrics.find(({ id }) => id === 'cpu');
  const table = profile.events.find(({ kind }) => kind === metric?.table);
  if (metric === undefined || table === undefined) return profile;
  const { cpu, microstate } = clockColumns(table);
  const of = (state: number): Float64Array =>
    Float64Array.from(cpu, (spent, row) => (microstate?.[row] === state ? spent : 0));
  const field = (key: string, title: string): Field => {
    return { key, title, holds: 'number', unit: 'ns', meaning: title, wide: true, nature: 'flow', extension: true };
  };
  const named = (id: string, title: string): Metric => {
    return { id, title, unit: 'ns', nature: 'flow', table: table.kind, field: `${id}_state` };
  };
  const changed = {
    ...table,
    fields: [...table.fields, field('system_state', 'System CPU time'), field('trap_state', 'Trap CPU time')],
    columns: { ...table.columns, system_state: of(SYSTEM), trap_state: of(TRAP) },
  };
  return {
    ...profile,
    events: profile.events.map((each) => (each === table ? changed : each)),
    metrics: [
      ...profile.metrics.filter(({ id }) => id !== 'system'),
      named('system', 'System CPU time'),
      named('trap', 'Trap CPU time'),
    ],
  };
}

const FREE = 1;
const MAP = 3;
const UNMAP = 4;

/** Leaks as gprofng counts them: an address that is returned again was not freed before, and a free is of the first block there. */
function withLeaks(table: Table): Table {
  if (!isHeap(table)) return table;
  const { step, address, bytes, live } = heapColumns(table);
  if (!step || !address || !live) return table;
  const left = live.slice();
  /** By address, the first block there that was not freed, or -1. */
  const addresses = new AddressTable();
  const blocks = new Int32Builder();
  const order = inTimeOrder(eventEnds(table));
  for (let i = 0; i < table.length; i++) {
    const row = order?.[i] ?? i;
    const [kind, at] = [step[row], address[row]];
    if (kind === MAP || kind === UNMAP || kind < 0 || at <= 0) continue;
    const known = addresses.add(at);
    if (known === blocks.length) blocks.push(-1);
    const first = blocks.values[known];
    if (kind === FREE) {
      if (first >= 0) left[first] = 0;
      blocks.values[known] = -1;
    } else {
      left[row] = bytes[row];
      if (first < 0) blocks.values[known] = row;
    }
  }
  const leaks = new Int32Array(table.length);
  for (let row = 0; row < table.length; row++) leaks[row] = left[row] > 0 ? 1 : 0;
  return { ...table, columns: { ...table.columns, live: left, leaks } };
}
