/**
 * A recording that a JVM is still writing: a file, or the files of its repository. The header of its last chunk has the size up to
 * which all events and their constants are whole, which grows each second; only that much is read, and each event once. Files that
 * the JVM removes stay in the recording: a file is kept open until its end was read, so that nothing is lost where the system lets a
 * program read an open file that was removed.
 *
 * Cost of a refresh: that of reading what was added, whatever there is before it. Snapshots share the tables, which are only appended to.
 */
import { KansokuError, UnreadableError } from '../../base/errors.js';
import { named } from '../../base/problems.js';
import type { Work } from '../../base/progress.js';
import { uniqueName } from '../../base/unique.js';
import type { RandomSource } from '../../bytes/byte-source.js';
import type { EventReader, EventsRead } from '../../models/event-types.js';
import type { OpenRecording, Snapshot } from '../../models/open-recording.js';
import type { Recording } from '../../models/recording.js';
import type { GrowingFiles } from '../capabilities/growing.js';
import type { LogKind } from '../shared/logs/log-kind.js';
import { type ChunkData, type EventSelection, selectedFields } from './chunk/chunk-options.js';
import { type ChunkHeader, chunkHeader, HEADER_BYTES } from './chunk/header.js';
import { readChunk } from './chunk/read-chunk.js';
import { SharedState } from './chunk/shared-state.js';
import { chunksIn, type FoundChunk, isNamedByTime, startOf } from './chunk-files.js';
import { ChunkGrowth } from './constants/chunk-growth.js';
import { KNOWN_EVENTS } from './kinds/index.js';
import { RecordingTables } from './model/recording-tables.js';
import { eventsOfChunk, partOf, Reading, readingOfKinds } from './read.js';

/** State of a header that is being written. */
const BEING_WRITTEN = 255;

/**
 * Opens what there is so far; of several files those that are named by their time. `foreseen`: as of `outlineOfJfr`, and there is no
 * profile then.
 */
export async function openGrowing(
  files: GrowingFiles,
  name: string,
  work: Work = {},
  foreseen?: readonly string[],
  inTexts: readonly LogKind[] = [],
): Promise<OpenRecording> {
  const growing = new GrowingJfr(files, name, foreseen, inTexts);
  await growing.refresh(work);
  return {
    id: uniqueName('recording'),
    current: () => growing.snapshot,
    refresh: (more) => growing.refresh(more),
    events: growing.events,
    close: () => growing.close(),
  };
}

/** What was read of a chunk. */
interface ReadChunk {
  readonly header: ChunkHeader;
  /** Its file, which stays open until the chunk is finished; offset of the chunk in it. */
  readonly source: RandomSource;
  readonly from: number;
  /** Offset in the chunk. */
  readonly end: number;
  readonly isFinished: boolean;
  /** What its further parts go on from; absent once it is finished. */
  readonly growth?: ChunkGrowth | undefined;
}

class GrowingJfr {
  snapshot: Snapshot;
  readonly events: EventReader;
  readonly #files: GrowingFiles;
  readonly #name: string;
  /** Without a profile, it has the types of events only. */
  readonly #hasProfile: boolean;
  readonly #reading: Reading;
  /** The events of types with all their fields, in the order in which they were read. */
  readonly #raw = new Reading('raw');
  readonly #rawTypes = new Set<string>();
  readonly #foreseen: readonly string[];
  readonly #chunks = new Map<string, ReadChunk>();
  /** Keys of the chunks of files, by name, that had nothing else when they were opened last. */
  readonly #chunksOfFiles = new Map<string, readonly string[]>();
  /** The file of the last chunk: a recorder may write a further one into it. */
  #lastFile = '';
  /** A refresh begins when the one before has ended. */
  #running: Promise<unknown> = Promise.resolve();

