/** The properties that filters and index objects can name, as far as the experiment has them. */
import type { ExperimentLog } from '../../../formats/experiment/index.js';
import { INDEX_TYPES, pidOf, programOf } from '../index-objects.js';
import type { Experiment } from '../peer/experiment.js';

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
  const { name, processes } = experiment;
  const types = INDEX_TYPES.map(({ name, formula }): Property => [name, name, [formula]]);
  const ids = processes.map((process) => {
    const own = process.prefix === '' ? name : process.prefix.replace(/\/$/, '');
    return `(${process.id}) -> ${own} [${programOf(process)}, PID ${pidOf(process)}]`;
  });
  const [founder] = processes;
  return [
    '\n------ Global Definitions ------\n',
    section('Misc. Definitions', GLOBAL),
    section('Index Object Definitions', types),
    `\n------ ${name} [EXPGRID==1] ------\n`,
    section('Experiments', [['EXPID', 'Experiment id', ids]]),
    section('Process-wide Resource Utilization', [
      ['TSTAMP', 'High resolution timestamp'],
      ['SAMPLE', 'Sample number'],
      ['EVT_TIME', 'Event duration'],
    ]),
    ...(founder === undefined ? [] : dataSections(founder.log)),
  ].join('');
}

/** The data in the order of gprofng, with the fields of their packets. */
const DATA: readonly (readonly [name: string, title: string, fields: readonly Property[]])[] = [
  [
    'jprofile',
    'Java Garbage Collection Events',
    [
      ['TSTAMP', 'High resolution timestamp'],
      ['GCEVENT', 'GCEvent number'],
      ['EVT_TIME', 'Event duration'],
    ],
  ],
  [
    'profile',
    'Clock Profiling',
    [
      ['MSTATE', 'Thread state', ['(10) -> User+System CPU']],
      ['NTICK', 'Number of Profiling Ticks'],
      ['LWPID', 'Lightweight process id'],
      ['THRID', 'Thread number'],
      ['CPUID', 'CPU id'],
      ['TSTAMP', 'High resolution timestamp'],
    ],
  ],
  [
    'synctrace',
    'Synchronization Tracing',
    [
      ['LWPID', 'Lightweight process id'],
      ['THRID', 'Thread number'],
      ['CPUID', 'CPU id'],
      ['TSTAMP', 'High resolution timestamp'],
      ['SRQST', 'Synchronization start time'],
      ['SOBJ', 'Synchronization object address'],
      ['EVT_TIME', 'Event duration'],
    ],
  ],
];

function dataSections({ data }: ExperimentLog): string[] {
  const recorded = new Set(data.map(({ name }) => name));
  return DATA.flatMap(([name, title, fields]) => (recorded.has(name) ? [section(title, fields)] : []));
}
