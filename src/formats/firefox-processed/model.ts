/** Threads of a profile as events: a sample each with its stack; markers with a duration as ranges; counters. Times are since the first of them. */
import { NONE } from '../../base/flavor.js';
import { SAMPLE_EVENTS } from '../../models/events/sample.js';
import { TIME_EVENTS } from '../../models/events/time.js';
import { BYTES_EVENTS } from '../../models/events/weight.js';
import type { Metric, Profile } from '../../models/profile/profile.js';
import { StackBuilder } from '../../models/profile/stack-builder.js';
import { COUNTERS, RANGES, THREADS } from '../../models/profile/tables.js';
import { ProgramBuilder } from '../../models/program/program-builder.js';
import { listOf, member, numberOf, textOf } from '../shared/items/read-items.js';
import { timesSince } from '../shared/times-since.js';
import type { FirefoxContents } from './contents.js';
import { FirefoxPlaces } from './places.js';
import type { FirefoxTables } from './tables.js';

const NS_PER_MS = 1e6;
const SAMPLES = SAMPLE_EVENTS.having(['thread', 'time']);
const TIMES = TIME_EVENTS.having(['thread', 'time']);
const BYTES = BYTES_EVENTS.having(['thread']);
/** Markers that begin or end a span in an event of their own. */
const [BEGIN, END] = [2, 3];

export function toProfile(contents: FirefoxContents) {
  const model = new FirefoxModel(contents);
  for (const [thread, tables] of contents.threads.entries()) model.thread(tables, thread);
  for (const counter of contents.counters) model.counter(counter);
  return model.finish();
}

class FirefoxModel {
  readonly #program = new ProgramBuilder();
  readonly #stacks = new StackBuilder();
  readonly #places: FirefoxPlaces;
  readonly #contents: FirefoxContents;
  readonly #threads = THREADS.having(['native', 'group']).builder();
  readonly #samples = SAMPLES.builder();
  readonly #times = TIMES.builder();
  readonly #bytes = BYTES.builder();
  readonly #ranges = RANGES.builder();
  readonly #counters = COUNTERS.builder();
  /** Earliest and latest time, in ns since the profile's own start. */
  #first = Number.POSITIVE_INFINITY;
  #last = Number.NEGATIVE_INFINITY;
  #dangling = 0;
  #count = { samples: 0, stackless: 0, markers: 0, instants: 0 };

  constructor(contents: FirefoxContents) {
    this.#contents = contents;
    this.#places = new FirefoxPlaces(this.#program, this.#stacks, contents.shared, contents.categories);
  }

  thread(tables: FirefoxTables, thread: number): void {
    const { name, processName, tid } = tables.facts;
    const native = /^\d+$/.test(tid) ? Number(tid) : NONE;
    this.#threads.add({ name: this.#program.name(name), native, group: this.#program.name(processName) });
    this.#addSamples(tables, thread);
    this.#addMarkers(tables, thread);
  }

