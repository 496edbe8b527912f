/**
 * The constants of a chunk. They may come after the events that refer to them, so either all events are kept until the walk over the
 * chunk ends, or the constants are read first: along the chain of checkpoints, which takes no walk. Where events refer to constants that
 * the chain lacks, a walk over the checkpoints finds all of them.
 */
import type { ReadAt } from '../../format.js';
import { checkpointChain } from './checkpoint-chain.js';
import { ChunkFinisher, type ChunkRows, STRINGS } from './chunk-data.js';
import type { ChunkHeader } from './header.js';
import { KEY, ROWS } from './plan.js';
import type { Pools } from './pools.js';
import type { ChunkState, Rows } from './rows.js';
import type { EventVisitor } from './walk.js';

export class ChunkConstants implements EventVisitor {
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
  constructor(pools: () => Pools, state: ChunkState, lose: (offset: number, bytes: number) => void) {
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

  /** Reads them before the events, if the chain of checkpoints is whole; `end`: as of `checkpointChain`. */
  async readFirst(readAt: ReadAt, header: ChunkHeader, end: number): Promise<void> {
    const chain = await checkpointChain(readAt, header, end);
    if (chain === undefined) return;
    for (const { bytes, payload, offset } of chain) this.#take(bytes, payload, bytes.length, offset);
    this.#first = new Set(chain.map(({ offset }) => offset));
  }

  visit(bytes: Uint8Array, at: number, end: number, offset: number): void {
    if (this.#first === undefined) this.#take(bytes, at, end, offset);
    else if (!this.#first.has(offset)) this.#isIncomplete = true;
  }

  /** Whether some of these events may refer to constants that were not read yet. */
  lack(events: Iterable<Rows>): boolean {
    if (this.#first === undefined || this.#isSearched) return false;
    if (this.#isIncomplete) return true;
    for (const rows of events) if (lacks(rows, this.#pools)) return true;
    const strings = this.#state.pooledStrings();
    return strings.length > 0 && this.#pools.named(STRINGS)?.lacks(strings, strings.length) !== false;
  }

  /** Reads them again, with those that the chain lacks; `walk` visits all checkpoints of the chunk. */
  async search(walk: (visitor: EventVisitor) => Promise<unknown>): Promise<void> {
    const known = this.#first ?? new Set();
    this.#isSearched = true;
    this.#pools = this.#empty();
    this.#tables = undefined;
    await walk({
      visit: (bytes, at, end, offset) => this.#take(bytes, at, end, offset, known.has(offset)),
    });
  }

  /** By id of the type; the same object until more are found. */
  tables(keepsPooled: boolean): ReadonlyMap<number, ChunkRows> {
    if (this.#tables !== undefined) return this.#tables;
    const finisher = new ChunkFinisher(this.#pools, this.#state, keepsPooled);
    this.#tables = new Map(
      this.#pools.all.map(({ type, rows, skipped }) => [type.id, { type, table: finisher.table(rows), skipped }]),
    );
    return this.#tables;
  }

  #take(bytes: Uint8Array, at: number, end: number, offset: number, isReported = false): void {
    const bad = this.#pools.checkpoint(bytes, at, end);
    if (bad >= 0 && !isReported) this.#lose(offset + bad - at, end - bad);
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
