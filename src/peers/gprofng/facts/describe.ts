/** The properties that filters and index objects can name, as far as the experiment has them. */
import { countersOf, type ExperimentLog } from '../../../formats/experiment/index.js';
import { IO_EVENTS } from '../../../models/events/io.js';
import { INDEX_TYPES } from '../index-objects.js';
import type { Experiment } from '../peer/experiment.js';
import { pidOf, programOf } from '../peer/process-names.js';
import { hasRegions } from '../regions.js';

type Property = readonly [name: string, meaning: string, values?: readonly string[]];

const GLOBAL: readonly Property[] = [
  ['HLEAKED', 'Leaked bytes'],
  ['HFREED', 'Freed bytes'],
  ['HCUR_ALLOCS', 'Current allocations'],
  ['HCUR_LEAKS', 'Current leaks'],
  ['JTHREAD', 'Java thread number'],
  ['PID', 'Process id'],
  ['EXPID', 'Experiment id'],
  ['EXPID_CMP', 'Comparable Experiment Id'],
  ['EXPGRID', 'Comparison Group id'],
  ['TSTAMP_LO', 'Start Timestamp (nanoseconds)'],
  ['TSTAMP_HI', 'End Timestamp (nanoseconds)'],
  ['TSTAMP2', 'End Timestamp (nanoseconds)'],
  ['FREQ_MHZ', 'CPU Frequency, MHz'],
  ['NTICK_USEC', 'Clock Profiling Interval, Microseconds'],
];
const NAME = 22;

function propertyText([name, meaning, values = []]: Property): string {
  const lines = values.map((value) => `   ${' '.repeat(NAME)}${value}\n`).join('');
  return `   ${name.padEnd(NAME)}${meaning}\n${lines}`;
}

function section(title: string, properties: readonly Property[]): string {
  return `\n${title}\n${properties.map(propertyText).join('')}`;
}

export function describeText(experiment: Experiment): string {
  const { processes } = experiment;
  const types = INDEX_TYPES.map(({ name, formula }): Property => [name, name, [formula]]);
  if (hasRegions(experiment)) types.push(['OMP_preg', 'OpenMP Parallel Region', ['CPRID']]);
  const groups = [...new Set(processes.map(({ group }) => group))];
  return [
    '\n------ Global Definitions ------\n',
    section('Misc. Definitions', GLOBAL),
    section('Index Object Definitions', types),
    ...groups.map((group) => groupText(experiment, group)),
  ].join('');
}

/** The properties of the events of one group of experiments: of those that its first process recorded. */
function groupText(experiment: Experiment, group: number): string {
  const processes = experiment.processes.filter((process) => process.group === group);
  const [founder] = processes;
  if (founder === undefined) return '';
  const ids = processes.map((process) => {
    const label = process.prefix === '' ? process.experiment : process.prefix.replace(/\/$/, '');
    return `(${process.id}) -> ${label} [${programOf(process)}, PID ${pidOf(process)}]`;
  });
  return [
    `\n------ ${founder.experiment} [EXPGRID==${group + 1}] ------\n`,
    section('Experiments', [['EXPID', 'Experiment id', ids]]),
    section('Process-wide Resource Utilization', [
      ['TSTAMP', 'High resolution timestamp'],
      ['SAMPLE', 'Sample number'],
      ['EVT_TIME', 'Event duration'],
    ]),
    ...dataSections(founder.log, experiment),
  ].join('');
}

/** What packets of all traces and profiles have first. */
const THREAD: readonly Property[] = [
  ['LWPID', 'Lightweight process id'],
  ['THRID', 'Thread number'],
  ['CPUID', 'CPU id'],
  ['TSTAMP', 'High resolution timestamp'],
];
const numbered = (values: readonly string[]): string[] => values.map((value, i) => `(${i}) -> ${value}`);

