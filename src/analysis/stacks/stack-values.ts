/**
 * Exclusive and inclusive values along stacks: only the outermost occurrence of a function counts as inclusive. All
 * passes are over columns without recursion: parents come before children.
 */
import { addUp, type ValuesOfGroups } from '../../base/columns/group-sums.js';
import { atOnce, type Steps } from '../../base/progress.js';
import { SINGLE_EVENT_KINDS } from '../../models/events/index.js';
import { STACK, THREAD, TIME } from '../../models/events/shared-fields.js';
import { rowParts } from '../../models/packed-columns.js';
import { momentOf } from '../../models/profile/moment.js';
import { eventTable, type Metric, metricColumn, type Profile, type StackTable } from '../../models/profile/profile.js';
import type { FunctionId, LocationTable } from '../../models/program/program.js';
import { column, columnOf, hasField, keyIn, type Table } from '../../models/table.js';
import { FactsOf } from '../facts-of.js';

/**
 * The metric's exclusive value of each stack. Levels are true at a moment, so only those of the last dump count (a
 * scope may have kept only an earlier one).
 */
export function exclusiveByStack(profile: Profile, metric: Metric): Float64Array {
  const values = new Float64Array(profile.stacks.length);
  const table = eventTable(profile, metric.table);
  if (table === undefined) return values;
  const moment = momentOf(metric, table);
  // Most questions about the values of stacks also need the sums: one pass gives both.
  if (moment === undefined) tableSums.keep(table, metric.field ?? '', sumsOf(metric, table, values));
  else {
    const stack = columnOf(table, STACK);
    const value = metricColumn(metric, table);
    for (let row = 0; stack !== undefined && row < table.length; row++)
      if (stack[row] >= 0 && moment.dumps[row] === moment.last)
        values[stack[row]] += value === undefined ? 1 : value[row];
  }
  return values;
}

/** The facts of all events of a metric, from one pass. */
export interface MetricSums {
  /** Of the values of events with a stack, and of their squares. */
  readonly total: number;
  readonly squares: number;
  /** Events with a value above 0 that have no stack, and the sum of their values. */
  readonly stackless: { readonly events: number; readonly sum: number };
  /** Some value is negative or none. */
  readonly isPartial: boolean;
}

const tableSums = new FactsOf<Table, MetricSums>();

/** The sums of a metric, whose rows count 1 where it has no field. */
export function metricSums(metric: Metric, table: Table): MetricSums {
  return tableSums.get(table, metric.field ?? '', () => sumsOf(metric, table));
}

/** `byStack`: where to add the values of each stack. */
function sumsOf(metric: Metric, table: Table, byStack?: Float64Array): MetricSums {
  const { total, squares, ungrouped, withoutValue } = addUp(stackValues(metric, table), byStack);
  return { total, squares, stackless: { events: ungrouped.rows, sum: ungrouped.sum }, isPartial: withoutValue > 0 };
}

/** The stacks of events and the values of a metric, some rows at a time; no values if each row counts 1, and no rows without stacks. */
function* stackValues(metric: Metric, table: Table): Generator<ValuesOfGroups> {
  // Throws.
  if (metric.field !== undefined && !hasField(table, metric.field)) column(table, metric.field);
  const keys = [keyIn(table, STACK), ...(metric.field === undefined ? [] : [metric.field])];
  for (const { length, columns } of rowParts(table, keys)) {
    const [groups, values] = columns;
    if (groups !== undefined) yield { length, groups, values };
  }
}

/**
 * The sum of the squares of a metric's values of each stack: the variance of their sum, as far as it comes from how many events there
 * happened to be (compound Poisson). Undefined where rows are no single events.
 */
export function squaresByStack(profile: Profile, metric: Metric): Float64Array | undefined {
  const table = eventTable(profile, metric.table);
  const stack = table && columnOf(table, STACK);
  const value = table && metricColumn(metric, table);
  if (stack === undefined || value === undefined || !SINGLE_EVENT_KINDS.has(metric.table)) return undefined;
  const squares = new Float64Array(profile.stacks.length);
  for (let row = 0; row < stack.length; row++) if (stack[row] >= 0) squares[stack[row]] += value[row] ** 2;
  return squares;
}