  constructor(files: GrowingFiles, name: string, foreseen: readonly string[] | undefined, inTexts: readonly LogKind[]) {
    this.#files = files;
    this.#name = name;
    this.#hasProfile = foreseen === undefined;
    this.#foreseen = foreseen ?? [];
    this.#reading = this.#hasProfile ? readingOfKinds(inTexts) : new Reading([]);
    this.snapshot = { id: 0, final: false, recording: this.#recording() };
    this.events = {
      read: (types, work) => this.#after(() => this.#read(types, work)),
      parts: (work) => this.#parts(work),
    };
  }

  refresh(work: Work = {}): Promise<Snapshot> {
    return this.#after(() => this.#refresh(work));
  }

  async close(): Promise<void> {
    for (const { source } of this.#chunks.values()) await source.close?.();
  }

  #after<Value>(run: () => Promise<Value>): Promise<Value> {
    const next = this.#running.then(run);
    this.#running = next.catch(() => undefined);
    return next;
  }

  #recording(): Recording {
    if (this.#hasProfile) return this.#reading.recording(this.#name);
    return { ...this.#reading.outline(this.#name), program: new RecordingTables().program.finish() };
  }

  async #refresh(work: Work): Promise<Snapshot> {
    let filesRead = 0;
    const files = await this.#files((name) => {
      const isRead = this.#isRead(name);
      if (isRead) filesRead++;
      return isRead;
    });
    const recordingFiles = files.length + filesRead > 1 ? files.filter(({ name }) => isNamedByTime(name)) : files;
    let grew = false;
    try {
      const chunks = await this.#chunksOf(recordingFiles);
      for (const chunk of chunks) grew = (await this.#add(chunk, work)) || grew;
      grew = (await this.#endOthers(new Set(chunks.map(({ key }) => key)), work)) || grew;
    } finally {
      const held = new Set(
        [...this.#chunks.values()].filter(({ isFinished }) => !isFinished).map(({ source }) => source),
      );
      for (const file of files) if (!held.has(file)) await file.close?.();
    }
    const { id } = this.snapshot;
    if (grew) this.snapshot = { id: id + 1, final: false, recording: this.#recording() };
    // The recorder may be about to begin the next chunk: the recording ends where a refresh finds nothing more.
    else if (this.#isFinished()) this.snapshot = { ...this.snapshot, final: true };
    return this.snapshot;
  }

  #isFinished(): boolean {
    return this.#chunks.size > 0 && [...this.#chunks.values()].every(({ isFinished }) => isFinished);
  }

  /** Whether a file was read to its end. */
  #isRead(name: string): boolean {
    const keys = this.#chunksOfFiles.get(name);
    return name !== this.#lastFile && keys?.every((key) => this.#chunks.get(key)?.isFinished === true) === true;
  }

  async #chunksOf(files: readonly RandomSource[]): Promise<readonly FoundChunk[]> {
    const found: FoundChunk[] = [];
    for (const file of files) {
      const chunks = await chunksIn(file).catch((error: unknown) => {
        // Removed since it was listed: what was not read of it is reported with the others.
        if (!(error instanceof KansokuError)) throw error;
        return [];
      });
      const withHeader = chunks.filter(({ header }) => header !== undefined);
      if (chunks.length > 0 && withHeader.length === chunks.length)
        this.#chunksOfFiles.set(
          file.name,
          chunks.map(({ key }) => key),
        );
      else this.#chunksOfFiles.delete(file.name);
      found.push(...withHeader);
    }
    found.sort((a, b) => startOf(a) - startOf(b));
    this.#lastFile = found.at(-1)?.source.name ?? this.#lastFile;
    return found;
  }

