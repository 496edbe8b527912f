/** Hands events to an agent in the order of their thread: one that a handler is not done with stops those behind it. */
import type { VmEvent } from '../../formats/jvmpi/document/index.js';
import type { JvmpiHost } from '../jvmpi/host.js';

export class Delivery {
  readonly #host: JvmpiHost;
  readonly #pending = new Map<number, Promise<void>>();
  failure: unknown;

  constructor(host: JvmpiHost) {
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
    if (before === undefined) return this.#now(event);
    return this.#keep(
      event.env_id,
      before.then(() => this.#now(event)),
    );
  }

  /** An agent that threw gets nothing more. */
  #now(event: VmEvent): void | Promise<void> {
    if (this.failure !== undefined) return undefined;
    try {
      const done = this.#host.deliver(event);
      return done instanceof Promise ? this.#keep(event.env_id, done) : undefined;
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

  async all(): Promise<void> {
    while (this.#pending.size > 0) await Promise.all(this.#pending.values());
  }
}
