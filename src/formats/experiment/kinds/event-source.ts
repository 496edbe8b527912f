/** What all kinds of events of an experiment have in common: who, when, where. */
import type { ViewMode } from '../../../models/scope.js';
import { FieldReader, type Halves } from '../fields.js';
import type { Frames } from '../frames.js';
import type { DataFile, PacketLayout, Wide } from '../log.js';
import type { PacketRun } from '../packets.js';
import type { ProcessStacks, RunsOn } from '../stacks.js';
import type { ProcessThreads } from '../threads.js';

/** One process of the recording, and its data of one kind. */
export interface EventSource {
  readonly data: DataFile;
  readonly layout: PacketLayout;
  /** All data of the process, as its log describes it. */
  readonly recorded: readonly DataFile[];
  readonly littleEndian: boolean;
  /** Start of the process's recording, and its distance from that of the whole recording in nanoseconds. */
  readonly start: Wide;
  readonly shift: number;
  readonly frames: Frames;
  readonly stacks: ProcessStacks;
  readonly threads: ProcessThreads;
  readonly hasJava: boolean;
}

/** Reads the common fields of runs of packets, as columns that are valid until the next run. */
export class CommonFields {
  readonly #source: EventSource;
  readonly #thread: FieldReader;
  readonly #stamp: FieldReader;
  readonly #processor: FieldReader;
  readonly #frame: FieldReader;
  #rows = new Int32Array();
  #stacks = new Int32Array();

  constructor(source: EventSource) {
    this.#source = source;
    const lwp = this.packetField('LWPID');
    this.#thread = lwp.known ? lwp : this.packetField('THRID');
    this.#stamp = this.packetField('TSTAMP');
    this.#processor = this.packetField('CPUID');
    this.#frame = this.packetField('FRINFO');
  }

  /** A field of these packets. */
  packetField(name: string): FieldReader {
    return new FieldReader(this.#source.layout, name, this.#source.littleEndian);
  }

  /** Nanoseconds since the start of the whole recording. */
  times(run: PacketRun): Float64Array {
    return this.timesIn(this.#stamp, run);
  }

  /** The same of another field with a time. */
  timesIn(field: FieldReader, run: PacketRun): Float64Array {
    const times = field.numbers(run);
    const { high, low } = field.halves(run);
    const { start, shift } = this.#source;
    // Halves are exact where whole numbers above 2^53 are not.
    for (let i = 0; i < run.length; i++)
      times[i] = ((high[i] >>> 0) - start.high) * 2 ** 32 + ((low[i] >>> 0) - start.low) + shift;
    return times;
  }

  /** Numbers of processors, -1 unknown. */
  processors(run: PacketRun): Int32Array {
    // The recorder writes -1 without a sign.
    return new Int32Array(this.#processor.numbers(run).subarray(0, run.length));
  }

  threads(run: PacketRun): Int32Array {
    const { high, low } = this.#thread.halves(run);
    if (this.#rows.length < run.length) this.#rows = new Int32Array(run.places.length);
    const rows = this.#rows;
    // Those of one thread follow each other.
    let known = -1;
    for (let i = 0; i < run.length; i++) {
      if (i === 0 || high[i] !== high[i - 1] || low[i] !== low[i - 1])
        known = this.#source.threads.row(high[i] >>> 0, low[i] >>> 0);
      rows[i] = known;
    }
    return rows.subarray(0, run.length);
  }

  /** Whether stacks differ by view mode. */
  get hasModes(): boolean {
    return this.#source.hasJava || this.#source.frames.hasStates;
  }

  /** The OpenMP state of each packet's thread, -1 if it has none; undefined if the process has no states. */
  openmpStates(run: PacketRun): Int32Array | undefined {
    const { frames } = this.#source;
    if (!frames.hasStates) return undefined;
    const { high, low } = this.#frame.halves(run);
    return Int32Array.from({ length: run.length }, (_, i) => {
      const frame = frames.find(high[i], low[i]);
      return frame < 0 ? -1 : frames.stateOf(frame);
    });
  }

  stacks(run: PacketRun, mode: ViewMode = 'user'): Int32Array {
    const { frames, stacks, hasJava, shift } = this.#source;
    if (this.#stacks.length < run.length) this.#stacks = new Int32Array(run.places.length);
    const found = this.#stacks;
    const times = this.times(run);
    const { high, low } = this.#frame.halves(run);
    const threads = hasJava ? this.#thread.halves(run) : undefined;
    for (let i = 0; i < run.length; i++) {
      const time = times[i] - shift;
      const [frame, runsOn] = [frames.find(high[i], low[i]), this.#runsOn(threads, i, time)];
      found[i] = mode === 'user' ? stacks.of(frame, time, runsOn) : stacks.inMode(mode, frame, time, runsOn);
    }
    return found.subarray(0, run.length);
  }

  #runsOn(threads: Halves | undefined, i: number, time: number): RunsOn {
    if (threads === undefined) return 'native';
    return this.#source.threads.runsOn(threads.high[i] >>> 0, threads.low[i] >>> 0, time);
  }
}
