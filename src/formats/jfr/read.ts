/**
 * Reads recordings of JDK Flight Recorder: chunks of versions 1.0 to 2.x, finished or not.
 *
 * Format: docs/formats/jfr.md. One pass over each chunk; what is not mapped to the models is skipped by its size. Memory: a window of
 * 1 MiB, the constants of one chunk, and 4 to 8 bytes a value of the events that are kept.
 */
import { loadPacking } from '../../base/columns/packed.js';
import { joinProblems, type Problem, ProblemLog } from '../../base/problems.js';
import type { Work } from '../../base/progress.js';
import { type ByteSource, isRandom } from '../../bytes/byte-source.js';
import type { EarliestRead, EventReader, EventsRead } from '../../models/event-types.js';
import type { Locks } from '../../models/locks/locks.js';
import { CARRIER_GROUP } from '../../models/profile/carriers.js';
import type { Profile } from '../../models/profile/profile.js';
import { THREADS } from '../../models/profile/tables.js';
import type { MetadataEntry, Recording } from '../../models/recording.js';
import { type Field, selectRows } from '../../models/table.js';
import type { Foreseen, OutlinedRecording } from '../capabilities/events.js';
import type { LogKind } from '../shared/logs/log-kind.js';
import type { ChunkData, EventSelection, Parts, ReadingSizes } from './chunk/chunk-options.js';
import { chunksOf, eachChunk, KERNEL_FROM, progressOf } from './chunk/chunks.js';
import { EarliestEvents, type EarliestPlaces, eachPlace, SMALL_PARTS, TIME_FIELD } from './chunk/earliest.js';
import type { ChunkHeader } from './chunk/header.js';
import { clockOf, isoOf, nanosBetween } from './chunk/header.js';
import { openInput } from './input.js';
import { Facts } from './kinds/facts.js';
import { KINDS, KNOWN_EVENTS, kindNames } from './kinds/index.js';
import { fieldsOfConstants } from './model/constants.js';
import { Contexts, contextFields, contextsBeside } from './model/contexts.js';
import { EventColumns } from './model/event-columns.js';
import { KindRows, type RowsOfEvents } from './model/event-tables.js';
import { EventTypes } from './model/event-types.js';
import { profileSoFar } from './model/profile-so-far.js';
import { pathsOf, rawRows } from './model/raw-tables.js';
import { RecordingTables } from './model/recording-tables.js';
import { TextRecords } from './model/text-records.js';

/**
 * Reads all whole events of the known types. Throws `FormatError` if there is no chunk. `inTexts`: kinds of records that texts of events have.
 */
export async function readJfr(
  source: ByteSource,
  work: Work = {},
  sizes: ReadingSizes = {},
  inTexts: readonly LogKind[] = [],
): Promise<Recording> {
  const reading = readingOfKinds(inTexts);
  await reading.read(source, KNOWN_EVENTS, work, sizes);
  return reading.recording(source.name);
}

/** A reading of all `KNOWN_EVENTS`. */
export function readingOfKinds(inTexts: readonly LogKind[]): Reading {
  return new Reading(
    KINDS.map((kind) => new KindRows(kind)),
    undefined,
    inTexts,
  );
}

/**
 * Reads the types of events with their numbers; in the same pass the events of the types that are `foreseen`, or where the first ones of
 * them are. Others are read when they are asked for. Throws `FormatError` if there is no chunk.
 */
