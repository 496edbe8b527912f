/** The process of an experiment in the words of the models, from its log and from what the system counted. */
import {
  type Machine,
  type ProcessSpan,
  type RecordedData,
  type RecordedProcess,
  type SamplePoint,
  type SystemUsage,
  USAGE_COUNTS,
  USAGE_TIMES,
  usageWith,
} from '../../models/processes.js';
import { withoutSecrets } from '../../models/secrets.js';
import { between, type ExperimentLog, type LogEvent, nanoseconds, relativeTime } from './log.js';
import type { UsageRecord } from './overview.js';

/** Where the times of `USAGE_TIMES` begin in a record. */
const FIRST_TIME = 4;
const MICROSECOND = 1000;

interface ProcessFacts {
  readonly log: ExperimentLog;
  readonly usage: readonly UsageRecord[];
  /** Nanoseconds since the start of the whole recording. */
  readonly shift: number;
  /** Packets by file. */
  readonly sections: ReadonlyMap<string, number>;
}

/** `prefix`: folder of the process in the experiment, empty for the founder. */
export function recordedProcess(prefix: string, { log, usage, shift, sections }: ProcessFacts): RecordedProcess {
  const { process, command, startDate, data, events, closed, word } = log;
  const end = endOf(events);
  const jvm = data.find(({ name }) => name === 'jprofile')?.attributes.get('jversion');
  return {
    name: prefix.replace(/\.er\/$/, ''),
    command: command === undefined ? '' : withoutSecrets(command),
    directory: process.get('cwd') ?? '',
    pid: numberIn(process.get('pid')),
    parent: numberIn(process.get('ppid')),
    bits: word === 4 ? 32 : 64,
    jvm: jvm ?? '',
    machine: machineOf(log),
    started: startDate === undefined ? -1 : startDate * 1000,
    shift,
    end,
    ended: closed,
    data: data.flatMap(dataOf),
    events: [...sections.values()].reduce((sum, count) => sum + count, 0),
    pauses: pausesOf(events, end),
    collections: collectionsOf(log),
    samples: samplesOf(events),
    usage: usage.map(usageOf),
  };
}

function numberIn(text: string | undefined): number {
  const number = Number(text);
  return text === undefined || text === '' || !Number.isFinite(number) ? -1 : number;
}

function machineOf({ system, cpus }: ExperimentLog): Machine {
  const [pages, size] = [numberIn(system.get('npages')), numberIn(system.get('pagesz'))];
  return {
    host: system.get('hostname') ?? '',
    os: system.get('os') ?? '',
    architecture: system.get('arch') ?? '',
    cpus: cpus.length,
    clock: numberIn(cpus[0]?.get('clk')),
    memory: pages < 0 || size < 0 ? -1 : pages * size,
  };
}

function dataOf({ name, attributes }: ExperimentLog['data'][number]): RecordedData[] {
  const number = (key: string): number => numberIn(attributes.get(key));
  switch (name) {
    case 'profile':
      return [{ kind: 'clock', interval: Math.max(0, number('ptimer')) * MICROSECOND }];
    case 'synctrace': {
      // Negative thresholds are calibrated ones.
      const threshold = Number(attributes.get('threshold') ?? 0);
      return [{ kind: 'waits', threshold: Math.abs(threshold) * MICROSECOND, calibrated: threshold < 0 }];
    }
    case 'hwcounter':
      return [{ kind: 'counter', name: attributes.get('hwcname') ?? '', interval: number('interval') }];
    case 'heaptrace':
      return [{ kind: 'memory' }];
    case 'iotrace':
      return [{ kind: 'io' }];
    case 'jprofile':
      return [{ kind: 'java' }];
    case 'omptrace':
      return [{ kind: 'openmp' }];
    default:
      return [];
  }
}

function timeOf({ attributes }: LogEvent): number {
  return relativeTime(attributes.get('tstamp')) ?? 0;
}

/** The end of a process: its last sample, if it has no other. */
function endOf(events: readonly LogEvent[]): number {
  const ends = events.filter(({ kind }) => kind === 'exit' || kind === 'sample');
  return ends.reduce((last, event) => Math.max(last, timeOf(event)), 0);
}

function pausesOf(events: readonly LogEvent[], end: number): ProcessSpan[] {
  const pauses: ProcessSpan[] = [];
  let start: number | undefined;
  for (const event of events) {
    if (event.kind === 'pause') start = timeOf(event);
    else if (event.kind === 'resume' && start !== undefined) {
      pauses.push({ from: start, to: timeOf(event) });
      start = undefined;
    }
  }
  return start === undefined ? pauses : [...pauses, { from: start, to: end }];
}

/** Collections of the JVM since the process was recorded. Their times in the log are absolute. */
export function collectionsOf({ start, events }: ExperimentLog): ProcessSpan[] {
  const spans: ProcessSpan[] = [];
  let begin: number | undefined;
  for (const { kind, attributes } of events) {
    if (kind !== 'gc_start' && kind !== 'gc_end') continue;
    const moment = nanoseconds(attributes.get('tstamp'));
    if (moment === undefined || start === undefined) continue;
    if (kind === 'gc_start') begin = between(start, moment);
    else if (begin !== undefined) {
      spans.push({ from: begin, to: between(start, moment) });
      begin = undefined;
    }
  }
  return spans;
}

function samplesOf(events: readonly LogEvent[]): SamplePoint[] {
  const samples = events.filter(({ kind }) => kind === 'sample');
  return samples.map((event) => ({ time: timeOf(event), label: event.attributes.get('label') ?? '' }));
}

/** Where each value is in a record: times from `FIRST_TIME` on, and counts behind them. */
const PLACES: ReadonlyMap<string, number> = new Map([...USAGE_TIMES, ...USAGE_COUNTS].map((key, i) => [key, i]));

function usageOf({ times, counts }: UsageRecord): SystemUsage {
  const values = [...times.slice(FIRST_TIME), ...counts];
  return usageWith((key) => values[PLACES.get(key) ?? -1] ?? 0);
}
