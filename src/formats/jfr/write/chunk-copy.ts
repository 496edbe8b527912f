/**
 * Writes a part of a chunk: a second walk over its events, which copies those that stay. Cost: twice such a walk, since the header
 * has the size of the chunk; memory of a window.
 */
import { VALUE } from '../../../models/secrets.js';
import type { ReadAt } from '../../capabilities/file-pass.js';
import type { ChunkData } from '../chunk/chunk-options.js';
import { Cursor } from '../chunk/cursor.js';
import { EventWindow } from '../chunk/event-window.js';
import { CHECKPOINT_EVENT, HEADER_BYTES } from '../chunk/header.js';
import { type DecodePlan, planOf, STRING } from '../chunk/plan.js';
import { type EventVisitor, EventWalk } from '../chunk/walk.js';
import { JfrBytes, numberBytes } from './jfr-bytes.js';
import { COPIED, DROPPED, HIDING, type KeptRows, type RowFlags } from './kept-rows.js';
import { NO_OPERATION, PayloadCopier } from './payload.js';

/** Places in the header of a chunk. */
const SIZE = 8;
const CHECKPOINT = 16;
const METADATA = 24;
const DURATION = 40;
const STATE = 64;

export interface CopyOptions {
  readonly readAt: ReadAt;
  readonly data: ChunkData;
  readonly kept: KeptRows;
  /** Nanoseconds that the header of an unfinished chunk gets. */
  readonly duration: number;
  readonly signal?: AbortSignal | undefined;
}

export class ChunkCopy {
  /** Texts that were replaced. */
  hidden = 0;
  readonly #options: CopyOptions;
  readonly #compressed: boolean;
  readonly #metadata: { readonly types: ChunkData['types']; readonly ambiguous: number };
  readonly #plans = new Map<number, DecodePlan | undefined>();
  #payload: PayloadCopier;
  /** What the walk wrote since the last window; nothing is kept in the first of both walks. */
  #out: JfrBytes;
  #measures = true;
  /** Bytes of the chunk so far; where its last checkpoint is. */
  #written = 0;
  #checkpoint = 0;

  constructor(options: CopyOptions) {
    this.#options = options;
    this.#compressed = options.data.header.compressed;
    this.#metadata = { types: options.data.types, ambiguous: 0 };
    this.#payload = new PayloadCopier(this.#compressed);
    this.#out = new JfrBytes(this.#compressed);
  }

