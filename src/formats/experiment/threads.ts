/** Threads of an experiment: native ones by the ids of their events, Java threads by the log. */
import { Float64Builder, Int32Builder } from '../../base/columns/columns.js';
import { IntTable } from '../../base/columns/hash.js';
import { THREADS } from '../../models/profile/tables.js';
import type { ProgramBuilder } from '../../models/program/program-builder.js';
import type { Table } from '../../models/table.js';
import { between, type ExperimentLog, nanoseconds } from './log.js';

/** A Java thread while it had a native one. */
interface JavaThread {
  readonly name: string;
  readonly group: string;
  /** Nanoseconds since the process was recorded. */
  readonly from: number;
  to: number;
}

/** The threads of all processes of a recording. */
export class ThreadTable {
  readonly #program: ProgramBuilder;
  readonly #ids = new IntTable();
  readonly #name = new Int32Builder();
  readonly #number = new Float64Builder();
  readonly #native = new Float64Builder();
  readonly #group = new Int32Builder();
  readonly #process = new Int32Builder();

  constructor(program: ProgramBuilder) {
    this.#program = program;
  }

  get length(): number {
    return this.#ids.length;
  }

  /** The row of a thread; `make` names a new one. */
  row(process: number, high: number, low: number, make: () => NewThread): number {
    const row = this.#ids.add(process, high | 0, low | 0);
    if (row < this.#name.length) return row;
    const { name, group, number } = make();
    this.#name.push(this.#program.name(name));
    this.#group.push(group === undefined ? -1 : this.#program.name(group));
    this.#number.push(number);
    this.#process.push(process);
    this.#native.push(high * 2 ** 32 + low);
    return row;
  }

  finish(): Table {
    const [group, process] = [this.#group.finish(), this.#process.finish()];
    return THREADS.table({
      name: this.#name.finish(),
      number: this.#number.finish(),
      native: this.#native.finish(),
      ...(group.some((id) => id >= 0) && { group }),
      ...(process.some((number) => number !== 0) && { process }),
    });
  }
}

interface NewThread {
  readonly name: string;
  readonly group: string | undefined;
  readonly number: number;
}

/** The threads of one process. */
export class ProcessThreads {
  readonly #table: ThreadTable;
  readonly #process: number;
  readonly #prefix: string;
  readonly #java = new Map<string, JavaThread[]>();
  /** Of Java threads: they come first, in the order of the log. */
  readonly #numbers = new Map<string, number>();
  #count = 0;

  /** `prefix` comes before the names of threads of descendants. */
  constructor(table: ThreadTable, process: number, prefix: string, log: ExperimentLog) {
    this.#table = table;
    this.#process = process;
    this.#prefix = prefix;
    for (const { kind, attributes } of log.events) {
      const at = nanoseconds(attributes.get('tstamp'));
      const time = at && log.start ? between(log.start, at) : undefined;
      const tid = attributes.get('tid');
      if (time === undefined || tid === undefined) continue;
      if (kind === 'jthread_start') this.#start(tid, time, attributes);
      else if (kind === 'jthread_end') {
        const last = this.#java.get(tid)?.at(-1);
        if (last !== undefined) last.to = Math.min(last.to, time);
      }
    }
  }

  #start(tid: string, from: number, attributes: ReadonlyMap<string, string>): void {
    if (!this.#numbers.has(tid)) this.#numbers.set(tid, ++this.#count);
    const list = this.#java.get(tid) ?? [];
    const last = list.at(-1);
    if (last !== undefined) last.to = Math.min(last.to, from);
    const [name, group] = [attributes.get('name') ?? '', attributes.get('grpname') ?? ''];
    list.push({ name, group, from, to: Number.POSITIVE_INFINITY });
    this.#java.set(tid, list);
  }

  /** The row of a thread by its native id. */
  row(high: number, low: number): number {
    return this.#table.row(this.#process, high, low, () => {
      const tid = String(high * 2 ** 32 + low);
      const number = this.#numbers.get(tid) ?? ++this.#count;
      const java = this.#java.get(tid)?.[0];
      const name = java === undefined || java.name === '' ? `thread ${number}` : java.name;
      return { name: this.#prefix + name, group: java?.group, number };
    });
  }

  /** What a native thread ran at a time: a Java thread of the program, one of the JVM itself, or none that the JVM names. */
  runsOn(high: number, low: number, time: number): 'java' | 'jvm' | 'unnamed' {
    const list = this.#java.get(String(high * 2 ** 32 + low)) ?? [];
    const thread = list.findLast(({ from }) => from <= time);
    if (thread === undefined || time >= thread.to) return 'unnamed';
    return thread.group === 'system' ? 'jvm' : 'java';
  }
}
