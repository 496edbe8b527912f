/** Clock profiling: each packet is a thread, its state and a number of ticks of the profiling clock. */
import { Float64Builder } from '../../../base/columns/columns.js';
import { CPU_SAMPLE_EVENTS } from '../../../models/events/thread-samples.js';
import type { Metric } from '../../../models/profile/profile.js';
import type { Field, Table } from '../../../models/table.js';
import type { PacketRun } from '../packets.js';
import { CommonFields, type EventSource } from './event-source.js';
import { type KindRows, withDerived } from './kind.js';
import { ModeStacks } from './mode-stacks.js';

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

export class ClockRows implements KindRows {
  readonly packets = [8];
  readonly #rows = ROWS.builder();
  readonly #modes = new ModeStacks();
  readonly #ticks = new Float64Builder();
  readonly #states = new Set<number>();
  readonly #periods = new Set<number>();

  reader(source: EventSource): (run: PacketRun) => void {
    const common = new CommonFields(source);
    const [state, ticks] = [common.packetField('MSTATE'), common.packetField('NTICK')];
    const period = Number(source.data.attributes.get('ptimer')) * MICROSECOND;
    const tick = Number.isFinite(period) && period > 0 ? period : 0;
    this.#periods.add(tick);
    const { stack, thread, time, count, cpu, microstate } = this.#rows.builders;
    return (run) => {
      const states = state.numbers(run);
      const numbers = ticks.numbers(run);
      stack.append(common.stacks(run));
      this.#modes.append(common, run, stack.finish());
      thread?.append(common.threads(run));
      time?.append(common.times(run));
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
    const table = this.#modes.addTo(this.#rows.finish());
    if (table.length === 0) return undefined;
    const [period] = this.#periods;
    const known = this.#periods.size === 1 && period !== undefined && period > 0;
    const step = known ? { period: { value: period, unit: 'ns' as const } } : {};
    const cpu = CPU_SAMPLE_EVENTS.metric('cpu', { id: 'cpu', title: 'Total CPU time', ...step });
    const ticks = this.#ticks.finish();
    const others = this.#distinguished().map(({ key, title, states }) => {
      const values = ticks.map((spent, row) => (states.includes(table.columns[STATE.key]?.[row] ?? -1) ? spent : 0));
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

  /** On Linux, none: all time is CPU time. */
  #distinguished(): typeof STATE_METRICS {
    if ([...this.#states].every((state) => state === LINUX)) return [];
    return STATE_METRICS.filter(({ states }) => states.some((state) => this.#states.has(state)));
  }
}