  #addSamples(tables: FirefoxTables, thread: number): void {
    const stacks = this.#places.stacksOf(tables);
    const stack = tables.cells('samples', 'stack');
    const weight = tables.cells('samples', 'weight');
    const times = timesOf(tables.cells('samples', 'time'), tables.cells('samples', 'timeDeltas'));
    if (times.length < stack.length) this.#dangling += stack.length - times.length;
    for (let i = 0; i < Math.min(stack.length, times.length); i++) {
      this.#count.samples++;
      const time = times[i] * NS_PER_MS;
      if (Number.isNaN(time)) continue;
      this.#at(time);
      if (Number.isNaN(stack[i])) {
        this.#count.stackless++;
        continue;
      }
      const id = stacks[stack[i]];
      if (id === undefined || id < 0) this.#dangling++;
      else
        this.#add({ thread, stack: id, time }, weight.length > i && !Number.isNaN(weight[i]) ? weight[i] : 1, tables);
    }
  }

  #add(place: { thread: number; stack: number; time: number }, weight: number, { facts }: FirefoxTables): void {
    if (facts.weightType === 'tracing-ms') this.#times.add({ ...place, spent: weight * NS_PER_MS });
    else if (facts.weightType === 'bytes') this.#bytes.add({ stack: place.stack, thread: place.thread, bytes: weight });
    else this.#samples.add({ ...place, count: weight });
  }

  #at(time: number): void {
    this.#first = Math.min(this.#first, time);
    this.#last = Math.max(this.#last, time);
  }

  #addMarkers(tables: FirefoxTables, thread: number): void {
    const strings = tables.hasStrings ? tables : this.#contents.shared;
    const name = tables.cells('markers', 'name');
    const [begins, ends] = [tables.cells('markers', 'startTime'), tables.cells('markers', 'endTime')];
    const phase = tables.cells('markers', 'phase');
    const begun = new Map<number, number>();
    for (let i = 0; i < name.length; i++) {
      this.#count.markers++;
      if (phase[i] === BEGIN) begun.set(name[i], begins[i]);
      const start = phase[i] === END ? begun.get(name[i]) : begins[i];
      if (phase[i] === END) begun.delete(name[i]);
      const duration = start === undefined ? Number.NaN : ends[i] - start;
      if (phase[i] === BEGIN || !(duration >= 0) || start === undefined) {
        if (phase[i] !== BEGIN) this.#count.instants++;
        continue;
      }
      this.#at(start * NS_PER_MS);
      const track = this.#program.name(strings.text(name[i]));
      this.#ranges.add({ track, thread, time: start * NS_PER_MS, duration: duration * NS_PER_MS });
    }
  }

  /** Counts since the sample before; of memory their sum is the value. */
  counter(counter: unknown): void {
    const samples = member(counter, 'samples') ?? member(listOf(member(counter, 'sampleGroups'))[0], 'samples');
    const track = this.#program.name(textOf(member(counter, 'name')) ?? 'counter');
    const numbers = (key: string): Float64Array =>
      Float64Array.from(listOf(member(samples, key)), (value) => numberOf(value) ?? Number.NaN);
    const times = timesOf(numbers('time'), numbers('timeDeltas'));
    const isSum = textOf(member(counter, 'category')) === 'Memory';
    let sum = 0;
    for (const [i, count] of numbers('count').entries()) {
      if (Number.isNaN(count) || !(i < times.length) || Number.isNaN(times[i])) continue;
      sum += count;
      this.#at(times[i] * NS_PER_MS);
      this.#counters.add({ track, time: times[i] * NS_PER_MS, value: isSum ? sum : count });
    }
  }

  finish() {
    const start = Number.isFinite(this.#first) ? this.#first : 0;
    const interval = numberOf(member(this.#contents.meta, 'interval')) ?? 0;
    const events = [this.#samples, this.#times, this.#bytes]
      .filter(({ length }) => length > 0)
      .map((each) => each.finish());
    const period = { value: interval * NS_PER_MS, unit: 'ns' } as const;
    const metrics: Metric[] = [
      SAMPLES.metric('count', { id: 'samples', title: 'Samples', ...(interval > 0 ? { period } : {}) }),
      TIMES.metric('spent', { id: 'time', title: 'Time' }),
      BYTES.metric('bytes', { id: 'bytes', title: 'Bytes' }),
    ];
    const profile: Profile = {
      stacks: this.#stacks.finish(),
      events: events.map((table) => timesSince(table, start)),
      metrics: metrics.filter(({ table }) => events.some(({ kind }) => kind === table)),
      threads: this.#threads.finish(),
      ...(this.#ranges.length > 0 ? { ranges: timesSince(this.#ranges.finish(), start) } : {}),
      ...(this.#counters.length > 0 ? { counters: timesSince(this.#counters.finish(), start) } : {}),
    };
    const { samples, stackless, markers, instants } = this.#count;
    return {
      program: this.#program.finish(),
      profile: { profile, length: Math.max(0, this.#last - start) },
      sections: [
        { name: 'threads', entries: this.#contents.threads.length },
        { name: 'samples', entries: samples },
        { name: 'samples without a stack', entries: stackless },
        { name: 'markers', entries: markers },
        { name: 'markers without a duration', entries: instants },
      ],
      start,
      dangling: this.#dangling + this.#places.dangling,
    };
  }
}

/** Milliseconds of samples: as they are, or the sums of what each is behind the one before. */
function timesOf(times: Float64Array, deltas: Float64Array): Float64Array {
  if (times.length > 0) return times;
  let sum = 0;
  return deltas.map((delta) => {
    sum += delta;
    return sum;
  });
}
