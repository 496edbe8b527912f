/** cpu=times and cpu=old: the tree of calls, with the time in each method itself. */
import type { AgentSetup, JVMPI_CallFrame } from 'kansoku/jvmpi';
import type { Arc, Row } from './output.ts';
import type { Profile } from './profile.ts';

const NS_PER_MS = 1e6;

/** A method on the stack of a thread, under its caller. */
interface Call {
  readonly method: number;
  readonly above: Call | undefined;
  readonly below: Map<number, Call>;
  calls: number;
  /** Ns since the last dump. */
  self: number;
}

function newCall(method: number, above: Call | undefined): Call {
  return { method, above, below: new Map(), calls: 0, self: 0 };
}

export class Calls {
  readonly #profile: Profile;
  readonly #roots = new Map<number, Call>();
  /** Where a thread is, and since when. */
  readonly #running = new Map<number, { at: Call; since: number }>();

  constructor(profile: Profile, { on }: AgentSetup) {
    this.#profile = profile;
    on('METHOD_ENTRY', ({ method_id }, { env_id, moment }) => {
      const state = this.#spend(env_id, moment?.time ?? 0);
      let call = state.at.below.get(method_id);
      if (call === undefined) {
        call = newCall(method_id, state.at);
        state.at.below.set(method_id, call);
      }
      state.at = call;
    });
    on('METHOD_EXIT', ({ method_id }, { env_id, moment }) => {
      const state = this.#spend(env_id, moment?.time ?? 0);
      // What was entered before the events began has no call here.
      if (state.at.method !== method_id || state.at.above === undefined) return;
      state.at.calls++;
      state.at = state.at.above;
    });
  }

  #spend(env: number, time: number): { at: Call; since: number } {
    let state = this.#running.get(env);
    if (state === undefined) {
      const root = newCall(0, undefined);
      this.#roots.set(env, root);
      state = { at: root, since: time };
      this.#running.set(env, state);
    }
    state.at.self += time - state.since;
    state.since = time;
    return state;
  }

  /** All calls, each with its thread; a call comes before what it calls. */
  *#all(): Generator<readonly [number, Call]> {
    for (const [env, root] of this.#roots) {
      const left = [...root.below.values()];
      for (let call = left.pop(); call !== undefined; call = left.pop()) {
        yield [env, call];
        left.push(...call.below.values());
      }
    }
  }

  /** By trace, without lines: events of methods have none. */
  rows(): Row[] {
    const { depth } = this.#profile.options;
    const rows = new Map<number, Row>();
    for (const [env, call] of this.#all()) {
      const frames: JVMPI_CallFrame[] = [];
      for (let at: Call | undefined = call; at?.above !== undefined && frames.length < depth; at = at.above)
        frames.push({ method_id: at.method, lineno: -1 });
      const trace = this.#profile.trace(env, frames);
      const { value = 0, count = 0 } = rows.get(trace.serial) ?? {};
      const name = this.#profile.methodName(call.method);
      rows.set(trace.serial, { trace, name, value: value + call.self / NS_PER_MS, count: count + call.calls });
    }
    return [...rows.values()];
  }

  /** By callee and caller, with the time of the callee and what it called. */
  arcs(): Arc[] {
    const all = [...this.#all()].map(([, call]) => call);
    const inclusive = new Map(all.map((call) => [call, call.self]));
    for (const call of all.reverse())
      if (call.above?.above !== undefined)
        inclusive.set(call.above, (inclusive.get(call.above) ?? 0) + (inclusive.get(call) ?? 0));
    const arcs = new Map<string, Arc>();
    for (const call of all) {
      const callee = this.#described(call.method, '<unknown callee>');
      const caller = call.above?.above === undefined ? '<unknown caller>' : this.#described(call.above.method, '');
      const arc = arcs.get(`${callee} ${caller}`) ?? { callee, caller, calls: 0, time: 0 };
      arcs.set(`${callee} ${caller}`, arc);
      arc.calls += call.calls;
      arc.time += (inclusive.get(call) ?? 0) / NS_PER_MS;
    }
    return [...arcs.values()].filter(({ calls }) => calls > 0).sort((a, b) => b.calls - a.calls);
  }

  #described(id: number, unknown: string): string {
    const method = this.#profile.methods.get(id);
    return method === undefined ? unknown : `${method.of.name}.${method.name}${method.signature}`;
  }

  /** Times begin again with each dump, calls go on. */
  clear(): void {
    for (const [, call] of this.#all()) call.self = 0;
  }
}
