/** What all kinds of events of an experiment have in common: who, when, where. */
import type { StackId } from '../../../models/profile/profile.js';
import type { Frames } from '../frames.js';
import type { PacketLayout, RecordedData, Wide } from '../log.js';
import { FieldReader, type Packet } from '../packets.js';
import type { ProcessStacks, RunsOn } from '../stacks.js';
import type { ProcessThreads } from '../threads.js';

/** One process of the recording, and its data of one kind. */
export interface EventSource {
  readonly data: RecordedData;
  readonly layout: PacketLayout;
  readonly littleEndian: boolean;
  /** Start of the process's recording, and its distance from that of the whole recording in nanoseconds. */
  readonly start: Wide;
  readonly shift: number;
  readonly frames: Frames;
  readonly stacks: ProcessStacks;
  readonly threads: ProcessThreads;
  readonly hasJava: boolean;
}

/** Reads the common fields of packets. */
export class CommonFields {
  readonly #source: EventSource;
  readonly #thread: FieldReader;
  readonly #stamp: FieldReader;
  readonly #frame: FieldReader;

  constructor(source: EventSource) {
    this.#source = source;
    const lwp = this.packetField('LWPID');
    this.#thread = lwp.known ? lwp : this.packetField('THRID');
    this.#stamp = this.packetField('TSTAMP');
    this.#frame = this.packetField('FRINFO');
  }

  /** A field of these packets. */
  packetField(name: string): FieldReader {
    return new FieldReader(this.#source.layout, name, this.#source.littleEndian);
  }

  /** Nanoseconds since the start of the whole recording. */
  time(packet: Packet): number {
    return this.timeIn(this.#stamp, packet);
  }

  /** The same of another field with a time. */
  timeIn(field: FieldReader, packet: Packet): number {
    return this.#own(field, packet) + this.#source.shift;
  }

  /** Nanoseconds since the process was recorded. */
  #own(field: FieldReader, packet: Packet): number {
    const { start } = this.#source;
    return (field.high(packet) - start.high) * 2 ** 32 + (field.low(packet) - start.low);
  }

  thread(packet: Packet): number {
    return this.#source.threads.row(this.#thread.high(packet), this.#thread.low(packet));
  }

  stack(packet: Packet): StackId {
    const { frames, stacks } = this.#source;
    const frame = frames.find(this.#frame.high(packet), this.#frame.low(packet));
    const time = this.#own(this.#stamp, packet);
    return stacks.of(frame, time, this.#runsOn(packet, time));
  }

  #runsOn(packet: Packet, time: number): RunsOn {
    const { hasJava, threads } = this.#source;
    if (!hasJava) return 'native';
    return threads.isJava(this.#thread.high(packet), this.#thread.low(packet), time) ? 'java' : 'jvm';
  }
}
