/** Reads one chunk: its metadata, then one pass over its events, which also has its constants. */
import { ProblemLog, type Problems } from '../../../base/problems.js';
import type { ReadAt } from '../../format.js';
import type { WalkKernel } from '../kernel/walk-kernel.js';
import { ChunkFinisher, type ChunkRows, type ChunkTexts } from './chunk-data.js';
import { Cursor } from './cursor.js';
import type { EventCounts } from './event-counts.js';
import { EventWindow } from './event-window.js';
import { CHECKPOINT_EVENT, type ChunkHeader, HEADER_BYTES, METADATA_EVENT } from './header.js';
import { type Metadata, MetadataReader, type MetaType } from './metadata.js';
import { planOf } from './plan.js';
import { Pools } from './pools.js';
import { ChunkState, Rows } from './rows.js';
import { type EventVisitor, EventWalk, type WalkOptions } from './walk.js';

/**
 * Which events are decoded, by name of the type: these fields, all if `true`. Of types that the metadata lack, nothing is decoded; nor
 * are constants where there is no other type.
 */
export type Selection =
  | Readonly<Record<string, readonly string[] | true>>
  | ((type: string) => readonly string[] | boolean);

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
  /** The metadata event that was used: offset in the chunk, and bytes; none if there is no metadata. */
  readonly metadataEvent: EventPlace | undefined;
  readonly events: readonly ChunkRows[];
  /** By id of the type. */
  readonly constants: ReadonlyMap<number, ChunkRows>;
  readonly texts: ChunkTexts;
  readonly problems: Problems;
  /** Where the chunk ends in the file, as far as it was found. */
  readonly end: number;
  readonly complete: boolean;
}

export interface EventPlace {
  /** In the chunk. */
  readonly offset: number;
  readonly size: number;
}

export interface ChunkOptions {
  readonly readAt: ReadAt;
  readonly shared: SharedState;
  readonly header: ChunkHeader;
  /** Bytes of the file; Infinity as long as they are unknown. */
  readonly size: () => number;
  readonly selection: Selection;
  /** Columns of strings say which of them are pooled. */
  readonly keepsPooled?: boolean;
  /** Only the events from one offset in the chunk to before another, with the constants up to there: of a chunk that grows. */
  readonly part?: { readonly from: number; readonly to: number };
  readonly signal?: AbortSignal | undefined;
  /** Gets the offset in the file that was reached. */
  readonly progress?: ((offset: number) => void) | undefined;
}

/** What chunks of a file that are read one after the other share. */
export class SharedState {
  /** Over the bytes of the file. */
  readonly window: EventWindow;
  /**
   * Bytes of metadata that may still be read outside of their chunks: heads of chunks that are none could make a file of few bytes long
   * to read. Metadata within their chunk cost nothing, so the number of chunks has no limit.
   */
  metadataLeft: number;
  readonly metadata = new MetadataReader();
  /** Rows of the chunk before, by type. */
  readonly rows = new Map<string, Rows>();

  readonly kernel: WalkKernel | undefined;

  constructor(readAt: ReadAt, kernel?: WalkKernel, metadataLeft = 1 << 28) {
    this.kernel = kernel;
    this.metadataLeft = metadataLeft;
    this.window = new EventWindow(readAt, kernel?.window);
  }

  /** Rows of the chunk before, for one type of this name: their columns are written over. */
  rowsBefore(name: string): Rows | undefined {
    const rows = this.rows.get(name);
    this.rows.delete(name);
    return rows;
  }
}

/** Reads a chunk as far as it is whole. The columns are valid until the next chunk is read with the same `shared`. */
export async function readChunk(options: ChunkOptions): Promise<ChunkData> {
  return new ChunkReader(options).read();
}

/** Damaged types are reported, and their events counted. */
class TypeRows implements EventVisitor {
  readonly type: MetaType;
  readonly rows: Rows;
  /** Offset in the chunk of the first event that could not be read; which ones these are. */
  firstBad = -1;
  readonly bad: number[] = [];

  constructor(type: MetaType, rows: Rows) {
    this.type = type;
    this.rows = rows;
  }

  visit(bytes: Uint8Array, at: number, end: number, offset: number): void {
    if (this.rows.take(bytes, at, end) >= 0) return;
    if (this.bad.push(this.rows.length + this.bad.length) === 1) this.firstBad = offset;
  }
}

/** Where the header has the place of the metadata. */
const METADATA_FIELD = 24;

/** The fields of a type that are decoded; undefined if its events are not. */
export function selectedFields(selection: Selection, name: string): readonly string[] | true | undefined {
  if (typeof selection === 'function') return selection(name) || undefined;
  return Object.hasOwn(selection, name) ? selection[name] : undefined;
}

class ChunkReader {
  readonly #options: ChunkOptions;
  readonly #header: ChunkHeader;
  readonly #problems = new ProblemLog();
  #metadataEvent: EventPlace | undefined;
  /** What was subtracted from `metadataLeft`. */
  readonly #charged: EventPlace[] = [];
  #complete = true;

  constructor(options: ChunkOptions) {
    this.#options = options;
    this.#header = options.header;
  }

