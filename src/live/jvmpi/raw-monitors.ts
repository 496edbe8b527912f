/**
 * Raw monitors. They exist only for the agent, so they live here: threads are those for which the agent's code runs. Events
 * about contention are exact, and the order in which threads enter monitors is checked: two orders may end in a deadlock (§1.5).
 */
import type { JNIEnv, JVMPI_RawMonitor, MonitorRecord, VmEvent } from '../../formats/jvmpi/document/index.js';
import { makeEvent } from '../../formats/jvmpi/document/index.js';
import { current } from './current.js';
import type { JvmpiState } from './state.js';

interface Waiter {
  readonly env: JNIEnv;
  readonly entries: number;
  readonly proceed: () => void;
}

interface Monitor {
  readonly id: JVMPI_RawMonitor;
  readonly name: string;
  owner: JNIEnv | undefined;
  entries: number;
  readonly entering: Waiter[];
  readonly waiting: Set<Waiter>;
}

const contents = ({ name, id }: Monitor) => ({ raw_monitor: { name, id } });

export class RawMonitors {
  readonly #monitors = new Map<JVMPI_RawMonitor, Monitor>();
  readonly #state: JvmpiState;
  readonly #tell: (event: VmEvent) => void;
  /** The monitors that were entered while another one was held, by the held one. */
  readonly #after = new Map<JVMPI_RawMonitor, Set<JVMPI_RawMonitor>>();
  #last = 0;

  constructor(state: JvmpiState, tell: (event: VmEvent) => void) {
    this.#state = state;
    this.#tell = tell;
  }

  create(name: string): JVMPI_RawMonitor {
    const id = ++this.#last;
    this.#monitors.set(id, { id, name, owner: undefined, entries: 0, entering: [], waiting: new Set() });
    return id;
  }

  #monitor(id: JVMPI_RawMonitor, name: 'Enter' | 'Exit' | 'Wait' | 'NotifyAll' | 'Destroy'): Monitor | undefined {
    const monitor = this.#monitors.get(id);
    if (monitor === undefined)
      this.#state.broke({
        rule: 'raw-monitor',
        place: `§2 RawMonitor${name}`,
        message: `RawMonitor${name} got ${id}, which is no raw monitor`,
      });
    return monitor;
  }

  /** Sends an event about a monitor, unless its name is silent. */
  #send(monitor: Monitor, event: VmEvent): void {
    if (!monitor.name.startsWith('_')) this.#tell(event);
  }

  enter(id: JVMPI_RawMonitor): void | Promise<void> {
    const monitor = this.#monitor(id, 'Enter');
    if (monitor === undefined) return undefined;
    const { env } = current();
    this.#checkOrder(monitor, env);
    if (monitor.owner === undefined || monitor.owner === env) {
      monitor.owner = env;
      monitor.entries++;
      return undefined;
    }
    this.#send(monitor, makeEvent('RAW_MONITOR_CONTENDED_ENTER', env, contents(monitor)));
    return new Promise((resolve) => {
      const proceed = () => {
        this.#send(monitor, makeEvent('RAW_MONITOR_CONTENDED_ENTERED', env, contents(monitor)));
        resolve();
      };
      monitor.entering.push({ env, entries: 1, proceed });
    });
  }

  /** Reports a monitor that is entered both before and after another one. */
  #checkOrder(monitor: Monitor, env: JNIEnv): void {
    for (const held of this.#monitors.values()) {
      if (held.owner !== env || held === monitor) continue;
      const later = this.#after.get(held.id) ?? new Set();
      this.#after.set(held.id, later.add(monitor.id));
      if (!this.#after.get(monitor.id)?.has(held.id)) continue;
      const [first, second] = [held.name, monitor.name].sort();
      this.#state.warn({
        rule: 'lock-order',
        place: '§1.5',
        message: `raw monitors '${first}' and '${second}' are entered in both orders, which may end in a deadlock`,
      });
    }
  }

  exit(id: JVMPI_RawMonitor): void {
    const monitor = this.#monitor(id, 'Exit');
    if (monitor === undefined || !this.#isOwner(monitor, 'Exit')) return;
    monitor.entries--;
    if (monitor.entries === 0) this.#pass(monitor);
  }

  /** Gives a monitor to the thread that waits longest to enter it. */
  #pass(monitor: Monitor): void {
    const { owner } = monitor;
    const next = monitor.entering.shift();
    monitor.owner = next?.env;
    monitor.entries = next?.entries ?? 0;
    if (next === undefined) return;
    this.#send(monitor, makeEvent('RAW_MONITOR_CONTENDED_EXIT', owner ?? 0, contents(monitor)));
    next.proceed();
  }

  #isOwner(monitor: Monitor, name: 'Exit' | 'NotifyAll' | 'Destroy'): boolean {
    if (monitor.owner === current().env) return true;
    this.#state.broke({
      rule: 'raw-monitor',
      place: `§2 RawMonitor${name}`,
      message: `RawMonitor${name} by a thread that is not in the monitor '${monitor.name}'`,
    });
    return false;
  }

  async wait(id: JVMPI_RawMonitor, ms: number): Promise<void> {
    const monitor = this.#monitor(id, 'Wait');
    const { env } = current();
    // As with HotSpot: a thread that is not in the monitor does not wait.
    if (monitor === undefined || monitor.owner !== env) return;
    const { entries } = monitor;
    await new Promise<void>((resolve) => {
      const waiter: Waiter = { env, entries, proceed: resolve };
      monitor.waiting.add(waiter);
      if (ms > 0) setTimeout(() => this.#wake(monitor, waiter), ms);
      this.#pass(monitor);
    });
  }

  /** Lets a waiting thread enter again. */
  #wake(monitor: Monitor, waiter: Waiter): void {
    if (!monitor.waiting.delete(waiter)) return;
    monitor.entering.push(waiter);
    if (monitor.owner === undefined) this.#passFree(monitor);
  }

  #passFree(monitor: Monitor): void {
    const next = monitor.entering.shift();
    if (next === undefined) return;
    monitor.owner = next.env;
    monitor.entries = next.entries;
    next.proceed();
  }

  notifyAll(id: JVMPI_RawMonitor): void {
    const monitor = this.#monitor(id, 'NotifyAll');
    if (monitor === undefined || !this.#isOwner(monitor, 'NotifyAll')) return;
    for (const waiter of [...monitor.waiting]) this.#wake(monitor, waiter);
  }

  destroy(id: JVMPI_RawMonitor): void {
    const monitor = this.#monitor(id, 'Destroy');
    if (monitor === undefined) return;
    if (monitor.owner !== undefined && !this.#isOwner(monitor, 'Destroy')) return;
    this.#monitors.delete(id);
  }

  /** All monitors that a thread is in, or waits for, as MONITOR_DUMP has them. */
  states(): readonly MonitorRecord[] {
    return [...this.#monitors.values()]
      .filter(({ owner, waiting }) => owner !== undefined || waiting.size > 0)
      .map(({ id, name, owner, entries, entering, waiting }) => ({
        tag: 0x02,
        id,
        name,
        owner: owner ?? 0,
        entries,
        entering: entering.map(({ env }) => env),
        waiting: [...waiting].map(({ env }) => env),
      }));
  }
}
