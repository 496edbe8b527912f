/** Samples of a process, garbage collections, and what the system counted in each sample. */
import type { ProcessDetails, UsageRecord } from '../../../formats/experiment/index.js';

/** A span of time, in nanoseconds since the start of the process; both ends belong to it. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export interface Sample extends Span {
  /** From 1 on. */
  readonly number: number;
  readonly startLabel: string;
  readonly endLabel: string;
  /** Differences of the counts at both ends; undefined if one of them is missing. */
  readonly usage: UsageRecord | undefined;
}

type Samples = Pick<ProcessDetails, 'log' | 'usage'>;

const knownSamples = new WeakMap<object, readonly Sample[]>();

/** The samples of a process: one between two sample events. */
export function samplesOf(process: Samples): readonly Sample[] {
  const made = knownSamples.get(process.log) ?? readSamples(process);
  knownSamples.set(process.log, made);
  return made;
}

function readSamples({ log, usage }: Samples): Sample[] {
  const points = log.events
    .filter(({ kind }) => kind === 'sample')
    .map(({ attributes }) => ({ at: nanoseconds(attributes.get('tstamp')), label: attributes.get('label') ?? '' }));
  return points.slice(1).map(({ at, label }, i) => {
    const [before, after] = [usage[i], usage[i + 1]];
    return {
      number: i + 1,
      from: (points[i]?.at ?? 0) + (i === 0 ? 0 : 1),
      to: at,
      startLabel: points[i]?.label ?? '',
      endLabel: label,
      usage: before && after && difference(before, after),
    };
  });
}

/** What was counted from one record to another. */
export function difference(before: UsageRecord, after: UsageRecord): UsageRecord {
  return {
    times: after.times.map((time, i) => time - (before.times[i] ?? 0)),
    counts: after.counts.map((count, i) => count - (before.counts[i] ?? 0)),
  };
}

/** Nanoseconds of a relative time of the log. */
export function nanoseconds(text: string | undefined): number {
  const [, whole = '0', part = ''] = /^(\d+)(?:\.(\d{1,9}))?$/.exec(text ?? '') ?? [];
  return Number(whole) * 1e9 + Number(part.padEnd(9, '0'));
}

/** The number of the span with a time, from 1 on; 0 if there is none. */
export function spanAt(spans: readonly Span[], at: number): number {
  return spans.findIndex(({ from, to }) => at >= from && at <= to) + 1;
}

const knownCollections = new WeakMap<object, readonly Span[]>();

/** Garbage collections of a process. Their times in the log are absolute. */
export function collections({ log }: Pick<ProcessDetails, 'log'>): readonly Span[] {
  const made = knownCollections.get(log) ?? readCollections(log);
  knownCollections.set(log, made);
  return made;
}

function readCollections({ start, events }: ProcessDetails['log']): readonly Span[] {
  if (start === undefined) return [];
  const zero = start.high * 2 ** 32 + start.low;
  const spans: Span[] = [];
  let from: number | undefined;
  for (const { kind, attributes } of events) {
    if (kind !== 'gc_start' && kind !== 'gc_end') continue;
    const at = nanoseconds(attributes.get('tstamp')) - zero;
    if (kind === 'gc_start') from = at;
    else if (from !== undefined) spans.push({ from, to: at });
  }
  return spans;
}
