/** What a recording says of itself: its settings, the machine, samples that were lost. */
import { dictionary } from '../../../base/dictionary.js';
import { type Note, note } from '../../../base/note.js';
import { formatBytes, formatValue, plural } from '../../../base/units.js';
import type { Metric } from '../../../models/profile/profile.js';
import type { MetadataEntry } from '../../../models/recording.js';
import { withoutSecrets } from '../../../models/secrets.js';
import type { ChunkTable } from '../chunk/chunk-data.js';
import type { ChunkHeader } from '../chunk/header.js';
import type { MetaType } from '../chunk/metadata.js';
import type { EventColumns } from '../model/event-columns.js';

const SETTING = 'jdk.ActiveSetting';
const LOST = 'jdk.CPUTimeSamplesLost';
const MACHINE = 'jdk.CPUInformation';
const RECORDING = 'jdk.ActiveRecording';
const COLLECTORS = 'jdk.GCConfiguration';
const HEAP = 'jdk.GCHeapConfiguration';

/** By type and field: the key of an entry of the metadata. */
const METADATA = dictionary<Readonly<Record<string, string>>>({
  'jdk.JVMInformation': { jvmVersion: 'jvm', jvmArguments: 'jvm-arguments', javaArguments: 'command' },
  'jdk.OSInformation': { osVersion: 'os' },
  [MACHINE]: { cpu: 'cpu' },
});

export const FACTS: Readonly<Record<string, readonly string[]>> = {
  [SETTING]: ['id', 'name', 'value'],
  [LOST]: ['lostSamples'],
  [RECORDING]: ['recordingStart'],
  ...Object.fromEntries(Object.entries(METADATA).map(([type, fields]) => [type, Object.keys(fields)])),
  [MACHINE]: ['cpu', 'hwThreads'],
  [COLLECTORS]: ['youngCollector', 'oldCollector'],
  [HEAP]: ['initialSize', 'maxSize'],
};

/** By metric: the type of events whose settings have its period. */
const SAMPLED: Readonly<Record<string, string>> = {
  samples: 'jdk.ExecutionSample',
  'native-samples': 'jdk.NativeMethodSample',
  'cpu-time': 'jdk.CPUTimeSample',
  'cpu-samples': 'jdk.CPUTimeSample',
  'wall-samples': 'profiler.WallClockSample',
};

const NANOS: Readonly<Record<string, number>> = { ns: 1, us: 1e3, ms: 1e6, s: 1e9, m: 60e9, h: 3600e9, d: 86_400e9 };
/** Events of async-profiler whose interval is a time; that of others is a number of events. */
const TIMED = new Set(['cpu', 'itimer', 'ctimer', 'wall']);

/** `10 ms`, `10ms`; undefined for anything else, such as `everyChunk` and `300/s`. */
function nanosOf(text: string): number | undefined {
  const [, digits = '', unit = ''] = /^(\d+) ?([a-z]+)$/.exec(text) ?? [];
  const nanos = Number(digits) * (NANOS[unit] ?? 0);
  return nanos > 0 && Number.isFinite(nanos) ? nanos : undefined;
}

/** Descriptions of Linux systems have many lines, the first of them the name. */
function oneLine(text: string): string {
  return /^PRETTY_NAME="([^"]*)"/m.exec(text)?.[1] ?? text.trim().split('\n')[0];
}

const LIMIT_RUNNING = note('sampler-limit', 'The JVM samples at most 5 running threads each period.');
const LIMIT_NATIVE = note('sampler-limit', 'The JVM samples at most 1 thread in native code each period.');

/** A part of the recording without a gap. */
export interface RecordedStretch {
  /** Nanoseconds since the recording began. */
  readonly start: number;
  /** Whether a recording that began before the stretch was running: chunks before it are not in the file. */
  readonly isContinued: boolean;
}

/** Chunks follow each other at once; the start of a recording is written in milliseconds, and may be read a little before that of its chunk. */
const GAP = 100e6;
const EARLIER_MILLIS = 1000;

export class Facts {
  readonly #metadata = new Map<string, string>();
  /** By type and name; null if they were changed. */
  readonly #settings = new Map<string, string | null>();
  /** The last one goes on. */
  readonly #stretches: { start: number; readonly millis: number; isContinued: boolean }[] = [];
  /** When the last chunk ended; undefined if the recorder did not finish it. */
  #end: number | undefined;
  /** Row of the name of the group whose threads run virtual ones; -1 if there are none. */
  carrierGroup = -1;
  #lost = 0;
  #processors: number | undefined;

