/**
 * Who waits for whom: the wait-for graph of one snapshot of the locks, its cycles, and what they hold up.
 *
 *   thread ──waits to get──► monitor ──owner──► thread
 *
 * A thread waits for one monitor at most, and a monitor has one owner, so from each thread one path leads on: cycles are
 * found in time and memory linear in the threads and locks. `Object.wait` is no edge: whoever notifies need not own.
 */
import { LOCK_WAITS, type Locks, MONITORS, WAIT_KINDS } from '../../models/locks/locks.js';

/** One snapshot. Threads and monitors are rows of their tables. */
export interface WaitGraph {
  /** What a thread waits to get. */
  readonly wanted: ReadonlyMap<number, number>;
  /** Who holds a monitor; monitors without a known owner are not in it. */
  readonly owner: ReadonlyMap<number, number>;
}

/** `threads[i]` waits for `monitors[i]`, which `threads[i + 1]` holds; the last one waits for what the first one holds. */
export interface Deadlock {
  readonly threads: readonly number[];
  readonly monitors: readonly number[];
  /** Threads that are not in it and can go on only when it ends. */
  readonly stuck: number;
}

const NOTIFY = WAIT_KINDS.indexOf('notify');
const PARK = WAIT_KINDS.indexOf('park');

/** The graph of snapshot `dump`, or of all rows where it is not given. */
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
    // Nobody holds what idle threads are parked for.
    const idle = how[row] === NOTIFY || (how[row] === PARK && owners[monitor[row]] < 0);
    if (!idle && thread[row] >= 0) graphOf(dumps[monitor[row]]).wanted.set(thread[row], monitor[row]);
  }
}

/** Whom a thread waits for; undefined where it waits for nobody that is known. */
export function heldUpBy(graph: WaitGraph, thread: number): number | undefined {
  const monitor = graph.wanted.get(thread);
  return monitor === undefined ? undefined : graph.owner.get(monitor);
}

/** The deadlocks, each beginning with its thread of the lowest row, in the order of these. */
export function findDeadlocks(graph: WaitGraph): Deadlock[] {
  /** Thread → cycle that its path ends in, -1 where it ends in none. */
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

/** Who waits for a monitor. Rows of the table of threads, in the order of the recording. */
export interface Waiters {
  /** Until they can enter it, for the first time or again after `Object.wait`, or parked until a lock is free. */
  readonly blocked: readonly number[];
  /** Parked with it as the reason, which is no known lock: any object that somebody else will wake them for. */
  readonly parked: readonly number[];
  /** In `Object.wait` until they are notified. */
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
 * How many threads want what somebody holds. The parked count where an owner is known only: idle threads of a pool are
 * parked for something too.
 */
export function wantedBy(waiters: Waiters, owner: number): number {
  return waiters.blocked.length + (owner < 0 ? 0 : waiters.parked.length);
}

/** `monitors[i]` is what `threads[i]` waits to get. The last thread may wait for nothing, or for what nobody is known to hold. */
export interface OwnerChain {
  readonly threads: readonly number[];
  readonly monitors: readonly number[];
  /** It leads into a deadlock; it stops before the first thread comes again. */
  readonly endless: boolean;
}

/** The way from the owner of a monitor to whoever could go on: the owner, the thread that it waits for, and so on. */
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
