/** `usage`: what the operating system counted, by process or by sample: CPU time, page faults, blocks, context switches. */
import { z } from 'zod';
import { NO_USAGE, processSamples, processUsage, sleepOf } from '../../analysis/processes/usage.js';
import { MissingError } from '../../base/errors.js';
import type { RecordedProcess, SystemUsage } from '../../models/processes.js';
import { USAGE_GROUPS, USAGE_OPTIONS } from '../../questions/options/recording.js';
import { columnsOf, common, detail, listed, listingShape, maybe, maybeText, number, text } from '../listing.js';
import { defineView } from '../question.js';
import { programName, requireProcesses } from './recorded.js';

const row = z.object({
  process: number('Process', 'none', 'number in the recording, from 1'),
  sample: maybe('Sample', 'none', 'number of the sample in the process, from 1; null of processes'),
  start: number('Start in process', 'ns', 'since the start of the process'),
  duration: number('Duration', 'ns', 'time between the first and the last of what was counted'),
  user: number('User', 'ns', 'CPU time of the program'),
  system: number('System', 'ns', 'CPU time of the system for it'),
  trap: detail(3, number('Trap', 'ns', 'CPU time in traps')),
  locks: detail(3, number('Locks', 'ns', 'waiting for locks')),
  data_faults: detail(3, number('Data faults', 'ns', 'in page faults of data')),
  text_faults: detail(3, number('Text faults', 'ns', 'in page faults of code')),
  kernel_faults: detail(3, number('Kernel faults', 'ns', 'in page faults of the system')),
  stopped: detail(3, number('Stopped', 'ns', 'stopped, as by a debugger')),
  cpu_waits: detail(3, number('CPU waits', 'ns', 'waiting for a CPU')),
  sleep: detail(1, number('Sleep', 'ns', 'the rest of the time')),
  minor_faults: detail(1, number('Minor faults', 'count', 'page faults without input')),
  major_faults: number('Major faults', 'count', 'page faults that read from disk'),
  swaps: detail(3, number('Swaps', 'count', 'times that the process was swapped out')),
  blocks_read: detail(1, number('Blocks read', 'count', 'blocks of input')),
  blocks_written: detail(1, number('Blocks written', 'count', 'blocks of output')),
  messages_sent: detail(3, number('Sent', 'count', 'messages sent')),
  messages_received: detail(3, number('Received', 'count', 'messages received')),
  signals: detail(2, number('Signals', 'count', 'signals that were handled')),
  voluntary_switches: number('Switches', 'count', 'context switches because it waited'),
  involuntary_switches: number('Preemptions', 'count', 'context switches against its will'),
  system_calls: detail(2, number('System calls', 'count', 'calls of the system')),
  characters: detail(3, number('Characters', 'count', 'characters read and written')),
  from_label: detail(2, maybeText('From', 'label at the start of the sample')),
  to_label: detail(2, maybeText('To', 'label at the end of the sample')),
  program: text('Program', 'name of the program'),
});

/** A part of the time of a process. */
interface Part {
  readonly process: number;
  readonly sample: number | null;
  readonly start: number;
  readonly end: number;
  readonly usage: SystemUsage;
  readonly labels: readonly [from: string, to: string] | undefined;
}

export const usageView = defineView({
  name: 'usage',
  version: 1,
  title: 'Use of the system',
  withoutNames: true,
  options: USAGE_OPTIONS,
  shape: { ...listingShape(row), by: z.enum(USAGE_GROUPS) },
  answer: async (input, { by }) => {
    const processes = requireProcesses(input);
    const rows = processes.flatMap((process, i) => (by === 'process' ? wholeOf(process, i) : samplesOf(process, i)));
    if (rows.length === 0)
      throw new MissingError(`${input.recording.name} does not say what the system counted`, {
        code: 'no-usage',
        advice: 'Its recorder asks the system at the start, at samples and at the end.',
      });
    const counted = (key: keyof SystemUsage) => (i: number) => rows[i].usage[key];
    const cells = {
      process: (i: number) => rows[i].process + 1,
      sample: (i: number) => rows[i].sample,
      start: (i: number) => rows[i].start,
      duration: (i: number) => rows[i].end - rows[i].start,
      user: counted('user'),
      system: counted('system'),
      trap: counted('trap'),
      locks: counted('locks'),
      data_faults: counted('data_faults'),
      text_faults: counted('text_faults'),
      kernel_faults: counted('kernel_faults'),
      stopped: counted('stopped'),
      cpu_waits: counted('cpu_waits'),
      sleep: (i: number) => sleepOf(rows[i].usage, rows[i].end - rows[i].start),
      minor_faults: counted('minor_faults'),
      major_faults: counted('major_faults'),
      swaps: counted('swaps'),
      blocks_read: counted('blocks_read'),
      blocks_written: counted('blocks_written'),
      messages_sent: counted('messages_sent'),
      messages_received: counted('messages_received'),
      signals: counted('signals'),
      voluntary_switches: counted('voluntary_switches'),
      involuntary_switches: counted('involuntary_switches'),
      system_calls: counted('system_calls'),
      characters: counted('characters'),
      from_label: (i: number) => rows[i].labels?.[0] ?? null,
      to_label: (i: number) => rows[i].labels?.[1] ?? null,
      program: (i: number) => programName(processes[rows[i].process]),
    };
    return {
      ...common(input),
      by,
      ...(await listed(cells, {
        columns: columnsOf(row).filter(
          ({ key }) =>
            (by === 'sample' || !SAMPLE_KEYS.has(key)) && (!isRare(key) || rows.some(({ usage }) => usage[key] > 0)),
        ),
        count: rows.length,
        input,
        usual: undefined,
      })),
    };
  },
});

/** What few systems count: a column without any value is not shown. */
const RARE = [
  'trap',
  'locks',
  'data_faults',
  'text_faults',
  'kernel_faults',
  'stopped',
  'cpu_waits',
  'swaps',
  'messages_sent',
  'messages_received',
  'system_calls',
  'characters',
] as const;

function isRare(key: string): key is (typeof RARE)[number] {
  return RARE.some((rare) => rare === key);
}

const SAMPLE_KEYS = new Set(['sample', 'from_label', 'to_label']);

function wholeOf(process: RecordedProcess, i: number): Part[] {
  const usage = processUsage(process);
  const samples = processSamples(process);
  const start = samples[0]?.from ?? 0;
  const end = samples.at(-1)?.to ?? start;
  return usage === undefined ? [] : [{ process: i, sample: null, start, end, usage, labels: undefined }];
}

function samplesOf(process: RecordedProcess, i: number): Part[] {
  return processSamples(process).map(({ number: sample, from, to, usage = NO_USAGE, startLabel, endLabel }) => ({
    process: i,
    sample,
    start: sample === 1 ? from : from - 1,
    end: to,
    usage,
    labels: [startLabel, endLabel],
  }));
}
