/** Hardware counters: each packet is the overflow of one counter. */
import { Int32Builder } from '../../../base/columns/columns.js';
import { SAMPLE_EVENTS } from '../../../models/events/sample.js';
import type { Metric } from '../../../models/profile/profile.js';
import type { Field, Table } from '../../../models/table.js';
import type { DataFile } from '../log.js';
import type { PacketRun } from '../packets.js';
import { CommonColumns } from './common-columns.js';
import { CommonFields, type EventSource } from './event-source.js';
import { type KindRows, withDerived } from './kind.js';

/** Upper half of a value whose bit 63 marks it as invalid. */
const INVALID = 0x80000000;

const TAG = {
  key: 'counter',
  title: 'Counter',
  holds: 'number',
  unit: 'none',
  meaning: 'number of the counter that overflowed',
} as const satisfies Field;

const VALUE = {
  key: 'counted',
  title: 'Counted',
  holds: 'number',
  unit: 'count',
  meaning: 'events of the counter that the sample stands for; 0 if the recorder marked them as invalid',
  wide: true,
} as const satisfies Field;

/** Present where there are such values. */
const REJECTED: Field = {
  key: 'rejected',
  title: 'Rejected',
  holds: 'number',
  unit: 'count',
  meaning: 'value that the recorder marked as invalid; 0 for valid ones',
  wide: true,
};

const ROWS = SAMPLE_EVENTS.having(['thread', 'time']).extended([TAG, VALUE]);

/** A counter that the log names. */
export interface Counter {
  readonly tag: number;
  readonly name: string;
  readonly interval: number;
}

/** The counters of an experiment, by their tags. */
export function countersOf(data: readonly DataFile[]): Counter[] {
  return data.flatMap(({ name, attributes }) => {
    const tag = Number(attributes.get('tag'));
    const counter = attributes.get('hwcname');
    if (name !== 'hwcounter' || !Number.isInteger(tag) || counter === undefined) return [];
    return [{ tag, name: counter, interval: Number(attributes.get('interval')) }];
  });
}

export class CounterRows implements KindRows {
  readonly packets = [3];
  readonly #rows = ROWS.builder();
  readonly #common = new CommonColumns();
  /** By name, in the order of the processes that have them: tags differ from one recording of a group to the next. */
  readonly #counters = new Map<string, Counter>();
  /** By row: index in `#counters`. */
  readonly #which = new Int32Builder();
  /** By row: what the recorder marked as invalid. */
  readonly #rejected = new Map<number, number>();

  constructor(counters: readonly Counter[]) {
    for (const counter of counters) if (!this.#counters.has(counter.name)) this.#counters.set(counter.name, counter);
  }

  reader(source: EventSource): (run: PacketRun) => void {
    const common = new CommonFields(source);
    const [tag, value] = [common.packetField('HWCTAG'), common.packetField('HWCINT')];
    const { stack, thread, time, count, counter, counted } = this.#rows.builders;
    const names = [...this.#counters.keys()];
    const own = new Map(countersOf(source.recorded).map((each) => [each.tag, names.indexOf(each.name)]));
    return (run) => {
      const tags = tag.numbers(run);
      const values = value.numbers(run);
      const { high, low } = value.halves(run);
      this.#common.append(common, run, stack);
      thread?.append(common.threads(run));
      time?.append(common.times(run));
      counter.append(tags);
      for (let i = 0; i < run.length; i++) {
        const row = this.#which.push(own.get(tags[i]) ?? -1);
        const isValid = high[i] >>> 0 < INVALID;
        count.push(1);
        counted.push(isValid ? values[i] : 0);
        if (!isValid) this.#rejected.set(row, ((high[i] >>> 0) - INVALID) * 2 ** 32 + (low[i] >>> 0));
      }
    };
  }

  finish(): { readonly table: Table; readonly metrics: readonly Metric[] } | undefined {
    const table = this.#common.addTo(this.#rows.finish());
    if (table.length === 0) return undefined;
    const { counted } = ROWS.rows(table);
    const which = this.#which.finish();
    const made = [...this.#counters.values()].map(({ name, interval }, index) => {
      const values = Float64Array.from(counted, (value, row) => (which[row] === index ? value : 0));
      const key = `counter_${index}`;
      const field: Field = {
        key,
        title: name,
        holds: 'number',
        unit: 'count',
        meaning: `events of the counter ${name}`,
        wide: true,
        nature: 'flow',
        extension: true,
      };
      const period = interval > 0 ? { period: { value: interval, unit: 'count' as const } } : {};
      const metric: Metric = {
        id: name,
        title: name,
        unit: 'count',
        nature: 'flow',
        table: table.kind,
        field: key,
        ...period,
      };
      return { field, values, metric };
    });
    const rejected = Float64Array.from({ length: table.length }, (_, row) => this.#rejected.get(row) ?? 0);
    const withRejected = this.#rejected.size === 0 ? [] : [{ field: REJECTED, values: rejected }];
    return { table: withDerived(table, [...made, ...withRejected]), metrics: made.map(({ metric }) => metric) };
  }
}
