/**
 * The samples that a flame graph is made of, by node: what a reader needs to show the graph of one thread, or in the order
 * of time. 8 bytes a row, 12 with threads.
 */
import { z } from 'zod';
import { type Samples, samplesOf } from '../../analysis/stacks/stack-values.js';
import { PackedColumn } from '../../base/base64.js';
import { IntTable } from '../../base/columns/hash.js';
import { mapped } from '../../base/columns/marks.js';
import type { Metric, Profile } from '../../models/profile/profile.js';
import { threadLabel } from '../../models/profile/thread-label.js';
import type { Program } from '../../models/program/program.js';
import { float64, int32 } from './packed.js';

/** More rows would make a page slow to open; they are left out. */
const MOST_ROWS = 4_000_000;

const rowsShape = {
  length: z.number().int(),
  node: int32('row', 'number of the node'),
  thread: int32('row', 'index into threads, -1 unknown'),
  value: float64('row', 'the metric'),
};

export const samplesShape = z
  .object({
    in_order: z
      .boolean()
      .meta({ description: 'thread by thread, in the order of time; else one row a thread and node' }),
    threads: z.array(z.string()).meta({ description: 'names; several threads may have the same' }),
    ...rowsShape,
    thread: int32('row', 'index into threads, -1 unknown; null if there are not at least two threads').nullable(),
    base: z.object(rowsShape).nullable().meta({
      description: 'one row a thread and node of the base; threads are the first of their name; null without threads',
    }),
  })
  .nullable();

/** Events of a recording, and the node of the tree that each stack has, -1 for none. */
export interface Sampled {
  readonly profile: Profile;
  readonly program: Program;
  readonly metric: Metric;
  readonly nodeOf: Int32Array;
  /** Values are multiplied by this. */
  readonly scale: number;
}

/**
 * The samples of a tree, and of the base that it is compared with. Null if the events have neither several threads nor times,
 * or are too many. Comparisons have threads only if both recordings do.
 */
export function treeSamples(sampled: Sampled, base?: Sampled): z.infer<typeof samplesShape> {
  const samples = withNode(sampled);
  if (samples === undefined) return null;
  const samplesOfBase = base && withNode(base);
  const nowThreads = threadsOf(sampled, samples);
  const other = base && samplesOfBase && threadsOf(base, samplesOfBase);
  const names = allNames(nowThreads, base === undefined ? nowThreads : other);
  const threads = names.length < 2 ? undefined : nowThreads?.of;
  const inOrder = samples.time !== undefined;
  if (!inOrder && threads === undefined) return null;
  const threadColumn = threads ?? new Int32Array(samples.stack.length);
  const rows = inOrder ? merged(samples, threadColumn) : summed(samples, threadColumn);
  const rowsOfBase =
    threads === undefined || samplesOfBase === undefined || other === undefined
      ? undefined
      : summed(samplesOfBase, mapped(other.of, placesIn(names, other.names)));
  if (rows.node.length + (rowsOfBase?.node.length ?? 0) > MOST_ROWS) return null;
  return {
    in_order: inOrder,
    threads: threads === undefined ? [] : names,
    ...packed(rows),
    ...(threads === undefined ? { thread: null } : {}),
    base: rowsOfBase === undefined ? null : packed(rowsOfBase),
  };
}

/** 16 bytes a row. */
export function bytesOfSamples(samples: ReturnType<typeof treeSamples>): number {
  return samples === null ? 0 : 16 * (samples.length + (samples.base?.length ?? 0));
}

function packed({ node, thread, value }: Rows) {
  return {
    length: node.length,
    node: new PackedColumn(node),
    thread: new PackedColumn(thread),
    value: new PackedColumn(value),
  };
}

/** Without rows of no value, and of stacks whose values cancel out: neither is in the tree. Stacks are nodes. */
function withNode({ profile, metric, nodeOf, scale }: Sampled): Samples | undefined {
  const all = samplesOf(profile, metric);
  if (all === undefined) return undefined;
  const { stack, value, thread, time } = all;
  const rows = stack.map((_, row) => row).filter((row) => value[row] !== 0 && nodeOf[stack[row]] >= 0);
  return {
    stack: rows.map((row) => nodeOf[stack[row]]),
    value: Float64Array.from(rows, (row) => value[row] * scale),
    thread: thread && rows.map((row) => thread[row]),
    time: time && Float64Array.from(rows, (row) => time[row]),
  };
}

interface Threads {
  readonly names: readonly string[];
  /** For each sample an index into `names`, -1 unknown. */
  readonly of: Int32Array;
}

/** Threads that have samples, in the order in which they first have one; undefined where samples have none. */
function threadsOf({ profile, program }: Sampled, { thread }: Samples): Threads | undefined {
  if (thread === undefined) return undefined;
  const ids = new Map<number, number>();
  for (const id of new Set(Array.from(thread))) if (id >= 0) ids.set(id, ids.size);
  const names = [...ids.keys()].map((id) => threadLabel(profile, program, id) ?? `thread ${id}`);
  return { names, of: Int32Array.from(thread, (id) => ids.get(id) ?? -1) };
}

/** The names of one's threads, then those that only the other has; none where one of them has no threads. */
function allNames(one: Threads | undefined, other: Threads | undefined): string[] {
  if (one === undefined || other === undefined) return [];
  const firstNames = new Set(one.names);
  return [...one.names, ...new Set(other.names.filter((name) => !firstNames.has(name)))];
}

/** The first place of each of `names` in a list that has them all. */
function placesIn(list: readonly string[], names: readonly string[]): Int32Array {
  const places = new Map<string, number>();
  for (const [place, name] of list.entries()) if (!places.has(name)) places.set(name, place);
  return Int32Array.from(names, (name) => places.get(name) ?? -1);
}

interface Rows {
  readonly node: Int32Array;
  readonly thread: Int32Array;
  readonly value: Float64Array;
}

/** Thread by thread in the order of time, samples of one node that follow each other as one row. */
function merged({ stack: node, time, value }: Samples, thread: Int32Array): Rows {
  const order = node.map((_, row) => row);
  const at = (row: number): number => time?.[row] ?? 0;
  order.sort((a, b) => thread[a] - thread[b] || at(a) - at(b) || a - b);
  const starts: number[] = [];
  const sums: number[] = [];
  for (const row of order) {
    const last = starts.at(-1) ?? -1;
    if (last >= 0 && node[last] === node[row] && thread[last] === thread[row])
      sums[sums.length - 1] = (sums.at(-1) ?? 0) + value[row];
    else {
      starts.push(row);
      sums.push(value[row]);
    }
  }
  const startRows = Int32Array.from(starts);
  return {
    node: startRows.map((row) => node[row]),
    thread: startRows.map((row) => thread[row]),
    value: Float64Array.from(sums),
  };
}

function summed({ stack: node, value }: Samples, thread: Int32Array): Rows {
  const table = new IntTable(node.length);
  const sums = new Float64Array(node.length);
  for (let row = 0; row < node.length; row++) sums[table.add(thread[row], node[row])] += value[row];
  return { thread: table.column(0), node: table.column(1), value: sums.slice(0, table.length) };
}
