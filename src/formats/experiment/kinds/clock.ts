/** Clock profiling: each packet is a thread, its state and a number of ticks of the profiling clock. */
import { Float64Builder, Int32Builder } from '../../../base/columns/columns.js';
import { CPU_SAMPLE_EVENTS } from '../../../models/events/thread-samples.js';
import type { Metric } from '../../../models/profile/profile.js';
import type { Field, Table } from '../../../models/table.js';
import type { PacketRun } from '../packets.js';
import { CommonColumns } from './common-columns.js';
import { CommonFields, type EventSource } from './event-source.js';
import { type KindRows, withDerived } from './kind.js';
import type { RegionRows } from './regions.js';

/** Microstates of Solaris by number; Linux has only its own CPU state. */
export const MICROSTATES = [
  'user',
  'system',
  'trap',
  'text-fault',
  'data-fault',
  'kernel-fault',
  'user-lock',
  'sleep',
  'wait-cpu',
  'stopped',
  'linux-cpu',
  'kernel-cpu',
] as const;
const LINUX = 10;
const KERNEL = 11;
/** States in which a thread of the program is on a CPU. */
const ON_CPU: ReadonlySet<number> = new Set([0, 1, 2, LINUX]);
const MICROSECOND = 1000;

/** States whose time is a metric of its own, where the recorder distinguishes them. Trap is a part of system time. */
const STATE_METRICS: readonly { readonly key: string; readonly title: string; readonly states: readonly number[] }[] = [
  { key: 'user', title: 'User CPU time', states: [0] },
  { key: 'system', title: 'System CPU time', states: [1, 2] },
  { key: 'text_fault', title: 'Text page fault time', states: [3] },
  { key: 'data_fault', title: 'Data page fault time', states: [4] },
  { key: 'kernel_fault', title: 'Kernel page fault time', states: [5] },
  { key: 'lock', title: 'User lock time', states: [6] },
  { key: 'sleep', title: 'Sleep time', states: [7] },
  { key: 'wait_cpu', title: 'Wait CPU time', states: [8] },
  { key: 'stopped', title: 'Stopped time', states: [9] },
  { key: 'kernel', title: 'Kernel CPU time', states: [KERNEL] },
  { key: 'total', title: 'Total thread time', states: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] },
];

const USER = 0;
const NO_STATE = -1;
/** States of OpenMP in which a thread runs code of the program (none, work, serial code, reduction), and that of the runtime system at work. */
const OPENMP_WORK: ReadonlySet<number> = new Set([NO_STATE, 0, 2, 6, 7]);
const OPENMP_OVERHEAD = 1;

type StateMetric = { readonly key: string; readonly title: string } & {
  /** Whether the time of an event in a microstate and a state of OpenMP belongs to it. */
  readonly has: (micro: number, openmp: number) => boolean;
};

/** gprofng counts all CPU time of Linux as waiting, since Linux does not know the user state. Here, code of the program on a CPU works. */
const isOpenmpWork = (micro: number, openmp: number): boolean =>
  OPENMP_WORK.has(openmp) && (micro === USER || micro === LINUX);

/** Metrics of programs with OpenMP states: together they are all recorded time. */
const OPENMP_METRICS: readonly StateMetric[] = [
  { key: 'omp_work', title: 'OpenMP work time', has: isOpenmpWork },
  {
    key: 'omp_wait',
    title: 'OpenMP wait time',
    has: (micro, openmp) => openmp !== OPENMP_OVERHEAD && !isOpenmpWork(micro, openmp),
  },
  { key: 'omp_overhead', title: 'OpenMP overhead time', has: (_, openmp) => openmp === OPENMP_OVERHEAD },
];

const STATE = {
  key: 'microstate',
  title: 'Microstate',
  holds: 'number',
  unit: 'none',
  meaning: 'state of the thread',
  names: MICROSTATES,
} as const satisfies Field;

function timeIn(key: string, title: string): Field {
  const meaning = `${title.toLowerCase()}; 0 in other states`;
  return { key, title, holds: 'number', unit: 'ns', meaning, wide: true, nature: 'flow' };
}

const ROWS = CPU_SAMPLE_EVENTS.having(['thread', 'time']).extended([STATE]);

/** Packets of older recorders of Solaris: a thread with the ticks of each microstate, in fields of these names, since it last was in user mode. */
const MICROSTATE_PACKET = 1;
const MICROSTATE_FIELDS = ['UCPU', 'SCPU', 'TRAP', 'TFLT', 'DFLT', 'KFLT', 'ULCK', 'TSLP', 'WCPU', 'TSTP'];

/** Events of a run of packets: a packet may be several. */
interface ClockEvents {
  readonly run: PacketRun;
  readonly states: ArrayLike<number>;
  readonly ticks: ArrayLike<number>;
}

