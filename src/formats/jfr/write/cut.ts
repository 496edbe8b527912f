/**
 * Writes a part of a recording: chunk for chunk, events as the same bytes, with the constants that they refer to.
 *
 * Each chunk is read into columns, then walked over twice. Cost: three times reading it; memory of the columns of the largest chunk,
 * about twice its bytes, and as much again where a choice among its events is made.
 */
import { ProblemLog } from '../../../base/problems.js';
import type { Work } from '../../../base/progress.js';
import { formatCount, plural } from '../../../base/units.js';
import type { ByteSource } from '../../../bytes/byte-source.js';
import type { CutFile, CutReport, EventCut } from '../../../models/event-types.js';
import type { ChunkRows } from '../chunk/chunk-data.js';
import type { ChunkData } from '../chunk/chunk-options.js';
import { chunksOf, progressOf } from '../chunk/chunks.js';
import type { ChunkHeader } from '../chunk/header.js';
import { type JfrInput, openInput } from '../input.js';
import { eventsOfChunk } from '../read.js';
import { ChunkCopy } from './chunk-copy.js';
import { type KeptRows, keptRows } from './kept-rows.js';

/** The part of a recording that `cut` describes, as a file. Throws `FormatError` if there is no chunk. */
export function cutJfr(source: ByteSource, cut: EventCut, work: Work = {}): CutFile {
  return new JfrCut(source, cut, work);
}

interface Counts {
  before: number;
  after: number;
}

class JfrCut implements CutFile {
  readonly #source: ByteSource;
  readonly #cut: EventCut;
  readonly #work: Work;
  readonly #events = new Map<string, Counts>();
  readonly #constants: Counts = { before: 0, after: 0 };
  readonly #problems = new ProblemLog();
  #first: ChunkHeader | undefined;
  #hidden = 0;
  /** Chunks, and those of them without an event that stays, and those without metadata. */
  #chunks = 0;
  #empty = 0;
  #unread = 0;

  constructor(source: ByteSource, cut: EventCut, work: Work) {
    this.#source = source;
    this.#cut = cut;
    this.#work = work;
  }

  get chunks(): AsyncIterable<Uint8Array> {
    return this.#bytes();
  }

  get report(): CutReport {
    return {
      events: this.#events,
      dropped: this.#dropped(),
      hidden: this.#hidden,
      problems: this.#problems.finish(),
    };
  }

  async *#bytes(): AsyncGenerator<Uint8Array> {
    const { types } = this.#cut;
    const { signal } = this.#work;
    const input = await openInput(this.#source);
    try {
      const options = {
        selection: (type: string): boolean => types?.has(type) !== false,
        keepsPooled: true,
        signal,
        progress: progressOf(this.#source, this.#work),
      } as const;
      for await (const data of chunksOf(input, options, (problem) => this.#problems.add(problem)))
        yield* this.#chunk(input, data);
    } finally {
      await input.close();
    }
  }

  async *#chunk(input: JfrInput, data: ChunkData): AsyncGenerator<Uint8Array> {
    const { keep, types, secrets } = this.#cut;
    this.#first ??= data.header;
    this.#chunks++;
    this.#problems.addAll(data.problems);
    const marks = keep?.(eventsOfChunk(this.#first, data)) ?? new Map<string, Uint8Array>();
    const kept = keptRows(data, marks, secrets);
    const after = this.#count(data, kept);
    if (data.metadataEvent === undefined) this.#unread++;
    else if (after === 0 && (keep !== undefined || types !== undefined)) this.#empty++;
    else {
      const { readAt } = input;
      const copy = new ChunkCopy({ readAt, data, kept, duration: durationOf(data), signal: this.#work.signal });
      yield* copy.bytes();
      this.#hidden += copy.hidden;
    }
  }

  /** Adds the events and constants of a chunk; returns how many events stay. */
  #count({ counts, constants }: ChunkData, kept: KeptRows): number {
    let sum = 0;
    for (const { type, count } of counts) {
      const after = kept.events.get(type.id)?.kept ?? 0;
      const known = this.#events.get(type.name) ?? { before: 0, after: 0 };
      this.#events.set(type.name, { before: known.before + count, after: known.after + after });
      sum += after;
    }
    for (const { table } of constants.values()) this.#constants.before += table.length;
    for (const flags of kept.constants.values()) this.#constants.after += flags.kept;
    return sum;
  }

  #dropped(): string[] {
    const lines: string[] = [];
    const { before, after } = this.#constants;
    if (after < before)
      lines.push(`${formatCount(before - after)} of ${plural(before, 'constant')}: no written event refers to them`);
    if (this.#empty > 0) lines.push(`${this.#empty} of ${plural(this.#chunks, 'chunk')}: no event of them is written`);
    if (this.#unread > 0) lines.push(`${plural(this.#unread, 'chunk')} without metadata`);
    return lines;
  }
}

/** Nanoseconds from the start of a chunk to the end of its last event, at least what its header says. */
function durationOf({ header, events }: ChunkData): number {
  return Math.max(header.duration, ...events.map(endOf));
}

function endOf({ table }: ChunkRows): number {
  const starts = table.columns.find(({ key, holds }) => key === 'startTime' && holds === 'time')?.values ?? [];
  const durations = table.columns.find(({ key, holds }) => key === 'duration' && holds === 'number')?.values ?? [];
  let last = 0;
  for (let row = 0; row < starts.length; row++) {
    const end = starts[row] + Math.max(0, durations[row] ?? 0);
    if (end > last && end < Number.MAX_SAFE_INTEGER) last = end;
  }
  return last;
}
