/** The header of each experiment: what was recorded, how, and what happened to the process. */
import { recordedTime } from '../../../analysis/processes/usage.js';
import type { LogEvent } from '../../../formats/experiment/index.js';
import { nanos, nanoseconds } from '../numbers.js';
import type { Experiment, PrintedProcess } from '../peer/experiment.js';
import { overlaps } from './map-overlaps.js';
import { warningText } from './warnings.js';

const RULE = '-'.repeat(64);
const NOTES_END = '='.repeat(60);
/** Bytes of a megabyte. */
const MEGA = 1 << 20;

/** The headers of all processes. */
export function headerText({ processes }: Pick<Experiment, 'processes'>): string {
  return processes.map((process) => `${headerOf(process).join('\n')}\n`).join(`${RULE}\n`);
}

function headerOf(process: PrintedProcess): string[] {
  const { log } = process;
  return [
    `Experiment: ${process.name}`,
    ...notesOf(process),
    ...messagesOf(process),
    '',
    ...processLines(process),
    ...machineLines(process),
    'Data collection parameters:',
    ...parametersOf(process),
    '',
    `Experiment started ${startText(log.startDate)}`,
    '',
    ...eventLines(process),
    `Experiment Ended: ${nanos(process.recorded.end)}`,
    `Data Collection Duration: ${nanos(recordedTime(process.recorded))}`,
  ];
}

function notesOf({ notes }: PrintedProcess): string[] {
  return notes === undefined || notes === '' ? [] : ['Notes:', notes, NOTES_END];
}

function messagesOf({ log, map }: PrintedProcess): string[] {
  const of = (kind: string): LogEvent[] => log.events.filter((event) => event.kind === kind);
  const errors = of('cerror');
  const warnings = [...of('cwarn').map(warningLine), ...overlaps(map)];
  const closed = log.closed ? [] : ['*** Note: experiment was not closed'];
  return [
    ...(errors.length === 0 ? ['No errors'] : errors.map(({ text }) => `*** Collector Error: ${text}`)),
    ...(warnings.length === 0 ? ['No warnings'] : warnings),
    ...closed,
    ...of('comment').map(({ text }) => text),
  ];
}

function warningLine({ attributes, text = '' }: LogEvent): string {
  return `*** Collector Warning: ${warningText(attributes.get('id') ?? '', text)}`;
}

function processLines({ log }: PrintedProcess): string[] {
  const of = (key: string): string => log.process.get(key) ?? '';
  const size = log.word * 8;
  const jvm = log.data.find(({ name }) => name === 'jprofile')?.attributes.get('jversion');
  return [
    `Target command (${size}-bit): '${log.command ?? ''}'`,
    `Process pid ${of('pid')}, ppid ${of('ppid')}, pgrp ${of('pgrp') || '0'}, sid ${of('sid') || '0'}`,
    `Current working directory: ${of('cwd')}`,
    `Collector version: \`${log.collector ?? ''}'; experiment version ${log.version ?? ''} (${size}-bit)`,
    ...(jvm === undefined ? [] : [`JVM version: \`${jvm}'`]),
  ];
}

function machineLines({ log }: PrintedProcess): string[] {
  const { system, cpus, data } = log;
  const page = Number(system.get('pagesz') ?? 0);
  const pages = Number(system.get('npages') ?? 0);
  const memory = Math.floor((pages * page) / MEGA);
  const counters = data.some(({ name }) => name === 'hwcounter');
  return [
    `Host \`${system.get('hostname') ?? ''}', OS \`${system.get('os') ?? ''}', page size ${page}, architecture \`${system.get('arch') ?? ''}'`,
    `  ${cpus.length} CPU${cpus.length === 1 ? '' : 's'}, clock speed ${cpus[0]?.get('clk') ?? 0} MHz.`,
    `  Memory: ${pages} pages @ ${String(page).padStart(5)} = ${memory} MB.`,
    ...(counters ? ['  Machine model: generic'] : []),
  ];
}

