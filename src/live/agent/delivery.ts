/** Hands events to an agent in the order of their thread: one that a handler is not done with stops those behind it. */
import type { VmEvent } from '../../formats/jvmpi/document/index.js';
import type { JvmpiHost } from '../jvmpi/host.js';
import { AgentError } from '../jvmpi/state.js';

/** How long handlers may take when no more events come. */
const LAST_MS = 10_000;

/** What events are handed to. */
type Receiver = Pick<JvmpiHost, 'deliver' | 'onFailure'>;

export class Delivery {
  readonly #host: Receiver;
  readonly #pending = new Map<number, Promise<void>>();
  failure: unknown;

  constructor(host: Receiver) {
    this.#host = host;
    host.onFailure = (error) => this.failed(error);
  }

  /** Whether a handler is not done. */
  get isBusy(): boolean {
    return this.#pending.size > 0;
  }

  failed(error: unknown): void {
    this.failure ??= error;
  }

  event(event: VmEvent): void | Promise<void> {
    const before = this.#pending.get(event.env_id);
    const done = before === undefined ? this.#now(event) : before.then(() => this.#now(event));
    return done instanceof Promise ? this.#keep(event.env_id, done) : undefined;
  }

  /** An agent that threw gets nothing more. */
  #now(event: VmEvent): void | Promise<void> {
    if (this.failure !== undefined) return undefined;
    try {
      return this.#host.deliver(event);
    } catch (error) {
      this.failed(error);
      return undefined;
    }
  }

  #keep(env: number, task: Promise<void>): Promise<void> {
    const kept = task
      .catch((error: unknown) => this.failed(error))
      .finally(() => {
        if (this.#pending.get(env) === kept) this.#pending.delete(env);
      });
    this.#pending.set(env, kept);
    return kept;
  }

  /** Waits until all handlers are done. One that still waits after 10 s, as in a monitor that nobody leaves any more, is a failure. */
  async all(): Promise<void> {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), LAST_MS);
    const over = new Promise<void>((resolve) => late.signal.addEventListener('abort', () => resolve(), { once: true }));
    while (this.#pending.size > 0 && !late.signal.aborted)
      await Promise.race([Promise.all(this.#pending.values()), over]);
    clearTimeout(timer);
    if (late.signal.aborted)
      this.failed(new AgentError(`a handler of the agent still waited ${LAST_MS / 1000} s after the last event`));
  }
}
