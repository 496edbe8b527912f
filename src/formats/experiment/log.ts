/** log.xml: what was recorded, how, and what happened to the process. Times are nanoseconds. */
import type { ProblemLog } from '../../base/problems.js';
import { eachTag, type Tag } from './markup.js';

/** A 64-bit number in two halves of 32 bits, unsigned. */
export interface Wide {
  readonly high: number;
  readonly low: number;
}

export const FIELD_TYPES = ['INT32', 'UINT32', 'INT64', 'UINT64', 'STRING', 'DOUBLE', 'DATE'] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

/** Where a field of a packet is. */
export interface PacketField {
  readonly offset: number;
  readonly type: FieldType;
}

/** A kind of packets of a file, as the experiment describes it. */
export interface PacketLayout {
  readonly kind: number;
  readonly fields: ReadonlyMap<string, PacketField>;
}

/** Recorded data: a file and the layout of its packets. */
export interface DataFile {
  /** `profile`, `heaptrace`, `hwcounter` and others. */
  readonly name: string;
  readonly file: string | undefined;
  readonly attributes: ReadonlyMap<string, string>;
  readonly packets: readonly PacketLayout[];
}

export interface LogEvent {
  readonly kind: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly text: string;
  readonly offset: number;
}

export interface ExperimentLog {
  /** `12.4`. */
  readonly version: string | undefined;
  readonly collector: string | undefined;
  readonly system: ReadonlyMap<string, string>;
  readonly cpus: readonly ReadonlyMap<string, string>[];
  /** Attributes of `process`: pid, wsize and others. */
  readonly process: ReadonlyMap<string, string>;
  /** The command line. */
  readonly command: string | undefined;
  readonly settings: readonly (readonly [key: string, value: string])[];
  readonly data: readonly DataFile[];
  readonly events: readonly LogEvent[];
  /** Absolute time of the start; undefined if it is missing. */
  readonly start: Wide | undefined;
  /** The same in seconds since 1970. */
  readonly startDate: number | undefined;
  /** Whether the file has the event that ends a recording. */
  readonly closed: boolean;
  readonly bigEndian: boolean;
  /** Bytes of an address: 4 or 8. */
  readonly word: 4 | 8;
}

/** Reads log.xml. Never throws: what is missing is undefined. */
export function readLog(bytes: Uint8Array, file: string, problems: ProblemLog): ExperimentLog {
  const reading = new LogReading();
  eachTag(bytes, file, problems, (tag) => {
    if (tag.closes) reading.close(tag.name);
    else reading.open(tag);
  });
  return reading.finish(file, problems);
}

/** The events of a file like log.xml that has only these. */
export function eventsOf(bytes: Uint8Array, file: string, problems: ProblemLog): LogEvent[] {
  const events: LogEvent[] = [];
  eachTag(bytes, file, problems, ({ name, closes, attributes, text, offset }) => {
    if (name === 'event' && !closes) events.push({ kind: attributes.get('kind') ?? '', attributes, text, offset });
  });
  return events;
}

class LogReading {
  readonly #system = new Map<string, string>();
  readonly #process = new Map<string, string>();
  readonly #cpus: ReadonlyMap<string, string>[] = [];
  readonly #settings: (readonly [string, string])[] = [];
  readonly #data: { name: string; file: string | undefined; attributes: Tag['attributes']; packets: PacketLayout[] }[] =
    [];
  readonly #events: LogEvent[] = [];
  #version: string | undefined;
  #collector: string | undefined;
  #command: string | undefined;
  #fields: Map<string, PacketField> | undefined;