  /** It reads compressed integers only. */
  get #kernel(): WalkKernel | undefined {
    return this.#header.compressed ? this.#options.shared.kernel : undefined;
  }

  async read(): Promise<ChunkData> {
    const { shared } = this.#options;
    const metadata = await this.#metadata();
    const state = new ChunkState(this.#header);
    const pools = new Pools(metadata, state, shared);
    const wanted = this.#wanted(metadata, state);
    const visitors = new Map<number, EventVisitor>(wanted.map((each) => [each.type.id, each]));
    if (wanted.length > 0)
      visitors.set(CHECKPOINT_EVENT, {
        visit: (bytes, at, end, offset) => this.#checkpoint(pools, bytes, at, end, offset),
      });
    const { end, counts } = await this.#walk(visitors, metadata);
    // Chunks do not overlap: all metadata within them are no longer than the file.
    for (const { offset, size } of this.#charged)
      if (this.#header.offset + offset + size <= end) shared.metadataLeft += size;
    for (const { type, firstBad, bad } of wanted)
      if (bad.length > 0)
        this.#lose('jfr-event', firstBad, `${bad.length} events ${type.name} do not match their metadata; skipped`);
    if (!this.#header.isTimed) this.#lose('jfr-header', 56, 'expected ticks a second, found none: times are wrong');
    this.#warnOfUnknown(metadata, counts);
    const finisher = new ChunkFinisher(pools, state, this.#options.keepsPooled === true);
    const { bytes, offsets } = state.strings.texts;
    for (const { type, rows } of [...wanted, ...pools.all]) shared.rows.set(type.name, rows);
    const events = wanted.filter(({ rows }) => rows.length > 0);
    return {
      header: this.#header,
      counts: countsOf(metadata, counts),
      types: metadata.types,
      metadataEvent: this.#metadataEvent,
      events: events.map(({ type, rows, bad }) => ({ type, table: finisher.table(rows), skipped: bad })),
      constants: new Map(
        pools.all.map(({ type, rows, skipped }) => [type.id, { type, table: finisher.table(rows), skipped }]),
      ),
      texts: { bytes: bytes.bytes.subarray(0, bytes.length), offsets: offsets.finish() },
      problems: this.#problems.finish(),
      end,
      complete: this.#complete,
    };
  }

  #wanted(metadata: Metadata, state: ChunkState): TypeRows[] {
    const { selection, shared } = this.#options;
    const found: TypeRows[] = [];
    for (const type of metadata.types.values()) {
      const fields = type.isEvent ? selectedFields(selection, type.name) : undefined;
      if (fields === undefined) continue;
      const plan = planOf(metadata, type, { ...(fields !== true && { wanted: new Set(fields) }), sized: true });
      if (plan !== undefined) found.push(new TypeRows(type, new Rows(plan, state, shared.rowsBefore(type.name))));
      else this.#lose('jfr-type', 0, `fields of ${type.name} have unknown types; its events are counted only`);
    }
    return found;
  }

  #checkpoint(pools: Pools, bytes: Uint8Array, at: number, end: number, offset: number): void {
    const bad = pools.checkpoint(bytes, at, end);
    if (bad < 0) return;
    const lost = `${end - bad} bytes of constants cannot be read: expected a type of the metadata, and its values`;
    this.#lose('jfr-constants', offset + bad - at, lost);
  }

  async #walk(
    visitors: ReadonlyMap<number, EventVisitor>,
    { types }: Metadata,
  ): Promise<{ end: number; counts: EventCounts }> {
    const { shared, size, signal, progress } = this.#options;
    const { offset, state } = this.#header;
    const isEvent = types.size === 0 ? undefined : (id: number): boolean => types.get(id)?.isEvent === true;
    const gap = (at: number, bytes: number, found: string): void =>
      this.#lose('jfr-gap', at - offset, `expected an event, found ${found}; ${bytes} bytes skipped`);
    const options = { header: this.#header, visitors, isEvent, gap, signal, progress, kernel: this.#kernel };
    const walk = new EventWalk(shared.window, options);
    const { part } = this.#options;
    if (part !== undefined) {
      await this.#constantsBefore(part.from, options);
      const first = offset + Math.max(part.from, HEADER_BYTES);
      return { end: await walk.run(first, Math.min(offset + part.to, size())), counts: walk.counts };
    }
    const announced = offset + this.#header.size;
    // The size of an unfinished chunk is that of its last flush, or none.
    const isFinished = state === 0 && this.#header.size >= HEADER_BYTES;
    const end = await walk.run(offset + HEADER_BYTES, isFinished ? Math.min(announced, size()) : size());
    if (isFinished && end < announced) {
      const found = end >= size() ? 'the file ends' : 'another chunk begins';
      this.#lose('jfr-cut', end - offset, `${found} here; this chunk announces ${this.#header.size} bytes`);
    }
    if (!isFinished)
      this.#problems.add({
        code: 'jfr-unfinished',
        severity: 'warning',
        offset,
        message: 'the recorder did not finish this chunk: the last events, and constants of others, may be missing',
      });
    return { end, counts: walk.counts };
  }

  /** Reads the constants before an offset of the chunk again: later events refer to them. */
  async #constantsBefore(to: number, options: WalkOptions): Promise<void> {
    const constants = options.visitors.get(CHECKPOINT_EVENT);
    if (constants === undefined) return;
    const visitors = new Map([[CHECKPOINT_EVENT, constants]]);
    const { offset } = this.#header;
    const walk = new EventWalk(this.#options.shared.window, { ...options, visitors, gap: () => undefined });
    await walk.run(offset + HEADER_BYTES, offset + to);
  }

  /** That at the place in the header; of unfinished and damaged chunks the last metadata event that can be found. */
  async #metadata(): Promise<Metadata> {
    const { metadata, offset, state } = this.#header;
    const announced = metadata >= HEADER_BYTES ? await this.#metadataAt(metadata) : undefined;
    if (announced !== undefined) return announced;
    const found = await this.#searchMetadata();
    if (found === undefined)
      this.#lose('jfr-metadata', 0, 'no metadata event in this chunk: its events cannot be read');
    else if (state === 0 || metadata !== 0)
      this.#lose(
        'jfr-metadata',
        METADATA_FIELD,
        `no metadata event at byte ${metadata} of the chunk at ${offset}; another one is used`,
      );
    return found ?? { types: new Map(), ambiguous: 0 };
  }

  async #searchMetadata(): Promise<Metadata | undefined> {
    const { shared, size, signal } = this.#options;
    const { offset, compressed } = this.#header;
    const kernel = this.#kernel;
    const cursor = new Cursor(compressed);
    let found: Metadata | undefined;
    const visit = (bytes: Uint8Array, at: number, end: number, place: number, start: number): void => {
      this.#charge({ offset: place, size: end - start });
      cursor.set(bytes, at, end);
      const read = shared.metadataLeft >= 0 ? shared.metadata.read(cursor) : undefined;
      if (read === undefined) return;
      found = read;
      this.#metadataEvent = { offset: place, size: end - start };
    };
    const visitors = new Map([[METADATA_EVENT, { visit }]]);
    const options = { header: this.#header, visitors, isEvent: undefined, gap: () => undefined, signal, kernel };
    await new EventWalk(shared.window, options).run(offset + HEADER_BYTES, size());
    return found;
  }

  /** The metadata event at an offset of the chunk. */
  async #metadataAt(at: number): Promise<Metadata | undefined> {
    const { readAt, shared } = this.#options;
    const { offset, compressed } = this.#header;
    const head = new Uint8Array(32);
    const cursor = new Cursor(compressed);
    cursor.set(head, 0, await readAt(offset + at, head));
    const size = cursor.int();
    if (cursor.long() !== METADATA_EVENT || cursor.isBehind || size <= 0 || size > shared.metadataLeft)
      return undefined;
    if (offset + at + size > this.#options.size()) return undefined;
    this.#charge({ offset: at, size });
    const payload = cursor.at;
    const bytes = new Uint8Array(size);
    if ((await readAt(offset + at, bytes)) < size) return undefined;
    cursor.set(bytes, payload, size);
    const found = shared.metadata.read(cursor);
    if (found !== undefined) this.#metadataEvent = { offset: at, size };
    return found;
  }

  #charge(event: EventPlace): void {
    this.#options.shared.metadataLeft -= event.size;
    this.#charged.push(event);
  }

  #warnOfUnknown(metadata: Metadata, counts: EventCounts): void {
    const unnamed = [...metadata.types.values()].filter(({ name }) => name === '').length;
    if (unnamed > 0) this.#lose('jfr-metadata', METADATA_FIELD, `${unnamed} types of the metadata have no name`);
    const { ambiguous } = metadata;
    if (ambiguous > 0)
      this.#lose('jfr-metadata', METADATA_FIELD, `${ambiguous} types share their id, or have two fields of one name`);
    for (const { type, count } of countsOf(metadata, counts))
      if (count > 0 && metadata.types.get(type.id)?.isEvent !== true)
        this.#lose('jfr-type', 0, `${count} events of ${type.name}, which the metadata of the chunk lack`);
  }

  /** Reports what is lost; `at`: offset in the chunk. */
  #lose(code: string, at: number, message: string): void {
    this.#complete = false;
    this.#problems.add({ code, severity: 'error', offset: this.#header.offset + at, message });
  }
}

/** Counts by type: those of the metadata, then events of unknown types. */
function countsOf({ types }: Metadata, { ids, counts, bytes }: EventCounts): TypeCount[] {
  const rows = new Map(ids.map((id, i) => [id, i]));
  const known = [...types.values()].filter(({ isEvent }) => isEvent);
  const unknown = ids.filter(
    (id, i) => counts[i] > 0 && types.get(id)?.isEvent !== true && id !== METADATA_EVENT && id !== CHECKPOINT_EVENT,
  );
  const row = (id: number): number => rows.get(id) ?? -1;
  return [...known, ...unknown.map(unknownType)].map((type) => ({
    type,
    count: counts[row(type.id)] ?? 0,
    bytes: bytes[row(type.id)] ?? 0,
  }));
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
