/**
 * The constants of a chunk. They may come after the events that refer to them, so either all events are kept until the walk over the
 * chunk ends, or the constants are read first: along the chain of checkpoints, which takes no walk. Where events refer to constants that
 * the chain lacks, a walk over the checkpoints finds all of them.
 */
import { ChunkFinisher, type ChunkRows } from '../chunk/chunk-data.js';
import type { ChunkState } from '../chunk/chunk-state.js';
import { KEY, ROWS, STRINGS } from '../chunk/plan.js';
import type { Rows } from '../chunk/rows.js';
import type { EventVisitor } from '../chunk/walk.js';
import type { Checkpoint } from './checkpoint-chain.js';
import type { ChunkGrowth } from './chunk-growth.js';
import type { Pool, Pools } from './pools.js';

/** How the checkpoints of a chunk are found. */
export interface CheckpointSource {
  /** Of a part of a chunk that grows: the constants before it. */
  readonly growth: ChunkGrowth | undefined;
  /** Those of the chain, the first one first; undefined if it is not whole. */
  chain(): Promise<readonly Checkpoint[] | undefined>;
  /** Visits all checkpoints of the chunk, or up to the end of its part. */
  walk(visitor: EventVisitor): Promise<void>;
}

export class ChunkConstants implements EventVisitor {
  readonly #source: CheckpointSource;
  readonly #empty: () => Pools;
  readonly #state: ChunkState;
  readonly #lose: (offset: number, bytes: number) => void;
  #pools: Pools;
  /** Checkpoints that were read before the walk, by offset; undefined if the walk reads them. */
  #first: Set<number> | undefined;
  #isSearched = false;
  /** The walk met a checkpoint that the chain lacks. */
  #isIncomplete = false;
  #tables: ReadonlyMap<number, ChunkRows> | undefined;

  /** `pools`: makes pools without constants. `lose` gets the offset in the chunk, and number, of bytes that cannot be read. */
  constructor(
    source: CheckpointSource,
    pools: () => Pools,
    state: ChunkState,
    lose: (offset: number, bytes: number) => void,
  ) {
    this.#source = source;
    this.#empty = pools;
    this.#pools = pools();
    this.#state = state;
    this.#lose = lose;
  }

  get pools(): Pools {
    return this.#pools;
  }

  /** Whether they were read before the events. */
  get areFirst(): boolean {
    return this.#first !== undefined;
  }

  /** Reads them before the events, whose keys become rows then, if the chain of checkpoints is whole. */
  async readFirst(events: Iterable<Rows>): Promise<void> {
    const chain = await this.#source.chain();
    if (chain === undefined) return;
    this.#first = new Set();
    this.#takeChain(chain);
    this.#first = new Set(chain.map(({ offset }) => offset));
    if (this.#pools.all.some(({ rows }) => lacks(rows, this.#pools))) await this.#search();
    for (const rows of events) rows.lookUp(this);
  }

  /** The constants of a type, by its id. */
  of(type: number): Pool | undefined {
    return this.#pools.of(type);
  }

  visit(bytes: Uint8Array, at: number, end: number, offset: number, start: number): void {
    if (this.#first === undefined) this.#take(bytes, at, end, offset - start);
    else if (!this.#first.has(offset)) this.#isIncomplete = true;
  }

  /**
   * Reads only those that these rows refer to, through others as well, after the walk: along the chain of checkpoints, and in a walk over
   * all those that it lacks. `checkpoints`: how many there are. Key 0 may be that of none, so that it has no constant does not tell.
   */
  async readNeeded(events: readonly Rows[], checkpoints: number): Promise<void> {
    const chain = (await this.#source.chain()) ?? [];
    const index = ({ bytes, payload, offset }: Checkpoint): void => {
      const bad = this.#pools.checkpoint(bytes, payload, bytes.length, { isBlock: true, isIndexed: true });
      if (bad >= 0) this.#lose(offset + bad, bytes.length - bad);
    };
    for (const checkpoint of chain) index(checkpoint);
    if (this.#pools.readNeeded(events) && chain.length >= checkpoints) return;
    const known = new Set(chain.map(({ offset }) => offset));
    await this.#source.walk({
      // The window goes on.
      visit: (bytes, at, end, offset, start) => {
        if (!known.has(offset)) index({ bytes: bytes.slice(start, end), payload: at - start, offset });
      },
    });
    this.#pools.readNeeded(events);
  }

  /** Call before the events so far are finished: finds constants that they refer to and the chain lacks. */
  async complete(): Promise<void> {
    const { growth } = this.#source;
    if (growth?.isLate === true) {
      growth.restart();
      this.#restart();
      await this.#source.walk(this);
    }
    if (this.#first === undefined || this.#isSearched) return;
    const strings = this.#state.pooledStrings();
    const isWhole =
      !this.#isIncomplete &&
      this.#state.missingKeys().length === 0 &&
      (strings.length === 0 || this.#pools.named(STRINGS)?.lacks(strings, strings.length) === false);
    if (!isWhole) await this.#search();
  }

  /** Reads them again, then those that the chain lacks: constants that were known keep their rows. */
  async #search(): Promise<void> {
    const known = this.#first;
    this.#isSearched = true;
    this.#restart();
    this.#takeChain((await this.#source.chain()) ?? []);
    await this.#source.walk({
      visit: (bytes, at, end, offset, start) => {
        if (known?.has(offset) !== true) this.#take(bytes, at, end, offset - start);
      },
    });
  }

  #restart(): void {
    this.#pools = this.#empty();
    this.#tables = undefined;
  }

  #takeChain(chain: readonly Checkpoint[]): void {
    // They may be read twice.
    for (const { bytes, payload, offset } of chain)
      this.#take(bytes, payload, bytes.length, offset, { isBlock: true, isKnown: this.#first?.has(offset) === true });
  }

  /** By id of the type; the same object until more are found. */
  tables(keepsPooled: boolean): ReadonlyMap<number, ChunkRows> {
    if (this.#tables !== undefined) return this.#tables;
    const { growth } = this.#source;
    const finisher = new ChunkFinisher(this.#pools, this.#state, keepsPooled, growth !== undefined);
    const ownTables = (): ReadonlyMap<number, ChunkRows> =>
      new Map(
        this.#pools.all.map(({ type, rows, skipped }) => [type.id, { type, table: finisher.table(rows), skipped }]),
      );
    this.#tables = growth?.tables(this.#pools, finisher) ?? ownTables();
    return this.#tables;
  }

  /** `begin`: where `bytes` begin in the chunk. `isBlock`: they stay as they are. */
  #take(
    bytes: Uint8Array,
    at: number,
    end: number,
    begin: number,
    { isBlock = false, isKnown = false }: { readonly isBlock?: boolean; readonly isKnown?: boolean } = {},
  ): void {
    const bad = this.#pools.checkpoint(bytes, at, end, { isBlock });
    if (bad >= 0 && !isKnown) this.#lose(begin + bad, end - bad);
  }
}

/** Whether rows have keys without a constant; 0 is the key of none. */
function lacks({ plan, ints, length, arrays }: Rows, pools: Pools): boolean {
  for (const { operation, slot, field } of plan.columns) {
    if (operation === ROWS && lacks(arrays[slot], pools)) return true;
    if (operation !== KEY) continue;
    const pool = pools.of(field.type);
    const keys = ints[slot];
    if (pool?.lacks(keys, length) ?? keys.subarray(0, length).some((key) => key !== 0)) return true;
  }
  return false;
}