/** Rows of the events that `exclusiveByStack` adds up, in the order of the file. */
export interface Samples {
  readonly stack: Int32Array;
  readonly value: Float64Array;
  /** Undefined where the events have none. */
  readonly thread: ArrayLike<number> | undefined;
  /** ns; undefined where the events have none. */
  readonly time: ArrayLike<number> | undefined;
}

export function samplesOf(profile: Profile, metric: Metric): Samples | undefined {
  const table = eventTable(profile, metric.table);
  const stack = table && columnOf(table, STACK);
  if (table === undefined || stack === undefined) return undefined;
  const values = metricColumn(metric, table);
  const moment = momentOf(metric, table);
  const rows = new Int32Array(table.length)
    .map((_, row) => row)
    .filter((row) => stack[row] >= 0 && (moment === undefined || moment.dumps[row] === moment.last));
  const [thread, time] = [columnOf(table, THREAD), columnOf(table, TIME)];
  return {
    stack: rows.map((row) => stack[row]),
    value: Float64Array.from(rows, (row) => (values === undefined ? 1 : values[row])),
    thread: thread && rows.map((row) => thread[row]),
    time: time && Float64Array.from(rows, (row) => time[row]),
  };
}

/** Adds to each stack the values of all stacks below it. */
export function inclusiveByStack(stacks: StackTable, exclusive: Float64Array): Float64Array {
  return atOnce(inclusiveSteps(stacks, exclusive));
}

/** Stacks between two yields. */
const STACKS_A_STEP = 1 << 16;

/** `inclusiveByStack` in parts; yields the stacks that are done. */
export function* inclusiveSteps({ length, parent }: StackTable, exclusive: Float64Array): Steps<Float64Array> {
  const values = exclusive.slice();
  for (let end = length; end > 0; end -= STACKS_A_STEP) {
    yield length - end;
    addToParents(parent, values, Math.max(0, end - STACKS_A_STEP), end);
  }
  return values;
}

/** Adds the values of a range of stacks to those above them. */
function addToParents(parent: Int32Array, values: Float64Array, begin: number, end: number): void {
  for (let id = end - 1; id >= begin; id--) if (parent[id] >= 0) values[parent[id]] += values[id];
}

/** The function of each stack's leaf. */
export function functionByStack(
  stacks: StackTable,
  program: { readonly locations: Pick<LocationTable, 'function'> },
): Int32Array {
  const functions = new Int32Array(stacks.length);
  for (let id = 0; id < stacks.length; id++) functions[id] = program.locations.function[stacks.location[id]];
  return functions;
}

/** For each stack, its first child and its next sibling (-1: none); `roots` is the first root. */
export interface Children {
  readonly first: Int32Array;
  readonly next: Int32Array;
  readonly roots: number;
}

export function childrenOf(stacks: StackTable): Children {
  const first = new Int32Array(stacks.length).fill(-1);
  const next = new Int32Array(stacks.length).fill(-1);
  let roots = -1;
  for (let id = stacks.length - 1; id >= 0; id--) {
    const parent = stacks.parent[id];
    next[id] = parent >= 0 ? first[parent] : roots;
    if (parent >= 0) first[parent] = id;
    else roots = id;
  }
  return { first, next, roots };
}

/** Exclusive value of each of `count` functions, and the sum of all. `functions`: that of each stack. */
export function exclusiveByFunction(
  functions: Int32Array,
  exclusive: Float64Array,
  count: number,
): { readonly values: Float64Array; readonly sum: number } {
  const values = new Float64Array(count);
  for (let id = 0; id < exclusive.length; id++) values[functions[id]] += exclusive[id];
  let sum = 0;
  for (let id = 0; id < count; id++) sum += values[id];
  return { values, sum };
}

/**
 * Inclusive value of each function: a stack counts once for a function, at its outermost occurrence. One walk over the
 * trie that keeps the number of frames of each function on the path.
 */
export function inclusiveByFunction(
  stacks: StackTable,
  functions: Int32Array,
  inclusive: Float64Array,
  count: number,
): Float64Array {
  return atOnce(inclusiveFunctionSteps(stacks, functions, inclusive, count));
}

/** `inclusiveByFunction` in parts; yields the stacks that are done. */
export function* inclusiveFunctionSteps(
  stacks: StackTable,
  functions: Int32Array,
  inclusive: Float64Array,
  count: number,
): Steps<Float64Array> {
  const walk: FunctionWalk = {
    values: new Float64Array(count),
    onPath: new Int32Array(count),
    parent: stacks.parent,
    functions,
    inclusive,
    ...childrenOf(stacks),
  };
  let done = 0;
  for (let id = walk.roots; id >= 0; done += STACKS_A_STEP) {
    yield done;
    id = visitStacks(walk, id, STACKS_A_STEP);
  }
  return walk.values;
}