function eachPacket(common: CommonFields): (run: PacketRun) => ClockEvents {
  const [state, ticks] = [common.packetField('MSTATE'), common.packetField('NTICK')];
  return (run) => ({ run, states: state.numbers(run), ticks: ticks.numbers(run) });
}

/** An event for each microstate that has ticks. */
function eachMicrostate(common: CommonFields): (run: PacketRun) => ClockEvents {
  const fields = MICROSTATE_FIELDS.map((name) => common.packetField(name));
  return (run) => {
    const counts = fields.map((field) => field.numbers(run));
    const [rows, states, ticks] = [new Int32Builder(), new Int32Builder(), new Int32Builder()];
    for (let i = 0; i < run.length; i++)
      for (const [state, count] of counts.entries()) {
        const number = count[i] ?? 0;
        if (number <= 0) continue;
        rows.push(i);
        states.push(state);
        ticks.push(number);
      }
    const chosen = rows.finish();
    const places = chosen.map((i) => run.places[i]);
    const sizes = chosen.map((i) => run.sizes[i]);
    return { run: { ...run, places, sizes, length: chosen.length }, states: states.finish(), ticks: ticks.finish() };
  };
}

export class ClockRows implements KindRows {
  readonly packets = [8, MICROSTATE_PACKET];
  readonly #rows = ROWS.builder();
  readonly #common = new CommonColumns();
  readonly #ticks = new Float64Builder();
  /** By row, once a process has states of OpenMP. */
  readonly #openmp = new Int32Builder();
  #hasOpenmp = false;
  readonly #states = new Set<number>();
  readonly #periods = new Set<number>();
  readonly #regions: RegionRows;

  /** `regions`: what the threads of OpenMP programs were in. */
  constructor(regions: RegionRows) {
    this.#regions = regions;
  }

  reader(source: EventSource): (run: PacketRun) => void {
    const common = new CommonFields(source);
    const eventsOf = source.layout.kind === MICROSTATE_PACKET ? eachMicrostate(common) : eachPacket(common);
    const period = Number(source.data.attributes.get('ptimer')) * MICROSECOND;
    const tick = Number.isFinite(period) && period > 0 ? period : 0;
    this.#periods.add(tick);
    const { stack, thread, time, count, cpu, microstate } = this.#rows.builders;
    return (packets) => {
      const { run, states, ticks: numbers } = eventsOf(packets);
      this.#common.append(common, run, stack);
      thread?.append(common.threads(run));
      time?.append(common.times(run));
      const openmp = common.openmpStates(run);
      this.#hasOpenmp ||= openmp !== undefined;
      this.#openmp.append(openmp ?? new Int32Array(run.length).fill(NO_STATE));
      for (let i = 0; i < run.length; i++) {
        const [micro, number] = [states[i], Math.max(0, numbers[i])];
        this.#states.add(micro);
        this.#ticks.push(number * tick);
        count.push(number);
        cpu.push(ON_CPU.has(micro) ? number * tick : 0);
        microstate.push(micro >= 0 && micro < MICROSTATES.length ? micro : -1);
      }
    };
  }

  finish(): { readonly table: Table; readonly metrics: readonly Metric[] } | undefined {
    const rows = this.#common.addTo(this.#rows.finish());
    const { thread, time } = ROWS.rows(rows);
    const table = this.#regions.addTo(rows, thread, time);
    if (table.length === 0) return undefined;
    const [period] = this.#periods;
    const known = this.#periods.size === 1 && period !== undefined && period > 0;
    const step = known ? { period: { value: period, unit: 'ns' as const } } : {};
    const cpu = CPU_SAMPLE_EVENTS.metric('cpu', { id: 'cpu', title: 'Total CPU time', ...step });
    const ticks = this.#ticks.finish();
    const [micro, openmp] = [table.columns[STATE.key], this.#openmp.finish()];
    const others = this.#distinguished().map(({ key, title, has }) => {
      const values = ticks.map((spent, row) => (has(micro?.[row] ?? -1, openmp[row]) ? spent : 0));
      const metric: Metric = {
        id: key.replace('_', '-'),
        title,
        unit: 'ns',
        nature: 'flow',
        table: table.kind,
        field: key,
      };
      return { field: { ...timeIn(key, title), extension: true as const }, values, metric: { ...metric, ...step } };
    });
    return { table: withDerived(table, others), metrics: [cpu, ...others.map(({ metric }) => metric)] };
  }

  /** Of microstates, on Linux none: all time is CPU time. */
  #distinguished(): StateMetric[] {
    const isLinux = [...this.#states].every((state) => state === LINUX);
    const known = isLinux ? [] : STATE_METRICS.filter(({ states }) => states.some((state) => this.#states.has(state)));
    return [
      ...known.map(({ key, title, states }) => ({ key, title, has: (micro: number) => states.includes(micro) })),
      ...(this.#hasOpenmp ? OPENMP_METRICS : []),
    ];
  }
}