function parametersOf({ log }: PrintedProcess): string[] {
  const settings = new Map(log.settings);
  const setting = (key: string, line: (value: string) => string): string[] => {
    const value = settings.get(key);
    return value === undefined ? [] : [line(value)];
  };
  return [
    ...dataLines(log.data),
    ...setting('sample_period', (seconds) => `  Periodic sampling, ${seconds} secs.`),
    ...setting('linetrace', (kinds) => `  Follow descendant processes from: ${kinds}`),
    ...setting('delay_start', (seconds) => `  Data collection delay start ${seconds} seconds`),
    ...setting('terminate', (seconds) => `  Data collection termination after ${seconds} seconds`),
    ...setting('pause_signal', (signal) => `  Pause signal ${signal}`),
    // gprofng prints the setting before it where the one of the signal is meant.
    ...setting('sample_signal', () => `  Sample signal ${settings.get('linetrace') ?? ''}`),
  ];
}

type Data = PrintedProcess['log']['data'];

function dataLines(data: Data): string[] {
  const counters = data.filter(({ name }) => name === 'hwcounter');
  const kinds = ['profile', 'synctrace', 'heaptrace', 'iotrace'];
  const order = ({ name }: Data[number]): number => kinds.indexOf(name);
  const lines = [...data]
    .sort((a, b) => order(a) - order(b))
    .flatMap(({ name, attributes }): string[] => {
      if (name === 'profile') return [`  Clock-profiling, interval = ${attributes.get('ptimer') ?? 0} microsecs.`];
      if (name === 'synctrace') return [syncLine(attributes)];
      if (name === 'heaptrace') return ['  Heap tracing'];
      if (name === 'iotrace') return ['  IO tracing'];
      return [];
    });
  if (counters.length === 0) return lines;
  const each = counters.map(({ attributes: of }) => {
    return `    ${of.get('hwcname')}, tag ${of.get('tag')}, interval ${of.get('interval')}, memop ${of.get('memop') ?? 0}`;
  });
  return [...lines, '  HW counter-profiling; counters:', ...each];
}

/** Whose waits were traced, by the bits of the scope. */
const SYNC_SCOPES = ['Native- and Java-APIs', 'Native-APIs', 'JAVA-APIs', 'Native- and Java-APIs'];

/** Negative thresholds are calibrated ones. */
function syncLine(attributes: ReadonlyMap<string, string>): string {
  const threshold = Number(attributes.get('threshold') ?? 0);
  const scope = Number(attributes.get('scope') ?? 0);
  const kinds = SYNC_SCOPES[scope & 3];
  const calibrated = threshold < 0 ? ' (calibrated)' : '';
  return `  Synchronization tracing, threshold = ${Math.abs(threshold)} microsecs.${calibrated}; ${kinds ?? ''}`;
}

/** `Sat Nov 21 02:08:09 2026`, in the time zone of UTC. */
export function startText(date: number | undefined): string {
  const at = new Date((date ?? 0) * 1000);
  const [day = '', number = '', month = '', year = '', time = ''] = at.toUTCString().replace(',', '').split(' ');
  return `${day} ${month} ${String(Number(number)).padStart(2)} ${time} ${year}`;
}

function eventLines({ log }: PrintedProcess): string[] {
  const lines: string[] = [];
  for (const [key, value] of log.settings) if (key === 'search_path') lines.push(`Search path: ${value}`);
  for (const { kind, attributes } of log.events) {
    const at = nanos(nanoseconds(attributes.get('tstamp')));
    if (kind === 'pause') lines.push(`Pause${attributes.has('name') ? ` (${attributes.get('name')})` : ''}: ${at}`);
    else if (kind === 'resume') lines.push(`Resume: ${at}`);
    else if (kind === 'desc_start' || kind === 'desc_started' || kind === 'exec_start')
      lines.push(descendantLine(kind, attributes));
  }
  return lines;
}

function descendantLine(kind: string, attributes: ReadonlyMap<string, string>): string {
  const of = (key: string): string => attributes.get(key) ?? '';
  const at = nanos(nanoseconds(of('tstamp')));
  const word = kind === 'desc_started' ? 'Started ' : 'Starting';
  return `${word} ${of('variant')} ${at}, exp ${of('lineage')}.er, "${of('msg')}"`;
}