export async function outlineOfJfr(
  source: ByteSource,
  work: Work = {},
  { words, most }: Foreseen = { words: [] },
): Promise<OutlinedRecording> {
  const isForeseen = (type: string): boolean => words.some((word) => type === word || type.endsWith(`.${word}`));
  const areForeseen = (types: readonly string[]): boolean => types.every(isForeseen);
  const read: EventReader['read'] = async (types, more) => readEvents(source, types, more);
  const parts: EventReader['parts'] = (...given) => eventsByChunk(source, ...given);
  const program = new RecordingTables().program.finish();
  if (most === undefined || !isRandom(source)) {
    const reading = new Reading('raw');
    await reading.read(source, contextsBeside(isForeseen), work);
    const known = reading.events();
    return {
      recording: { ...reading.outline(source.name), program },
      events: { read: async (types, more) => (areForeseen(types) ? partOf(known, types) : read(types, more)), parts },
    };
  }
  const { reading, found } = await timesOf(source, isForeseen, most, work);
  const earliest: NonNullable<EventReader['earliest']> = async (types, wanted, more) =>
    wanted === most && areForeseen(types)
      ? earliestFrom(source, reading, found.places(types), more)
      : earliestEvents(source, types, wanted, more);
  return { recording: { ...reading.outline(source.name), program }, events: { read, parts, earliest } };
}

/** Reads the first events of some types in the order of time. */
export async function earliestEvents(
  source: ByteSource,
  types: readonly string[],
  most: number,
  work: Work = {},
  sizes: ReadingSizes = {},
): Promise<EarliestRead | undefined> {
  if (!isRandom(source)) return undefined;
  const isWanted = (type: string): boolean => types.includes(type);
  const { reading, found } = await timesOf(source, isWanted, most, work, sizes);
  return earliestFrom(source, reading, found.places(types), work, sizes);
}

/** Reads only the times of some events. */
async function timesOf(
  source: ByteSource,
  isWanted: (type: string) => boolean,
  most: number,
  work: Work,
  { kernelFrom, parts = SMALL_PARTS }: ReadingSizes = {},
): Promise<{ readonly reading: Reading; readonly found: EarliestEvents }> {
  const reading = new Reading('raw');
  const found = new EarliestEvents(most);
  const selection = (type: string): readonly string[] | boolean => isWanted(type) && [TIME_FIELD];
  const add = (data: ChunkData): void => found.add(data, reading.note(data));
  const before = (type: string, header: ChunkHeader): number => {
    const limit = found.limit(type);
    const start = reading.first === undefined ? 0 : nanosBetween(reading.first, header);
    // More than rounding may add.
    return limit - start + 1 + (Math.abs(limit) + Math.abs(start)) * 1e-12;
  };
  const wanted = { selection, constants: 'none', isWhole: true, earliest: { most, before } } as const;
  for (const problem of await eachChunk(source, wanted, work, add, { kernelFrom, parts })) reading.lose(problem);
  return { reading, found };
}

/** Reads the events at these places. `outline`: the reading that found them. */
async function earliestFrom(
  source: ByteSource,
  outline: Reading,
  places: EarliestPlaces | undefined,
  { signal }: Work = {},
  { kernelFrom }: ReadingSizes = {},
): Promise<EarliestRead | undefined> {
  if (places === undefined) return undefined;
  const reading = new Reading('raw', outline.first);
  await eachPlace(
    source,
    places,
    { constants: fieldsOfConstants, signal },
    (data) => reading.add(data, false),
    kernelFrom,
  );
  if (outline.hasContexts) {
    // What is wrong was reported at opening.
    const options = { selection: contextsBeside(() => false), constants: fieldsOfConstants };
    await eachChunk(source, options, { ...(signal && { signal }) }, (data) => reading.addContexts(data), {
      kernelFrom,
    });
  }
  const { program, profile, problems } = partOf(reading.events(), [...places.types.keys()]);
  const events = profile.events.map((table) =>
    selectRows(table, places.types.get(table.kind)?.order ?? new Int32Array()),
  );
  const totals = new Map([...places.types].map(([name, { total }]) => [name, total]));
  return { program, profile: { ...profile, events }, ...(problems && { problems }), totals };
}

/** Parts that are large enough for tables of their own. */
const LARGE_PARTS: Parts = { from: 4 << 20, rows: 1 << 18 };

