/**
 * Threads of one moment by pool, stack and state. A pool is the name without the number that it ends with:
 *
 *   pool-1-thread-7             pool-1-thread-*            ForkJoinPool-1-worker-3   ForkJoinPool-1-worker-*
 *   http-nio-8080-exec-12       http-nio-8080-exec-*       http-nio-8080-Acceptor    http-nio-8080-Acceptor
 *   RMI TCP Connection(2)-10.0.0.7   RMI TCP Connection(*)-10.0.0.7
 *
 * Cost: one look-up a thread, each name once.
 */
import { IntTable } from '../../base/columns/hash.js';
import { stringAt } from '../../base/text.js';
import { type StateEvents, THREAD_STATES } from '../../models/events/state.js';
import { lastDump } from '../../models/profile/moment.js';
import type { ThreadRows } from '../../models/profile/tables.js';
import type { Program } from '../../models/program/program.js';

/** Names that are kept of each group. */
export const EXAMPLES = 3;

export interface ThreadGroups {
  readonly length: number;
  /** Threads of all groups. */
  readonly threads: number;
  /** By group: index into `pools`, StackId, index into `THREAD_STATES`, how many threads. */
  readonly pool: Int32Array;
  readonly stack: Int32Array;
  readonly state: Int32Array;
  readonly count: Int32Array;
  /** Nanoseconds since they began; -1 if no thread reports it. */
  readonly cpu: Float64Array;
  /** The first threads of group `g`: `g * EXAMPLES` and on, -1 behind the last. */
  readonly examples: Int32Array;
  readonly pools: readonly string[];
}

/** The threads of the last dump that `states` has. */
export function threadGroups(program: Program, threads: ThreadRows, states: StateEvents): ThreadGroups {
  const last = lastDump(states.dump);
  const groups = new IntTable();
  const pools = new ThreadPools(program, threads);
  const count = new Int32Array(states.length);
  const cpu = new Float64Array(states.length).fill(-1);
  const examples = new Int32Array(states.length * EXAMPLES).fill(-1);
  let all = 0;
  for (let row = 0; row < states.length; row++) {
    const thread = states.thread[row];
    if (states.dump[row] !== last || thread < 0) continue;
    const group = groups.add(pools.of(thread), states.stack[row], states.state[row]);
    if (count[group] < EXAMPLES) examples[group * EXAMPLES + count[group]] = thread;
    count[group]++;
    all++;
    const spent = states.cpu?.[row] ?? -1;
    if (spent >= 0) cpu[group] = Math.max(cpu[group], 0) + spent;
  }
  const { length } = groups;
  return {
    length,
    threads: all,
    pool: groups.column(0),
    stack: groups.column(1),
    state: groups.column(2),
    count: count.slice(0, length),
    cpu: cpu.slice(0, length),
    examples: examples.slice(0, length * EXAMPLES),
    pools: pools.names,
  };
}

/** The groups of each pool put together: `members` are its groups, the largest first. */
export interface Pool {
  readonly pool: number;
  readonly members: readonly number[];
  readonly count: number;
  /** -1 if no thread reports it. */
  readonly cpu: number;
}

/** The largest pool first, of equal ones the one that used more CPU. */
export function poolsOf({ length, pool, count, cpu, pools }: ThreadGroups): Pool[] {
  const members = pools.map((): number[] => []);
  for (let group = 0; group < length; group++) members[pool[group]].push(group);
  const made = members.map((groups, id): Pool => {
    const measured = groups.filter((group) => cpu[group] >= 0);
    return {
      pool: id,
      members: groups.sort((a, b) => count[b] - count[a] || a - b),
      count: groups.reduce((sum, group) => sum + count[group], 0),
      cpu: measured.length === 0 ? -1 : measured.reduce((sum, group) => sum + cpu[group], 0),
    };
  });
  return made.sort((a, b) => b.count - a.count || b.cpu - a.cpu || a.pool - b.pool);
}

/** Threads in each state, of some groups. */
export function statesOf({ state, count }: ThreadGroups, groups: readonly number[]): { name: string; count: number }[] {
  const counts = new Int32Array(THREAD_STATES.length);
  for (const group of groups) counts[state[group]] += count[group];
  return THREAD_STATES.flatMap((name, id) => (counts[id] === 0 ? [] : [{ name, count: counts[id] }])).sort(
    (a, b) => b.count - a.count,
  );
}

/** The pools of threads: numbers in the order in which they are first asked for. */
export class ThreadPools {
  readonly names: string[] = [];
  readonly #program: Program;
  readonly #threads: ThreadRows;
  readonly #ids = new Map<string, number>();
  /** Name and group of threads → pool: each pair is looked at once. */
  readonly #known = new IntTable();
  readonly #pools: number[] = [];

  constructor(program: Program, threads: ThreadRows) {
    this.#program = program;
    this.#threads = threads;
  }

  /** The pool of a thread, as an index into `names`. */
  of(thread: number): number {
    const pair = this.#known.add(this.#threads.name[thread], this.#threads.group?.[thread] ?? -1);
    if (pair < this.#pools.length) return this.#pools[pair];
    const id = this.#idOf(this.#poolName(thread));
    this.#pools.push(id);
    return id;
  }

  #poolName(thread: number): string {
    const { names } = this.#program;
    const name = stringAt(names, this.#threads.name[thread]);
    if (name !== '') return poolName(name);
    const group = this.#threads.group?.[thread] ?? -1;
    return group < 0 ? '<unnamed>' : `<unnamed> of ${stringAt(names, group)}`;
  }

  #idOf(name: string): number {
    const known = this.#ids.get(name);
    if (known !== undefined) return known;
    this.#ids.set(name, this.names.length);
    return this.names.push(name) - 1;
  }
}

const ADDRESS = /-(?:\d{1,3}\.){3}\d{1,3}$/;
const LAST_NUMBER = /\d+(?=[)\]}>]?$)/;

/** The name of a thread without its number in its pool. */
export function poolName(name: string): string {
  const address = ADDRESS.exec(name)?.[0] ?? '';
  return name.slice(0, name.length - address.length).replace(LAST_NUMBER, '*') + address;
}
