/**
 * The HPROF agent of the JVMPI document (§7, §8.2): profiles as HPROF text. Options, as those of `-Xrunhprof`:
 * `cpu=samples|times`, `heap=sites`, `monitor=y`, `depth=4`, `interval=10` (ms), `cutoff=0.0001`, `thread=n`, `lineno=y`, `doe=y`,
 * `file=java.hprof.txt`. SIGQUIT writes the profile so far.
 */
import { appendFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AgentSetup, agent, type JVMPI_CallFrame, type JVMPI_Interface } from 'kansoku/jvmpi';

const DEFAULTS: Readonly<Record<string, string>> = {
  cpu: 'n',
  heap: 'n',
  monitor: 'n',
  depth: '4',
  interval: '10',
  cutoff: '0.0001',
  thread: 'n',
  lineno: 'y',
  doe: 'y',
  file: 'java.hprof.txt',
  format: 'a',
};
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  cpu: ['n', 'samples', 'y', 'times'],
  heap: ['n', 'sites'],
  format: ['a'],
};
const KINDS = ['', '', 'java.lang.Object[]', '', 'boolean[]', 'char[]', 'float[]', 'double[]', 'byte[]', 'short[]', 'int[]', 'long[]'];

function optionsOf(text: string): Readonly<Record<string, string>> {
  const given: Record<string, string> = { ...DEFAULTS };
  for (const word of text.split(',').filter((each) => each !== '')) {
    const [key = '', value = ''] = word.split('=', 2);
    if (DEFAULTS[key] === undefined) throw new Error(`unknown option of the HPROF agent: ${word}`);
    if (ALLOWED[key]?.includes(value) === false) throw new Error(`${word}: this agent has ${key}=${ALLOWED[key]?.join('|')}`);
    given[key] = value;
  }
  return given;
}

/** A method on the stack of a thread, under its caller. */
interface Call {
  readonly method: number;
  readonly above: Call | undefined;
  readonly below: Map<number, Call>;
  calls: number;
  /** ns */
  self: number;
}

/** Rows of a section: value and count by trace. */
type Row = { trace: number; value: number; count: number; name: string };

class Profile {
  readonly options: Readonly<Record<string, string>>;
  readonly depth: number;
  readonly methods = new Map<number, { readonly of: string; readonly name: string; readonly source: string }>();
  readonly classes = new Map<number, string>();
  readonly threads = new Map<number, number>();
  readonly samples = new Map<number, number>();
  readonly contended = new Map<number, { time: number; count: number }>();
  readonly sites = new Map<string, { type: string; trace: number; live: number; objects: number; bytes: number; all: number }>();
  readonly objects = new Map<number, { site: string; size: number }>();
  readonly roots = new Map<number, Call>();
  /** Where a thread is, and since when. */
  readonly running = new Map<number, { at: Call; since: number }>();
  /** Traces by their lines, those that were written, and whether threads count. */
  readonly #traces = new Map<string, number>();
  readonly ended = new Set<number>();
  isOver = false;
  readonly #written = new Set<number>();
  #out = '';

  constructor(options: Readonly<Record<string, string>>) {
    this.options = options;
    this.depth = Number(options.depth);
    writeFileSync(this.file, `JAVA PROFILE 1.0.1, created ${dateText()}\n\n--------\n\n`);
  }

  get file(): string {
    return this.options.file ?? '';
  }

