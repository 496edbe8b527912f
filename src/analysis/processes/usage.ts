/** What the operating system counted of a process: in all, and in each sample. */
import { firstNot } from '../../base/columns/search.js';
import { type ProcessSpan, type RecordedProcess, type SystemUsage, usageWith } from '../../models/processes.js';

/** A sample of a process: what happened between two sample points. Both ends belong to it. */
export interface ProcessSample extends ProcessSpan {
  /** From 1 on. */
  readonly number: number;
  readonly startLabel: string;
  readonly endLabel: string;
  /** Undefined if it was not written at both ends. */
  readonly usage: SystemUsage | undefined;
}

/** The samples of a process, in the order of time. */
export function processSamples({ samples, usage }: Pick<RecordedProcess, 'samples' | 'usage'>): ProcessSample[] {
  return samples.slice(1).map(({ time, label }, i) => {
    const [start, before, after] = [samples[i], usage[i], usage[i + 1]];
    return {
      number: i + 1,
      from: (start?.time ?? 0) + (i === 0 ? 0 : 1),
      to: time,
      startLabel: start?.label ?? '',
      endLabel: label,
      usage: before && after && usageBetween(before, after),
    };
  });
}

/** The number of the span with a time, from 1 on; 0 if there is none. Spans follow each other. Cost: log2 of their number. */
export function spanAt(spans: readonly ProcessSpan[], time: number): number {
  const first = firstNot(0, spans.length, (i) => (spans[i]?.to ?? 0) < time);
  const span = spans[first];
  return span !== undefined && time >= span.from ? first + 1 : 0;
}

/** What was counted from one moment to another. */
export function usageBetween(before: SystemUsage, after: SystemUsage): SystemUsage {
  return usageWith((key) => after[key] - before[key]);
}

export function usageSum(usages: readonly SystemUsage[]): SystemUsage {
  return usageWith((key) => usages.reduce((sum, usage) => sum + usage[key], 0));
}

/** The usage of nothing. */
export const NO_USAGE: SystemUsage = usageWith(() => 0);

/** What was counted of the whole process; undefined if it was not. */
export function processUsage({ usage }: Pick<RecordedProcess, 'usage'>): SystemUsage | undefined {
  const [first] = usage;
  const last = usage.at(-1);
  return first && last && usageBetween(first, last);
}

/** Nanoseconds of which nothing else is known: the process slept. */
export function sleepOf(usage: SystemUsage, duration: number): number {
  const { user, system, trap, locks, data_faults, text_faults, kernel_faults, stopped, cpu_waits } = usage;
  const spent = user + system + trap + locks + data_faults + text_faults + kernel_faults + stopped + cpu_waits;
  return Math.max(0, duration - spent);
}

/** Nanoseconds in which events were recorded. */
export function recordedTime({ end, pauses }: Pick<RecordedProcess, 'end' | 'pauses'>): number {
  return pauses.reduce((time, { from, to }) => time - (to - from), end);
}
