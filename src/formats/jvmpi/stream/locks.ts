/** Monitor dumps of a recorded stream as locks and states of threads. */
import { NONE } from '../../../base/flavor.js';
import { STATE_EVENTS, THREAD_STATES } from '../../../models/events/state.js';
import { LOCK_WAITS, type Locks, MONITOR_KINDS, MONITORS, SNAPSHOTS, WAIT_KINDS } from '../../../models/locks/locks.js';
import type { Table } from '../../../models/table.js';
import type { EventContents } from '../document/types.js';
import type { DumpForm } from '../dumps/dump-bytes.js';
import { type MonitorRecord, readMonitors } from '../dumps/monitor-dump.js';
import type { HeapWalk } from '../wire/heap-walk.js';
import type { StreamNames } from './names.js';
import { stateOf } from './status.js';

export class LockTables {
  readonly #names: StreamNames;
  readonly #snapshots = SNAPSHOTS.builder();
  readonly #monitors = MONITORS.builder();
  readonly #waits = LOCK_WAITS.builder();
  readonly #states = STATE_EVENTS.builder();

  constructor(names: StreamNames) {
    this.#names = names;
  }

  /** Adds a dump. `time`: in ms since 1970. */
  add(
    { data, traces, threads_status }: EventContents['MONITOR_DUMP']['monitor_dump'],
    form: DumpForm,
    time: number,
  ): void {
    const dump = this.#snapshots.length;
    this.#snapshots.add({ time, offset: NONE, together: 0, gaps: 0 });
    for (const monitor of readMonitors(data, form)) this.#monitor(monitor, dump);
    traces.forEach(({ env_id, frames }, place) => {
      const state = stateOf(threads_status[place] ?? 0);
      this.#states.add({
        dump,
        thread: this.#names.thread(env_id),
        stack: this.#names.stack(frames),
        state: THREAD_STATES.indexOf(state),
        status: this.#names.text(state),
      });
    });
  }

  #monitor(monitor: MonitorRecord, dump: number): void {
    const isRaw = monitor.tag === 0x02;
    const row = this.#monitors.length;
    this.#monitors.add({
      dump,
      kind: MONITOR_KINDS.indexOf(isRaw ? 'raw' : 'object'),
      name: isRaw ? this.#names.text(monitor.name) : NONE,
      address: isRaw ? monitor.id : monitor.object,
      owner: this.#names.thread(monitor.owner),
      entries: monitor.entries,
    });
    const add = (threads: readonly number[], how: (typeof WAIT_KINDS)[number]): void => {
      for (const env of threads)
        this.#waits.add({ monitor: row, thread: this.#names.thread(env), how: WAIT_KINDS.indexOf(how) });
    };
    add(monitor.entering, 'enter');
    add(monitor.waiting, 'notify');
  }

  /** Undefined if there was no dump of monitors. `walks`: dumps of the heap, which have the classes of objects. */
  finish(walks: readonly HeapWalk[]): { readonly locks: Locks; readonly states: Table } | undefined {
    if (this.#snapshots.length === 0) return undefined;
    const monitors = this.#monitors.finish();
    const { kind, class: classes, address } = MONITORS.rows(monitors);
    for (let row = 0; row < monitors.length; row++) {
      if (MONITOR_KINDS[kind[row] ?? 0] !== 'object') continue;
      const found = this.#names.objectClass(address[row] ?? 0, walks);
      if (found === undefined) continue;
      classes[row] = found.row;
      if (found.isClass) kind[row] = MONITOR_KINDS.indexOf('class');
    }
    return {
      locks: { snapshots: this.#snapshots.finish(), monitors, waits: this.#waits.finish() },
      states: this.#states.finish(),
    };
  }
}
