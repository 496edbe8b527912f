/** cpu=samples: stacks of the threads that ran since the sample before. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { AgentSetup, JVMPI_Interface } from 'kansoku/jvmpi';
import type { Row } from './output.ts';
import type { Profile, Trace } from './profile.ts';

export class Samples {
  readonly #profile: Profile;
  /** Samples of each trace, and those since the last dump. */
  readonly #counts = new Map<Trace, { all: number; own: number }>();
  isOver = false;

  constructor(profile: Profile, { on, jvmpi }: AgentSetup) {
    this.#profile = profile;
    on('JVM_INIT_DONE', () => void jvmpi.CreateSystemThread('HPROF cpu sampling thread', 10, () => this.#run(jvmpi)));
  }

  async #run(jvmpi: JVMPI_Interface): Promise<void> {
    for (;;) {
      await sleep(this.#profile.options.interval);
      if (this.isOver) return;
      this.#sample(jvmpi);
    }
  }

  #sample(jvmpi: JVMPI_Interface): void {
    jvmpi.DisableGC();
    const all = [...this.#profile.threads].flatMap(([env, { ended }]) => (ended ? [] : [env]));
    const suspended = jvmpi.SuspendThreadList(all);
    for (const [place, env_id] of all.entries()) {
      if (suspended[place] !== 0 || !jvmpi.ThreadHasRun(env_id)) continue;
      const stack = { env_id, num_frames: 0, frames: [] };
      jvmpi.GetCallTrace(stack, this.#profile.options.depth);
      if (stack.num_frames > 0) this.#count(this.#profile.trace(env_id, stack.frames));
    }
    jvmpi.ResumeThreadList(all.filter((_, place) => suspended[place] === 0));
    jvmpi.EnableGC();
  }

  #count(trace: Trace): void {
    const count = this.#counts.get(trace) ?? { all: 0, own: 0 };
    this.#counts.set(trace, count);
    count.all++;
    count.own++;
  }

  rows(): Row[] {
    return [...this.#counts].map(([trace, { all, own }]) => {
      const [frame] = trace.frames;
      const name = frame === undefined ? '<empty trace>' : this.#profile.methodName(frame.method_id);
      return { trace, value: own, count: all, name };
    });
  }

  clear(): void {
    for (const count of this.#counts.values()) count.own = 0;
  }
}