const HEAP: readonly Property[] = [
  ...THREAD,
  ['HTYPE', 'Heap trace function type', numbered(['malloc', 'free', 'realloc', 'mmap', 'munmap'])],
  ['HSIZE', 'Memory size'],
  ['HVADDR', 'Memory address'],
  ['HOVADDR', 'Previous memory address'],
  ['HLEAKED', 'Bytes Leaked'],
  ['HMEM_USAGE', 'Heap Memory Usage'],
  ['HFREED', 'Bytes Freed'],
  ['HCUR_ALLOCS', 'Net Bytes Allocated'],
  ['HCUR_LEAKS', 'Net Bytes Leaked'],
  ['HCUR_NET_ALLOC', 'HCUR_NET_ALLOC'],
  ['DDSCR_LNK', 'DDSCR_LNK'],
  ['TSTAMP2', 'End Timestamp (nanoseconds)'],
];
const IO_KINDS = ['Read', 'Write', 'Open', 'Close', 'Other I/O'];
const OMP_STATES = [
  'None',
  'Overhead',
  'Work',
  'Implicit Barrier',
  'Explicit Barrier',
  'Idle',
  'Serial',
  'Reduction',
  'Lock Wait',
  'Critical Section Wait',
  'Ordered Section Wait',
  'Atomic Wait',
  'Task Wait',
];

type Section = readonly [name: string, title: string, fields: readonly Property[]];

/** The data in the order of gprofng, with the fields of their packets. */
function dataOf({ data }: ExperimentLog, experiment: Experiment): readonly Section[] {
  const states: Property[] = experiment.hasOpenmp ? [['OMPSTATE', 'OpenMP state', numbered(OMP_STATES)]] : [];
  const counters = countersOf(data).map(({ name }) => `${name} Events`);
  return [
    [
      'jprofile',
      'Java Garbage Collection Events',
      [
        ['TSTAMP', 'High resolution timestamp'],
        ['GCEVENT', 'GCEvent number'],
        ['EVT_TIME', 'Event duration'],
      ],
    ],
    ['heaptrace', 'Heap Size', HEAP],
    [
      'profile',
      'Clock Profiling',
      [
        ['MSTATE', 'Thread state', ['(10) -> User+System CPU']],
        ['NTICK', 'Number of Profiling Ticks'],
        ...THREAD,
        ...states,
      ],
    ],
    [
      'hwcounter',
      'HW Counter Profiling',
      [...THREAD, ['HWCTAG', 'Hardware counter index', numbered(counters)], ['HWCINT', 'Hardware counter interval']],
    ],
    [
      'synctrace',
      'Synchronization Tracing',
      [
        ...THREAD,
        ['SRQST', 'Synchronization start time'],
        ['SOBJ', 'Synchronization object address'],
        ['EVT_TIME', 'Event duration'],
      ],
    ],
    ['heaptrace', 'Heap Tracing', HEAP],
    [
      'iotrace',
      'IO Tracing',
      [
        ...THREAD,
        ['IOTYPE', 'IO trace function type', numbered([...IO_KINDS, ...IO_KINDS.map((kind) => `${kind} error`)])],
        ['IOFD', 'File descriptor'],
        ['IONBYTE', 'Number of bytes'],
        ['IORQST', 'Time of IO requested'],
        ['IOOFD', 'Original file descriptor'],
        ['IOFSTYPE', 'File system type'],
        ['IOFNAME', 'File name'],
        // gprofng adds these when it reads the first event.
        ...(hasEvents(experiment, IO_EVENTS.kind) ? IO_DERIVED : []),
      ],
    ],
  ];
}

const IO_DERIVED: readonly Property[] = [
  ['EVT_TIME', 'Event duration'],
  ['IOVFD', 'Virtual File Descriptor'],
];

function hasEvents({ profile }: Experiment, kind: string): boolean {
  return profile.events.some((table) => table.kind === kind && table.length > 0);
}

function dataSections(log: ExperimentLog, experiment: Experiment): string[] {
  const recorded = new Set(log.data.map(({ name }) => name));
  return dataOf(log, experiment).flatMap(([name, title, fields]) =>
    recorded.has(name) ? [section(title, fields)] : [],
  );
}