  say(text: string): void {
    this.#out += text;
    if (this.#out.length > 1 << 16) this.flush();
  }

  flush(): void {
    appendFileSync(this.file, this.#out);
    this.#out = '';
  }

  methodName(id: number): string {
    const method = this.methods.get(id);
    return method === undefined ? `<Unknown Method>` : `${method.of}.${method.name}`;
  }

  #line(lineno: number): string {
    if (lineno === -3) return 'Native method';
    return lineno > 0 && this.options.lineno === 'y' ? String(lineno) : 'Unknown line';
  }

  /** The number of a trace, whose innermost frame is the first. */
  trace(env: number, frames: readonly JVMPI_CallFrame[]): number {
    const lines = frames.slice(0, this.depth).map(({ method_id, lineno }) => {
      const source = this.methods.get(method_id)?.source ?? '';
      return `\t${this.methodName(method_id)}(${source === '' ? '<Unknown Source>' : source}:${this.#line(lineno)})\n`;
    });
    const of = this.options.thread === 'y' ? ` (thread=${this.threads.get(env) ?? 0})` : '';
    const text = `${of}\n${lines.length === 0 ? '\t<empty>\n' : lines.join('')}`;
    const known = this.#traces.get(text);
    if (known !== undefined) return known;
    const trace = 300001 + this.#traces.size;
    this.#traces.set(text, trace);
    return trace;
  }

  /** Rows with the names of the innermost methods of their traces. */
  named(rows: readonly Row[]): Row[] {
    const names = new Map([...this.#traces].map(([text, trace]) => [trace, /\n\t(.*?)\(/.exec(text)?.[1] ?? '']));
    return rows.map((row) => ({ ...row, name: names.get(row.trace) ?? '' }));
  }

  /** Writes traces that were not written before. */
  writeTraces(wanted: ReadonlySet<number>): void {
    for (const [text, trace] of this.#traces) {
      if (!wanted.has(trace) || this.#written.has(trace)) continue;
      this.#written.add(trace);
      this.say(`TRACE ${trace}:${text}`);
    }
  }

  /** A section of rows by trace, the largest value first. */
  section(title: string, end: string, total: number, rows: readonly Row[]): void {
    const cutoff = Number(this.options.cutoff);
    const shown = rows.filter(({ value }) => value > 0 && value >= cutoff * total).sort((a, b) => b.value - a.value);
    this.writeTraces(new Set(shown.map(({ trace }) => trace)));
    this.say(`${title} ${dateText()}\nrank   self  accum   count trace ${end === 'MONITOR TIME' ? 'monitor' : 'method'}\n`);
    let sum = 0;
    shown.forEach(({ trace, value, count, name }, place) => {
      sum += value;
      this.say(`${right(place + 1, 4)} ${share(value, total)} ${share(sum, total)} ${right(count, 7)} ${trace} ${name}\n`);
    });
    this.say(`${end} END\n`);
  }
}

const right = (value: number, width: number): string => String(value).padStart(width);
const share = (value: number, total: number): string => `${((100 * value) / Math.max(total, 1)).toFixed(2).padStart(5)}%`;
/** `Sat Nov 21 01:50:16 2026` */
const dateText = (): string => {
  const [day, month, date, year, time] = new Date().toString().split(' ');
  return `${day} ${month} ${date} ${time} ${year}`;
};
const sumOf = (rows: readonly Row[]): number => rows.reduce((sum, { value }) => sum + value, 0);

function registerNames(profile: Profile, { on }: AgentSetup): void {
  on('CLASS_LOAD', ({ class_id, class_name, source_name, methods }) => {
    profile.classes.set(class_id, class_name);
    for (const { method_id, method_name } of methods)
      profile.methods.set(method_id, { of: class_name, name: method_name, source: source_name });
  });
  on('THREAD_START', ({ thread_env_id, thread_id, thread_name, group_name }) => {
    const id = 200001 + profile.threads.size;
    profile.threads.set(thread_env_id, id);
    profile.say(`THREAD START (obj=${thread_id.toString(16)}, id = ${id}, name="${thread_name}", group="${group_name}")\n`);
  });
  on('THREAD_END', (_, { env_id }) => {
    profile.ended.add(env_id);
    profile.say(`THREAD END (id = ${profile.threads.get(env_id) ?? 0})\n`);
  });
}

/** cpu=samples: stacks of threads that ran since the sample before. */
async function sample(profile: Profile, jvmpi: JVMPI_Interface): Promise<void> {
  for (;;) {
    await sleep(Number(profile.options.interval));
    if (profile.isOver) return;
    jvmpi.DisableGC();
    const all = [...profile.threads.keys()].filter((env) => !profile.ended.has(env));
    const suspended = jvmpi.SuspendThreadList(all);
    for (const [place, env_id] of all.entries()) {
      if (suspended[place] !== 0 || !jvmpi.ThreadHasRun(env_id)) continue;
      const trace = { env_id, num_frames: 0, frames: [] };
      jvmpi.GetCallTrace(trace, profile.depth);
      if (trace.num_frames === 0) continue;
      const number = profile.trace(env_id, trace.frames);
      profile.samples.set(number, (profile.samples.get(number) ?? 0) + 1);
    }
    jvmpi.ResumeThreadList(all.filter((_, place) => suspended[place] === 0));
    jvmpi.EnableGC();
  }
}

/** cpu=times: the tree of calls, with the time in each method itself. */
function registerTimes(profile: Profile, { on }: AgentSetup): void {
  const spend = (env: number, time: number): { at: Call; since: number } => {
    let state = profile.running.get(env);
    if (state === undefined) {
      const root: Call = { method: 0, above: undefined, below: new Map(), calls: 0, self: 0 };
      profile.roots.set(env, root);
      state = { at: root, since: time };
      profile.running.set(env, state);
    }
    state.at.self += time - state.since;
    state.since = time;
    return state;
  };
  on('METHOD_ENTRY', ({ method_id }, { env_id, moment }) => {
    const state = spend(env_id, moment?.time ?? 0);
    let call = state.at.below.get(method_id);
    if (call === undefined) {
      call = { method: method_id, above: state.at, below: new Map(), calls: 0, self: 0 };
      state.at.below.set(method_id, call);
    }
    state.at = call;
  });
  on('METHOD_EXIT', ({ method_id }, { env_id, moment }) => {
    const state = spend(env_id, moment?.time ?? 0);
    // What was entered before the events began has no call here.
    if (state.at.method !== method_id || state.at.above === undefined) return;
    state.at.calls++;
    state.at = state.at.above;
  });
}

function timesOf(profile: Profile): Row[] {
  const rows = new Map<number, Row>();
  const add = (env: number, call: Call): void => {
    const frames: JVMPI_CallFrame[] = [];
    for (let at: Call | undefined = call; at?.above !== undefined && frames.length < profile.depth; at = at.above)
      frames.push({ method_id: at.method, lineno: -1 });
    const trace = profile.trace(env, frames);
    const row = rows.get(trace) ?? { trace, value: 0, count: 0, name: profile.methodName(call.method) };
    rows.set(trace, row);
    row.value += call.self / 1e6;
    row.count += call.calls;
  };
  for (const [env, root] of profile.roots) {
    const left = [...root.below.values()];
    for (let call = left.pop(); call !== undefined; call = left.pop()) {
      add(env, call);
      left.push(...call.below.values());
    }
  }
  return [...rows.values()];
}

/** heap=sites: what each stack allocated, and what of it lives. */
function registerSites(profile: Profile, { on }: AgentSetup): void {
  on(
    'OBJECT_ALLOC',
    ({ class_id, is_array, size, obj_id }, { env_id, moment }) => {
      const type = is_array === 0 ? (profile.classes.get(class_id) ?? '<Unknown Class>') : (KINDS[is_array] ?? '');
      const trace = profile.trace(env_id, moment?.trace ?? []);
      const key = `${trace} ${type}`;
      const site = profile.sites.get(key) ?? { type, trace, live: 0, objects: 0, bytes: 0, all: 0 };
      profile.sites.set(key, site);
      site.live += size;
      site.objects++;
      site.bytes += size;
      site.all++;
      profile.objects.set(obj_id, { site: key, size });
    },
    { trace: profile.depth },
  );
  on('OBJECT_FREE', ({ obj_id }) => {
    const object = profile.objects.get(obj_id);
    const site = profile.sites.get(object?.site ?? '');
    profile.objects.delete(obj_id);
    if (object === undefined || site === undefined) return;
    site.live -= object.size;
    site.objects--;
  });
}

function writeSites(profile: Profile): void {
  const all = [...profile.sites.values()];
  const total = all.reduce((sum, { live }) => sum + live, 0);
  const shown = all.filter(({ live }) => live > 0 && live >= Number(profile.options.cutoff) * total);
  shown.sort((a, b) => b.live - a.live);
  profile.writeTraces(new Set(shown.map(({ trace }) => trace)));
  profile.say(`SITES BEGIN (ordered by live bytes) ${dateText()}\n`);
  profile.say("          percent          live          alloc'ed  stack class\n");
  profile.say(' rank   self  accum     bytes objs     bytes  objs trace name\n');
  let sum = 0;
  shown.forEach(({ type, trace, live, objects, bytes, all: count }, place) => {
    sum += live;
    const shares = `${share(live, total)} ${share(sum, total)}`;
    profile.say(`${right(place + 1, 5)} ${shares} ${right(live, 9)} ${right(objects, 4)} ${right(bytes, 9)} ${right(count, 5)} ${trace} ${type}\n`);
  });
  profile.say('SITES END\n');
}

/** monitor=y: how long threads waited to enter, by where they did. */
function registerMonitors(profile: Profile, { on }: AgentSetup): void {
  const began = new Map<number, { trace: number; time: number }>();
  on(
    'MONITOR_CONTENDED_ENTER',
    (_, { env_id, moment }) => {
      began.set(env_id, { trace: profile.trace(env_id, moment?.trace ?? []), time: moment?.time ?? 0 });
    },
    { trace: profile.depth },
  );
  on('MONITOR_CONTENDED_ENTERED', (_, { env_id, moment }) => {
    const start = began.get(env_id);
    if (start === undefined) return;
    const known = profile.contended.get(start.trace) ?? { time: 0, count: 0 };
    profile.contended.set(start.trace, known);
    known.time += ((moment?.time ?? 0) - start.time) / 1e6;
    known.count++;
  });
}

function writeAll(profile: Profile): void {
  const { cpu, heap, monitor } = profile.options;
  if (heap === 'sites') writeSites(profile);
  if (cpu === 'samples' || cpu === 'y') {
    const rows = [...profile.samples].map(([trace, value]) => ({ trace, value, count: value, name: '' }));
    const total = sumOf(rows);
    profile.section(`CPU SAMPLES BEGIN (total = ${total})`, 'CPU SAMPLES', total, profile.named(rows));
    profile.samples.clear();
  }
  if (cpu === 'times') {
    const rows = timesOf(profile);
    const total = sumOf(rows);
    profile.section(`CPU TIME (ms) BEGIN (total = ${Math.round(total)})`, 'CPU TIME (ms)', total, rows);
  }
  if (monitor === 'y') {
    const rows = [...profile.contended].map(([trace, { time, count }]) => ({ trace, value: time, count, name: '(Java)' }));
    const total = sumOf(rows);
    profile.section(`MONITOR TIME BEGIN (total = ${Math.round(total)} ms)`, 'MONITOR TIME', total, rows);
  }
  profile.flush();
}

export const { JVM_OnLoad } = agent((setup) => {
  const { on, jvmpi } = setup;
  const profile = new Profile(optionsOf(setup.options));
  const { cpu, heap, monitor, doe } = profile.options;
  registerNames(profile, setup);
  if (cpu === 'samples' || cpu === 'y')
    on('JVM_INIT_DONE', () => void jvmpi.CreateSystemThread('HPROF cpu sampling thread', 10, () => sample(profile, jvmpi)));
  if (cpu === 'times') registerTimes(profile, setup);
  if (heap === 'sites') registerSites(profile, setup);
  if (monitor === 'y') registerMonitors(profile, setup);
  on('DATA_DUMP_REQUEST', () => writeAll(profile));
  on('JVM_SHUT_DOWN', () => {
    profile.isOver = true;
    if (doe === 'y') writeAll(profile);
    else profile.flush();
  });
});
