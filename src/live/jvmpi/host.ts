/**
 * The interface over a VM: starts an agent, gives it events in the mode that the document says, and answers its calls. Pure:
 * what the VM is, `Vm` says.
 */
import { KansokuError } from '../../base/errors.js';
import type { EventName, JNIEnv, VmEvent } from '../../formats/jvmpi/document/index.js';
import {
  EVENTS,
  eventName,
  JNI_ERR,
  JNI_EVERSION,
  JNI_OK,
  type JVMPI_Event,
  JVMPI_REQUESTED_EVENT,
  JVMPI_VERSION_1,
  JVMPI_VERSION_1_2,
  type Mode,
} from '../../formats/jvmpi/document/index.js';
import { current, runAs } from './current.js';
import { type FunctionHost, makeFunctions } from './functions.js';
import type { AgentModule, EnvBox, JavaVM, JVMPI_Interface } from './interface.js';
import { RawMonitors } from './raw-monitors.js';
import { AgentError, JvmpiState, type RuleFinding } from './state.js';
import type { Vm } from './vm.js';

/** An event whose number is that of an event, so that it can be narrowed by it. */
function isKnown(event: VmEvent): event is JVMPI_Event {
  return eventName(event.event_type) !== undefined;
}

export interface HostOptions {
  /** Reports calls that break a rule instead of throwing. */
  readonly lenient?: boolean;
}

export class JvmpiHost implements FunctionHost {
  readonly vm: Vm;
  readonly state: JvmpiState;
  readonly monitors: RawMonitors;
  readonly enabled = new Set<EventName>();
  readonly storage = new Map<JNIEnv, unknown>();
  /** Tasks of system threads that are not done. */
  readonly #tasks = new Set<Promise<void>>();
  #interface: JVMPI_Interface | undefined;

  constructor(vm: Vm, options: HostOptions = {}) {
    this.vm = vm;
    this.state = new JvmpiState(options.lenient ?? false);
    this.monitors = new RawMonitors(this.state, (event) => {
      const name = eventName(event.event_type);
      if (name !== undefined && this.enabled.has(name)) void this.notify(event);
    });
  }

  /** Whether the code of a system thread is not done. */
  get isBusy(): boolean {
    return this.#tasks.size > 0;
  }

  get findings(): readonly RuleFinding[] {
    return this.state.findings;
  }

  /** Runs `JVM_OnLoad` of an agent. Throws what it throws, or if it succeeds without having set NotifyEvent. */
  load(agent: AgentModule, options: string): number {
    const jvm: JavaVM = { GetEnv: (box, version) => this.#getEnv(box, version) };
    const code = runAs({ env: 0, mode: 'multi' }, () => agent.JVM_OnLoad(jvm, options));
    if (code !== JNI_OK) return JNI_ERR;
    if (this.#interface?.NotifyEvent === undefined)
      throw new AgentError('JVM_OnLoad returned JNI_OK, but NotifyEvent of the interface is not set (JVMPI §1.2)');
    return JNI_OK;
  }

  #getEnv(box: EnvBox, version: number): number {
    if (version < JVMPI_VERSION_1 || version > JVMPI_VERSION_1_2) return JNI_EVERSION;
    this.#interface ??= makeFunctions(this);
    box.env = this.#interface;
    return JNI_OK;
  }

  /** Gives an event of the VM to the agent, if it is enabled. The promise is of a handler that is not done. */
  deliver(event: VmEvent): void | Promise<void> {
    const name = eventName(event.event_type);
    if (name === undefined) throw new KansokuError(`event ${event.event_type} is unknown to JVMPI`);
    this.state.before(event);
    const done = this.enabled.has(name) ? this.notify(event) : undefined;
    this.#after(name, event);
    return done;
  }

  /** Gives an event that was requested. It arrives on the thread that asked. */
  deliverRequested(event: VmEvent): void {
    this.state.before(event);
    void this.notify({ ...event, env_id: current().env, event_type: event.event_type | JVMPI_REQUESTED_EVENT });
  }

  #after(name: EventName, event: VmEvent): void {
    this.state.after(name, event);
    if (name === 'THREAD_END') this.storage.delete(event.env_id);
  }

  /** Calls NotifyEvent as the thread of the event. */
  notify(event: VmEvent): void | Promise<void> {
    const name = eventName(event.event_type);
    const notify = this.#interface?.NotifyEvent;
    if (name === undefined || notify === undefined || !isKnown(event)) return undefined;
    const { env_id: env, moment } = event;
    const mode: Mode = EVENTS[name].mode;
    return runAs({ env, mode, event: name, moment }, () => notify(event));
  }

  /** Runs the code of a system thread; the thread ends with it. */
  runThread(env: JNIEnv, code: () => void | Promise<void>): void {
    const task = runAs({ env, mode: 'multi' }, async () => {
      // Not at once: CreateSystemThread returns first.
      await Promise.resolve();
      try {
        await code();
      } catch (error) {
        this.onFailure(error);
      }
      this.vm.endThread(env);
    });
    this.#tasks.add(task);
    void task.finally(() => this.#tasks.delete(task));
  }

  /** Called with what the code of a system thread throws. */
  onFailure: (error: unknown) => void = (error) => {
    throw error;
  };
}
