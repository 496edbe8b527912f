/** A VM that follows a script: it has the threads, classes and objects that a test gives it, and keeps what it was asked. */
import type {
  EventContents,
  EventName,
  JVMPI_CallFrame,
  JVMPI_Event,
  VmEvent,
} from '../../../formats/jvmpi/document/index.js';
import { JVMPI_FAIL, JVMPI_SUCCESS, makeEvent } from '../../../formats/jvmpi/document/index.js';
import { JvmpiHost } from '../host.js';
import type { EventWants, JVMPI_Interface } from '../interface.js';
import type { Requested, Vm } from '../vm.js';

/** A thread of the script; `cpu` and `status` may change during a test. */
export interface FakeThread {
  readonly env: number;
  readonly object: number;
  readonly trace: readonly JVMPI_CallFrame[];
  cpu: number;
  status: number;
  suspended: boolean;
}

export class FakeVm implements Vm {
  readonly form = { idSize: 8, byteOrder: 'little' } as const;
  readonly threads = new Map<number, FakeThread>();
  readonly requestable = new Map<string, VmEvent>();
  readonly methods = new Map<number, number>();
  /** Events that this VM cannot send, with the code that it gives. */
  readonly refused = new Map<EventName, number>();
  readonly asked: string[] = [];
  /** What `runGC` does. */
  onGc: () => void = () => undefined;
  #last = 100;

  addThread(env: number, object: number, more: Partial<FakeThread> = {}): FakeThread {
    const thread = { env, object, trace: [], cpu: 0, status: 1, suspended: false, ...more };
    this.threads.set(env, thread);
    return thread;
  }

  enable(event: EventName, wants: EventWants): number {
    this.asked.push(`enable ${event} ${JSON.stringify(wants)}`);
    return this.refused.get(event) ?? JVMPI_SUCCESS;
  }

  disable(event: EventName): number {
    this.asked.push(`disable ${event}`);
    return this.refused.get(event) ?? JVMPI_SUCCESS;
  }

  request(event: EventName, arg: number): Requested {
    this.asked.push(`request ${event} ${arg}`);
    const refused = this.refused.get(event);
    if (refused !== undefined) return { code: refused };
    const found = this.requestable.get(`${event} ${arg}`);
    return found === undefined ? { code: JVMPI_FAIL } : { code: JVMPI_SUCCESS, event: found };
  }

  callTrace(env: number, depth: number): readonly JVMPI_CallFrame[] | undefined {
    return this.threads.get(env)?.trace.slice(0, depth);
  }

  exit(code: number): void {
    this.asked.push(`exit ${code}`);
  }

  cpuTime(env: number): number | undefined {
    return this.threads.get(env)?.cpu;
  }

  #suspended(envs: readonly number[], suspended: boolean): number[] {
    return envs.map((env) => {
      const thread = this.threads.get(env);
      // JVMTI: 10 invalid, 13 not suspended, 14 suspended already.
      if (thread === undefined) return 10;
      if (thread.suspended === suspended) return suspended ? 14 : 13;
      thread.suspended = suspended;
      return 0;
    });
  }

  suspend(envs: readonly number[]): readonly number[] {
    return this.#suspended(envs, true);
  }

  resume(envs: readonly number[]): readonly number[] {
    return this.#suspended(envs, false);
  }

  status(env: number): number | undefined {
    return this.threads.get(env)?.status;
  }

  runGC(): void {
    this.asked.push('gc');
    this.onGc();
  }

  threadObject(env: number): number {
    return this.threads.get(env)?.object ?? 0;
  }

  methodClass(method: number): number {
    return this.methods.get(method) ?? 0;
  }

  startThread(name: string, priority: number): number | undefined {
    this.asked.push(`thread ${name} ${priority}`);
    if (this.refused.has('THREAD_START')) return undefined;
    return this.addThread(++this.#last, 0).env;
  }

  endThread(env: number): void {
    this.asked.push(`end ${env}`);
  }

  handleOf(object: number): number {
    return object === 0 ? 0 : object + 1000;
  }

  objectOf(handle: number): number {
    return handle === 0 ? 0 : handle - 1000;
  }
}

/** A VM with an agent that keeps its events, and calls `handler` with each. */
export class Scene {
  readonly vm = new FakeVm();
  readonly host: JvmpiHost;
  readonly events: JVMPI_Event[] = [];
  handler: (event: JVMPI_Event) => void | Promise<void> = () => undefined;
  readonly jvmpi: JVMPI_Interface;

  constructor(lenient = false) {
    this.host = new JvmpiHost(this.vm, { lenient });
    const box: { env?: JVMPI_Interface } = {};
    this.host.load(
      {
        JVM_OnLoad: (jvm) => {
          jvm.GetEnv(box, 0x10000001);
          if (box.env === undefined) return -1;
          box.env.NotifyEvent = (event) => {
            this.events.push(event);
            return this.handler(event);
          };
          return 0;
        },
      },
      '',
    );
    if (box.env === undefined) throw new Error('no interface');
    this.jvmpi = box.env;
  }

  /** Sends an event of the VM. */
  send<Name extends EventName>(name: Name, env: number, u: EventContents[Name]): void | Promise<void> {
    return this.host.deliver(makeEvent(name, env, u));
  }

  /** Sends an event, and gives what `code` gives in its handler. */
  in<Name extends EventName, Result>(name: Name, env: number, u: EventContents[Name], code: () => Result): Result {
    const results: Result[] = [];
    this.handler = () => {
      results.push(code());
    };
    this.host.enabled.add(name);
    void this.send(name, env, u);
    this.handler = () => undefined;
    const [result] = results;
    if (results.length !== 1 || result === undefined) throw new Error(`no result in the handler of ${name}`);
    return result;
  }
}
