/**
 * Writes an experiment with a heap trace of known content: 80 bytes an event, 20,000 stacks of up to 20 calls, most blocks freed soon. The same arguments
 * give the same bytes. With several threads, their blocks of packets alternate, as the recorder writes them, so events are not in the order of time.
 *
 *   node dist/bench/experiment/generate.js FOLDER.er [MEGABYTES] [THREADS]
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { addFrame } from '../../src/formats/experiment/write/frames.js';
import { HEAP, logAround, packetText, START } from '../../src/formats/experiment/write/log.js';
import { type MachineLayout, PacketBlocks } from '../../src/formats/experiment/write/packets.js';
import { Random } from '../../src/testing/random.js';
import { FileSink } from '../heap/file-sink.js';

const MACHINE: MachineLayout = { littleEndian: true, word: 8 };
const SEED = 20261123;
const STACKS = 20_000;
const FUNCTIONS = 300;
const FUNCTION_BYTES = 256;
const CODE = 0x10000000;
const HEAP_START = 0x7f0000000000;
/** Blocks of memory that a thread has at once, about. */
const LIVE = 1000;
const MALLOC = 0;
const FREE = 1;

export interface Facts {
  readonly events: number;
  readonly allocations: number;
  /** Bytes of all allocations, and of those that are not freed. */
  readonly bytes: number;
  readonly leaked: number;
}

/** Writes the folder and returns what it holds. */
export function generate(folder: string, megabytes: number, threads = 1): Facts {
  mkdirSync(folder, { recursive: true });
  const trace = new FileSink(join(folder, 'heaptrace'));
  const random = new Random(SEED);
  const events = Math.floor((megabytes * 1e6) / HEAP.size);
  const each = Array.from({ length: threads }, (_, i) => new Allocating(i + 1, new Random(SEED + i + 1)));
  for (let event = 0; event < events; event++) {
    const full = each[random.below(threads)]?.event(START + 1000 + event * 2000);
    if (full !== undefined) trace.write(full);
  }
  for (const thread of each) trace.write(thread.finish());
  trace.close();
  writeFrames(join(folder, 'data.frameinfo'), random);
  const duration = 2000 + events * 2000;
  const layout = packetText(HEAP.type, [
    `TSTAMP ${HEAP.stamp} INT64`,
    `FRINFO ${HEAP.frame} INT64`,
    `HTYPE ${HEAP.step} INT32`,
    `HSIZE ${HEAP.bytes} UINT64`,
    `HVADDR ${HEAP.address} UINT64`,
    `HOVADDR ${HEAP.previous} UINT64`,
  ]);
  const data = [`<profile name="heaptrace">\n  <profdata fname="heaptrace"/>\n${layout}</profile>\n`];
  writeFileSync(join(folder, 'log.xml'), [...logAround({ ...MACHINE, duration, command: 'allocate' }, data)].join(''));
  writeFileSync(join(folder, 'map.xml'), Array.from({ length: FUNCTIONS }, (_, i) => mapped(i)).join(''));
  for (const empty of ['overview', 'dyntext']) writeFileSync(join(folder, empty), '');
  const sum = (of: (thread: Allocating) => number): number => each.reduce((all, thread) => all + of(thread), 0);
  return {
    events,
    allocations: sum(({ allocations }) => allocations),
    bytes: sum(({ bytes }) => bytes),
    leaked: sum(({ leaked }) => leaked),
  };
}

function mapped(id: number): string {
  const address = (CODE + id * FUNCTION_BYTES).toString(16).toUpperCase().padStart(16, '0');
  return `<event kind="map" object="function" tstamp="0.000000000" vaddr="0x${address}" size="${FUNCTION_BYTES}" name="function_${id}" />\n`;
}

/** A thread that allocates and frees. */
class Allocating {
  allocations = 0;
  bytes = 0;
  leaked = 0;
  readonly #id: number;
  readonly #random: Random;
  readonly #blocks = new PacketBlocks(MACHINE);
  /** Addresses and sizes of its memory, and the addresses that are free again. */
  readonly #live: number[] = [];
  readonly #sizes: number[] = [];
  readonly #free: number[] = [];
  #next: number;

  constructor(id: number, random: Random) {
    this.#id = id;
    this.#random = random;
    this.#next = HEAP_START + id * 2 ** 32;
  }

  /** Adds an event at a time; returns a block if one is full. */
  event(time: number): Uint8Array | undefined {
    const random = this.#random;
    const frees = this.#live.length > 0 && random.below(2 * LIVE) < this.#live.length;
    const { fields, full } = this.#blocks.packet(HEAP.size, HEAP.type);
    fields.wide(8, this.#id);
    fields.wide(16, this.#id);
    fields.word(24, 0xffffffff);
    fields.wide(HEAP.stamp, time);
    fields.wide(HEAP.frame, 1 + random.below(STACKS));
    const [address, size] = frees
      ? this.#release(random.below(this.#live.length))
      : this.#take(16 * (1 + random.below(64)));
    fields.word(HEAP.step, frees ? FREE : MALLOC);
    fields.wide(HEAP.bytes, size);
    fields.wide(HEAP.address, address);
    return full;
  }

  #take(size: number): [address: number, size: number] {
    const address = this.#free.pop() ?? this.#next;
    if (address === this.#next) this.#next += 1024;
    this.#live.push(address);
    this.#sizes.push(size);
    this.allocations++;
    this.bytes += size;
    this.leaked += size;
    return [address, size];
  }

  #release(which: number): [address: number, size: number] {
    const address = this.#live[which] ?? 0;
    this.leaked -= this.#sizes[which] ?? 0;
    this.#live[which] = this.#live.at(-1) ?? 0;
    this.#sizes[which] = this.#sizes.at(-1) ?? 0;
    this.#live.pop();
    this.#sizes.pop();
    this.#free.push(address);
    return [address, 0];
  }

  finish(): Uint8Array {
    return this.#blocks.finish();
  }
}

/** A call tree of 20,000 places: each stack is an earlier one with a further call. */
function writeFrames(path: string, random: Random): void {
  const sink = new FileSink(path);
  const blocks = new PacketBlocks(MACHINE);
  const stacks: (readonly number[])[] = [];
  for (let id = 0; id < STACKS; id++) {
    const caller = stacks[Math.floor(id / 4) + random.below(Math.ceil(id / 4))] ?? [];
    const stack = [CODE + random.below(FUNCTIONS) * FUNCTION_BYTES + 1 + random.below(8), ...caller];
    stacks.push(stack);
    for (const full of addFrame(blocks, MACHINE, id, stack)) sink.write(full);
  }
  sink.write(blocks.finish());
  sink.close();
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [folder, megabytes = '270', threads = '1'] = process.argv.slice(2);
  if (folder === undefined) throw new Error('usage: generate.js FOLDER.er [MEGABYTES] [THREADS]');
  process.stdout.write(`${JSON.stringify(generate(folder, Number(megabytes), Number(threads)))}\n`);
}
