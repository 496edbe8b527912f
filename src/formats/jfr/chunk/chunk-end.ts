/**
 * Where a chunk ends. A header says it, but a chunk may be cut, or never finished, and followed by another one: then it ends where that one
 * begins. Bytes of events that look like a header end no chunk.
 */
import type { JfrInput } from '../input.js';
import type { EventWindow } from './event-window.js';
import { type ChunkHeader, chunkHeader, HEADER_BYTES, isChunkAt, isCopy, isPlausible } from './header.js';
import type { SharedState } from './shared-state.js';
import { EventWalk } from './walk.js';

/** Bytes that are searched at a time. */
const SEARCHED = 1 << 20;
/** Places whose events before and after are looked at. */
const MOST_DOUBTFUL = 8;
/** Events in a row behind an event that has a place. */
const IN_A_ROW = 4;

export interface ChunkEnd {
  readonly offset: number;
  /** No other chunk begins before it; false if too much would have to be searched. */
  readonly isSure: boolean;
}

/**
 * The offset behind a chunk that begins at a header, at most that of the end of the file. Costs nothing but a read where another header, or the end
 * of the file, follows the chunk as its header says; else its bytes are searched for a header.
 */
export async function chunkEnd(input: JfrInput, shared: SharedState, header: ChunkHeader): Promise<ChunkEnd> {
  const { offset, size, state } = header;
  const isFinished = state === 0 && size >= HEADER_BYTES;
  const announced = isFinished ? offset + size : Infinity;
  if (await isEdge(input, announced)) return { offset: announced, isSure: true };
  const doubtful: number[] = [];
  for (let at = offset + HEADER_BYTES; ; at++) {
    const from = at;
    // The header itself may reach behind the end that is announced.
    at = await nextMagic(shared.window, from, announced + HEADER_BYTES, SEARCHED);
    shared.searchLeft.bytes -= at - from;
    const end = Math.min(announced, input.endOf(offset));
    if (at >= end) break;
    const { places, bytes } = shared.searchLeft;
    if (places <= 0 || bytes <= 0) return { offset: end, isSure: false };
    shared.searchLeft.places--;
    const next = await headerAt(input, at);
    if (next === undefined) continue;
    if (isPlausible(next) && (await isEdge(input, at + next.size))) return { offset: at, isSure: true };
    if (!isCopy(next, header) && doubtful.length < MOST_DOUBTFUL) doubtful.push(at);
  }
  const end = Math.min(announced, input.endOf(offset));
  for (const place of doubtful)
    if (!(await isInEvent(shared, header, place, end))) return { offset: place, isSure: true };
  return { offset: end, isSure: true };
}

/** Whether a chunk may end at an offset: the file does, or another chunk begins there. */
async function isEdge(input: JfrInput, at: number): Promise<boolean> {
  if (at >= input.endOf(at)) return at === input.endOf(at);
  const head = new Uint8Array(HEADER_BYTES);
  const length = await input.readAt(at, head);
  // The length of a stream may be unknown before.
  return isChunkAt(head, 0, length) || (length === 0 && at === input.endOf(at));
}

/** The next place from which a chunk may begin; the end of the bytes if there is none. `step`: bytes to look at in one go. */
export async function nextMagic(window: EventWindow, from: number, to: number, step: number): Promise<number> {
  for (let at = from; ; ) {
    await window.ensure(at, to, step);
    const end = window.base + window.length;
    for (let place = at - window.base; place >= 0 && place < window.length; ) {
      place = window.bytes.indexOf(FIRST_BYTE, place);
      if (place < 0 || place >= window.length) break;
      if (isChunkAt(window.bytes, place, window.length)) return window.base + place;
      place++;
    }
    if (window.hasAll(to)) return Math.max(at, Math.min(end, to));
    at = Math.max(at + 1, end - HEADER_BYTES);
  }
}

const FIRST_BYTE = 0x46;

/** The header of a chunk at an offset of the file; undefined if there is none. */
export async function headerAt({ readAt }: JfrInput, offset: number): Promise<ChunkHeader | undefined> {
  const bytes = new Uint8Array(HEADER_BYTES);
  return chunkHeader(bytes.subarray(0, await readAt(offset, bytes)), offset);
}

/** Whether a place is within one of several events that follow each other. */
async function isInEvent(shared: SharedState, header: ChunkHeader, place: number, end: number): Promise<boolean> {
  const { gap } = await firstGap(shared, header, header.offset + HEADER_BYTES, place);
  if (gap === undefined) return false;
  const after = await firstGap(shared, header, gap, end);
  return after.gap === undefined || after.events > IN_A_ROW;
}

/** Where the first bytes are that are no event, and how many events are before them. */
async function firstGap(
  { window, searchLeft }: SharedState,
  header: ChunkHeader,
  from: number,
  to: number,
): Promise<{ readonly gap: number | undefined; readonly events: number }> {
  let result: { readonly gap: number; readonly events: number } | undefined;
  const events = (): number => walk.counts.counts.reduce((sum, count) => sum + count, 0);
  const gap = (at: number): void => {
    result ??= { gap: at, events: events() };
  };
  const walk = new EventWalk(window, { header, visitors: new Map(), isEvent: undefined, gap });
  for await (const _ of walk.windows(from, to)) if (result !== undefined) break;
  searchLeft.bytes -= to - from;
  return result ?? { gap: undefined, events: events() };
}
