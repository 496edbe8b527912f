/** Reads one chunk: its metadata, then one pass over its events, which also has its constants. */
import type { Problem } from '../../../base/problems.js';
import type { ReadAt } from '../../format.js';
import { type ChunkConstants, type ChunkEvents, ChunkFinisher, type ChunkTexts } from './chunk-data.js';
import { Cursor } from './cursor.js';
import { type ChunkHeader, HEADER_BYTES } from './header.js';
import { type Metadata, type MetaType, readMetadata } from './metadata.js';
import { planOf } from './plan.js';
import { Pools } from './pools.js';
import { ChunkState, Rows } from './rows.js';
import { CHECKPOINT_EVENT, EventCounts, type EventVisitor, EventWalk, LARGEST_EVENT, METADATA_EVENT } from './walk.js';

/**
 * Which events are decoded, by name of the type: all fields, or these. `true` in place of it: all types. Nothing is decoded of an empty
 * selection, and no constants are read.
 */
export type Selection = Readonly<Record<string, readonly string[] | true>>;

/** Number and bytes of the events of a type. */
export interface TypeCount {
  readonly type: MetaType;
  readonly count: number;
  readonly bytes: number;
}

export interface ChunkData {
  readonly header: ChunkHeader;
  /** Of all types in the metadata that are events, and those met that are unknown, in the order of their ids. */
  readonly counts: readonly TypeCount[];
  /** All types of the metadata, by id. */
  readonly types: ReadonlyMap<number, MetaType>;
  readonly events: readonly ChunkEvents[];
  /** By id of the type. */
  readonly constants: ReadonlyMap<number, ChunkConstants>;
  readonly texts: ChunkTexts;
  readonly problems: readonly Problem[];
  /** Where the last whole event ends, in the file. */
  readonly end: number;
  readonly complete: boolean;
}

export interface ChunkOptions {
  readonly readAt: ReadAt;
  readonly header: ChunkHeader;
  /** Where the bytes of the chunk end at the latest. */
  readonly limit: number;
  readonly selection: Selection;
  readonly signal?: AbortSignal | undefined;
  readonly progress?: ((bytes: number) => void) | undefined;
}

/** Reads a chunk as far as it is whole. */
export async function readChunk(options: ChunkOptions): Promise<ChunkData> {
  return new ChunkReader(options).read();
}

/** Damaged types are reported, and their events counted. */
class TypeRows implements EventVisitor {
  readonly type: MetaType;
  readonly rows: Rows;
  /** Offset in the chunk of the first event that could not be read, and number of such. */
  firstBad = -1;
  bad = 0;

  constructor(type: MetaType, rows: Rows) {
    this.type = type;
    this.rows = rows;
  }

  visit(bytes: Uint8Array, at: number, end: number, offset: number): void {
    if (this.rows.take(bytes, at, end) >= 0) return;
    if (this.bad++ === 0) this.firstBad = offset;
  }
}

class ChunkReader {
  readonly #options: ChunkOptions;
  readonly #header: ChunkHeader;
  readonly #problems: Problem[] = [];
  readonly #counts = new EventCounts();

  constructor(options: ChunkOptions) {
    this.#options = options;
    this.#header = options.header;
  }