  /** The bytes of the chunk. Throws an `Error` if the file changes while it is read. */
  async *bytes(): AsyncGenerator<Uint8Array> {
    const metadata = await this.#metadataBytes();
    for await (const _ of this.#walk()) this.#take();
    const body = this.#written;
    const size = body + metadata.length;
    yield await this.#header(size, body);
    this.#measures = false;
    for await (const _ of this.#walk()) yield this.#take();
    if (this.#written !== body) throw changed();
    yield metadata;
    this.hidden = this.#payload.hidden;
  }

  async #metadataBytes(): Promise<Uint8Array> {
    const { readAt, data } = this.#options;
    const { offset = 0, size = 0 } = data.metadataEvent ?? {};
    const bytes = new Uint8Array(size);
    if ((await readAt(data.header.offset + offset, bytes)) < size) throw changed();
    return bytes;
  }

  async #header(size: number, metadata: number): Promise<Uint8Array> {
    const { readAt, data, duration } = this.#options;
    const { offset, state } = data.header;
    const header = new Uint8Array(HEADER_BYTES);
    if ((await readAt(offset, header)) < HEADER_BYTES) throw changed();
    const view = new DataView(header.buffer);
    view.setBigInt64(SIZE, BigInt(size));
    view.setBigInt64(CHECKPOINT, BigInt(this.#checkpoint));
    view.setBigInt64(METADATA, BigInt(metadata));
    if (state !== 0) view.setBigInt64(DURATION, BigInt(Math.round(duration)));
    view.setUint8(STATE, 0);
    return header;
  }

  /** One walk; what it wrote can be taken at each step. */
  async *#walk(): AsyncGenerator<undefined> {
    const { readAt, data, kept, signal } = this.#options;
    const { header, types, end } = data;
    for (const flags of [...kept.events.values(), ...kept.constants.values()]) flags.restart();
    this.#payload = new PayloadCopier(this.#compressed);
    this.#written = HEADER_BYTES;
    this.#checkpoint = 0;
    const visitors = new Map<number, EventVisitor>([...kept.events].map(([id, flags]) => [id, this.#events(flags)]));
    visitors.set(CHECKPOINT_EVENT, { visit: (bytes, at, to) => this.#constants(bytes, at, to) });
    const isEvent = types.size === 0 ? undefined : (id: number): boolean => types.get(id)?.isEvent === true;
    const options = { header, visitors, isEvent, gap: () => undefined, signal, isEndSure: true };
    const walk = new EventWalk(new EventWindow(readAt), options);
    const windows = walk.windows(header.offset + HEADER_BYTES, end);
    for await (const _ of windows) yield;
    // The JDK reads no chunk without a checkpoint.
    if (this.#checkpoint === 0) this.#writeCheckpoint(new JfrBytes(this.#compressed), 0, new Uint8Array(1));
    yield;
  }

  #take(): Uint8Array {
    const bytes = this.#measures ? NOTHING : this.#out.finish();
    this.#out.length = 0;
    return bytes;
  }

  #append(bytes: Uint8Array, from: number, to: number): void {
    this.#written += to - from;
    if (!this.#measures) this.#out.append(bytes, from, to);
  }

  /** Copies the events of a type. */
  #events(flags: RowFlags): EventVisitor {
    const { type } = flags.rows;
    const plan = this.#planOf(type.id);
    const value =
      plan?.columns.findIndex(({ key, operation }) => key === VALUE && operation === STRING) ?? NO_OPERATION;
    const payload = new JfrBytes(this.#compressed);
    const event = new JfrBytes(this.#compressed);
    const id = numberBytes(type.id, this.#compressed);
    return {
      visit: (bytes, at, end, _, start) => {
        const flag = flags.next();
        if (flag === DROPPED) return;
        if (flag === COPIED || plan === undefined) {
          this.#append(bytes, start, end);
          return;
        }
        payload.length = 0;
        event.length = 0;
        this.#payload.rewrite(payload, plan, bytes, at, end, flag === HIDING ? value : NO_OPERATION);
        event.event(id, payload);
        this.#append(event.bytes, 0, event.length);
      },
    };
  }

  #planOf(id: number): DecodePlan | undefined {
    const type = this.#metadata.types.get(id);
    if (!this.#plans.has(id)) this.#plans.set(id, type && planOf(this.#metadata, type));
    return this.#plans.get(id);
  }

  /** Writes the part of a checkpoint that is reached. As the reader, it goes no further than the first pool that cannot be read. */
  #constants(bytes: Uint8Array, from: number, end: number): void {
    const cursor = new Cursor(this.#compressed);
    cursor.set(bytes, from, end);
    cursor.long();
    cursor.long();
    const times = bytes.subarray(from, Math.min(cursor.at, end));
    cursor.long();
    const mode = cursor.byte();
    const pools = cursor.int();
    const payload = new JfrBytes(this.#compressed);
    let written = 0;
    for (let i = 0; i < pools && !cursor.isBehind; i++) {
      const type = cursor.long();
      const count = cursor.int();
      if (cursor.isBehind) break;
      if (count === 0) continue;
      const plan = this.#planOf(type);
      const flags = this.#options.kept.constants.get(type);
      if (plan === undefined || flags === undefined || count < 0 || count > end - cursor.at) break;
      const kept = new JfrBytes(this.#compressed);
      const { number, isWhole } = this.#pool(cursor, plan, flags, count, kept);
      if (number > 0) {
        payload.long(type);
        payload.int(number);
        payload.append(kept.bytes, 0, kept.length);
        written++;
      }
      if (!isWhole) break;
    }
    if (written > 0) this.#writeCheckpoint(payload, written, Uint8Array.of(mode), times);
  }

  /** Appends the constants of a pool that are reached. */
  #pool(
    cursor: Cursor,
    plan: DecodePlan,
    flags: RowFlags,
    count: number,
    to: JfrBytes,
  ): { readonly number: number; readonly isWhole: boolean } {
    const { bytes, end } = cursor;
    let number = 0;
    for (let i = 0; i < count; i++) {
      const start = cursor.at;
      cursor.long();
      if (cursor.isBehind) return { number, isWhole: false };
      const next = this.#payload.skip(plan, bytes, cursor.at, end);
      if (next < 0) return { number, isWhole: false };
      const flag = flags.next();
      if (flag === COPIED) to.append(bytes, start, next);
      else if (flag !== DROPPED) {
        to.append(bytes, start, cursor.at);
        this.#payload.rewrite(to, plan, bytes, cursor.at, next, NO_OPERATION);
      }
      if (flag !== DROPPED) number++;
      cursor.at = next;
    }
    return { number, isWhole: true };
  }

  /** `times`: start and duration as in the file. */
  #writeCheckpoint(pools: JfrBytes, count: number, mode: Uint8Array, times?: Uint8Array): void {
    const payload = new JfrBytes(this.#compressed, pools.length + 64);
    if (times === undefined) {
      const { ticksLow, ticksHigh } = this.#options.data.header;
      payload.halves(ticksLow, ticksHigh);
      payload.long(0);
    } else payload.append(times, 0, times.length);
    // The distance to the checkpoint before: 0 for the first one.
    payload.long(this.#checkpoint === 0 ? 0 : this.#checkpoint - this.#written);
    payload.append(mode, 0, mode.length);
    payload.int(count);
    payload.append(pools.bytes, 0, pools.length);
    this.#checkpoint = this.#written;
    const event = new JfrBytes(this.#compressed, payload.length + 64);
    event.event(numberBytes(CHECKPOINT_EVENT, this.#compressed), payload);
    this.#append(event.bytes, 0, event.length);
  }
}

const NOTHING = new Uint8Array();

function changed(): Error {
  return new Error('the recording changed while it was read');
}
