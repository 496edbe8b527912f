/** Events of a trace as rows: spans of threads as time along stacks, samples of V8, counters, spans that belong to no thread as ranges. */
import { NONE } from '../../base/flavor.js';
import type { ProblemLog } from '../../base/problems.js';
import { plural } from '../../base/units.js';
import { TIME_EVENTS } from '../../models/events/time.js';
import type { Profile } from '../../models/profile/profile.js';
import { StackBuilder } from '../../models/profile/stack-builder.js';
import { COUNTERS, RANGES, THREADS } from '../../models/profile/tables.js';
import { ProgramBuilder } from '../../models/program/program-builder.js';
import type { Recording } from '../../models/recording.js';
import type { Table } from '../../models/table.js';
import { isObject, member, numberOf, textOf } from '../shared/items/read-items.js';
import { sampleMetrics, THREAD_SCRIPT_SAMPLES } from '../shared/scripts/samples.js';
import { timesSince } from '../shared/times-since.js';
import { SampledProfile } from './samples.js';
import { ThreadSpans } from './spans.js';

const NS_PER_US = 1e3;
const TIMES = TIME_EVENTS.having(['thread', 'time']);

interface TraceThread {
  name: string;
  readonly pid: string;
  readonly tid: string;
  readonly row: number;
  readonly spans: ThreadSpans;
}

export class TraceModel {
  events = 0;
  /** Samples of another layout, which are not read. */
  sampleEvents = 0;
  readonly #problems: ProblemLog;
  readonly #program = new ProgramBuilder();
  readonly #stacks = new StackBuilder();
  readonly #threads = new Map<string, TraceThread>();
  readonly #processes = new Map<string, string>();
  readonly #profiles = new Map<string, SampledProfile>();
  readonly #ranges = RANGES.builder();
  readonly #counters = COUNTERS.builder();
  /** Begins of spans of no thread, by what identifies them. */
  readonly #begun = new Map<string, number>();
  #first = Number.POSITIVE_INFINITY;
  #counts = { spans: 0, async: 0, counters: 0, samples: 0, others: 0 };
  #wrong = 0;

  constructor(problems: ProblemLog) {
    this.#problems = problems;
  }

  wrong(offset: number, message: string): void {
    this.#wrong++;
    this.#problems.add({ code: 'chrome-trace-schema', severity: 'error', offset, message });
  }

  event(value: unknown, offset: number): void {
    const phase = textOf(member(value, 'ph'));
    if (!isObject(value) || phase === undefined) {
      this.wrong(offset, 'an event has no ph; it is left out');
      return;
    }
    this.events++;
    if (phase === 'M') {
      this.#metadata(value);
      return;
    }
    const time = numberOf(value.ts) ?? (textOf(value.ts) === undefined ? undefined : numberOf(Number(value.ts)));
    if (time === undefined) {
      this.wrong(offset, 'an event has no time; it is left out');
      return;
    }
    this.#first = Math.min(this.#first, time);
    this.#timed(value, phase, time, offset);
  }