  /** What is known now: it stays as it is when more is added. */
  copy(): Facts {
    const facts = new Facts();
    for (const [key, value] of this.#metadata) facts.#metadata.set(key, value);
    for (const [key, value] of this.#settings) facts.#settings.set(key, value);
    for (const stretch of this.#stretches) facts.#stretches.push({ ...stretch });
    facts.#end = this.#end;
    facts.#lost = this.#lost;
    facts.#processors = this.#processors;
    facts.carrierGroup = this.carrierGroup;
    return facts;
  }

  /** A chunk that begins at `start`, in nanoseconds of the recording. */
  addChunk({ startMillis, duration, state }: ChunkHeader, start: number): void {
    const isFirst = this.#stretches.length === 0;
    if (isFirst || (this.#end !== undefined && start > this.#end + GAP))
      this.#stretches.push({ start: isFirst ? 0 : start, millis: startMillis, isContinued: false });
    this.#end = state === 0 && duration > 0 ? start + duration : undefined;
  }

  add({ name }: MetaType, table: ChunkTable, columns: EventColumns): void {
    if (name === SETTING) this.#addSettings(table, columns);
    if (name === RECORDING) this.#addRecordings(columns.numbers(table, 'recordingStart'));
    if (name === LOST)
      for (const lost of Array.from(columns.numbers(table, 'lostSamples'))) this.#lost += Math.max(0, lost);
    if (name === MACHINE) this.#processors = columns.numbers(table, 'hwThreads')[0] ?? this.#processors;
    if (name === COLLECTORS) this.#addCollectors(table, columns);
    if (name === HEAP) this.#addHeap(table, columns);
    for (const [field, key] of Object.entries(METADATA[name] ?? {})) {
      const text = columns.texts(table, field).find((value) => value !== '');
      if (text !== undefined) this.#metadata.set(key, withoutSecrets(oneLine(text)));
    }
  }

  /** One collector, or those of the young and of the old generation. */
  #addCollectors(table: ChunkTable, columns: EventColumns): void {
    const names = ['youngCollector', 'oldCollector'].map((field) => columns.texts(table, field)[0] ?? '');
    const collectors = [...new Set(names)].filter((collector) => collector !== '' && collector !== 'N/A');
    if (collectors.length > 0) this.#metadata.set('collector', collectors.join(', '));
  }

  #addHeap(table: ChunkTable, columns: EventColumns): void {
    const [initial = 0, most = 0] = ['initialSize', 'maxSize'].map((field) => columns.numbers(table, field)[0] ?? 0);
    if (most > 0) this.#metadata.set('heap', `${formatBytes(most)} at most, ${formatBytes(initial)} at the start`);
  }

  #addSettings(table: ChunkTable, columns: EventColumns): void {
    const ids = columns.numbers(table, 'id');
    const names = columns.texts(table, 'name');
    const values = columns.texts(table, 'value');
    for (let row = 0; row < names.length; row++) {
      const key = `${columns.typeName(ids[row]) ?? ''} ${names[row]}`;
      const known = this.#settings.get(key);
      this.#settings.set(key, known === undefined || known === values[row] ? values[row] : null);
    }
  }

  #addRecordings(starts: ArrayLike<number>): void {
    const stretch = this.#stretches.at(-1);
    if (stretch === undefined) return;
    for (const millis of Array.from(starts))
      if (millis > 0 && millis < stretch.millis - EARLIER_MILLIS) stretch.isContinued = true;
  }

  /** The parts of the recording without a gap, in their order. */
  get stretches(): readonly RecordedStretch[] {
    return this.#stretches;
  }

  /** Whether the recording has starts of threads, if any started. */
  get recordsStarts(): boolean {
    return this.#setting('jdk.ThreadStart', 'enabled') === 'true';
  }

  get metadata(): readonly MetadataEntry[] {
    const metadata = new Map(this.#metadata);
    if (this.#processors !== undefined) metadata.set('cpus', String(this.#processors));
    return [...metadata].map(([key, value]) => ({ key, value }));
  }

  /** The metric with its period and the limits of its sampler, as far as the recording has them. */
  described(metric: Metric, sum: number): Metric {
    const type = SAMPLED[metric.id];
    if (type === undefined) return metric;
    const period = this.periodOf(type);
    const notes = [...this.#limits(type), ...this.#losses(type, sum)];
    return {
      ...metric,
      ...(period !== undefined && { period: { value: period, unit: 'ns' } }),
      ...(notes.length > 0 && { notes }),
    };
  }

  #setting(type: string, name: string): string | undefined {
    return this.#settings.get(`${type} ${name}`) ?? undefined;
  }

  /** Version of Java, from the text of the JVM; undefined unknown. */
  get java(): number | undefined {
    const [, version] = /\((\d+)[.+-]/.exec(this.#metadata.get('jvm') ?? '') ?? [];
    return version === undefined ? undefined : Number(version);
  }

  /** Whether each start of a virtual thread is recorded. */
  get hasVirtualStarts(): boolean {
    return this.#setting('jdk.VirtualThreadStart', 'enabled') === 'true';
  }

  /** Processors of the machine. */
  get processors(): number | undefined {
    return this.#processors;
  }

  /** The period of a type of events in ns, if its settings have one. */
  periodOf(type: string): number | undefined {
    const own = this.#setting(type, 'period') ?? this.#setting(type, 'throttle');
    if (own !== undefined) return nanosOf(own);
    // async-profiler has one interval, with the settings of execution samples.
    const event = this.#setting('jdk.ActiveRecording', 'event') ?? '';
    const isWall = type === 'profiler.WallClockSample';
    if (!TIMED.has(event) || isWall !== (event === 'wall')) return undefined;
    const interval = Number(this.#setting('jdk.ExecutionSample', 'interval'));
    return interval > 0 ? interval : undefined;
  }

  /** HotSpot's sampler takes at most 5 threads that run Java and 1 in native code each period (`jfrThreadSampler.cpp`). */
  #limits(type: string): Note[] {
    if (this.#setting(type, 'period') === undefined) return [];
    if (type === 'jdk.ExecutionSample') return [LIMIT_RUNNING];
    return type === 'jdk.NativeMethodSample' ? [LIMIT_NATIVE] : [];
  }

  #losses(type: string, samples: number): Note[] {
    if (type !== 'jdk.CPUTimeSample' || this.#lost === 0) return [];
    const share = formatValue(this.#lost / (this.#lost + samples), 'ratio');
    const samplesLost = `${plural(this.#lost, 'CPU-time sample')} more ${this.#lost === 1 ? 'was' : 'were'} lost`;
    return [note('samples-lost', `${samplesLost} (${share} of all).`)];
  }
}
