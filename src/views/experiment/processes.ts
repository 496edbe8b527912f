/** `processes`: what a recording is of: commands, machine, kinds of data, pauses. */
import { z } from 'zod';
import { recordedTime } from '../../analysis/processes/usage.js';
import { formatBytes, formatCount, formatValue, plural } from '../../base/units.js';
import type { Machine, ProcessSpan, RecordedData, RecordedProcess } from '../../models/processes.js';
import { NO_OPTIONS } from '../../questions/options/shared.js';
import {
  columnsOf,
  common,
  detail,
  HEADLINES,
  listed,
  listingShape,
  maybe,
  maybeText,
  number,
  text,
} from '../listing.js';
import { defineView } from '../question.js';
import { tableRows } from '../row-table.js';
import { requireProcesses } from './recorded.js';

const row = z.object({
  process: number('Process', 'none', 'number in the recording, from 1'),
  pid: maybe('PID', 'none', 'number of the process in its system'),
  parent: detail(1, maybe('Parent', 'none', 'PID of the process that started it')),
  start: number('Start', 'ns', 'since the start of the recording'),
  duration: number('Duration', 'ns', 'to the last moment that the recorder wrote'),
  recorded: number('Recorded', 'ns', 'without pauses of the recorder'),
  events: number('Events', 'count', 'of all kinds'),
  samples: detail(2, number('Samples', 'count', 'parts of the time with what the system counted in each')),
  collections: detail(2, number('Collections', 'count', 'garbage collections')),
  ended: z.boolean().meta({ title: 'Ended', description: 'whether its recording ended properly', unit: 'text' }),
  descendant: maybeText(
    'Descendant',
    'how it descends from the first process: _f1 is its first fork, x an exec; null of the first one',
  ),
  directory: detail(3, maybeText('Directory', 'where it ran')),
  command: text('Command', 'command line; (fork) of processes that run the program of their parent'),
});

const span = z.object({ from: z.number(), to: z.number() });

export const processesView = defineView({
  name: 'processes',
  version: 1,
  title: 'Processes',
  withoutNames: true,
  options: NO_OPTIONS,
  shape: {
    ...listingShape(row),
    headlines: HEADLINES,
    started: z.number().nullable().describe('in ms since 1970; null unknown'),
    machine: z
      .object({
        host: z.string(),
        os: z.string(),
        architecture: z.string(),
        cpus: z.number(),
        clock: z.number().nullable().describe('in MHz; null unknown'),
        memory: z.number().nullable().describe('in bytes; null unknown'),
      })
      .describe('that of the first process'),
    data: z
      .array(
        z.object({
          kind: z.string(),
          name: z.string().nullable().describe('of a counter'),
          interval: z.number().nullable().describe('between two samples: in ns; of a counter in its events'),
          threshold: z.number().nullable().describe('of waits that are recorded, in ns'),
          calibrated: z.boolean().nullable().describe('whether the recorder chose the threshold'),
        }),
      )
      .describe('what the first process recorded'),
    pauses: z
      .array(span.extend({ process: z.number() }))
      .describe('of the recorder; in ns since the start of the process'),
    metadata: z
      .array(z.object({ key: z.string(), value: z.string() }))
      .describe('facts of the recording, in its words'),
  },
  answer: async (input) => {
    const processes = requireProcesses(input);
    const [first] = processes;
    const cells = {
      process: (i: number) => i + 1,
      pid: (i: number) => numberOrNull(processes[i].pid),
      parent: (i: number) => numberOrNull(processes[i].parent),
      start: (i: number) => processes[i].shift,
      duration: (i: number) => processes[i].end,
      recorded: (i: number) => recordedTime(processes[i]),
      events: (i: number) => processes[i].events,
      samples: (i: number) => Math.max(0, processes[i].samples.length - 1),
      collections: (i: number) => processes[i].collections.length,
      ended: (i: number) => processes[i].ended,
      descendant: (i: number) => textOrNull(processes[i].name),
      directory: (i: number) => textOrNull(processes[i].directory),
      command: (i: number) => processes[i].command,
    };
    const machine = first?.machine ?? UNKNOWN_MACHINE;
    return {
      ...common(input),
      headlines: first === undefined ? [] : headlinesOf(first),
      started: numberOrNull(first?.started ?? -1),
      machine: { ...machine, clock: numberOrNull(machine.clock), memory: numberOrNull(machine.memory) },
      data: (first?.data ?? []).map(dataOf),
      pauses: tableRows(processes.flatMap(({ pauses }, i) => pauses.map((pause) => ({ ...pause, process: i + 1 })))),
      metadata: input.recording.metadata.map(({ key, value }) => ({ key, value })),
      ...(await listed(cells, {
        columns: columnsOf(row).filter(({ key }) => !OPTIONAL.has(key) || processes.some(hasAny(key))),
        count: processes.length,
        input,
        usual: undefined,
      })),
    };
  },
});

const UNKNOWN_MACHINE: Machine = { host: '', os: '', architecture: '', cpus: 0, clock: -1, memory: -1 };

/** Columns that few recordings have. */
const OPTIONAL = new Set(['collections', 'descendant']);

function hasAny(key: string): (process: RecordedProcess) => boolean {
  return ({ name, collections }) => (key === 'descendant' ? name !== '' : collections.length > 0);
}

function numberOrNull(value: number): number | null {
  return value < 0 ? null : value;
}

function textOrNull(value: string): string | null {
  return value === '' ? null : value;
}

function dataOf(data: RecordedData) {
  const { kind } = data;
  const nothing = { kind, name: null, interval: null, threshold: null, calibrated: null };
  if (data.kind === 'clock') return { ...nothing, interval: data.interval };
  if (data.kind === 'counter') return { ...nothing, name: data.name, interval: data.interval };
  if (data.kind === 'waits') return { ...nothing, threshold: data.threshold, calibrated: data.calibrated };
  return nothing;
}

function headlinesOf({ command, started, machine, data, jvm, bits, pauses }: RecordedProcess): string[] {
  const { host, os, architecture, cpus, clock, memory } = machine;
  const when = started < 0 ? [] : [`started ${formatValue(started, 'date')}`];
  const speed = clock > 0 ? ` of ${formatCount(clock)} MHz` : '';
  const parts = [
    host,
    os,
    architecture,
    `${plural(cpus, 'CPU')}${speed}`,
    memory < 0 ? '' : `${formatBytes(memory)} of memory`,
  ];
  return [
    [command, `${bits} bits`, ...when].join(', '),
    `On ${parts.filter((part) => part !== '').join(', ')}`,
    ...(data.length === 0 ? [] : [`Recorded: ${data.map(dataText).join('; ')}`]),
    ...(jvm === '' ? [] : [`JVM: ${jvm.replaceAll('\n', ' ')}`]),
    ...(pauses.length === 0 ? [] : [`Paused: ${pauses.map(pauseText).join(', ')}`]),
  ];
}

function pauseText({ from, to }: ProcessSpan): string {
  return `${formatValue(from, 'ns')} to ${formatValue(to, 'ns')}`;
}

const WORDS = { memory: 'native memory', io: 'input and output', java: 'Java', openmp: 'OpenMP' } as const;

function dataText(data: RecordedData): string {
  switch (data.kind) {
    case 'clock':
      return `clock samples every ${formatValue(data.interval, 'ns')}`;
    case 'waits':
      return `waits from ${formatValue(data.threshold, 'ns')} on${data.calibrated ? ' (calibrated)' : ''}`;
    case 'counter':
      return `counter ${data.name} every ${formatCount(data.interval)}`;
    default:
      return WORDS[data.kind];
  }
}
