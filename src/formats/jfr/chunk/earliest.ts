/**
 * The first events of some types in the order of time. A walk over all events for their times finds where they are; then only these parts
 * of chunks are read, and only there constants. Memory: 40 bytes an event that may be among them, 100 a part and type.
 */
import { FirstOf } from '../../../base/columns/first-of.js';
import type { ByteSource } from '../../../bytes/byte-source.js';
import { openInput } from '../input.js';
import { returnKernel } from '../kernel/walk-kernel.js';
import type { ChunkRows } from './chunk-data.js';
import { type ChunkData, type ChunkOptions, type ChunkRange, PARTS, type Parts } from './chunk-options.js';
import { kernelFor } from './chunks.js';
import { type ChunkHeader, HEADER_BYTES } from './header.js';
import type { MetaType } from './metadata.js';
import { readChunk } from './read-chunk.js';
import type { Rows } from './rows.js';
import { SharedState } from './shared-state.js';

/** The field with the time when an event began. */
export const TIME_FIELD = 'startTime';

/** Small parts, since those with the first events are read again. */
export const SMALL_PARTS: Parts = { ...PARTS, bytes: 2 << 20 };

interface Part {
  readonly chunk: Chunk;
  readonly range: ChunkRange;
}

interface Chunk {
  readonly header: ChunkHeader;
  /** Where it ends, from its first byte on. */
  end: number;
  checkpoints: number;
}

/** Where the first events of some types are. */
export interface EarliestPlaces {
  readonly parts: readonly Part[];
  readonly types: ReadonlyMap<string, PlacesOfType>;
}

interface PlacesOfType {
  /** Which ones they are among the events of the type in all `parts`, rising. */
  readonly rows: Int32Array;
  /** In the order of time: places in `rows`. */
  readonly order: Int32Array;
  /** How many events of the type there are at all. */
  readonly total: number;
}

/** Gets the times of all events, chunk by chunk. */
export class EarliestEvents {
  readonly #most: number;
  readonly #parts: Part[] = [];
  readonly #types = new Map<string, EarliestOfType>();

  /** `most`: how many of each type are wanted. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Adds a chunk, or a part of one, that has the times of its events. `start`: of the chunk, in nanoseconds of the recording. */
  add(data: ChunkData, start: number): void {
    const { header, isMore, end, events, types, checkpoints } = data;
    const before = isMore ? this.#parts.at(-1) : undefined;
    const range = { from: before?.range.to ?? HEADER_BYTES, to: end - header.offset };
    const chunk = before?.chunk ?? { header, end: range.to, checkpoints };
    chunk.end = range.to;
    // They are counted with the last part.
    chunk.checkpoints = checkpoints;
    const part = this.#parts.push({ chunk, range }) - 1;
    for (const { type, table, early } of events) {
      const times = table.columns.find(({ key, holds }) => key === TIME_FIELD && holds === 'time')?.values;
      const of = this.#types.get(type.name) ?? new EarliestOfType(this.#most);
      this.#types.set(type.name, of);
      of.describe(type, types);
      of.add(part, times, start, early);
    }
  }

  /** Events of a type that began later are not among the first ones, in nanoseconds of the recording; NaN if all may be. */
  limit(type: string): number {
    return this.#types.get(type)?.last ?? Number.NaN;
  }