  open(tag: Tag): void {
    const { name, attributes, text, offset } = tag;
    const data = this.#data.at(-1);
    if (name === 'experiment') this.#version = attributes.get('version');
    else if (name === 'collector') this.#collector = text;
    else if (name === 'system') copy(attributes, this.#system);
    else if (name === 'cpu') this.#cpus.push(attributes);
    else if (name === 'process') {
      copy(attributes, this.#process);
      if (attributes.size === 0 && text !== '') this.#command ??= text;
    } else if (name === 'setting') this.#settings.push(...attributes);
    else if (name === 'event') this.#events.push({ kind: attributes.get('kind') ?? '', attributes, text, offset });
    else if (name === 'profile')
      this.#data.push({ name: attributes.get('name') ?? '', file: undefined, attributes, packets: [] });
    else if (name === 'profdata' && data !== undefined) data.file = attributes.get('fname');
    else if (name === 'profpckt' && data !== undefined) {
      this.#fields = new Map();
      data.packets.push({ kind: Number(attributes.get('kind')), fields: this.#fields });
    } else if (name === 'field') this.#field(attributes);
  }

  close(name: string): void {
    if (name === 'profpckt') this.#fields = undefined;
  }

  #field(attributes: Tag['attributes']): void {
    const offset = Number(attributes.get('offset'));
    const type = FIELD_TYPES.find((known) => known === attributes.get('type'));
    const isPlace = Number.isInteger(offset) && offset >= 4 && offset < 1 << 16;
    if (type !== undefined && isPlace) this.#fields?.set(attributes.get('name') ?? '', { offset, type });
  }

  finish(file: string, problems: ProblemLog): ExperimentLog {
    const run = this.#events.find(({ kind }) => kind === 'run');
    const start = run && nanoseconds(run.attributes.get('tstamp'));
    if (start === undefined)
      problems.add({
        code: 'experiment-no-start',
        severity: 'error',
        message: `${file}: the start time is missing; times are since the first event`,
      });
    const closed = this.#events.some(({ kind }) => kind === 'exit' || kind === 'exec_start');
    const date = Number(run?.attributes.get('time'));
    const bigEndian = this.#system.get('bigendian');
    return {
      version: this.#version,
      collector: this.#collector,
      system: this.#system,
      cpus: this.#cpus,
      process: this.#process,
      command: this.#command,
      settings: this.#settings,
      data: this.#data,
      events: this.#events,
      start,
      startDate: Number.isFinite(date) && date > 0 ? date : undefined,
      closed,
      bigEndian: bigEndian === undefined ? isBigEndian(this.#system.get('arch')) : bigEndian === '1',
      word: this.#process.get('wsize') === '32' ? 4 : 8,
    };
  }
}

/** SPARC machines are big-endian; their names are those of `uname -m`: sun4u, sparc64. */
function isBigEndian(architecture: string | undefined): boolean {
  return /^(?:sun4|sparc)/.test(architecture ?? '');
}

function copy(from: ReadonlyMap<string, string>, to: Map<string, string>): void {
  for (const [key, value] of from) to.set(key, value);
}

/** `2871.588562465` in nanoseconds; undefined for other text. */
export function nanoseconds(text: string | undefined): Wide | undefined {
  const match = /^(\d{1,10})(?:\.(\d{1,9}))?$/.exec(text ?? '');
  if (match === null) return undefined;
  const all = BigInt(match[1] ?? '0') * 1_000_000_000n + BigInt((match[2] ?? '').padEnd(9, '0'));
  return { high: Number(all >> 32n), low: Number(all & 0xffffffffn) };
}

/** Nanoseconds from `from` to `to`; exact up to 2^53. */
export function between(from: Wide, to: Wide): number {
  return (to.high - from.high) * 2 ** 32 + (to.low - from.low);
}

/** A relative time of the log as a number of nanoseconds; undefined if it is missing or invalid. */
export function relativeTime(text: string | undefined): number | undefined {
  const wide = nanoseconds(text);
  return wide && wide.high * 2 ** 32 + wide.low;
}

/** `0x00007F1E12997000` or a decimal number; undefined for other text and for more than 64 bits. */
export function address(text: string | undefined): Wide | undefined {
  if (text === undefined || !/^(?:0[xX][\dA-Fa-f]{1,16}|\d{1,19})$/.test(text)) return undefined;
  const value = BigInt(text);
  return { high: Number(value >> 32n), low: Number(value & 0xffffffffn) };
}
