/** monitor=y: waits, how long threads waited to enter, and the monitors of a moment. */
import {
  type AgentSetup,
  type DumpForm,
  type EventContents,
  JVMPI_EVENT_MONITOR_DUMP,
  JVMPI_THREAD_CONDVAR_WAIT,
  JVMPI_THREAD_INTERRUPTED,
  JVMPI_THREAD_MONITOR_WAIT,
  JVMPI_THREAD_SUSPENDED,
  readMonitors,
} from 'kansoku/jvmpi';
import type { Monitor, Output, Row } from './output.ts';
import type { Profile, Trace } from './profile.ts';

const NS_PER_MS = 1e6;
/** Ids in dumps of the VM. */
const FORM: DumpForm = { idSize: 8, byteOrder: 'little' };
const STATE_BITS = 0xfff;

type Dump = EventContents['MONITOR_DUMP']['monitor_dump'];

/** `R`, `S|CW` */
function statusOf(status: number): string {
  const state = status & STATE_BITS;
  const word = state === JVMPI_THREAD_MONITOR_WAIT ? 'MW' : state === JVMPI_THREAD_CONDVAR_WAIT ? 'CW' : 'R';
  const suspended = (status & JVMPI_THREAD_SUSPENDED) === 0 ? '' : 'S|';
  return `${suspended}${(status & JVMPI_THREAD_INTERRUPTED) === 0 ? '' : 'intr|'}${word}`;
}

export class Monitors {
  readonly #profile: Profile;
  readonly #setup: AgentSetup;
  readonly #began = new Map<number, { readonly trace: Trace; readonly time: number }>();
  readonly #contended = new Map<string, { trace: Trace; name: string; time: number; count: number }>();
  #dump: Dump | undefined;

  constructor(profile: Profile, setup: AgentSetup, out: Output) {
    this.#profile = profile;
    this.#setup = setup;
    setup.on(
      'MONITOR_CONTENDED_ENTER',
      (_, { env_id, moment }) => {
        const trace = profile.trace(env_id, moment?.trace ?? []);
        this.#began.set(env_id, { trace, time: moment?.time ?? 0 });
      },
      { trace: profile.options.depth },
    );
    setup.on('MONITOR_CONTENDED_ENTERED', ({ object }, { env_id, moment }) =>
      this.#entered(object, env_id, moment?.time ?? 0),
    );
    setup.on('MONITOR_WAIT', ({ object, timeout }, { env_id }) =>
      out.wait({ monitor: this.#named(object), timeout, thread: profile.threadSerial(env_id) }),
    );
    setup.on('MONITOR_WAITED', ({ object, timeout }, { env_id }) => {
      // The text has no line for the end of a sleep.
      if (object === 0) return;
      out.wait({ monitor: this.#named(object), waited: timeout, thread: profile.threadSerial(env_id) });
    });
    setup.onRequested('MONITOR_DUMP', (dump) => {
      this.#dump = dump;
    });
  }

  /** `java.lang.Object(1f)` */
  #named(object: number): string | undefined {
    return object === 0 ? undefined : `${this.#profile.typeOf(object)}(${object.toString(16)})`;
  }

  #entered(object: number, env: number, time: number): void {
    const start = this.#began.get(env);
    if (start === undefined) return;
    this.#began.delete(env);
    const key = `${start.trace.serial} ${object}`;
    const name = `${this.#named(object) ?? ''} (Java)`;
    const known = this.#contended.get(key) ?? { trace: start.trace, name, time: 0, count: 0 };
    this.#contended.set(key, known);
    known.time += time - start.time;
    known.count++;
  }

  rows(): Row[] {
    return [...this.#contended.values()].map(({ trace, name, time, count }) => ({
      trace,
      name,
      value: time / NS_PER_MS,
      count,
    }));
  }

  /** Times begin again with each dump, counts go on. */
  clear(): void {
    for (const known of this.#contended.values()) known.time = 0;
  }

  #request(): Dump | undefined {
    this.#dump = undefined;
    this.#setup.jvmpi.RequestEvent(JVMPI_EVENT_MONITOR_DUMP);
    return this.#dump;
  }

  /** Writes the monitors of this moment; the GC must be disabled. */
  write(out: Output): void {
    const dump = this.#request();
    if (dump === undefined) return;
    const serial = (env: number): number => (env === 0 ? -1 : this.#profile.threadSerial(env));
    const { data, traces, threads_status } = dump;
    const states = traces.map(({ env_id, frames }, place) => ({
      thread: serial(env_id),
      trace: this.#profile.trace(env_id, frames),
      status: statusOf(threads_status[place] ?? 0),
    }));
    const monitors = readMonitors(data, FORM).map((monitor): Monitor => {
      const isRaw = monitor.tag === 0x02;
      const name = isRaw ? `"${monitor.name}"(0x${monitor.id.toString(16)})` : (this.#named(monitor.object) ?? '');
      const { owner, entries, entering, waiting } = monitor;
      const [enter, notify] = [entering.map(serial), waiting.map(serial)];
      return { raw: isRaw, name, owner: serial(owner), entries, entering: enter, waiting: notify };
    });
    out.monitors(states, monitors);
  }
}
