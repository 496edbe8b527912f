/**
 * The samples that a flame graph is made of, by node: what a reader needs to show the graph of one thread, or in the order
 * of time. 8 bytes a row, 12 with threads.
 */
import { z } from 'zod';
import type { CallTree } from '../../analysis/stacks/call-tree.js';
import { type Samples, samplesOf } from '../../analysis/stacks/stack-values.js';
import { PackedColumn } from '../../base/base64.js';
import { IntTable } from '../../base/columns/hash.js';
import { type Metric, type Profile, threadName } from '../../models/profile/profile.js';
import type { Program } from '../../models/program/program.js';
import { float64, int32 } from './packed.js';

/** More rows would make a page slow to open; they are left out. */
const MOST_ROWS = 4_000_000;

export const samplesShape = z
  .object({
    length: z.number().int(),
    in_order: z
      .boolean()
      .meta({ description: 'thread by thread, in the order of time; else one row a thread and node' }),
    threads: z.array(z.string()),
    node: int32('row', 'number of the node'),
    thread: int32('row', 'index into threads, -1 unknown; null if there are not at least two threads').nullable(),
    value: float64('row', 'the metric'),
  })
  .nullable();

/**
 * `place`: number of each node of the tree; all nodes are kept. Null if the events have neither several threads nor
 * times, or are too many.
 */
export function treeSamples(
  profile: Profile,
  program: Program,
  metric: Metric,
  ofStack: NonNullable<CallTree['ofStack']>,
  place: Int32Array,
): z.infer<typeof samplesShape> {
  const all = samplesOf(profile, metric);
  const samples = all && withNode(all, ofStack);
  if (samples === undefined) return null;
  const { thread, names } = threadsOf(profile, program, samples);
  const node = samples.stack.map((stack) => place[ofStack[stack]]);
  const known = thread ?? new Int32Array(node.length);
  const inOrder = samples.time !== undefined;
  if (!inOrder && thread === undefined) return null;
  const rows = inOrder ? merged(node, known, samples) : summed(node, known, samples.value);
  if (rows.node.length > MOST_ROWS) return null;
  return {
    length: rows.node.length,
    in_order: inOrder,
    threads: names,
    node: new PackedColumn(rows.node),
    thread: thread === undefined ? null : new PackedColumn(rows.thread),
    value: new PackedColumn(rows.value),
  };
}

/** Without rows of no value, and of stacks whose values cancel out: neither is in the tree. */
function withNode({ stack, value, thread, time }: Samples, ofStack: Int32Array): Samples {
  const rows = stack.map((_, row) => row).filter((row) => value[row] !== 0 && ofStack[stack[row]] >= 0);
  return {
    stack: rows.map((row) => stack[row]),
    value: Float64Array.from(rows, (row) => value[row]),
    thread: thread && rows.map((row) => thread[row]),
    time: time && Float64Array.from(rows, (row) => time[row]),
  };
}

/** Threads that have samples, in the order in which they first have one; undefined for fewer than two. */
function threadsOf(profile: Profile, program: Program, { thread }: Samples) {
  const ids = new Map<number, number>();
  for (const id of new Set(Array.from(thread ?? []))) if (id >= 0) ids.set(id, ids.size);
  if (thread === undefined || ids.size < 2) return { thread: undefined, names: [] };
  const names = [...ids.keys()].map((id) => threadName(profile, program, id) ?? `thread ${id}`);
  return { thread: Int32Array.from(thread, (id) => ids.get(id) ?? -1), names };
}

interface Rows {
  readonly node: Int32Array;
  readonly thread: Int32Array;
  readonly value: Float64Array;
}

/** Thread by thread in the order of time, samples of one node that follow each other as one row. */
function merged(node: Int32Array, thread: Int32Array, { time, value }: Samples): Rows {
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
  const kept = Int32Array.from(starts);
  return {
    node: kept.map((row) => node[row]),
    thread: kept.map((row) => thread[row]),
    value: Float64Array.from(sums),
  };
}

function summed(node: Int32Array, thread: Int32Array, value: Float64Array): Rows {
  const table = new IntTable(node.length);
  const sums = new Float64Array(node.length);
  for (let row = 0; row < node.length; row++) sums[table.add(thread[row], node[row])] += value[row];
  return { thread: table.column(0), node: table.column(1), value: sums.slice(0, table.length) };
}
