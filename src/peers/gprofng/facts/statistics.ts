/** Statistics of processes and of their samples, from what the system counted. */
import type { UsageRecord } from '../../../formats/experiment/index.js';
import { fixed } from '../numbers.js';
import type { Experiment, PrintedProcess } from '../peer/experiment.js';
import { difference, type Sample, samplesOf } from './samples.js';

/** Width of the words at the left. */
const LABEL = 50;
/** Words of times, and where they are in a record; sleep is the rest. */
const TIMES = [
  ['User CPU', 4],
  ['System CPU', 5],
  ['Trap CPU', 6],
  ['User Lock', 10],
  ['Data Page Fault', 8],
  ['Text Page Fault', 7],
  ['Kernel Page Fault', 9],
  ['Stopped', 13],
  ['Wait CPU', 12],
] as const;
const COUNTS = [
  'Minor Page Faults',
  'Major Page Faults',
  'Process swaps',
  'Input blocks',
  'Output blocks',
  'Messages sent',
  'Messages received',
  'Signals handled',
  'Voluntary context switches',
  'Involuntary context switches',
  'System calls',
  'Characters of I/O',
] as const;

/** What is shown of a process, of a sample or of all; times in nanoseconds. */
interface Facts {
  readonly startLabel: string;
  readonly endLabel: string;
  /** Undefined for sums over processes. */
  readonly start: number | undefined;
  readonly end: number | undefined;
  readonly duration: number;
  readonly usage: UsageRecord;
}

function factsOf(process: PrintedProcess): Facts {
  const samples = samplesOf(process);
  const [first] = process.usage;
  const last = process.usage.at(-1);
  const empty: UsageRecord = { times: [], counts: [] };
  const start = startOf(process);
  const end = samples.at(-1)?.to ?? start;
  const usage = first && last ? difference(first, last) : empty;
  return { startLabel: 'Total', endLabel: 'Total', start, end, duration: end - start, usage };
}

/** The first sample event. */
function startOf(process: PrintedProcess): number {
  const [first] = samplesOf(process);
  return first?.from ?? 0;
}

function sampleFacts({ startLabel, endLabel, from, to, usage, number }: Sample): Facts {
  const start = number === 1 ? from : from - 1;
  return {
    startLabel,
    endLabel,
    start,
    end: to,
    duration: to - start,
    usage: usage ?? { times: [], counts: [] },
  };
}

function sumOf(all: readonly Facts[]): Facts {
  const add = (of: (facts: Facts) => readonly number[]): number[] =>
    all.reduce<number[]>((sums, facts) => of(facts).map((value, i) => value + (sums[i] ?? 0)), []);
  return {
    startLabel: 'Total',
    endLabel: 'Total',
    start: undefined,
    end: undefined,
    duration: all.reduce((sum, { duration }) => sum + duration, 0),
    usage: { times: add(({ usage }) => usage.times), counts: add(({ usage }) => usage.counts) },
  };
}

/** The statistics of one process or, without one, of all with their sum. */
export function statisticsText({ processes }: Experiment, id?: number): string {
  if (processes.every(({ usage }) => usage.length === 0)) return '';
  const shown = id === undefined ? processes : processes.filter((process) => process.id === id);
  const all = shown.map((process) => ({ name: process.name, facts: factsOf(process) }));
  const width = widthOf(all.map(({ facts }) => facts));
  const parts = all.map(({ name, facts }) => `Experiment: ${name}\n${factsText(facts, width, true)}`);
  if (all.length < 2) return parts.join('');
  const sum = sumOf(all.map(({ facts }) => facts));
  const head = `<Sum across selected experiments>\n${factsText(sum, width, true)}`;
  return `${head}\n${parts.join('')}`;
}

/** The same with each sample. */
export function sampleDetail({ processes }: Experiment): string {
  const all = processes.map((process) => ({ process, facts: factsOf(process) }));
  const parts = all.map(({ process, facts }) => {
    const width = widthOf([facts]);
    const head = `Experiment: ${process.name}\n${factsText(facts, width, false)}\n`;
    const title = `${'Individual samples'.padStart(LABEL)}\n\n`;
    const samples = samplesOf(process).map((sample) => {
      const number = `${'Sample Number'.padStart(LABEL)}: ${sample.number}\n\n`;
      return number + factLines(sampleFacts(sample), width);
    });
    return head + title + samples.join('');
  });
  if (all.length < 2) return parts.join('');
  const sum = sumOf(all.map(({ facts }) => facts));
  const head = `<Sum across selected experiments>\n${factsText(sum, 5, false)}`;
  return `${head}\n${parts.join('')}`;
}

function widthOf(all: readonly Facts[]): number {
  return all.reduce((most, { duration }) => Math.max(most, fixed(duration / 1e9, 3).length), 5);
}

function factsText(facts: Facts, width: number, counts: boolean): string {
  const title = '        Aggregated statistics for selected samples\n\n';
  const lines = COUNTS.map((label, i) => labelled(label, String(facts.usage.counts[i] ?? 0).padStart(width)));
  return `${title}${factLines(facts, width)}${counts ? `${lines.join('')}\n` : ''}`;
}

function factLines({ startLabel, endLabel, start, end, duration, usage }: Facts, width: number): string {
  const time = (nanos: number): string => timeText(nanos).padStart(width);
  const spent = TIMES.map(([label, at]) => [label, usage.times[at] ?? 0] as const);
  const sleep = Math.max(0, duration - spent.reduce((sum, [, value]) => sum + value, 0));
  const at = (nanos: number | undefined): string =>
    nanos === undefined ? 'N/A' : fixed(nanos / 1e9, 3).padStart(width);
  const share = (value: number): string =>
    value === 0 ? '  0. %' : `${fixed((100 * value) / duration, 1).padStart(5)}%`;
  return [
    labelled('Start Label', startLabel),
    labelled('End Label', endLabel),
    labelled('Start Time (sec.)', at(start)),
    labelled('End Time (sec.)', at(end)),
    labelled('Duration (sec.)', at(duration)),
    labelled('Total Thread Time (sec.)', at(duration)),
    labelled('Average number of Threads', fixed(1, 3).padStart(width)),
    '\n',
    `${'Process Times (sec.)'.padStart(LABEL)}:\n`,
    ...[...spent, ['Sleep', sleep] as const].map(([label, value]) =>
      labelled(label, `${time(value)} (${share(value)})`),
    ),
    '\n',
  ].join('');
}

function timeText(nanos: number): string {
  return nanos === 0 ? '0.   ' : fixed(nanos / 1e9, 3);
}

function labelled(label: string, value: string): string {
  return `${label.padStart(LABEL)}: ${value}\n`;
}
