/** Reads one chunk: its metadata, then one pass over its events, which also has its constants. */
import { ProblemLog } from '../../../base/problems.js';
import { checkpointChain } from '../constants/checkpoint-chain.js';
import { ChunkConstants } from '../constants/chunk-constants.js';
import { ConstantPlans } from '../constants/constant-plans.js';
import { Pools } from '../constants/pools.js';
import type { WalkKernel } from '../kernel/walk-kernel.js';
import { ChunkFinisher } from './chunk-data.js';
import { type ChosenEvents, type ChunkData, type ChunkOptions, PARTS, selectedFields } from './chunk-options.js';
import { ChunkState } from './chunk-state.js';
import { Cursor } from './cursor.js';
import { EarlyRows } from './early-rows.js';
import { checkpointsIn, countsOf, type EventCounts, type EventSpan } from './event-counts.js';
import { CHECKPOINT_EVENT, type ChunkHeader, HEADER_BYTES, METADATA_EVENT } from './header.js';
import type { Metadata } from './metadata.js';
import { planOf, TICKS } from './plan.js';
import { Rows } from './rows.js';
import { TypeRows } from './type-rows.js';
import { type EventVisitor, EventWalk, type EventWalkOptions } from './walk.js';

/** Reads a chunk as far as it is whole. The columns are valid until the next chunk is read with the same `shared`. */
export async function readChunk(options: ChunkOptions): Promise<ChunkData> {
  return (await chunkParts({ ...options, inParts: undefined }).next()).value;
}

/** Reads a chunk as far as it is whole, as one or `inParts`. The columns are valid until the next part is asked for. */
export function chunkParts(options: ChunkOptions): AsyncGenerator<ChunkData, ChunkData> {
  return new ChunkReader(options).parts();
}

/** Where the header has the place of the metadata. */
const METADATA_FIELD = 24;

/** What is known of a chunk while it is walked over. */
interface KnownOfChunk {
  readonly metadata: Metadata;
  readonly state: ChunkState;
  readonly wanted: readonly TypeRows[];
  readonly constants: ChunkConstants;
}

const NO_PROBLEMS = new ProblemLog().finish();

class ChunkReader {
  readonly #options: ChunkOptions;
  readonly #header: ChunkHeader;
  readonly #problems = new ProblemLog();
  #metadataEvent: EventSpan | undefined;
  /** What was subtracted from `metadataLeft`. */
  readonly #charged: EventSpan[] = [];
  #complete = true;

  constructor(options: ChunkOptions) {
    this.#options = options;
    this.#header = options.header;
  }

