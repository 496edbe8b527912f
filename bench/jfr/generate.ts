/**
 * Writes a recording of known content, without a JVM: chunks of 8 to 100 MB with samples, allocations, waits for locks, parks and
 * collections, whose stacks share their outer frames. The same arguments give the same bytes.
 *
 *   node dist/bench/jfr/generate.js FILE [MEGABYTES] [MEGABYTES-A-CHUNK]
 *
 * FILE.json gets the facts: chunks, events by type, sums. 1 GB takes about 20 s of CPU and the memory of one chunk's buffer.
 */
import { statSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { jfrBytes } from '../../src/formats/jfr/testing/jfr-writer.js';
import { JfrBytes, numberBytes } from '../../src/formats/jfr/write/jfr-bytes.js';
import { Random } from '../../src/testing/random.js';
import { FileSink } from '../heap/file-sink.js';
import { Constants, THREADS } from './constants.js';
import { EVENT_NAMES, TYPES } from './types.js';

export interface Facts {
  readonly bytes: number;
  readonly chunks: number;
  /** Number of events by type. */
  readonly events: Readonly<Record<string, number>>;
  /** Of `tlabSize` of all allocations. */
  readonly tlabBytes: number;
  /** Nanoseconds: of `duration` of all waits for monitors, and of all parks. */
  readonly blocked: number;
  readonly parked: number;
}

const SEED = 20261121;
const HEADER = 68;
const METADATA = 24;
const MEGABYTE = 1_000_000;
const SMALLEST = 8;
const LARGEST = 100;
const WRITTEN_AT_ONCE = 1 << 20;
const START_NANOS = 1_700_000_000_000_000_000n;
const FIRST_TICK = 1_000_000_000;
/** Ids of the types as the writer numbers them. */
const FIRST_ID = 100;
const CHECKPOINT = 1;
/** Of a thousand events, how many are of each type: a program under load with small buffers. */
const SHARES = [250, 600, 50, 88, 4, 8];

/** The metadata event of all chunks. */
function metadataEvent(): Uint8Array {
  const chunk = jfrBytes([{ types: TYPES, records: [] }]);
  return chunk.subarray(Number(new DataView(chunk.buffer).getBigInt64(METADATA)));
}

/** Writes FILE of about `megabytes`, and FILE.json. */
export function generate(file: string, megabytes: number, chunkMegabytes?: number): Facts {
  const sink = new FileSink(file);
  const writer = new RecordingWriter(sink);
  const random = new Random(SEED);
  const all = megabytes * MEGABYTE;
  while (writer.bytes < all) {
    const drawn = SMALLEST * (LARGEST / SMALLEST) ** (random.below(1000) / 1000);
    writer.chunk(Math.min((chunkMegabytes ?? drawn) * MEGABYTE, Math.max(all - writer.bytes, MEGABYTE / 10)));
  }
  sink.close();
  const facts: Facts = { ...writer.facts(), bytes: statSync(file).size };
  writeFileSync(`${file}.json`, `${JSON.stringify(facts, undefined, 1)}\n`);
  return facts;
}

class RecordingWriter {
  bytes = 0;
  readonly #sink: FileSink;
  readonly #random = new Random(SEED + 1);
  readonly #constants = new Constants(new Random(SEED + 2));
  readonly #metadata = metadataEvent();
  readonly #ids = EVENT_NAMES.map((_, i) => numberBytes(FIRST_ID + i, true));
  readonly #counts = EVENT_NAMES.map(() => 0);
  readonly #out = new JfrBytes(true, 2 * WRITTEN_AT_ONCE);
  readonly #payload = new JfrBytes(true);
  #chunks = 0;
  #tick = FIRST_TICK;
  #collections = 0;
  #tlabBytes = 0;
  #blocked = 0;
  #parked = 0;

  constructor(sink: FileSink) {
    this.#sink = sink;
  }

  facts(): Omit<Facts, 'bytes'> {
    return {
      chunks: this.#chunks,
      events: Object.fromEntries(EVENT_NAMES.map((name, i) => [name, this.#counts[i] ?? 0])),
      tlabBytes: this.#tlabBytes,
      blocked: this.#blocked,
      parked: this.#parked,
    };
  }

  /** Writes a chunk of about so many bytes. */
  chunk(size: number): void {
    const start = this.bytes;
    const firstTick = this.#tick;
    this.#out.append(new Uint8Array(HEADER), 0, HEADER);
    const rest = this.#constants.bytes.length + this.#metadata.length;
    while (this.bytes - start + this.#out.length + rest < size) {
      this.#event();
      if (this.#out.length >= WRITTEN_AT_ONCE) this.#flush();
    }
    const checkpoint = this.bytes - start + this.#out.length;
    this.#checkpoint();
    const metadata = this.bytes - start + this.#out.length;
    this.#out.append(this.#metadata, 0, this.#metadata.length);
    this.#flush();
    this.#sink.patch(start, header(this.bytes - start, checkpoint, metadata, firstTick, this.#tick - firstTick));
    this.#chunks++;
  }

  #flush(): void {
    this.#sink.write(this.#out.bytes.subarray(0, this.#out.length));
    this.bytes += this.#out.length;
    this.#out.length = 0;
  }

  #checkpoint(): void {
    const payload = new JfrBytes(true, this.#constants.bytes.length + 32);
    payload.long(this.#tick);
    payload.long(0);
    payload.long(0);
    payload.push(0);
    payload.append(this.#constants.bytes, 0, this.#constants.bytes.length);
    this.#out.event(numberBytes(CHECKPOINT, true), payload);
  }

  #event(): void {
    this.#tick += 200 + this.#random.below(20_000);
    let share = this.#random.below(1000);
    let type = 0;
    while (share >= (SHARES[type] ?? 0) && type < SHARES.length - 1) share -= SHARES[type++] ?? 0;
    const payload = this.#payload;
    payload.length = 0;
    payload.long(this.#tick);
    this.#fields(type, payload);
    this.#counts[type] = (this.#counts[type] ?? 0) + 1;
    this.#out.event(this.#ids[type] ?? NONE, payload);
  }

  /** The fields behind the time, in the order of the types. */
  #fields(type: number, to: JfrBytes): void {
    const random = this.#random;
    if (type >= 4) {
      this.#collection(type, to);
      return;
    }
    const duration = 1000 + random.below(5_000_000);
    if (type >= 2) to.long(duration);
    to.int(1 + random.below(THREADS));
    to.int(this.#constants.stack(random));
    if (type === 0) to.int(1);
    else to.int(this.#constants.class(random));
    if (type === 1) {
      const size = 16 + 8 * random.below(1000);
      const buffer = 65_536 + 1024 * random.below(64);
      to.long(size);
      to.long(buffer);
      this.#tlabBytes += buffer;
    } else if (type === 2) {
      to.int(1 + random.below(THREADS));
      to.long(0x7f00_0000_0000 + 64 * random.below(4096));
      this.#blocked += duration;
    } else if (type === 3) this.#parked += duration;
  }

  #collection(type: number, to: JfrBytes): void {
    const pause = 100_000 + this.#random.below(20_000_000);
    if (type === 4) {
      to.long(pause);
      to.int(++this.#collections);
      to.text('G1New');
      to.text('G1 Evacuation Pause');
      to.long(pause);
      to.long(pause);
      return;
    }
    to.int(this.#collections);
    to.text(this.#random.below(2) === 0 ? 'Before GC' : 'After GC');
    to.long(100_000_000 + 1024 * this.#random.below(1_000_000));
  }
}

const NONE = new Uint8Array();

function header(size: number, checkpoint: number, metadata: number, firstTick: number, ticks: number): Uint8Array {
  const bytes = new Uint8Array(HEADER);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, 0x464c5200);
  view.setUint16(4, 2);
  view.setUint16(6, 1);
  const numbers = [size, checkpoint, metadata].map(BigInt);
  const start = START_NANOS + BigInt(firstTick - FIRST_TICK);
  for (const [i, value] of [...numbers, start, BigInt(ticks), BigInt(firstTick), 1_000_000_000n].entries())
    view.setBigInt64(8 + 8 * i, value);
  view.setUint8(67, 1);
  return bytes;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [, , file = 'generated.jfr', megabytes = '100', chunk] = process.argv;
  const facts = generate(file, Number(megabytes), chunk === undefined ? undefined : Number(chunk));
  process.stdout.write(`${JSON.stringify(facts, undefined, 1)}\n`);
}