  #timed(value: Readonly<Record<string, unknown>>, phase: string, time: number, offset: number): void {
    const name = textOf(value.name) ?? '';
    if (phase === 'B' || phase === 'E') {
      this.#counts.spans++;
      this.#thread(value).spans.event(this.#place(name), time, phase === 'B');
    } else if (phase === 'X') {
      const duration = numberOf(value.dur) ?? numberOf(value.tdur) ?? 0;
      if (duration < 0) this.wrong(offset, 'a span has a duration below 0; it is left out');
      else {
        this.#counts.spans++;
        this.#thread(value).spans.span(this.#place(name), time, duration);
      }
    } else if (/^[beSF]$/.test(phase)) this.#async(value, phase, name, time);
    else if (phase === 'C') this.#counter(value, name, time);
    else if (phase === 'P' && /^Profile(?:Chunk)?$/.test(name)) this.#sampled(value, name, time);
    else this.#counts.others++;
  }

  #place(name: string): number {
    return this.#program.location(this.#program.pseudo(name === '' ? '(unnamed)' : name));
  }

  #thread(value: Readonly<Record<string, unknown>>): TraceThread {
    const [pid, tid] = [String(value.pid ?? ''), String(value.tid ?? '')];
    const key = `${pid} ${tid}`;
    const before = this.#threads.get(key);
    if (before !== undefined) return before;
    const thread: TraceThread = { name: '', pid, tid, row: this.#threads.size, spans: new ThreadSpans() };
    this.#threads.set(key, thread);
    return thread;
  }

  #metadata(value: Readonly<Record<string, unknown>>): void {
    const name = textOf(member(value.args, 'name')) ?? '';
    if (value.name === 'thread_name') this.#thread(value).name = name;
    else if (value.name === 'process_name') this.#processes.set(String(value.pid ?? ''), name);
  }

  #async(value: Readonly<Record<string, unknown>>, phase: string, name: string, time: number): void {
    this.#counts.async++;
    const id = value.id ?? JSON.stringify(value.id2 ?? null);
    const key = JSON.stringify([value.pid ?? null, value.cat ?? null, value.scope ?? null, id, name]);
    if (phase === 'b' || phase === 'S') this.#begun.set(key, time);
    const begin = this.#begun.get(key);
    if (phase === 'b' || phase === 'S' || begin === undefined) return;
    this.#begun.delete(key);
    const track = this.#program.name(name);
    if (time >= begin)
      this.#ranges.add({ track, thread: NONE, time: begin * NS_PER_US, duration: (time - begin) * NS_PER_US });
  }

  #counter(value: Readonly<Record<string, unknown>>, name: string, time: number): void {
    this.#counts.counters++;
    if (!isObject(value.args)) return;
    for (const [series, number] of Object.entries(value.args)) {
      const level = numberOf(number);
      const track = this.#program.name(series === 'value' || series === name ? name : `${name} ${series}`);
      if (level !== undefined) this.#counters.add({ track, time: time * NS_PER_US, value: level });
    }
  }

  #sampled(value: Readonly<Record<string, unknown>>, name: string, time: number): void {
    const key = `${String(value.pid)} ${String(value.id)}`;
    const profile = this.#profiles.get(key) ?? new SampledProfile(this.#program);
    this.#profiles.set(key, profile);
    const content = member(value.args, 'data');
    if (name === 'Profile') profile.begin(numberOf(member(content, 'startTime')) ?? time, this.#thread(value).row);
    else profile.chunk(content, time, this.#thread(value).row);
  }

  finish(name: string, isWhole: boolean): Recording {
    const origin = Number.isFinite(this.#first) ? this.#first * NS_PER_US : 0;
    const times = TIMES.builder();
    for (const { spans, row } of this.#threads.values())
      spans.rows(this.#stacks, (stack, time, spent) =>
        times.add({ stack, thread: row, time: time * NS_PER_US - origin, spent: spent * NS_PER_US }),
      );
    const samples = THREAD_SCRIPT_SAMPLES.builder();
    let dangling = 0;
    for (const profile of this.#profiles.values())
      dangling += profile.rows(this.#stacks, (stack, time, spent) => {
        this.#counts.samples++;
        const thread = profile.thread;
        samples.add({ stack, thread, time: time * NS_PER_US - origin, count: 1, spent: spent * NS_PER_US });
      });
    this.#report(isWhole, dangling);
    const tables = [times, samples].filter(({ length }) => length > 0).map((each) => each.finish());
    const profile: Profile = {
      stacks: this.#stacks.finish(),
      events: tables,
      metrics: [
        ...(times.length > 0 ? [TIMES.metric('spent', { id: 'time', title: 'Time' })] : []),
        ...(samples.length > 0 ? this.#sampleMetrics(times.length > 0) : []),
      ],
      threads: this.#threadTable(),
      ...(this.#ranges.length > 0 ? { ranges: timesSince(this.#ranges.finish(), origin) } : {}),
      ...(this.#counters.length > 0 ? { counters: timesSince(this.#counters.finish(), origin) } : {}),
    };
    return {
      name,
      format: 'chrome-trace',
      metadata: [],
      sections: [{ name: 'events', entries: this.events }, ...this.#sections()],
      program: this.#program.finish(),
      profile,
      problems: this.#problems.finish(),
      complete: isWhole && this.#wrong === 0 && dangling === 0,
      residue: undefined,
    };
  }

  #sampleMetrics(isBesideSpans: boolean) {
    return sampleMetrics(THREAD_SCRIPT_SAMPLES).map((metric) =>
      metric.id === 'time' && isBesideSpans ? { ...metric, id: 'sampled-time', title: 'Sampled time' } : metric,
    );
  }

  #sections() {
    const { spans, async, counters, samples, others } = this.#counts;
    return [
      { name: 'events of spans', entries: spans },
      { name: 'events of spans without a thread', entries: async },
      { name: 'counters', entries: counters },
      { name: 'samples', entries: samples },
      { name: 'flows, instants and others', entries: others },
    ];
  }

  #threadTable(): Table {
    const threads = THREADS.having(['native', 'group']).builder();
    for (const { name, pid, tid } of this.#threads.values())
      threads.add({
        name: this.#program.name(name === '' ? `${pid}:${tid}` : name),
        native: /^\d{1,15}$/.test(tid) ? Number(tid) : NONE,
        group: this.#program.name(this.#processes.get(pid) ?? `process ${pid}`),
      });
    return threads.finish();
  }

  #report(isWhole: boolean, dangling: number): void {
    let [unbalanced, unclosed, overlapping] = [0, 0, 0];
    for (const { spans } of this.#threads.values()) {
      unbalanced += spans.unbalanced;
      unclosed += spans.unclosed;
      overlapping += spans.overlapping;
    }
    const warn = (count: number, code: string, words: string): void => {
      if (count > 0) this.#problems.add({ code, severity: 'warning', message: `${plural(count, 'span')} ${words}` });
    };
    warn(unbalanced, 'chrome-trace-unbalanced', 'end that are not open, or not the innermost of their thread');
    warn(unclosed, 'chrome-trace-unclosed', 'have no end: they count until the last event of their thread');
    warn(overlapping, 'chrome-trace-overlap', 'end after the one around them: they are cut there');
    warn(this.#begun.size, 'chrome-trace-async', 'of no thread have no end: they are left out');
    if (dangling > 0)
      this.#problems.add({
        code: 'chrome-trace-dangling',
        severity: isWhole ? 'error' : 'warning',
        message: `${dangling} samples are of nodes that the trace lacks; they are left out`,
        ...(isWhole ? { offset: 0 } : {}),
      });
    if (this.sampleEvents > 0)
      this.#problems.add({
        code: 'chrome-trace-samples',
        severity: 'warning',
        message: `${plural(this.sampleEvents, 'sample')} with stackFrames, as Hermes writes them, are not read`,
      });
  }
}
