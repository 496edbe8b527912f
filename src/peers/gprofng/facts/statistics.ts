/** Statistics of processes and of their samples, from what the system counted. */
import { NO_USAGE, type ProcessSample, processUsage, sleepOf, usageSum } from '../../../analysis/processes/usage.js';
import type { SystemUsage } from '../../../models/processes.js';
import { fixed } from '../numbers.js';
import type { Experiment, PrintedProcess } from '../peer/experiment.js';

/** Width of the words at the left. */
const LABEL = 50;
/** Words of times; sleep is the rest. */
const TIMES = [
  ['User CPU', 'user'],
  ['System CPU', 'system'],
  ['Trap CPU', 'trap'],
  ['User Lock', 'locks'],
  ['Data Page Fault', 'data_faults'],
  ['Text Page Fault', 'text_faults'],
  ['Kernel Page Fault', 'kernel_faults'],
  ['Stopped', 'stopped'],
  ['Wait CPU', 'cpu_waits'],
] as const;
const COUNTS = [
  ['Minor Page Faults', 'minor_faults'],
  ['Major Page Faults', 'major_faults'],
  ['Process swaps', 'swaps'],
  ['Input blocks', 'blocks_read'],
  ['Output blocks', 'blocks_written'],
  ['Messages sent', 'messages_sent'],
  ['Messages received', 'messages_received'],
  ['Signals handled', 'signals'],
  ['Voluntary context switches', 'voluntary_switches'],
  ['Involuntary context switches', 'involuntary_switches'],
  ['System calls', 'system_calls'],
  ['Characters of I/O', 'characters'],
] as const;

/** What is shown of a process, of a sample or of all; times in nanoseconds. */
interface Facts {
  readonly startLabel: string;
  readonly endLabel: string;
  /** Undefined for sums over processes. */
  readonly start: number | undefined;
  readonly end: number | undefined;
  readonly duration: number;
  readonly usage: SystemUsage;
  /** Of which nothing else is known, and with all that is: of a sample in which threads together took longer than it lasted, what they took. */
  readonly sleep: number;
  readonly threads: number;
}

/** The sums of times of threads over samples. */
function threadTimes(samples: readonly Pick<Facts, 'usage' | 'duration'>[]): Pick<Facts, 'sleep' | 'threads'> {
  let [sleep, threads] = [0, 0];
  for (const { usage, duration } of samples) {
    const sleepTime = sleepOf(usage, duration);
    sleep += sleepTime;
    threads += sleepTime > 0 ? duration : TIMES.reduce((sum, [, key]) => sum + usage[key], 0);
  }
  return { sleep, threads };
}

function factsOf({ samples, recorded }: PrintedProcess): Facts {
  const start = samples[0]?.from ?? 0;
  const end = samples.at(-1)?.to ?? start;
  const usage = processUsage(recorded) ?? NO_USAGE;
  const times = threadTimes(samples.map(sampleFacts));
  return { startLabel: 'Total', endLabel: 'Total', start, end, duration: end - start, usage, ...times };
}

function sampleFacts({ startLabel, endLabel, from, to, usage = NO_USAGE, number }: ProcessSample): Facts {
  const start = number === 1 ? from : from - 1;
  const duration = to - start;
  return { startLabel, endLabel, start, end: to, duration, usage, ...threadTimes([{ usage, duration }]) };
}

function sumOf(all: readonly Facts[]): Facts {
  return {
    startLabel: 'Total',
    endLabel: 'Total',
    start: undefined,
    end: undefined,
    duration: all.reduce((sum, { duration }) => sum + duration, 0),
    usage: usageSum(all.map(({ usage }) => usage)),
    sleep: all.reduce((sum, { sleep }) => sum + sleep, 0),
    threads: all.reduce((sum, { threads }) => sum + threads, 0),
  };
}

/** The statistics of processes, of several with their sum. */
export function statisticsText({ processes }: Pick<Experiment, 'processes'>): string {
  if (processes.every(({ recorded }) => recorded.usage.length === 0)) return '';
  const all = processes.map((process) => ({ name: process.name, facts: factsOf(process) }));
  const width = widthOf(all.map(({ facts }) => facts));
  const parts = all.map(({ name, facts }) => `Experiment: ${name}\n${factsText(facts, width, true)}`);
  if (all.length < 2) return parts.join('');
  const sum = sumOf(all.map(({ facts }) => facts));
  const head = `<Sum across selected experiments>\n${factsText(sum, width, true)}`;
  return `${head}\n${parts.join('')}`;
}

/** The same with each sample. */
export function sampleDetail({ processes }: Pick<Experiment, 'processes'>): string {
  const all = processes.map((process) => ({ process, facts: factsOf(process) }));
  const width = widthOf(all.map(({ facts }) => facts));
  const parts = all.map(({ process, facts }) => {
    const head = `Experiment: ${process.name}\n${factsText(facts, width, false)}\n`;
    const title = `${'Individual samples'.padStart(LABEL)}\n\n`;
    const samples = process.samples.map((sample) => {
      const number = `${'Sample Number'.padStart(LABEL)}: ${sample.number}\n\n`;
      return number + factLines(sampleFacts(sample), width);
    });
    return head + title + samples.join('');
  });
  if (all.length < 2) return parts.join('');
  const sum = sumOf(all.map(({ facts }) => facts));
  const head = `<Sum across selected experiments>\n${factsText(sum, width, false)}`;
  return `${head}\n${parts.join('')}`;
}

function widthOf(all: readonly Facts[]): number {
  return all.reduce((most, { duration }) => Math.max(most, fixed(duration / 1e9, 3).length), 5);
}

function factsText(facts: Facts, width: number, counts: boolean): string {
  const title = '        Aggregated statistics for selected samples\n\n';
  const lines = COUNTS.map(([label, key]) => labelled(label, String(facts.usage[key]).padStart(width)));
  return `${title}${factLines(facts, width)}${counts ? `${lines.join('')}\n` : ''}`;
}

function factLines(
  { startLabel, endLabel, start, end, duration, usage, sleep, threads }: Facts,
  width: number,
): string {
  const time = (nanos: number): string => timeText(nanos).padStart(width);
  const spent = TIMES.map(([label, key]) => [label, usage[key]] as const);
  const at = (nanos: number | undefined): string =>
    nanos === undefined ? 'N/A' : fixed(nanos / 1e9, 3).padStart(width);
  const share = (value: number): string =>
    value === 0 ? '  0. %' : `${fixed((100 * value) / threads, 1).padStart(5)}%`;
  return [
    labelled('Start Label', startLabel),
    labelled('End Label', endLabel),
    labelled('Start Time (sec.)', at(start)),
    labelled('End Time (sec.)', at(end)),
    labelled('Duration (sec.)', at(duration)),
    labelled('Total Thread Time (sec.)', at(threads)),
    labelled('Average number of Threads', fixed(threads / duration, 3).padStart(width)),
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