  /** Reads on in a chunk; false if there is nothing new. */
  async #add(chunk: Pick<FoundChunk, 'source' | 'from' | 'to' | 'header' | 'key'>, work: Work): Promise<boolean> {
    const { from, to, header, key } = chunk;
    const chunkBefore = this.#chunks.get(key);
    const source = chunkBefore?.source ?? chunk.source;
    const before = chunkBefore ?? { end: HEADER_BYTES, isFinished: false };
    if (header === undefined || before.isFinished || header.state === BEING_WRITTEN) return false;
    const isFinished = header.state === 0;
    // async-profiler writes the state, and a size that is too large, first, and the constants last: such a chunk is read when it is whole.
    if (isFinished && header.size > to - from) return false;
    const end = Math.min(to - from, header.size);
    if (end < before.end || (end === before.end && !isFinished)) return false;
    const selection: EventSelection = (name, type) =>
      this.#isRaw(name) || selectedFields(this.#hasProfile ? KNOWN_EVENTS : {}, name, type) || false;
    // After a failure it is not chunkBefore how much it has.
    const growth = chunkBefore?.growth ?? new ChunkGrowth();
    if (chunkBefore !== undefined) this.#chunks.set(key, { ...chunkBefore, growth: undefined });
    try {
      const part = await this.#part({ header, source, from, end, isFinished, growth }, before.end, selection, work);
      const data = { ...part, isMore: chunkBefore !== undefined };
      this.#reading.add(data);
      this.#addRaw(data);
    } catch (error) {
      if (!(error instanceof KansokuError)) throw error;
      return false;
    }
    this.#chunks.set(key, { header, source, from, end, isFinished, ...(!isFinished && { growth }) });
    if (isFinished) await source.close?.();
    return true;
  }

  /** The events of a chunk from an offset in it up to its end. */
  #part(chunk: ReadChunk, from: number, selection: EventSelection, { signal }: Work): Promise<ChunkData> {
    const { source, header, end, growth } = chunk;
    const part = { from, to: end };
    const shared = new SharedState(source.readAt);
    const options = { readAt: source.readAt, shared, selection, part, growth, signal };
    // It may lie elsewhere in its file than in the copy whose header was read.
    return readChunk({ ...options, header: { ...header, offset: chunk.from }, size: () => chunk.from + end });
  }

  #isRaw(type: string): boolean {
    return this.#rawTypes.has(type) || this.#foreseen.some((word) => type === word || type.endsWith(`.${word}`));
  }

  #addRaw(data: ChunkData): void {
    for (const { name } of data.types.values()) if (this.#isRaw(name)) this.#rawTypes.add(name);
    this.#raw.add({ ...data, events: data.events.filter(({ type }) => this.#rawTypes.has(type.name)) });
  }

  /**
   * The events of these types up to the current snapshot. What was read so far is read again for types that no question named yet, which
   * needs the files: throws `UnreadableError` if one of them was removed.
   */
  async #read(types: readonly string[], work: Work = {}): Promise<EventsRead> {
    const missing = new Set(types.filter((type) => !this.#rawTypes.has(type)));
    if (missing.size > 0) {
      const found: ChunkData[] = [];
      for await (const data of this.#again((type) => missing.has(type), work)) found.push(data);
      for (const type of missing) this.#rawTypes.add(type);
      for (const data of found) this.#raw.add(data);
    }
    return partOf(this.#raw.events(), types);
  }

  async *#parts(work: Work = {}): AsyncGenerator<EventsRead> {
    let first: ChunkHeader | undefined;
    for await (const data of this.#again(() => true, work)) {
      first ??= data.header;
      yield eventsOfChunk(first, data);
    }
  }

  /** Reads all chunks again, each up to where it was read. */
  async *#again(selection: EventSelection, work: Work): AsyncGenerator<ChunkData> {
    for (const chunk of [...this.#chunks.values()]) {
      yield await this.#part({ ...chunk, growth: undefined }, HEADER_BYTES, selection, work).catch((error: unknown) => {
        if (!(error instanceof UnreadableError)) throw error;
        const advice = 'Name the types of events when the recording is opened.';
        throw new UnreadableError(`${error.message}; the recorder removed it, so its other events are gone`, {
          code: 'events-gone',
          advice,
        });
      });
    }
  }

  /** Reads the rest of chunks whose files were removed, or reports that it is missing; true if there are any. */
  async #endOthers(present: ReadonlySet<string>, work: Work): Promise<boolean> {
    let isMore = false;
    for (const [key, chunk] of this.#chunks) {
      if (chunk.isFinished || present.has(key)) continue;
      isMore = true;
      const header = await lastHeader(chunk);
      if (header !== undefined) await this.#add({ ...chunk, key, to: chunk.from + header.size, header }, work);
      const { end, isFinished } = this.#chunks.get(key) ?? chunk;
      await chunk.source.close?.();
      if (isFinished) continue;
      const message = `removed before its end was read; its events behind byte ${end} are missing`;
      this.#reading.lose(named(chunk.source.name, { code: 'file-lost', severity: 'error', message }));
      this.#chunks.set(key, { ...chunk, end, isFinished: true });
    }
    return isMore;
  }
}

/** The header of a chunk whose file was removed; undefined if the file is no longer open, or shorter than the header says. */
async function lastHeader({ source, from }: ReadChunk): Promise<ChunkHeader | undefined> {
  const bytes = async (offset: number, length: number): Promise<Uint8Array> => {
    const target = new Uint8Array(length);
    return target.subarray(0, await source.readAt(offset, target));
  };
  try {
    const header = chunkHeader(await bytes(from, HEADER_BYTES), from);
    if (header === undefined || !(header.size >= HEADER_BYTES && Number.isSafeInteger(from + header.size)))
      return undefined;
    return (await bytes(from + header.size - 1, 1)).length === 1 ? header : undefined;
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    return undefined;
  }
}