  /** Undefined if only a reading of all events can tell: times are unknown, or types of one name differ. */
  places(names: readonly string[]): EarliestPlaces | undefined {
    const found = names.flatMap((name) => {
      const of = this.#types.get(name);
      return of === undefined ? [] : [{ name, of, first: of.first() }];
    });
    const needed = [...new Set(found.flatMap(({ first }) => first?.map(({ part }) => part) ?? []))].sort(
      (a, b) => a - b,
    );
    const types = new Map<string, PlacesOfType>();
    for (const { name, of, first } of found) {
      if (first === undefined) return undefined;
      const starts = of.startsIn(needed);
      const byTime = Int32Array.from(first, ({ part, row }) => (starts.get(part) ?? 0) + row);
      const rows = byTime.slice().sort();
      const places = new Map([...rows].map((row, place) => [row, place]));
      types.set(name, { rows, order: byTime.map((row) => places.get(row) ?? 0), total: of.total });
    }
    return { parts: needed.map((part) => this.#parts[part]), types };
  }
}

interface Candidate {
  readonly time: number;
  readonly part: number;
  /** Among those of its part. */
  readonly row: number;
}

class EarliestOfType {
  total = 0;
  /** Equal times are in the order of the file. */
  readonly #first: FirstOf<Candidate>;
  readonly #lengths = new Map<number, number>();
  /** The metadata that were described last, and the description. */
  #types: ReadonlyMap<number, MetaType> | undefined;
  #description: string | undefined;
  #isKnown = true;

  constructor(most: number) {
    this.#first = new FirstOf(most, (a, b) => a.time - b.time);
  }

  describe(type: MetaType, types: ReadonlyMap<number, MetaType>): void {
    if (types === this.#types) return;
    this.#types = types;
    const description = descriptionOf(type, types);
    this.#description ??= description;
    if (description !== this.#description) this.#isKnown = false;
  }

  /** The time of the last one so far. */
  get last(): number | undefined {
    return this.#first.last?.time;
  }

  add(part: number, times: ArrayLike<number> | undefined, start: number, early: ChunkRows['early']): void {
    // Two types of one name.
    if (times === undefined || this.#lengths.has(part)) this.#isKnown = false;
    if (times === undefined) return;
    const length = early?.seen ?? times.length;
    this.#lengths.set(part, length);
    this.total += length;
    let last = this.#first.last?.time ?? Infinity;
    for (let row = 0; row < times.length; row++) {
      const time = times[row] + start;
      if (time >= last && time < Infinity) continue;
      if (!Number.isFinite(time)) this.#isKnown = false;
      this.#first.add({ time, part, row: early === undefined ? row : early.numbers[row] });
      last = this.#first.last?.time ?? Infinity;
    }
  }

  /** The first ones in the order of time; undefined if that is unknown. */
  first(): readonly Candidate[] | undefined {
    return this.#isKnown ? this.#first.finish() : undefined;
  }

  /** Where the rows of each of these parts begin among those of all of them. */
  startsIn(parts: readonly number[]): ReadonlyMap<number, number> {
    const starts = new Map<number, number>();
    let start = 0;
    for (const part of parts) {
      starts.set(part, start);
      start += this.#lengths.get(part) ?? 0;
    }
    return starts;
  }
}

/** All that the metadata say of the values of a type. */
function descriptionOf(type: MetaType, types: ReadonlyMap<number, MetaType>): string {
  const reached = new Set([type]);
  for (const { fields } of reached)
    for (const field of fields) {
      const inner = types.get(field.type);
      if (inner !== undefined) reached.add(inner);
    }
  const named = [...reached].map(({ id, name, label, simple, fields }) => ({ id, name, label, simple, fields }));
  return JSON.stringify(named);
}

/** Reads the events at these places, and no others, chunk by chunk. `kernelFrom`: as of `chunksOf`. */
export async function eachPlace(
  source: ByteSource,
  { parts, types }: EarliestPlaces,
  wanted: Pick<ChunkOptions, 'constants' | 'signal'>,
  visit: (data: ChunkData) => void,
  kernelFrom?: number,
): Promise<void> {
  const input = await openInput(source);
  const kernel = await kernelFor(input, kernelFrom);
  const shared = new SharedState(input.readAt, kernel);
  const selection = (name: string): boolean => types.has(name);
  const chosen = new Map([...types].map(([name, { rows }]) => [name, new ChosenRows(rows)]));
  try {
    for (const chunk of new Set(parts.map((part) => part.chunk))) {
      const { header, end, checkpoints } = chunk;
      const ranges = parts.flatMap((part) => (part.chunk === chunk ? [part.range] : []));
      const keep = (type: string, rows: Rows): void => chosen.get(type)?.keep(rows);
      const options = {
        ...wanted,
        readAt: input.readAt,
        shared,
        header,
        selection,
        isEndSure: true,
        chosen: { ranges, end, checkpoints, keep },
      };
      visit(await readChunk({ ...options, size: () => input.endOf(header.offset) }));
    }
  } finally {
    if (kernel !== undefined) returnKernel(kernel);
    await input.close();
  }
}

/** Keeps some rows of those that are read chunk by chunk, and bit by bit of each chunk. */
class ChosenRows {
  readonly #rows: Int32Array;
  #next = 0;
  /** Rows so far. */
  #before = 0;
  /** Those of the chunk that is read, and how many were kept. */
  #chunk: Rows | undefined;
  #kept = 0;

  /** `rows`: rising. */
  constructor(rows: Int32Array) {
    this.#rows = rows;
  }

  /** Removes those that were added since the last call, but for the chosen ones. */
  keep(rows: Rows): void {
    if (rows !== this.#chunk) this.#kept = 0;
    this.#chunk = rows;
    const kept = this.#kept;
    const from = this.#next;
    const end = this.#before + rows.length - kept;
    while (this.#next < this.#rows.length && this.#rows[this.#next] < end) this.#next++;
    rows.keep(
      kept,
      this.#rows.subarray(from, this.#next).map((row) => row - this.#before + kept),
    );
    this.#before = end;
    this.#kept = rows.length;
  }
}