/** Reads all events, chunk by chunk, large ones in parts: all fields of them, or those that `shared` are. */
export async function* eventsByChunk(
  source: ByteSource,
  work: Work = {},
  shared?: readonly Field[],
  inParts: Parts = LARGE_PARTS,
): AsyncGenerator<EventsRead> {
  const input = await openInput(source);
  try {
    const { signal } = work;
    const paths = shared && pathsOf(shared);
    // Whatever is read of them, the same events are skipped as damaged.
    const wanted = { selection: () => paths ?? true, constants: fieldsOfConstants, isWhole: true } as const;
    const options = { ...wanted, inParts, signal, progress: progressOf(source, work) };
    let first: ChunkHeader | undefined;
    let reading: Reading | undefined;
    // What is wrong between chunks was reported at opening.
    for await (const data of chunksOf(input, options, () => undefined)) {
      first ??= data.header;
      if (!data.isMore || reading === undefined) reading = new Reading('raw', first);
      reading.add(data, false);
      yield reading.takeEvents();
    }
  } finally {
    await input.close();
  }
}

/** Some types of events that were read. */
export function partOf(read: EventsRead, types: readonly string[]): EventsRead {
  const events = types.flatMap((type) => read.profile.events.filter(({ kind }) => kind === type));
  return { ...read, profile: { ...read.profile, events } };
}

/** Reads all fields of the events of some types. */
export async function readEvents(
  source: ByteSource,
  types: readonly string[],
  work: Work = {},
  sizes: ReadingSizes = {},
): Promise<EventsRead> {
  const reading = new Reading('raw');
  await reading.read(
    source,
    contextsBeside((type) => types.includes(type)),
    work,
    sizes,
  );
  return partOf(reading.events(), types);
}

/** All fields of the events that were read of a chunk. `first`: the first chunk of the recording. */
export function eventsOfChunk(first: ChunkHeader, data: ChunkData): EventsRead {
  const reading = new Reading('raw', first);
  reading.add(data);
  return reading.events();
}

/** What is read of a recording, chunk by chunk. A profile can be made at any time; rows keep their numbers in later ones. */
export class Reading {
  readonly tables = new RecordingTables();
  readonly #rows: RowsOfEvents[];
  /** Types that have rows of their own; undefined where types become rows of kinds. */
  readonly #raw: Set<string> | undefined;
  readonly #types = new EventTypes();
  readonly #facts = new Facts();
  readonly #problems = new ProblemLog();
  #first: ChunkHeader | undefined;
  #zoneOffset: number | undefined;
  /** Of the chunk that was added last. */
  #columns: EventColumns | undefined;
  #last: ChunkHeader | undefined;
  readonly #texts: TextRecords;
  readonly #contexts = new Contexts();
  /** Whether it has events with a context for others. */
  hasContexts = false;
  #locks: Locks | undefined;
  #chunks = 0;
  #complete = true;

  /** `raw`: the events of each type become a table with the fields of the file. `first`: see `eventsOfChunk`. */
  constructor(rows: readonly RowsOfEvents[] | 'raw', first?: ChunkHeader, inTexts: readonly LogKind[] = []) {
    this.#rows = rows === 'raw' ? [] : [...rows];
    this.#raw = rows === 'raw' ? new Set() : undefined;
    this.#first = first;
    this.#texts = new TextRecords(inTexts, this.tables);
  }

  async read(source: ByteSource, selection: EventSelection, work: Work, sizes: ReadingSizes = {}): Promise<void> {
    if ((source.size ?? Infinity) >= KERNEL_FROM) await loadPacking();
    const add = (data: ChunkData): void => this.add(data);
    const damage = await eachChunk(source, { selection, constants: fieldsOfConstants }, work, add, sizes);
    for (const problem of damage) this.lose(problem);
  }

  /** Something that is lost. */
  lose(problem: Problem): void {
    this.#problems.add(problem);
    if (problem.severity === 'error') this.#complete = false;
  }

  /** The first chunk. */
  get first(): ChunkHeader | undefined {
    return this.#first;
  }

