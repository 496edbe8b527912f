/**
 * What an experiment records beyond the models: the log and the map of each process, its use of the system, its notes, and for each event the process
 * and the thread. Kept only where a caller asks for it (`SetReading.details`), as the residue of the recording.
 */
import { Int32Builder } from '../../base/columns/columns.js';
import { IntTable } from '../../base/columns/hash.js';
import type { ClassId, FunctionId } from '../../models/program/program.js';
import type { Recording } from '../../models/recording.js';
import type { EventSource } from './kinds/event-source.js';
import { CommonFields } from './kinds/event-source.js';
import { address, type ExperimentLog } from './log.js';
import type { PacketRun } from './packets.js';

/** One event of map.xml, with its attributes as written. */
export interface MapEvent {
  readonly kind: string;
  readonly attributes: ReadonlyMap<string, string>;
  /** The method of compiled code, -1 if it is unknown; absent of other code. */
  readonly method?: FunctionId;
}

export interface ProcessDetails {
  /** Folder of the process in the experiment with a slash, `_f1.er/`; empty for the founder. */
  readonly prefix: string;
  readonly log: ExperimentLog;
  readonly map: readonly MapEvent[];
  /** Classes of the JVM in the order in which they were loaded. */
  readonly classes: readonly ClassId[];
  readonly notes: string | undefined;
  /** Nanoseconds since the start of the whole recording. */
  readonly shift: number;
  /** Packets by the file that they are in. */
  readonly packets: ReadonlyMap<string, number>;
  /** Whether archives has copies of files. */
  readonly archived: boolean;
}

/** Process and threads of the events of one kind, in the order of their table. */
export interface EventFacts {
  /** Index in `processes`. */
  readonly process: Int32Array;
  /** State of OpenMP, -1 if there is none. */
  readonly state: Int32Array;
  /** Numbers of thread and lightweight process in their process, from 1 on, as they first appear; Java threads of the log come first. */
  readonly thread: Int32Array;
  readonly lwp: Int32Array;
}

export interface ExperimentDetails {
  readonly type: 'experiment details';
  readonly processes: readonly ProcessDetails[];
  /** By kind of packets, as `log.xml` numbers them. */
  readonly events: ReadonlyMap<number, EventFacts>;
}

/** The details of a recording that was read with them; undefined of all others. */
export function experimentDetails({ residue }: Recording): ExperimentDetails | undefined {
  return isDetails(residue) ? residue : undefined;
}

function isDetails(residue: unknown): residue is ExperimentDetails {
  return typeof residue === 'object' && residue !== null && 'type' in residue && residue.type === 'experiment details';
}

/** Collects the facts of events while their tables are made. Memory: 16 bytes an event. */
export class FactsBuilder {
  readonly #kinds = new Map<number, Record<keyof EventFacts, Int32Builder>>();
  readonly #threads: Numbers[] = [];
  readonly #lwps: Numbers[] = [];

  /** Begins a process: Java threads of its log have the first numbers. */
  process({ events }: ExperimentLog): void {
    const threads = new Numbers();
    for (const { kind, attributes } of events) {
      const id = address(attributes.get('tid'));
      if (kind === 'jthread_start' && id !== undefined) threads.of(id.high, id.low);
    }
    this.#threads.push(threads);
    this.#lwps.push(new Numbers());
  }

  /** Takes the runs of packets of other kinds: their threads have numbers, too. Undefined if they name none. */
  numbering(process: number, source: EventSource): ((run: PacketRun) => void) | undefined {
    const thread = new CommonFields(source).packetField('THRID');
    const threads = this.#threads[process];
    if (!thread.known || threads === undefined) return undefined;
    return (run) => {
      const { high, low } = thread.halves(run);
      for (let i = 0; i < run.length; i++) threads.of(high[i], low[i]);
    };
  }

  /** Takes the runs of packets that also go to the table of their kind. */
  reader(kind: number, process: number, source: EventSource): (run: PacketRun) => void {
    const fields = new CommonFields(source);
    const frame = fields.packetField('FRINFO');
    const [thread, lwp] = [fields.packetField('THRID'), fields.packetField('LWPID')];
    const [threads, lwps] = [this.#threads[process] ?? new Numbers(), this.#lwps[process] ?? new Numbers()];
    const column = (): Int32Builder => new Int32Builder();
    const made = { process: column(), state: column(), thread: column(), lwp: column() };
    const facts = this.#kinds.get(kind) ?? made;
    this.#kinds.set(kind, facts);
    return (run) => {
      const { high, low } = frame.halves(run);
      const [thread64, lwp64] = [thread.halves(run), lwp.halves(run)];
      for (let i = 0; i < run.length; i++) {
        facts.process.push(process);
        const row = source.frames.find(high[i], low[i]);
        facts.state.push(row < 0 ? -1 : source.frames.stateOf(row));
        facts.thread.push(threads.of(thread64.high[i], thread64.low[i]));
        facts.lwp.push(lwps.of(lwp64.high[i], lwp64.low[i]));
      }
    };
  }

  finish(): ReadonlyMap<number, EventFacts> {
    return new Map(
      [...this.#kinds].map(([kind, { process, state, thread, lwp }]) => [
        kind,
        {
          process: process.finish(),
          state: state.finish(),
          thread: thread.finish(),
          lwp: lwp.finish(),
        },
      ]),
    );
  }
}

/** Numbers of 64-bit ids in the order in which they first appear, from 1 on. */
class Numbers {
  readonly #ids = new IntTable(16);

  of(high: number, low: number): number {
    return this.#ids.add(high | 0, low | 0) + 1;
  }
}
