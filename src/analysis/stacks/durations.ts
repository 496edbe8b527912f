/** How long single events took, along stacks: their number, the longest, and percentiles. */
import { SINGLE_EVENT_KINDS } from '../../models/events/index.js';
import { type Stage, type StageUse, type Subject, use } from '../../models/open-recording.js';
import type { Metric, Profile } from '../../models/profile/profile.js';
import { percentile } from '../percentile.js';
import { scopedUse } from '../scope/scoped.js';
import { samplesOf } from './stack-values.js';
import { functionsUse } from './stages.js';

/** Whether each event of a metric has a duration of its own, as waits have; samples and sums have none. */
export function hasDurations({ nature, table, unit }: Metric): boolean {
  return unit === 'ns' && (nature === 'flow' || nature === 'site') && SINGLE_EVENT_KINDS.has(table);
}

/** Durations of the events at and below nodes of a tree; times in ns. */
export interface Durations {
  readonly events: number;
  readonly longest: number;
  /** As `percentile` defines them. */
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
}

/** Durations of events, those at and below a node of a tree next to each other. */
export interface DurationsBelow {
  readonly values: Float64Array;
  /** By node: its events, and those of all nodes below it, are the values from `begin` to before `end`. */
  readonly begin: Int32Array;
  readonly end: Int32Array;
}

/**
 * The durations of a metric's events. `callers` has the parent of each node: a smaller node, or -1; `nodeOf` has the node of each stack, -1 for
 * none. Events that took no time are left out: waits of one reason are 0 in the metrics of the others. 8 bytes an event and a node.
 */
export function durationsBelow(
  profile: Profile,
  metric: Metric,
  callers: Int32Array,
  nodeOf: Int32Array | undefined,
): DurationsBelow {
  const { stack = new Int32Array(), value = new Float64Array() } = samplesOf(profile, metric) ?? {};
  // What belongs to a site alone, as traced calls do, is not among that of its callers.
  const parent = metric.nature === 'site' ? new Int32Array(callers.length).fill(-1) : callers;
  const nodes = stack.map((id, row) => (value[row] > 0 ? (nodeOf?.[id] ?? id) : -1));
  const own = new Int32Array(parent.length);
  for (const node of nodes) if (node >= 0) own[node]++;
  const all = own.slice();
  for (let node = parent.length - 1; node >= 0; node--) if (parent[node] >= 0) all[parent[node]] += all[node];
  const begin = new Int32Array(parent.length);
  // Where the events of the next child of a node begin: behind those of the node itself.
  const next = new Int32Array(parent.length);
  let count = 0;
  for (let node = 0; node < parent.length; node++) {
    const above = parent[node];
    begin[node] = above >= 0 ? next[above] : count;
    if (above >= 0) next[above] += all[node];
    else count += all[node];
    next[node] = begin[node] + own[node];
  }
  const values = new Float64Array(count);
  const place = begin.slice();
  nodes.forEach((node, row) => {
    if (node >= 0) values[place[node]++] = value[row];
  });
  return { values, begin, end: begin.map((from, node) => from + all[node]) };
}

/** Those at and below some nodes, each event once; undefined if they have none. */
export function durationsOf({ values, begin, end }: DurationsBelow, nodes: Int32Array): Durations | undefined {
  const parts: Float64Array[] = [];
  let events = 0;
  let known = 0;
  // A node below another one has a part of its range.
  for (const node of nodes.toSorted((a, b) => begin[a] - begin[b] || end[b] - end[a])) {
    if (end[node] <= known) continue;
    parts.push(values.subarray(begin[node], end[node]));
    events += end[node] - begin[node];
    known = end[node];
  }
  if (events === 0) return undefined;
  const sorted = new Float64Array(events);
  let at = 0;
  for (const part of parts) {
    sorted.set(part, at);
    at += part.length;
  }
  sorted.sort();
  const upTo = (share: number): number => percentile(sorted, share) ?? NaN;
  return { events, longest: sorted[events - 1], p50: upTo(0.5), p90: upTo(0.9), p99: upTo(0.99) };
}

/** The durations of a metric's events, and the stacks that end in each function, sorted by it. */
export interface FunctionDurations extends DurationsBelow {
  readonly stacks: Int32Array;
  /** By function: its stacks are those from here to the begin of the next one. */
  readonly first: Int32Array;
}

const functionDurationsStage: Stage<FunctionDurations, Metric> = {
  name: 'durations of functions',
  version: 1,
  key: ({ id }) => id,
  needs: ([subject]) => [scopedUse(subject), functionsUse(subject)],
  run: async ([subject], metric, get) => {
    const { recording, profile } = await get(scopedUse(subject));
    const functions = await get(functionsUse(subject));
    const count = recording.program.functions.length;
    const first = new Int32Array(count + 1);
    for (const id of functions) first[id + 1]++;
    for (let id = 0; id < count; id++) first[id + 1] += first[id];
    const next = first.slice();
    const stacks = new Int32Array(functions.length);
    functions.forEach((id, stack) => {
      stacks[next[id]++] = stack;
    });
    const none = new Int32Array();
    const below =
      profile === undefined
        ? { values: new Float64Array(), begin: none, end: none }
        : durationsBelow(profile, metric, profile.stacks.parent, undefined);
    return { ...below, stacks, first };
  },
  bytes: ({ values, begin, stacks }) => values.byteLength + 2 * begin.byteLength + stacks.byteLength,
};

/** The durations of a metric's events by function. */
export function functionDurationsUse(subject: Subject, metric: Metric): StageUse<FunctionDurations> {
  return use(functionDurationsStage, [subject], metric);
}

/** The durations of the events with a function on their stack; undefined if there are none. */
export function durationsOfFunction(of: FunctionDurations, id: number): Durations | undefined {
  return durationsOf(of, of.stacks.subarray(of.first[id], of.first[id + 1]));
}
