/**
 * An experiment in one file, for the damage tests: each of its files after a line `== name bytes ==`. A second, plain walk over its packets says what
 * must be read of a damaged one.
 */
import type { ByteSource } from '../../../bytes/byte-source.js';
import type { Recording } from '../../../models/recording.js';
import { column } from '../../../models/table.js';
import type { Judge } from '../../../testing/fuzz/fuzzed-reader.js';
import { readExperiment } from '../read.js';
import { memorySet } from './memory-tree.js';

const HEAD = /^== ([\w.]+) (\d+) ==\n/;
const LONGEST_HEAD = 64;

interface Part {
  readonly name: string;
  /** Where its bytes begin in the bundle. */
  readonly at: number;
  readonly bytes: Uint8Array;
}

export function bundle(files: ReadonlyMap<string, Uint8Array>): Uint8Array {
  const head = (name: string, length: number): Uint8Array => new TextEncoder().encode(`== ${name} ${length} ==\n`);
  return Buffer.concat([...files].flatMap(([name, bytes]) => [head(name, bytes.length), bytes]));
}

/** The parts up to the first damaged heading. */
function partsOf(bytes: Uint8Array): Part[] {
  const parts: Part[] = [];
  for (let at = 0; at < bytes.length; ) {
    const head = new TextDecoder('latin1').decode(bytes.subarray(at, at + LONGEST_HEAD));
    const [whole, name = '', length = '0'] = HEAD.exec(head) ?? [];
    if (whole === undefined) break;
    const from = at + whole.length;
    parts.push({ name, at: from, bytes: bytes.subarray(from, from + Number(length)) });
    at = from + Number(length);
  }
  return parts;
}

const filesOf = (bytes: Uint8Array) => new Map(partsOf(bytes).map((part) => [part.name, Uint8Array.from(part.bytes)]));

export async function readExperimentBundle(source: ByteSource): Promise<Recording> {
  const chunks: Uint8Array[] = [];
  const stream = await source.open();
  try {
    for (;;) {
      const chunk = new Uint8Array(1 << 14);
      const count = await stream.read(chunk);
      if (count === 0) break;
      chunks.push(chunk.subarray(0, count));
    }
  } finally {
    await stream.close();
  }
  const { tree, set } = memorySet(filesOf(Buffer.concat(chunks)));
  return readExperiment(tree, set);
}

/** Per file: type of its packets, where their time is, and the table that they become. */
const EVENTS: Readonly<Record<string, { readonly type: number; readonly time: number; readonly kind: string }>> = {
  profile: { type: 8, time: 28, kind: 'cpu-sample' },
  hwcounters: { type: 3, time: 32, kind: 'sample' },
  synctrace: { type: 2, time: 48, kind: 'wait' },
  heaptrace: { type: 5, time: 32, kind: 'native-memory' },
  iotrace: { type: 19, time: 32, kind: 'io' },
  mpitrace: { type: 6, time: 32, kind: 'mpi' },
};
const CHUNK = 1 << 14;
const START = 1_000_000_000_000n;

interface Walked {
  readonly packets: readonly { readonly at: number; readonly type: number; readonly size: number }[];
  readonly damaged: boolean;
}

/** The packets of a file by the rules of the recorder (libcollector, iolib.c). */
function walked(bytes: Uint8Array): Walked {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const packets: { at: number; type: number; size: number }[] = [];
  let damaged = false;
  for (let at = 0; at < bytes.length; ) {
    const whole = at + 4 <= bytes.length;
    const [size, type] = whole ? [view.getUint16(at, true), view.getUint16(at + 2, true)] : [0, 0];
    if (size === 0 || size % 4 !== 0) {
      if (size !== 0) damaged = true;
      at = (Math.floor(at / CHUNK) + 1) * CHUNK;
    } else if (at + size > bytes.length) return { packets, damaged: true };
    else {
      if (type !== 0 && type !== 0xffff) packets.push({ at, type, size });
      at += size;
    }
  }
  return { packets, damaged };
}

/** The times of the packets of a file; undefined if one is too short for its time, or has one that no double holds. */
function timesOf({ name, bytes }: Part): number[] | undefined {
  const event = EVENTS[name];
  if (event === undefined) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const own = walked(bytes).packets.filter(({ type }) => type === event.type);
  if (own.some(({ size }) => size < event.time + 8)) return undefined;
  const times = own.map(({ at }) => view.getBigInt64(at + event.time, true) - START);
  return times.some((time) => time > 2n ** 53n || time < -(2n ** 53n)) ? undefined : times.map(Number);
}

const isEqual = (a: Uint8Array, b: Uint8Array | undefined): boolean => b !== undefined && Buffer.compare(a, b) === 0;

/** Events of intact and damaged files are seen as long as the description of the experiment is whole. */
export function experimentOracle(original: Uint8Array): Judge {
  const before = new Map(partsOf(original).map((part) => [part.name, part]));
  return (mutated, outcome) => {
    const parts = partsOf(mutated);
    const whole = (name: string): boolean => {
      const now = parts.find((part) => part.name === name);
      return now !== undefined && isEqual(now.bytes, before.get(name)?.bytes);
    };
    if (!whole('log.xml') || !whole('map.xml')) return { input: 'ambiguous' };
    const events = parts.filter(({ name }) => name in EVENTS);
    const damaged = events.filter(({ bytes }) => walked(bytes).damaged);
    const input = damaged.length > 0 ? 'damaged' : 'sound';
    const fault = (code: string, detail: string) => ({ input, fault: { code, detail } }) as const;
    if (outcome.kind === 'refused') return fault('refused', outcome.message);
    for (const part of events) {
      const wanted = timesOf(part);
      const table = outcome.recording.profile?.events.find(({ kind }) => kind === EVENTS[part.name]?.kind);
      const found = table === undefined ? [] : [...column(table, 'time')];
      if (wanted !== undefined && wanted.join() !== found.join())
        return fault(
          'differs',
          `${part.name}: ${wanted.length} events at ${wanted.join()}, ${found.length} read at ${found.join()}`,
        );
    }
    for (const { name } of damaged) {
      const said = outcome.problems.list.some(
        ({ code, message }) => code === 'experiment-packet' && message.includes(name),
      );
      if (!said) return fault('silent', `nothing is reported of ${name}`);
    }
    return { input };
  };
}

/** Where files, packets and lines begin. */
export function experimentEdges(bytes: Uint8Array): number[] {
  const edges = partsOf(bytes).flatMap(({ name, at, bytes: own }) => {
    if (name.endsWith('.xml')) return [at, ...[...own.keys()].filter((i) => own[i] === 10).map((i) => at + i + 1)];
    return [at, ...walked(own).packets.map((packet) => at + packet.at)];
  });
  return edges.filter((at) => at < bytes.length);
}
