/**
 * omptrace: which thread entered which parallel region and which task of OpenMP, and when; the pragma of each, and the region or task around it. They
 * are no events of their own: the samples of a thread get the region and the task that it was in. Memory: 24 bytes an entry.
 *
 *   entered (9: fork of OpenMP 2.5, 12: region, 14: task)  thread, time ─► region 7     region 7 (15) ─► pragma's address, region around it
 */
import { Float64Builder, Int32Builder } from '../../../base/columns/columns.js';
import { IntTable } from '../../../base/columns/hash.js';
import { inTimeOrder } from '../../../base/columns/order.js';
import { firstNot } from '../../../base/columns/search.js';
import { CPU_SAMPLE_EVENTS } from '../../../models/events/thread-samples.js';
import type { StackId } from '../../../models/profile/profile.js';
import type { Column, Field, Table } from '../../../models/table.js';
import type { PacketRun } from '../packets.js';
import { CommonFields, type EventSource } from './event-source.js';
import type { KindRows } from './kind.js';

/** Numbers of packets. */
const FORK = 9;
const REGION_ENTERED = 12;
const TASK_ENTERED = 14;
const REGION = 15;
const TASK = 16;
/** Regions around a region: longer chains are loops of damaged files. */
const DEEPEST = 64;

const REGION_FIELDS = { id: fieldOf('omp_region'), stack: fieldOf('omp_region_stack') };
const TASK_FIELDS = { id: fieldOf('omp_task'), stack: fieldOf('omp_task_stack') };

function fieldOf(key: string): Field {
  const field = CPU_SAMPLE_EVENTS.fields.find((each) => each.key === key);
  if (field === undefined) throw new Error(`samples have no ${key}`);
  return field;
}

/** What is known of one process: its regions, or its tasks. */
class Nesting {
  /** Ids by their halves, in the order in which they appear; 0 is none. */
  readonly #ids = new IntTable();
  readonly #pragma: ({ readonly high: number; readonly low: number; readonly around: number } | undefined)[] = [];
  readonly #stacks = new Map<number, StackId>();
  readonly source: EventSource;

  constructor(source: EventSource) {
    this.source = source;
  }

  /** From 1 on; 0 for the id 0. */
  number(high: number, low: number): number {
    return high === 0 && low === 0 ? 0 : this.#ids.add(high, low) + 1;
  }

  describe(number: number, high: number, low: number, around: number): void {
    this.#pragma[number] ??= { high, low, around };
  }

  /** The places of the pragmas, the innermost as the leaf. */
  stackOf(number: number, time: number): StackId {
    const known = this.#stacks.get(number);
    if (known !== undefined) return known;
    const path = [];
    for (let at = number; at > 0 && path.length < DEEPEST; ) {
      const pragma = this.#pragma[at];
      if (pragma === undefined) break;
      path.push(pragma);
      at = pragma.around;
    }
    const made = this.source.stacks.ofAddresses(path, time);
    this.#stacks.set(number, made);
    return made;
  }
}

/** The moments at which threads entered something. */
class Entries {
  readonly #thread = new Int32Builder();
  readonly #time = new Float64Builder();
  readonly #number = new Int32Builder();
  readonly #nesting = new Int32Builder();

  get length(): number {
    return this.#thread.length;
  }

  add(thread: number, time: number, number: number, nesting: number): void {
    this.#thread.push(thread);
    this.#time.push(time);
    this.#number.push(number);
    this.#nesting.push(nesting);
  }

  /** By thread: rows in the order of time. */
  #byThread(): ReadonlyMap<number, number[]> {
    const rows = new Map<number, number[]>();
    const order = inTimeOrder(this.#time.finish());
    for (let i = 0; i < this.length; i++) {
      const row = order === undefined ? i : order[i];
      const thread = this.#thread.values[row];
      const list = rows.get(thread) ?? [];
      list.push(row);
      rows.set(thread, list);
    }
    return rows;
  }

  /** For each event, what its thread was in: number, and stack of pragmas. */
  columns(
    threads: Column,
    times: Column,
    nestings: readonly Nesting[],
  ): readonly [number: Int32Array, stack: Int32Array] {
    const byThread = this.#byThread();
    const [number, stack] = [new Int32Array(threads.length), new Int32Array(threads.length).fill(-1)];
    for (let row = 0; row < threads.length; row++) {
      const own = byThread.get(threads[row]) ?? [];
      const after = firstNot(0, own.length, (i) => this.#time.values[own[i] ?? 0] <= times[row]);
      const entry = own[after - 1];
      if (entry === undefined) continue;
      const nesting = nestings[this.#nesting.values[entry]];
      number[row] = this.#number.values[entry];
      if (number[row] > 0 && nesting !== undefined)
        stack[row] = nesting.stackOf(number[row], times[row] - nesting.source.shift);
    }
    return [number, stack];
  }
}

/** An empty list, which the compiler cannot type by itself. */
function noNestings(): Nesting[] {
  return [];
}

export class RegionRows implements KindRows {
  readonly isBeside = true;
  readonly packets = [FORK, REGION_ENTERED, TASK_ENTERED, REGION, TASK];
  readonly #kinds = {
    region: { fields: REGION_FIELDS, id: 'CPRID', around: 'PPRID', entries: new Entries(), nestings: noNestings() },
    task: { fields: TASK_FIELDS, id: 'TSKID', around: 'PTSKID', entries: new Entries(), nestings: noNestings() },
  };

  reader(source: EventSource): (run: PacketRun) => void {
    const common = new CommonFields(source);
    const { kind: packet } = source.layout;
    const kind = this.#kinds[packet === TASK || packet === TASK_ENTERED ? 'task' : 'region'];
    // Packets of one process have one object with its stacks.
    if (kind.nestings.at(-1)?.source.stacks !== source.stacks) kind.nestings.push(new Nesting(source));
    const nesting = kind.nestings.at(-1) ?? new Nesting(source);
    const index = kind.nestings.length - 1;
    const [id, around, pragma] = [kind.id, kind.around, 'PRPC'].map((name) => common.packetField(name));
    return (run) => {
      const own = id?.halves(run);
      if (own === undefined) return;
      if (packet === REGION || packet === TASK) {
        const [outer, code] = [around?.halves(run), pragma?.halves(run)];
        for (let i = 0; i < run.length; i++) {
          const number = nesting.number(own.high[i], own.low[i]);
          const above = nesting.number(outer?.high[i] ?? 0, outer?.low[i] ?? 0);
          if (number > 0) nesting.describe(number, code?.high[i] ?? 0, code?.low[i] ?? 0, above);
        }
        return;
      }
      const [threads, times] = [common.threads(run), common.times(run)];
      for (let i = 0; i < run.length; i++)
        kind.entries.add(threads[i], times[i], nesting.number(own.high[i], own.low[i]), index);
    };
  }

  /** The table of events of threads with the regions and tasks that these were in, if any were recorded. */
  addTo(table: Table, threads: Column | undefined, times: Column | undefined): Table {
    let made = table;
    if (threads === undefined || times === undefined) return table;
    for (const { fields, entries, nestings } of Object.values(this.#kinds)) {
      if (entries.length === 0) continue;
      const [id, stack] = entries.columns(threads, times, nestings);
      made = {
        ...made,
        fields: [...made.fields, fields.id, fields.stack],
        columns: { ...made.columns, [fields.id.key]: id, [fields.stack.key]: stack },
      };
    }
    return made;
  }

  finish(): undefined {
    return undefined;
  }
}
