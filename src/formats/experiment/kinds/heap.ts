/** Heap tracing: allocations and what freed them. */
import { Float64Builder, Int32Builder } from '../../../base/columns/columns.js';
import { note } from '../../../base/note.js';
import { MEMORY_STEPS, NATIVE_MEMORY_EVENTS } from '../../../models/events/memory.js';
import type { Metric } from '../../../models/profile/profile.js';
import type { Column, Table } from '../../../models/table.js';
import type { PacketRun } from '../packets.js';
import { CommonColumns } from './common-columns.js';
import { CommonFields, type EventSource } from './event-source.js';
import type { KindRows } from './kind.js';
import { type HeapSteps, liveBytes } from './live-memory.js';

const FREE = MEMORY_STEPS.indexOf('free');
const UNMAP = MEMORY_STEPS.indexOf('munmap');

const ROWS = NATIVE_MEMORY_EVENTS.having(['thread', 'time', 'step', 'leaks']);
const LIVE = [
  note(
    'realloc-addresses',
    'An address that is returned again was freed before, although the recorder does not write the old address of realloc.',
  ),
];

/** Rows are reserved for a file of a known size at once, but for at most so many. */
const MOST_RESERVED = 1 << 26;
const LARGEST_INT = 2 ** 31 - 1;

/** Sizes: 4 bytes each as long as all are below 2 GiB. */
class Sizes {
  #values: Int32Builder | Float64Builder = new Int32Builder();

  /** Appends those sizes of a run that `isCounted` is true for, 0 in place of the others. */
  append(sizes: Float64Array, isCounted: (i: number) => boolean): void {
    for (let i = 0; i < sizes.length; i++) {
      const size = isCounted(i) ? Math.max(0, sizes[i]) : 0;
      if (size > LARGEST_INT && this.#values instanceof Int32Builder) this.#widen();
      this.#values.push(size);
    }
  }

  #widen(): void {
    const wide = new Float64Builder(this.#values.values.length);
    wide.append(this.#values.finish());
    this.#values = wide;
  }

  reserve(more: number): void {
    this.#values.reserve(more);
  }

  finish(): Column {
    return this.#values.finish();
  }
}

/** A column with few values other than 0. */
class Sparse {
  readonly #rows = new Int32Builder();
  readonly #values = new Float64Builder();

  set(row: number, value: number): void {
    this.#rows.push(row);
    this.#values.push(value);
  }

  /** Undefined if all values are 0. */
  finish(length: number): Float64Array | undefined {
    if (this.#rows.length === 0) return undefined;
    const column = new Float64Array(length);
    for (let i = 0; i < this.#rows.length; i++) column[this.#rows.values[i]] = this.#values.values[i];
    return column;
  }
}

export class HeapRows implements KindRows {
  readonly packets = [5];
  readonly #stack = new Int32Builder();
  readonly #common = new CommonColumns();
  readonly #thread = new Int32Builder();
  readonly #time = new Float64Builder();
  readonly #address = new Float64Builder();
  readonly #bytes = new Sizes();
  readonly #step = new Int32Builder();
  readonly #unmapped = new Sparse();
  readonly #previous = new Sparse();
  /** First rows of processes: each has addresses of its own. */
  readonly #starts: number[] = [];

  reader(source: EventSource): (run: PacketRun) => void {
    this.#starts.push(this.#stack.length);
    const common = new CommonFields(source);
    const [type, size, place, old] = [
      common.packetField('HTYPE'),
      common.packetField('HSIZE'),
      common.packetField('HVADDR'),
      common.packetField('HOVADDR'),
    ];
    return (run) => {
      this.#reserve(run);
      this.#common.append(common, run, this.#stack);
      this.#thread.append(common.threads(run));
      this.#time.append(common.times(run));
      const addresses = place.numbers(run);
      const [types, sizes, former] = [type.numbers(run), size.numbers(run), old.numbers(run)];
      const row = this.#address.length;
      for (let i = 0; i < run.length; i++) {
        const kind = types[i];
        this.#step.push(kind >= 0 && kind < MEMORY_STEPS.length ? kind : -1);
        if (kind === UNMAP) this.#unmapped.set(row + i, Math.max(0, sizes[i]));
        if (former[i] > 0) this.#previous.set(row + i, former[i]);
      }
      this.#bytes.append(sizes, (i) => isAllocation(types[i], addresses[i]));
      this.#address.append(addresses);
    };
  }

  /** Columns that grow are in memory twice. */
  #reserve({ expected = 0 }: PacketRun): void {
    const more = Math.min(expected, MOST_RESERVED);
    const columns = [this.#stack, this.#thread, this.#time, this.#address, this.#bytes, this.#step];
    for (const values of columns) values.reserve(more);
  }

  #live(steps: HeapSteps): Column {
    const starts = this.#starts.filter((start, i) => start < (this.#starts[i + 1] ?? steps.length));
    if (starts.length < 2) return liveBytes(steps);
    const live = steps.bytes instanceof Int32Array ? new Int32Array(steps.length) : new Float64Array(steps.length);
    for (const [i, from] of starts.entries())
      live.set(liveBytes(part(steps, from, starts[i + 1] ?? steps.length)), from);
    return live;
  }

  finish(): { readonly table: Table; readonly metrics: readonly Metric[] } | undefined {
    const { length } = this.#stack;
    if (length === 0) return undefined;
    const [step, address, bytes] = [this.#step.finish(), this.#address.finish(), this.#bytes.finish()];
    const time = this.#time.finish();
    const [unmapped, previous] = [this.#unmapped.finish(length), this.#previous.finish(length)];
    const live = this.#live({ length, time, address, step, bytes, unmapped, previous });
    const [allocations, leaks] = [new Int32Array(length), new Int32Array(length)];
    for (let row = 0; row < length; row++) {
      if (isAllocation(step[row], address[row])) allocations[row] = 1;
      if (live[row] > 0) leaks[row] = 1;
    }
    const common = { stack: this.#stack.finish(), thread: this.#thread.finish(), time, address };
    return {
      table: this.#common.addTo(
        ROWS.table({
          ...common,
          allocations,
          bytes,
          live,
          step,
          leaks,
          ...(unmapped && { unmapped }),
          ...(previous && { previous }),
        }),
      ),
      metrics: [
        NATIVE_MEMORY_EVENTS.metric('bytes', { id: 'heap-bytes', title: 'Bytes allocated' }),
        NATIVE_MEMORY_EVENTS.metric('allocations', { id: 'heap-allocations', title: 'Allocations' }),
        NATIVE_MEMORY_EVENTS.metric('live', { id: 'heap-leaked', title: 'Bytes leaked', notes: LIVE }),
        ROWS.metric('leaks', { id: 'heap-leaks', title: 'Leaks', notes: LIVE }),
      ],
    };
  }
}

function isAllocation(step: number, address: number): boolean {
  return step >= 0 && step < MEMORY_STEPS.length && step !== FREE && step !== UNMAP && address > 0;
}

/** The rows of one process. */
function part({ time, address, step, bytes, unmapped, previous }: HeapSteps, from: number, to: number): HeapSteps {
  return {
    length: to - from,
    time: time.subarray(from, to),
    address: address.subarray(from, to),
    step: step.subarray(from, to),
    bytes: bytes.subarray(from, to),
    unmapped: unmapped?.subarray(from, to),
    previous: previous?.subarray(from, to),
  };
}
