/** Which events and constants of a chunk are written, and how. */
import { VALUE } from '../../../models/secrets.js';
import type { ChunkRows } from '../chunk/chunk-data.js';
import type { ChunkData } from '../chunk/chunk-options.js';
import { ChunkSecrets } from './chunk-secrets.js';
import { Reach } from './reach.js';

/** How a row is written. */
export const DROPPED = 0;
export const COPIED = 1;
/** Some of its texts are replaced. */
export const REWRITTEN = 2;
/** The text of its field `value`, too, as a whole. */
export const HIDING = 3;

/** Rows of a type in the order of the chunk. */
export class RowFlags {
  readonly rows: ChunkRows;
  /** By row. */
  readonly flags: Uint8Array;
  #row = 0;
  #skipped = 0;

  constructor(rows: ChunkRows, flags: Uint8Array) {
    this.rows = rows;
    this.flags = flags;
  }

  /** The flag of the next event or constant of the chunk. */
  next(): number {
    const { skipped } = this.rows;
    if (this.#skipped < skipped.length && skipped[this.#skipped] === this.#row + this.#skipped) {
      this.#skipped++;
      return DROPPED;
    }
    return this.flags[this.#row++] ?? DROPPED;
  }

  /** The next one is the first again. */
  restart(): void {
    this.#row = 0;
    this.#skipped = 0;
  }

  get kept(): number {
    let kept = 0;
    for (const flag of this.flags) if (flag !== DROPPED) kept++;
    return kept;
  }
}

export interface KeptRows {
  /** By id of the type. */
  readonly events: ReadonlyMap<number, RowFlags>;
  readonly constants: ReadonlyMap<number, RowFlags>;
}

/**
 * The events that `marks` has by name of their type, one byte an event in the order of `data.events`, all of those that it lacks; and
 * the constants that they refer to. `secrets`: texts that look like secrets stay. Cost: a pass over the columns with keys and texts.
 */
export function keptRows(data: ChunkData, marks: ReadonlyMap<string, Uint8Array>, secrets: boolean): KeptRows {
  const reach = new Reach(data.constants);
  const found = secrets ? undefined : new ChunkSecrets(data.texts);
  const events = new Map<number, RowFlags>();
  const before = new Map<string, number>();
  for (const rows of data.events) {
    const { type, table } = rows;
    // Types may share a name: their events follow one another.
    const from = before.get(type.name) ?? 0;
    before.set(type.name, from + table.length);
    const own = marks.get(type.name)?.slice(from, from + table.length) ?? new Uint8Array(table.length).fill(COPIED);
    flagEvents(rows, own, found, reach);
    events.set(type.id, new RowFlags(rows, own));
  }
  reach.follow();
  const constants = new Map<number, RowFlags>();
  for (const [id, rows] of data.constants) {
    const flags = reach.marks.get(id) ?? new Uint8Array(rows.table.length);
    const test = found?.inConstants(rows.type.name, rows.table);
    if (test !== undefined)
      for (let row = 0; row < flags.length; row++) if (flags[row] === COPIED && test(row)) flags[row] = REWRITTEN;
    constants.set(id, new RowFlags(rows, flags));
  }
  return { events, constants };
}

function flagEvents({ table }: ChunkRows, flags: Uint8Array, secrets: ChunkSecrets | undefined, reach: Reach): void {
  const isSecret = secrets?.secretValues(table);
  const hasSecrets = secrets?.withSecrets(table);
  for (let row = 0; row < flags.length; row++) {
    if (flags[row] === DROPPED) continue;
    if (isSecret?.(row) === true) flags[row] = HIDING;
    else if (hasSecrets?.(row) === true) flags[row] = REWRITTEN;
    reach.add(table, row, flags[row] === HIDING ? VALUE : undefined);
  }
}