  /** Adds what is known of a chunk, or a part of one, but for its events; returns when it began, in nanoseconds of the recording. */
  note(data: ChunkData): number {
    this.#first ??= data.header;
    if (!data.isMore) this.#chunks++;
    this.#last = data.header;
    this.#zoneOffset ??= data.zoneOffset;
    this.#types.add(data);
    this.hasContexts ||= data.counts.some(({ type, count }) => count > 0 && contextFields(type).length > 0);
    this.#problems.addAll(data.problems);
    this.#complete &&= data.complete;
    return nanosBetween(this.#first, data.header);
  }

  /** Adds a chunk, or a part of one. Contexts need all events. */
  add(data: ChunkData, withContexts = true): void {
    const start = this.note(data);
    if (!data.isMore) this.#facts.addChunk(data.header, start);
    if (!data.isMore || this.#columns?.next(data) !== true) this.#columns = new EventColumns(data, this.tables, start);
    const columns = this.#columns;
    for (const { type, table } of data.events) {
      if (this.#raw?.has(type.name) === false) {
        this.#raw.add(type.name);
        this.#rows.push(rawRows(type.name, kindNames(type.name)));
      }
      for (const rows of this.#rows) rows.add(type, table, columns);
      if (withContexts) this.#contexts.add(type, table, columns);
      if (this.#raw !== undefined) continue;
      this.#facts.add(type, table, columns);
      this.#texts.add(type, table, columns, data.header.offset);
    }
  }

  /** Adds only the contexts that events of a chunk, or a part of one, are for others. */
  addContexts(data: ChunkData): void {
    const columns = new EventColumns(data, this.tables, nanosBetween(this.#first ?? data.header, data.header));
    for (const { type, table } of data.events) this.#contexts.add(type, table, columns);
  }

  events(): EventsRead {
    // Columns of stacks and names are made by the profile, so it comes first.
    const profile = this.profile();
    return { program: this.tables.program.finish(), profile, problems: this.#problems.finish() };
  }

  /** The events so far, which it has no more then. */
  takeEvents(): EventsRead {
    const events = this.events();
    this.#rows.length = 0;
    this.#raw?.clear();
    return events;
  }

  /** All of it, under this name. */
  recording(name: string): Recording {
    const { program, profile } = this.events();
    const references = this.tables.references.finish();
    const locks = this.#locks;
    return {
      ...this.outline(name),
      program,
      profile,
      ...(locks && { locks }),
      ...(references.length > 0 && { references }),
    };
  }

  profile(): Profile {
    const texts = this.#texts.finish();
    this.#locks = texts.locks;
    const threads = this.tables.threads.finish();
    if (threads !== undefined && THREADS.rows(threads).virtual !== undefined)
      this.#facts.carrierGroup = this.tables.program.name(CARRIER_GROUP);
    return profileSoFar({
      stacks: this.tables.stacks.finish(),
      rows: this.#rows,
      facts: this.#facts.copy(),
      threads,
      withContexts: this.#contexts.finish(),
      texts,
    });
  }

  outline(name: string): Omit<Recording, 'program'> {
    const eventTypes = this.#types.finish();
    const sections = eventTypes.filter(({ count }) => count > 0);
    const clock = clockOf(this.#first, this.#last, this.#zoneOffset);
    return {
      name,
      format: 'jfr',
      metadata: this.#metadata(clock),
      ...(clock && { clock }),
      sections: sections.map((type) => ({ name: type.name, entries: type.count })),
      eventTypes,
      problems: joinProblems(this.#problems.finish(), this.#texts.problems),
      complete: this.#complete && this.#texts.complete,
      residue: undefined,
    };
  }

  #metadata(clock: Recording['clock']): MetadataEntry[] {
    const first = this.#first;
    if (first === undefined || clock === undefined) return [];
    return [
      { key: 'version', value: `${first.major}.${first.minor}` },
      { key: 'started', value: isoOf(first.startMillis) },
      { key: 'duration', value: `${Math.round(clock.length / 1e6) / 1e3} s` },
      { key: 'chunks', value: String(this.#chunks) },
      ...this.#facts.metadata,
    ].filter(({ value }) => value !== '');
  }
}
