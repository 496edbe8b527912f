/** How long an agent makes no call: a thread of the VM that waits for it goes on after a while. */

/** How long the VM waits for JVM_OnLoad, and a thread for a handler, since the last call: START_MS and HOLD_MS of the agent. */
export const PATIENCE_MS = 10_000;

interface Watch {
  from: number;
  longest: number;
}

export class Silence {
  readonly #watches = new Set<Watch>();

  /** From now on; what it returns ends this, and gives the longest time without a call, in ms. */
  watch(): () => number {
    const watch: Watch = { from: performance.now(), longest: 0 };
    this.#watches.add(watch);
    return () => {
      this.#note(watch);
      this.#watches.delete(watch);
      return watch.longest;
    };
  }

  /** Makes a call. */
  during<Result>(call: () => Result): Result {
    for (const watch of this.#watches) this.#note(watch);
    const result = call();
    for (const watch of this.#watches) watch.from = performance.now();
    return result;
  }

  #note(watch: Watch): void {
    watch.longest = Math.max(watch.longest, performance.now() - watch.from);
  }
}