/** A walk over the trie: the sums, and by function its frames on the path. */
interface FunctionWalk extends Children {
  readonly values: Float64Array;
  readonly onPath: Int32Array;
  readonly parent: Int32Array;
  readonly functions: Int32Array;
  readonly inclusive: Float64Array;
}

/** Visits `count` stacks from `start` on; returns the one to go on with, -1 behind the last. */
function visitStacks(walk: FunctionWalk, start: number, count: number): number {
  const { values, onPath, parent, functions, inclusive, first, next } = walk;
  let left = count;
  let id = start;
  while (id >= 0) {
    if (left-- === 0) return id;
    if (onPath[functions[id]]++ === 0) values[functions[id]] += inclusive[id];
    if (first[id] >= 0) {
      id = first[id];
      continue;
    }
    for (;;) {
      onPath[functions[id]]--;
      if (next[id] >= 0) {
        id = next[id];
        break;
      }
      id = parent[id];
      if (id < 0) break;
    }
  }
  return id;
}

/** 1 for every stack with a frame of a chosen function, anywhere in it. */
export function stacksThrough(stacks: StackTable, functions: Int32Array, chosen: Uint8Array): Uint8Array {
  const through = new Uint8Array(stacks.length);
  for (let id = 0; id < stacks.length; id++) {
    const parent = stacks.parent[id];
    through[id] = chosen[functions[id]] | (parent >= 0 ? through[parent] : 0);
  }
  return through;
}

/** Attributed values around a function or a stack fragment: `callers` and `callees` by function id; -1 means "a root" and "itself". */
export interface Attributed {
  readonly inclusive: number;
  readonly exclusive: number;
  readonly callers: ReadonlyMap<FunctionId, number>;
  readonly callees: ReadonlyMap<FunctionId, number>;
}

/**
 * The values of a stack fragment by caller and by callee. A fragment is a chain of frames that call each other, outermost first: a mask of functions
 * each. Each value is attributed once, at the innermost occurrence of the fragment in its stack, so callers add up to the inclusive value, and
 * so do callees and the exclusive value.
 */
export function attributedAround(
  stacks: StackTable,
  functions: Int32Array,
  exclusive: Float64Array,
  fragment: readonly Uint8Array[],
): Attributed {
  const callers = new Map<FunctionId, number>();
  const callees = new Map<FunctionId, number>();
  /** The innermost frame of the innermost fragment of each stack, and the next frame on the way from it to the leaf. */
  const match = new Int32Array(stacks.length).fill(-1);
  const below = new Int32Array(stacks.length).fill(-1);
  let inclusiveSum = 0;
  let exclusiveSum = 0;
  for (let id = 0; id < stacks.length; id++) {
    const parent = stacks.parent[id];
    if (outermostOf(fragment, stacks, functions, id) >= 0) match[id] = id;
    else if (parent >= 0 && match[parent] >= 0) {
      match[id] = match[parent];
      below[id] = below[parent] >= 0 ? below[parent] : id;
    }
    const value = exclusive[id];
    if (match[id] < 0 || value === 0) continue;
    inclusiveSum += value;
    const caller = stacks.parent[outermostOf(fragment, stacks, functions, match[id])];
    add(callers, caller >= 0 ? functions[caller] : -1, value);
    if (below[id] < 0) exclusiveSum += value;
    else add(callees, functions[below[id]], value);
  }
  return { inclusive: inclusiveSum, exclusive: exclusiveSum, callers, callees };
}

/** The outermost frame of the fragment that ends with frame `id`; -1 if none does. */
function outermostOf(
  fragment: readonly Uint8Array[],
  { parent }: StackTable,
  functions: Int32Array,
  id: number,
): number {
  let frame = id;
  for (let i = fragment.length - 1; ; i--) {
    if (fragment[i][functions[frame]] !== 1) return -1;
    if (i === 0) return frame;
    frame = parent[frame];
    if (frame < 0) return -1;
  }
}

function add(map: Map<FunctionId, number>, key: FunctionId, value: number): void {
  map.set(key, (map.get(key) ?? 0) + value);
}
