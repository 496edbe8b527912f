/**
 * The wait-for graph of one snapshot of the locks: its cycles, and the threads stuck behind them.
 *
 *   thread ──waits to get──► monitor ──owner──► thread
 *
 * A thread waits for at most one monitor, and a monitor has one owner, so one path leads on from each thread: cycles
 * are found in time and memory linear in the threads and locks. `Object.wait` is not an edge: the thread that will
 * notify need not own the monitor now.
 */
import { LOCK_WAITS, type Locks, MONITORS, WAIT_KINDS } from '../../models/locks/locks.js';

/** One snapshot. Threads and monitors are rows of their tables. */
export interface WaitGraph {
  /** Thread → the monitor it waits to get. */
  readonly wanted: ReadonlyMap<number, number>;
  /** Monitor → its owner; monitors without a known owner are left out. */
  readonly owner: ReadonlyMap<number, number>;
}

/**
 * `threads[i]` waits for `monitors[i]`, which `threads[i + 1]` holds; the last thread waits for a monitor that the
 * first one holds.
 */
export interface Deadlock {
  readonly threads: readonly number[];
  readonly monitors: readonly number[];
  /** The number of threads outside the cycle that can continue only after it ends. */
  readonly stuck: number;
}

const NOTIFY = WAIT_KINDS.indexOf('notify');
const PARK = WAIT_KINDS.indexOf('park');

/** The graph of snapshot `dump`, or of all rows if it is not given. */
export function waitGraph(locks: Locks, dump?: number): WaitGraph {
  if (dump !== undefined) return waitGraphs(locks).get(dump) ?? { wanted: new Map(), owner: new Map() };
  const whole = emptyGraph();
  fillGraphs(locks, () => whole);
  return whole;
}

/** The graph of each snapshot that has monitors, in one pass over all rows; in the order of the rows. */
export function waitGraphs(locks: Locks): ReadonlyMap<number, WaitGraph> {
  const graphs = new Map<number, ReturnType<typeof emptyGraph>>();
  fillGraphs(locks, (dump) => {
    const graph = graphs.get(dump) ?? emptyGraph();
    graphs.set(dump, graph);
    return graph;
  });
  return graphs;
}

function emptyGraph() {
  return { wanted: new Map<number, number>(), owner: new Map<number, number>() };
}

function fillGraphs({ monitors, waits }: Locks, graphOf: (dump: number) => ReturnType<typeof emptyGraph>): void {
  const { dump: dumps, owner: owners } = MONITORS.rows(monitors);
  for (let row = 0; row < monitors.length; row++) {
    const { owner } = graphOf(dumps[row]);
    if (owners[row] >= 0) owner.set(row, owners[row]);
  }
  const { monitor, thread, how } = LOCK_WAITS.rows(waits);
  for (let row = 0; row < waits.length; row++) {
    // An object that idle threads are parked for has no owner.
    const idle = how[row] === NOTIFY || (how[row] === PARK && owners[monitor[row]] < 0);
    if (!idle && thread[row] >= 0) graphOf(dumps[monitor[row]]).wanted.set(thread[row], monitor[row]);
  }
}

/** The owner that a thread waits for; undefined if it does not wait, or the owner is unknown. */
export function heldUpBy(graph: WaitGraph, thread: number): number | undefined {
  const monitor = graph.wanted.get(thread);
  return monitor === undefined ? undefined : graph.owner.get(monitor);
}

/** The deadlocks, each beginning with its thread of the lowest row, in the order of these rows. */
export function findDeadlocks(graph: WaitGraph): Deadlock[] {
  /** Thread → the cycle at the end of its path, -1 if there is none. */
  const ends = new Map<number, number>();
  const cycles: number[][] = [];
  for (const start of graph.wanted.keys()) {
    const path: number[] = [];
    const places = new Map<number, number>();
    let thread: number | undefined = start;
    while (thread !== undefined && !ends.has(thread) && !places.has(thread)) {
      places.set(thread, path.length);
      path.push(thread);
      thread = heldUpBy(graph, thread);
    }
    const place = thread === undefined ? undefined : places.get(thread);
    let end = thread === undefined ? -1 : (ends.get(thread) ?? -1);
    if (place !== undefined) end = cycles.push(fromLowest(path.slice(place))) - 1;
    for (const passed of path) ends.set(passed, end);
  }
  const led = new Int32Array(cycles.length);
  for (const end of ends.values()) if (end >= 0) led[end]++;
  return cycles
    .map((threads, i) => ({
      threads,
      monitors: threads.map((thread) => graph.wanted.get(thread) ?? -1),
      stuck: led[i] - threads.length,
    }))
    .sort((a, b) => a.threads[0] - b.threads[0]);
}

function fromLowest(cycle: readonly number[]): number[] {
  const first = cycle.reduce((lowest, thread, i) => (thread < cycle[lowest] ? i : lowest), 0);
  return [...cycle.slice(first), ...cycle.slice(0, first)];
}

/** The waiters of a monitor: rows of the table of threads, in the order of the recording. */
export interface Waiters {
  /** Threads that wait to enter it, for the first time or again after `Object.wait`, or are parked until a lock is free. */
  readonly blocked: readonly number[];
  /** Threads parked for an object that is not a known lock: another thread will wake them. */
  readonly parked: readonly number[];
  /** Threads in `Object.wait` that wait for a notification. */
  readonly waiting: readonly number[];
}

/** The waiters of each monitor, by its row. */
export function waitersByMonitor(locks: Locks): Waiters[] {
  const nobody = (): number[] => [];
  const found = Array.from({ length: locks.monitors.length }, () => ({
    blocked: nobody(),
    parked: nobody(),
    waiting: nobody(),
  }));
  const { length, monitor, thread, how } = LOCK_WAITS.rows(locks.waits);
  for (let row = 0; row < length; row++) {
    const { blocked, parked, waiting } = found[monitor[row]];
    (how[row] === NOTIFY ? waiting : how[row] === PARK ? parked : blocked).push(thread[row]);
  }
  return found;
}

/**
 * The number of threads that wait to get a monitor. Parked threads count only if the owner is known, since idle threads
 * of a pool are parked, too.
 */
export function wantedBy(waiters: Waiters, owner: number): number {
  return waiters.blocked.length + (owner < 0 ? 0 : waiters.parked.length);
}

/** `threads[i]` waits for `monitors[i]`. The last thread may wait for nothing, or for a monitor without a known owner. */
export interface OwnerChain {
  readonly threads: readonly number[];
  readonly monitors: readonly number[];
  /** Whether it leads into a deadlock; it stops before the first thread would appear again. */
  readonly endless: boolean;
}

/**
 * The chain from the owner of a monitor: the owner, the thread that it waits for, and so on, to a thread that can
 * continue.
 */
export function ownerChain(graph: WaitGraph, monitor: number): OwnerChain {
  const threads: number[] = [];
  const monitors: number[] = [];
  const passed = new Set<number>();
  let thread = graph.owner.get(monitor);
  while (thread !== undefined && !passed.has(thread)) {
    passed.add(thread);
    threads.push(thread);
    const wanted = graph.wanted.get(thread);
    if (wanted !== undefined) monitors.push(wanted);
    thread = wanted === undefined ? undefined : graph.owner.get(wanted);
  }
  return { threads, monitors, endless: thread !== undefined };
}