  /** It reads compressed integers only. */
  get #kernel(): WalkKernel | undefined {
    return this.#header.compressed ? this.#options.shared.kernel : undefined;
  }

  /** Bytes of the chunk as far as there are any: another one may begin before its end. */
  get #length(): number {
    return Math.min(this.#header.size, this.#options.size() - this.#header.offset);
  }

  /** Yields the parts but for the last one, which it returns. */
  async *parts(): AsyncGenerator<ChunkData, ChunkData> {
    const { shared, chosen } = this.#options;
    const metadata = await this.#metadata();
    const { growth } = this.#options;
    const state = growth?.begin(this.#header, metadata, this.#metadataEvent) ?? new ChunkState(this.#header);
    const wanted = this.#wanted(metadata, state);
    const constants = this.#constants(metadata, state, wanted);
    const visitors = new Map<number, EventVisitor>(wanted.map((each) => [each.type.id, each]));
    const hasConstants = this.#options.constants !== 'none';
    const isDivided = this.#isDivided();
    if (wanted.length > 0 && hasConstants && chosen === undefined) {
      visitors.set(CHECKPOINT_EVENT, constants);
      if (isDivided) await constants.readFirst(wanted.map(({ rows }) => rows));
    }
    const types = isDivided && (constants.areFirst || !hasConstants) ? wanted : [];
    for (const { rows } of types) rows.isInParts = true;
    const walk = new EventWalk(shared.window, this.#walkOptions(metadata, visitors));
    const known = { metadata, state, wanted, constants };
    const windows = chosen === undefined ? this.#windows(walk, known) : this.#chosen(chosen, known, visitors);
    for (let isMore = false, begin = this.#header.offset; ; isMore = true) {
      this.#limit(wanted);
      const { value: end, done = false } = await this.#nextPart(windows, types, begin);
      begin = end;
      if (done) this.#report(known, walk.counts, end);
      const part = await this.#part(known, end, isMore);
      if (done) {
        for (const { type, rows } of [...wanted, ...constants.pools.all]) shared.rows.set(type.name, rows);
        const counts = countsOf(metadata, walk.counts);
        return {
          ...part,
          counts,
          checkpoints: checkpointsIn(walk.counts),
          problems: this.#problems.finish(),
          complete: this.#complete,
        };
      }
      yield part;
      for (const { rows } of wanted) rows.clear();
    }
  }

  /** Only what began before these times is handed over of the next part. */
  #limit(wanted: readonly TypeRows[]): void {
    const { earliest } = this.#options;
    if (earliest === undefined) return;
    for (const { type, rows } of wanted) rows.early?.limitTo(earliest.before(type.name, this.#header));
  }

  /** Walks on to the end of a part that begins there, whose types these are, or of the chunk. */
  async #nextPart(
    windows: AsyncGenerator<number, number>,
    types: readonly TypeRows[],
    begin: number,
  ): Promise<IteratorResult<number, number>> {
    const { rows: most, bytes = Infinity } = this.#options.inParts ?? PARTS;
    for (;;) {
      const step = await windows.next();
      if (step.done === true) return step;
      this.#options.progress?.(step.value);
      const isLong = step.value - begin >= bytes && types.length > 0;
      if (!isLong && !types.some(({ rows }) => rows.length >= most)) continue;
      this.#kernel?.flush();
      return step;
    }
  }

  /** The events since the last part, with the constants of the chunk as far as they were read; `end`: where the walk is. */
  async #part({ metadata, state, wanted, constants }: KnownOfChunk, end: number, isMore: boolean): Promise<ChunkData> {
    const { keepsPooled = false, growth } = this.#options;
    const types = wanted.filter(({ rows }) => rows.length > 0 || (rows.early?.seen ?? 0) > 0);
    await constants.complete();
    const tables = constants.tables(keepsPooled);
    const finisher = new ChunkFinisher(constants.pools, state, keepsPooled);
    const { bytes, offsets } = state.strings.texts;
    return {
      header: this.#header,
      isMore,
      counts: [],
      checkpoints: 0,
      types: metadata.types,
      ...(metadata.zoneOffset !== undefined && { zoneOffset: metadata.zoneOffset }),
      metadataEvent: this.#metadataEvent,
      events: types.map(({ type, rows, bad }) => {
        const early = rows.early && { numbers: rows.early.numbers.finish(), seen: rows.early.seen };
        return { type, table: finisher.table(rows), skipped: bad, ...(early && { early }) };
      }),
      constants: tables,
      ...(growth && { rowsId: growth.rowsId }),
      texts: { bytes: bytes.bytes.subarray(0, bytes.length), offsets: offsets.finish() },
      problems: NO_PROBLEMS,
      end,
      complete: true,
    };
  }

  #constants(metadata: Metadata, state: ChunkState, wanted: readonly TypeRows[]): ChunkConstants {
    const lost = 'bytes of constants cannot be read: expected a type of the metadata, and its values';
    const lose = (at: number, bytes: number): void => this.#lose('jfr-constants', at, `${bytes} ${lost}`);
    const { shared, readAt, part, growth, chosen } = this.#options;
    const source = {
      growth,
      chain: () => checkpointChain(readAt, this.#header, this.#length),
      walk: (visitor: EventVisitor) =>
        this.#walkOverConstants(metadata, visitor, part?.to ?? chosen?.end ?? this.#length),
    };
    const events = wanted.map(({ rows }) => rows.plan);
    const fields = this.#options.constants;
    const plans = new ConstantPlans(metadata, events, fields === 'none' ? undefined : fields);
    const pools = (): Pools => new Pools(metadata, plans, state, shared);
    return new ChunkConstants(source, () => growth?.pools(pools, metadata, plans) ?? pools(), state, lose);
  }

  /** Whether it may be handed over in parts. */
  #isDivided(): boolean {
    const { inParts, part, size } = this.#options;
    const { offset, size: own, state } = this.#header;
    return inParts !== undefined && part === undefined && state === 0 && own >= inParts.from && offset + own <= size();
  }

  /** Reports what is wrong with the whole chunk, which ends here. */
  #report({ metadata, wanted }: KnownOfChunk, counts: EventCounts, end: number): void {
    // Chunks do not overlap: all metadata within them are no longer than the file.
    for (const { offset, size } of this.#charged)
      if (this.#header.offset + offset + size <= end) this.#options.shared.metadataLeft += size;
    for (const { type, firstBad, bad } of wanted)
      if (bad.length > 0)
        this.#lose('jfr-event', firstBad, `${bad.length} events ${type.name} do not match their metadata; skipped`);
    for (const { at, message } of this.#header.faults) this.#lose('jfr-header', at, message);
    this.#warnOfUnknown(metadata, counts);
  }

  #wanted(metadata: Metadata, state: ChunkState): TypeRows[] {
    const { selection, shared, isWhole = false, earliest } = this.#options;
    const found: TypeRows[] = [];
    for (const type of metadata.types.values()) {
      const fields = type.isEvent ? selectedFields(selection, type.name, type) : undefined;
      if (fields === undefined) continue;
      const plan = planOf(metadata, type, { ...(fields !== true && { wanted: new Set(fields) }), sized: !isWhole });
      if (plan !== undefined) {
        const rows = new Rows(plan, state, shared.rowsBefore(type.name));
        const [column, ...others] = plan.columns;
        const isTimed = column?.operation === TICKS && others.length === 0 && this.#header.isTimed;
        if (earliest !== undefined && isTimed) rows.early = new EarlyRows(earliest.most);
        found.push(new TypeRows(type, rows));
      } else this.#lose('jfr-type', 0, `fields of ${type.name} have unknown types; its events are counted only`);
    }
    return found;
  }

  #walkOptions({ types }: Metadata, visitors: EventWalkOptions['visitors']): EventWalkOptions {
    const { signal, isEndSure = false } = this.#options;
    const { offset } = this.#header;
    const isEvent = types.size === 0 ? undefined : (id: number): boolean => types.get(id)?.isEvent === true;
    const gap = (at: number, bytes: number, found: string): void =>
      this.#lose('jfr-gap', at - offset, `expected an event, found ${found}; ${bytes} bytes skipped`);
    return { header: this.#header, visitors, isEvent, gap, signal, isEndSure, kernel: this.#kernel };
  }

  /** Reads some events, window by window of their parts, then their constants; returns where the last window ends. */
  async *#chosen(
    { ranges, checkpoints, keep }: ChosenEvents,
    { metadata, constants, wanted }: KnownOfChunk,
    visitors: EventWalkOptions['visitors'],
  ): AsyncGenerator<number, number> {
    const { offset } = this.#header;
    let end = offset;
    for (const { type, rows } of wanted) rows.full = () => keep(type.name, rows);
    for (const { from, to } of ranges) {
      const walk = new EventWalk(this.#options.shared.window, this.#walkOptions(metadata, visitors));
      end = yield* walk.windows(offset + from, Math.min(offset + to, this.#options.size()));
      for (const { type, rows } of wanted) keep(type.name, rows);
    }
    await constants.readNeeded(
      wanted.map(({ rows }) => rows),
      checkpoints,
    );
    return end;
  }

  /** Walks over the chunk, or its `part`: yields where each window ends, and returns where the chunk does. */
  async *#windows(walk: EventWalk, { metadata, constants, wanted }: KnownOfChunk): AsyncGenerator<number, number> {
    const { size, part, growth, fileEnd = size } = this.#options;
    const { offset, state } = this.#header;
    if (part !== undefined) {
      // Later events refer to the constants before it, too.
      if (wanted.length > 0) await this.#walkOverConstants(metadata, constants, part.from, growth?.goOnTo(part.to));
      return yield* walk.windows(offset + Math.max(part.from, HEADER_BYTES), Math.min(offset + part.to, size()));
    }
    const announced = offset + this.#header.size;
    // The size of an unfinished chunk is that of its last flush, or none.
    const isFinished = state === 0 && this.#header.size >= HEADER_BYTES;
    const end = yield* walk.windows(offset + HEADER_BYTES, isFinished ? Math.min(announced, size()) : size());
    if (isFinished && end < announced) {
      const found = end >= fileEnd() ? 'the file ends' : 'another chunk begins';
      this.#lose('jfr-cut', end - offset, `${found} here; this chunk announces ${this.#header.size} bytes`);
    }
    if (!isFinished)
      this.#problems.add({
        code: 'jfr-unfinished',
        severity: 'warning',
        offset,
        message: 'the recorder did not finish this chunk: the last events, and constants of others, may be missing',
      });
    return end;
  }

  /** Visits the checkpoints up to an offset of the chunk, in a walk of its own. */
  async #walkOverConstants(metadata: Metadata, visitor: EventVisitor, to: number, start = HEADER_BYTES): Promise<void> {
    const options = this.#walkOptions(metadata, new Map([[CHECKPOINT_EVENT, visitor]]));
    // The kernel is in the middle of another walk.
    const alone = { ...options, gap: () => undefined, kernel: undefined };
    const { offset } = this.#header;
    await new EventWalk(this.#options.shared.window, alone).run(offset + start, offset + to);
  }

  /** That at the place in the header; of unfinished and damaged chunks the last metadata event that can be found. */
  async #metadata(): Promise<Metadata> {
    const { metadata, offset, state } = this.#header;
    const last = this.#options.growth?.metadataAt(this.#header);
    if (last !== undefined) {
      this.#metadataEvent = last.event;
      return last.metadata;
    }
    const announced = metadata >= HEADER_BYTES ? await this.#metadataAt(metadata) : undefined;
    if (announced !== undefined) return announced;
    const found = await this.#searchMetadata();
    if (found === undefined)
      this.#lose('jfr-metadata', 0, 'no metadata event in this chunk: its events cannot be read');
    else if (state === 0 || metadata !== 0)
      this.#lose(
        'jfr-metadata',
        METADATA_FIELD,
        `no metadata event at ${placeText(metadata)} of the chunk at ${offset}; another one is used`,
      );
    return found ?? { types: new Map(), ambiguous: 0 };
  }

  async #searchMetadata(): Promise<Metadata | undefined> {
    const { shared, size, signal, isEndSure = false } = this.#options;
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
    const options = {
      header: this.#header,
      visitors,
      isEvent: undefined,
      gap: () => undefined,
      signal,
      isEndSure,
      kernel,
    };
    await new EventWalk(shared.window, options).run(offset + HEADER_BYTES, size());
    return found;
  }

  /** The metadata event at an offset of the chunk. */
  async #metadataAt(at: number): Promise<Metadata | undefined> {
    const { readAt, shared } = this.#options;
    const { offset, compressed } = this.#header;
    if (offset + at >= this.#options.size()) return undefined;
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

  #charge(event: EventSpan): void {
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

function placeText(place: number): string {
  return Number.isSafeInteger(place) ? `byte ${place}` : 'a byte beyond 2^53';
}
