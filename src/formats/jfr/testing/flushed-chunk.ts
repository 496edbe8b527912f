/** A chunk after each of many flushes, as a JVM leaves it in its file: new events with new constants each time, metadata only where they change. */
import { jfrBytes, type WrittenChunk, type WrittenPool, type WrittenType } from './jfr-writer.js';
import { SMALL_TYPES } from './small-recording.js';

const HEADER = 68;
const SECOND = 1_000_000_000n;
const START = 1_700_000_000_000_000_000n;
/** State of a header whose chunk goes on. */
const WRITING = 7;

/** What a flush adds to a chunk. */
export interface Flush {
  readonly records: WrittenChunk['records'];
  /** The types from this flush on; those of the flush before if not given. */
  readonly types?: readonly WrittenType[];
}

/** A chunk and where each of its flushes ends. */
export class FlushedChunk {
  readonly #bytes: Uint8Array;
  /** By flush: where it ends, and where the metadata are that count then. */
  readonly #ends: readonly { readonly size: number; readonly metadata: number }[];

  /** `second`: when the chunk began. */
  constructor(flushes: readonly Flush[], second = 0) {
    const start = { startNanos: START + BigInt(second) * SECOND, startTicks: 1000n };
    const parts: Uint8Array[] = [jfrBytes([{ types: SMALL_TYPES, records: [], ...start }]).subarray(0, HEADER)];
    const ends: { size: number; metadata: number }[] = [];
    let size = HEADER;
    let metadata = 0;
    let lastTypes: readonly WrittenType[] = SMALL_TYPES;
    for (const { records, types } of flushes) {
      lastTypes = types ?? lastTypes;
      const chunk = jfrBytes([{ types: lastTypes, records, ...start }]);
      const metadataAt = Number(new DataView(chunk.buffer).getBigInt64(24));
      const isNew = metadata === 0 || types !== undefined;
      if (isNew) metadata = size + metadataAt - HEADER;
      parts.push(chunk.subarray(HEADER, isNew ? chunk.length : metadataAt));
      size += parts.at(-1)?.length ?? 0;
      ends.push({ size, metadata });
    }
    this.#bytes = new Uint8Array(Buffer.concat(parts));
    this.#ends = ends;
  }

  /** Where the chunk ends after so many flushes. */
  size(flushes: number): number {
    return this.#ends[flushes - 1].size;
  }

  /** The bytes after so many flushes, at least one. */
  after(flushes: number, state = WRITING): Uint8Array {
    const { size, metadata } = this.#ends[flushes - 1];
    const bytes = this.#bytes.slice(0, size);
    const view = new DataView(bytes.buffer);
    view.setBigInt64(8, BigInt(size));
    view.setBigInt64(24, BigInt(metadata));
    view.setUint8(64, state);
    return bytes;
  }
}

const FRAMES = 8;
const OLD_METHODS = 4;

/** Events of a flush, and the constants that no earlier flush had: a method, two stacks with it, now and then a thread. */
export function usualFlush(number: number, events = 20): Flush {
  const method = BigInt(1000 + number);
  const symbol = BigInt(10_000 + number);
  const stacks = [BigInt(2 * number + 1), BigInt(2 * number + 2)];
  const thread = BigInt(1 + Math.floor(number / 16));
  const frame = (key: bigint, line: number) => ({ method: key, lineNumber: line, bytecodeIndex: line, type: 1 });
  const frames = (line: number) =>
    Array.from({ length: FRAMES }, (_, depth) =>
      frame(BigInt(1000 + Math.max(0, number - (depth % OLD_METHODS))), line + depth),
    );
  const checkpoint: WrittenPool[] = [
    { type: 'jdk.types.Symbol', constants: [[symbol, { string: `step${number}` }]] },
    { type: 'jdk.types.Method', constants: [[method, { type: 1, name: symbol, descriptor: 1 }]] },
    {
      type: 'jdk.types.StackTrace',
      constants: stacks.map((key, i) => [key, { truncated: false, frames: frames(10 * i) }]),
    },
  ];
  if (number === 0)
    checkpoint.push(
      { type: 'jdk.types.FrameType', constants: [[1n, { description: 'JIT compiled' }]] },
      {
        type: 'jdk.types.Symbol',
        constants: [
          [1n, { string: '()V' }],
          [2n, { string: 'shop/Main' }],
        ],
      },
      { type: 'java.lang.Class', constants: [[1n, { name: 2 }]] },
    );
  if (number % 16 === 0)
    checkpoint.push({
      type: 'java.lang.Thread',
      constants: [
        [thread, { osName: `t${thread}`, osThreadId: thread, javaName: `thread ${thread}`, javaThreadId: thread }],
      ],
    });
  const time = (event: number): bigint => 1000n + BigInt(number) * SECOND + BigInt(event) * 1000n;
  const records = Array.from({ length: events }, (_, event) =>
    event % 2 === 0
      ? {
          type: 'jdk.ExecutionSample',
          values: { startTime: time(event), sampledThread: thread, stackTrace: stacks[(event / 2) % 2] },
        }
      : {
          type: 'jdk.ObjectAllocationSample',
          values: { startTime: time(event), eventThread: thread, stackTrace: stacks[0], objectClass: 1, weight: event },
        },
  );
  return { records: [...records, { checkpoint }] };
}
