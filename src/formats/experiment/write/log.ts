/** log.xml of a written experiment. */
import { stringAt } from '../../../base/text.js';
import type { Profile } from '../../../models/profile/profile.js';
import { THREADS } from '../../../models/profile/tables.js';
import type { Program } from '../../../models/program/program.js';
import { attributeText, seconds } from './markup.js';
import type { MachineLayout } from './packets.js';
import type { WritePlan } from './plan.js';

/** Absolute time of the start: experiments count from the start of the machine. */
export const START = 1_000_000_000_000;

const COMMON = ['LWPID 8 INT64', 'THRID 16 INT64', 'CPUID 24 INT32'];
/** Where fields are in the packets that are written, as the recorder places them. */
export const CLOCK = { type: 8, size: 56, stamp: 28, frame: 36, state: 44, ticks: 48 } as const;
export const COUNTER = { type: 3, size: 64, stamp: 32, frame: 40, tag: 48, value: 56 } as const;
export const HEAP = {
  type: 5,
  size: 80,
  stamp: 32,
  frame: 40,
  step: 48,
  bytes: 56,
  address: 64,
  previous: 72,
} as const;
/** Fields of a layout in the order of their offsets: `name offset type`. */
export type FieldText = `${string} ${number} ${string}`;

export interface LogFacts extends MachineLayout {
  readonly profile: Profile;
  readonly program: Program;
  readonly plan: WritePlan;
  /** Nanoseconds from the start to the end. */
  readonly duration: number;
  readonly command: string;
}

export function* logText(facts: LogFacts): Generator<string> {
  const { plan } = facts;
  const data = [
    ...(plan.clock === undefined ? [] : [clockText(plan.clock.tick)]),
    ...countersText(plan.counters.map(({ name }) => name)),
  ];
  yield* logAround(facts, data, threadText(facts));
}

/** The process and the machine that were recorded. */
export interface RunOrigin {
  readonly collector: string;
  readonly host: string;
  readonly architecture: string;
  readonly system: string;
  readonly pageSize: number;
  readonly pages: number;
  /** Of each CPU, its clock in MHz. */
  readonly clocks: readonly number[];
  readonly pid: number;
  readonly parent: number;
  readonly directory: string;
  /** Absolute, in nanoseconds of the clock of the events. */
  readonly start: number;
  /** Seconds since 1970. */
  readonly date: number;
}

/** Of recordings that do not know where they were made. */
function unknownOrigin(littleEndian: boolean): RunOrigin {
  return {
    collector: 'kansoku',
    host: 'unknown',
    architecture: littleEndian ? 'x86_64' : 'sun4v',
    system: littleEndian ? 'Linux' : 'SunOS 5.11',
    pageSize: 4096,
    pages: 1,
    clocks: [1000],
    pid: 1,
    parent: 0,
    directory: '/',
    start: START,
    date: 0,
  };
}

interface LogFrame extends MachineLayout, Pick<LogFacts, 'duration' | 'command'> {
  readonly origin?: RunOrigin;
}

/** A log with the elements of its data, and what happened between start and end. */
export function* logAround(
  { littleEndian, word, duration, command, origin = unknownOrigin(littleEndian) }: LogFrame,
  data: Iterable<string>,
  events: Iterable<string> = [],
): Generator<string> {
  const { host, architecture, pageSize, pages, clocks, pid, parent, directory } = origin;
  const system = `arch="${architecture}" os="${attributeText(origin.system)}" pagesz="${pageSize}" npages="${pages}" bigendian="${littleEndian ? 0 : 1}"`;
  yield `<experiment version="12.4">\n<collector>${attributeText(origin.collector)}</collector>\n</experiment>\n`;
  yield `<system hostname="${attributeText(host)}" ${system}>\n${clocks.map((clock, id) => `  <cpu id="${id}" clk="${clock}"/>\n`).join('')}</system>\n`;
  const process = [`pid="${pid}"`, `ppid="${parent}"`, `cwd="${attributeText(directory)}"`];
  for (const each of [...process, `wsize="${word * 8}"`, 'stackbase="0x0"']) yield `<process ${each}></process>\n`;
  yield `<process>${attributeText(command)}</process>\n`;
  yield* data;
  yield '<dataptr name="frameinfo" format="binary"/>\n';
  const run = `<event kind="run" tstamp="${seconds(origin.start)}" time="${origin.date}" tm_zone="0"/>\n`;
  yield run;
  yield '<event kind="sample" tstamp="0.000000000" id="0" label="collector_open_experiment"/>\n';
  yield* events;
  yield `<event kind="sample" tstamp="${seconds(duration)}" id="1" label="collector_close_experiment"/>\n`;
  yield `${run}<event kind="exit" tstamp="${seconds(duration)}"/>\n`;
}

/** The layout of clock profiling, whose ticks are so many microseconds. */
export function clockText(tick: number): string {
  const { stamp, frame, state, ticks } = CLOCK;
  const own: FieldText[] = [
    `TSTAMP ${stamp} INT64`,
    `FRINFO ${frame} INT64`,
    `MSTATE ${state} INT32`,
    `NTICK ${ticks} INT32`,
  ];
  const packet = packetText(CLOCK.type, own);
  return `<profile name="profile" ptimer="${tick}" numstates="1">\n  <profdata fname="profile"/>\n${packet}</profile>\n`;
}

/** Counters by their names, in the order of their tags, and the layout of their packets. */
export function* countersText(names: readonly string[]): Generator<string> {
  if (names.length === 0) return;
  // As the recorder writes them: elements of the counters, then those of the file, which they do not enclose.
  for (const [tag, name] of names.entries())
    yield `<profile name="hwcounter" cpuver="2080" hwcname="${name}" int_name="${name}" interval="1" tag="${tag}" memop="0"/>\n`;
  const { stamp, frame, tag, value } = COUNTER;
  const own: FieldText[] = [
    `TSTAMP ${stamp} INT64`,
    `FRINFO ${frame} INT64`,
    `HWCTAG ${tag} INT32`,
    `HWCINT ${value} INT64`,
  ];
  yield `<profdata fname="hwcounters"/>\n${packetText(COUNTER.type, own)}`;
}

/** The layout of packets: the common fields, then their own. */
export function packetText(kind: number, own: readonly FieldText[]): string {
  const fields = [...COMMON, ...own].map((field) => {
    const [name, offset, type] = field.split(' ');
    return `    <field name="${name}" uname="${name}" offset="${offset}" type="${type}"/>\n`;
  });
  return `  <profpckt kind="${kind}" uname="packets">\n${fields.join('')}  </profpckt>\n`;
}

/** Names of threads, as Java threads have them. */
function* threadText({ profile, program }: LogFacts): Generator<string> {
  if (profile.threads === undefined) return;
  const { name, length } = THREADS.rows(profile.threads);
  for (let id = 0; id < length; id++) {
    const text = stringAt(program.names, name[id]);
    if (text !== '')
      yield `<event kind="jthread_start" tstamp="${seconds(START)}" name="${attributeText(text)}" grpname="" prntname="" tid="${id + 1}" jthr="0x0" jenv="0x0"/>\n`;
  }
}