  async read(): Promise<ChunkData> {
    const metadata = await this.#metadata();
    const state = new ChunkState(this.#header);
    const pools = new Pools(metadata, state);
    const wanted = this.#wanted(metadata, state);
    const visitors = new Map<number, EventVisitor>(wanted.map((each) => [each.type.id, each]));
    if (wanted.length > 0) visitors.set(CHECKPOINT_EVENT, { visit: (...event) => this.#checkpoint(pools, ...event) });
    const { end, complete } = await this.#walk(visitors);
    for (const { type, firstBad, bad } of wanted)
      if (bad > 0)
        this.#report('jfr-event', firstBad, `${bad} events ${type.name} do not match their metadata; skipped`);
    const finisher = new ChunkFinisher(pools, state);
    const { bytes, offsets } = state.strings.texts;
    return {
      header: this.#header,
      counts: this.#countsOf(metadata),
      types: metadata.types,
      events: wanted
        .filter(({ rows }) => rows.length > 0)
        .map(({ type, rows }) => ({ type, table: finisher.table(rows) })),
      constants: new Map(pools.all.map(({ type, rows }) => [type.id, { type, table: finisher.table(rows) }])),
      texts: { bytes: bytes.bytes.subarray(0, bytes.length), offsets: offsets.finish() },
      problems: this.#problems,
      end,
      complete: complete && this.#problems.length === 0,
    };
  }

  #wanted(metadata: Metadata, state: ChunkState): TypeRows[] {
    const { selection } = this.#options;
    const found: TypeRows[] = [];
    for (const type of metadata.types.values()) {
      const fields = type.isEvent && Object.hasOwn(selection, type.name) ? selection[type.name] : undefined;
      if (fields === undefined) continue;
      const plan = planOf(metadata, type, { ...(fields !== true && { wanted: new Set(fields) }), sized: true });
      if (plan === undefined)
        this.#report('jfr-type', 0, `the fields of ${type.name} cannot be read; its events are counted only`);
      else found.push(new TypeRows(type, new Rows(plan, state)));
    }
    return found;
  }

  #checkpoint(pools: Pools, bytes: Uint8Array, at: number, end: number, offset: number): void {
    const bad = pools.checkpoint(bytes, at, end);
    if (bad < 0) return;
    const lost = `${end - bad} bytes of constants cannot be read: expected a type of the metadata, and its values`;
    this.#report('jfr-constants', offset + bad - at, lost);
  }

  async #walk(visitors: ReadonlyMap<number, EventVisitor>): Promise<{ end: number; complete: boolean }> {
    const { readAt, limit, signal, progress } = this.#options;
    const { offset, compressed } = this.#header;
    const walk = new EventWalk(this.#counts, { compressed, visitors, signal, progress });
    const { end, stop } = await walk.run(readAt, offset, offset + HEADER_BYTES, limit);
    if (stop !== undefined) this.#report('jfr-cut', stop.offset, `expected an event, found ${stop.found}`);
    return { end, complete: stop === undefined };
  }

  #countsOf({ types }: Metadata): TypeCount[] {
    const { ids, counts, bytes } = this.#counts;
    const rows = new Map(ids.map((id, i) => [id, i]));
    const known = [...types.values()].filter(({ isEvent }) => isEvent);
    const unknown = ids.filter(
      (id) => types.get(id)?.isEvent !== true && id !== METADATA_EVENT && id !== CHECKPOINT_EVENT,
    );
    const row = (id: number): number => rows.get(id) ?? -1;
    return [...known, ...unknown.map(unknownType)].map((type) => ({
      type,
      count: counts[row(type.id)] ?? 0,
      bytes: bytes[row(type.id)] ?? 0,
    }));
  }

  async #metadata(): Promise<Metadata> {
    const { metadata, offset } = this.#header;
    const found = metadata >= HEADER_BYTES ? await this.#metadataAt(metadata) : undefined;
    if (found !== undefined) return found;
    this.#report('jfr-metadata', metadata, `no metadata event at this place of the chunk at byte ${offset}`);
    return { types: new Map() };
  }

  /** The metadata event at an offset of the chunk. */
  async #metadataAt(at: number): Promise<Metadata | undefined> {
    const { readAt, limit } = this.#options;
    const { offset, compressed } = this.#header;
    const head = new Uint8Array(32);
    const cursor = new Cursor(compressed);
    cursor.set(head, 0, await readAt(offset + at, head));
    const size = cursor.int();
    if (cursor.long() !== METADATA_EVENT || cursor.isBehind || size <= 0 || size > LARGEST_EVENT) return undefined;
    const payload = cursor.at;
    if (offset + at + size > limit) return undefined;
    const bytes = new Uint8Array(size);
    if ((await readAt(offset + at, bytes)) < size) return undefined;
    cursor.set(bytes, payload, size);
    return readMetadata(cursor);
  }

  /** `at`: offset in the chunk. */
  #report(code: string, at: number, message: string): void {
    this.#problems.push({ code, severity: 'error', offset: this.#header.offset + at, message });
  }
}

/** A type that the metadata lack. */
function unknownType(id: number): MetaType {
  return {
    id,
    name: `type ${id}`,
    isEvent: true,
    simple: false,
    fields: [],
    label: '',
    description: '',
    category: [],
  };
}
