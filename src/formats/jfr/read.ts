/**
 * Reads recordings of JDK Flight Recorder: chunks of versions 1.0 to 2.x, finished or not.
 *
 * Format: docs/formats/jfr.md. One pass over each chunk; what is not mapped to the models is skipped by its size. Memory: a window of
 * 1 MiB, the constants of one chunk, and 4 to 8 bytes a value of the events that are kept.
 */
import { ProblemLog } from '../../base/problems.js';
import type { Work } from '../../base/progress.js';
import type { ByteSource } from '../../bytes/byte-source.js';
import type { EventsRead } from '../../models/event-types.js';
import type { Profile } from '../../models/profile/profile.js';
import { COUNTERS, RANGES } from '../../models/profile/tables.js';
import type { MetadataEntry, Recording } from '../../models/recording.js';
import { eachChunk } from './chunk/chunks.js';
import type { ChunkHeader } from './chunk/header.js';
import { nanosBetween } from './chunk/header.js';
import type { ChunkData, Selection } from './chunk/read-chunk.js';
import { FACTS, Facts } from './kinds/facts.js';
import { KINDS, kindsSelection } from './kinds/index.js';
import { EventColumns } from './model/event-columns.js';
import { KindRows, type RowsOfEvents } from './model/event-tables.js';
import { EventTypes } from './model/event-types.js';
import { rawRows } from './model/raw-tables.js';
import { RecordingTables } from './model/recording-tables.js';

/** Reads all whole events of the known types. Throws `FormatError` if there is no chunk. */
export async function readJfr(source: ByteSource, work: Work = {}): Promise<Recording> {
  const reading = new Reading(KINDS.map((kind) => new KindRows(kind)));
  await reading.read(source, { ...kindsSelection(), ...FACTS }, work);
  return { ...reading.outline(source.name), program: reading.tables.program.finish(), profile: reading.profile() };
}

/** Reads the types of events with their numbers, and decodes none. Throws `FormatError` if there is no chunk. */
export async function outlineOfJfr(source: ByteSource, work: Work = {}): Promise<Recording> {
  const reading = new Reading([]);
  await reading.read(source, {}, work);
  return { ...reading.outline(source.name), program: reading.tables.program.finish() };
}

/** Reads all fields of the events of some types. */
export async function readEvents(source: ByteSource, types: readonly string[], work: Work = {}): Promise<EventsRead> {
  const reading = new Reading(types.map(rawRows));
  await reading.read(source, Object.fromEntries(types.map((type) => [type, true])), work);
  // Columns of stacks and names are made by the profile, so it comes first.
  const profile = reading.profile();
  return { program: reading.tables.program.finish(), profile };
}

class Reading {
  readonly tables = new RecordingTables();
  readonly #rows: readonly RowsOfEvents[];
  readonly #types = new EventTypes();
  readonly #facts = new Facts();
  readonly #problems = new ProblemLog();
  #first: ChunkHeader | undefined;
  #last: ChunkHeader | undefined;
  #chunks = 0;
  #complete = true;

  constructor(rows: readonly RowsOfEvents[]) {
    this.#rows = rows;
  }

  async read(source: ByteSource, selection: Selection, work: Work): Promise<void> {
    const damage = await eachChunk(source, selection, work, (data) => this.#add(data, (source.size ?? 0) / data.end));
    for (const problem of damage) {
      this.#problems.add(problem);
      if (problem.severity === 'error') this.#complete = false;
    }
  }

  #add(data: ChunkData, growth: number): void {
    this.#first ??= data.header;
    this.#last = data.header;
    this.#chunks++;
    const columns = new EventColumns(data, this.tables, nanosBetween(this.#first, data.header), growth);
    for (const { type, table } of data.events) {
      for (const rows of this.#rows) rows.add(type, table, columns);
      this.#facts.add(type, table, columns);
    }
    this.#types.add(data);
    this.#problems.addAll(data.problems);
    this.#complete &&= data.complete;
  }

  profile(): Profile {
    const found = this.#rows.flatMap((rows) => rows.finish() ?? []);
    const threads = this.tables.threads.finish();
    const tables = found.map(({ table }) => table);
    const counters = tables.find(({ kind }) => kind === COUNTERS.kind);
    const ranges = tables.find(({ kind }) => kind === RANGES.kind);
    return {
      stacks: this.tables.stacks.finish(),
      events: tables.filter((table) => table !== counters && table !== ranges),
      metrics: found.flatMap(({ table, metrics }) =>
        metrics.map((metric) => this.#facts.described(metric, table.length)),
      ),
      ...(threads && { threads }),
      ...(counters && { counters }),
      ...(ranges && { ranges }),
    };
  }

  outline(name: string): Omit<Recording, 'program'> {
    const eventTypes = this.#types.finish();
    const sections = eventTypes.filter(({ count }) => count > 0);
    return {
      name,
      format: 'jfr',
      metadata: this.#metadata(),
      sections: sections.map((type) => ({ name: type.name, entries: type.count })),
      eventTypes,
      problems: this.#problems.finish(),
      complete: this.#complete,
      residue: undefined,
    };
  }

  #metadata(): MetadataEntry[] {
    const first = this.#first;
    const last = this.#last;
    if (first === undefined || last === undefined) return [];
    const duration = nanosBetween(first, last) + last.duration;
    return [
      { key: 'version', value: `${first.major}.${first.minor}` },
      { key: 'started', value: isoOf(first.startMillis) },
      { key: 'duration', value: `${Math.round(duration / 1e6) / 1e3} s` },
      { key: 'chunks', value: String(this.#chunks) },
      ...this.#facts.metadata,
    ].filter(({ value }) => value !== '');
  }
}

/** Empty for a time that is none. */
function isoOf(millis: number): string {
  const date = new Date(millis);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}
