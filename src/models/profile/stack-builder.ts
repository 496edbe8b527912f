/** Builds the trie of stacks. 12 bytes per frame, and 8 to 16 of hash slots, while it grows. */
import { ByteBuilder, Int32Builder } from '../../base/columns/columns.js';
import { IntTable } from '../../base/columns/hash.js';
import type { LocationId } from '../program/program.js';
import { STACK_ENDINGS, type StackEnding, type StackId, type StackTable } from './profile.js';

/** The parent to pass to `StackBuilder.add` for the first frame of a stack with this ending. */
export function rootOf(ending: StackEnding): StackId {
  return -1 - STACK_ENDINGS.indexOf(ending);
}

export class StackBuilder {
  /** (parent or `rootOf` the ending, place) → stack. A place is a location, or the key of a later location. */
  readonly #frames: IntTable;
  #columns: StackColumns | undefined;

  constructor(capacity?: number) {
    this.#frames = new IntTable(capacity);
  }

  get length(): number {
    return this.#frames.length;
  }

  /**
   * The stack of `parent` (or `rootOf` an ending) plus one frame. The frame is a location, or two numbers that `finish`
   * converts to one, which saves a look-up per frame.
   */
  add(parent: StackId, place: number, detail = 0): StackId {
    return this.#frames.add(parent, place, detail);
  }

  /** The stack of the caller; -1 at a root. */
  parentOf(stack: StackId): StackId {
    return Math.max(-1, this.#frames.key(stack, 0));
  }

  /** The place that was added. */
  locationOf(stack: StackId): number {
    return this.#frames.key(stack, 1);
  }

  /**
   * The stacks so far. Later ones share these rows: finishing again costs what was added since. `locationOf` converts the values passed to `add`
   * to locations; without it they are locations.
   */
  finish(locationOf: (place: number, detail: number) => LocationId = (place) => place): StackTable {
    const { length } = this.#frames;
    this.#columns ??= new StackColumns(length);
    this.#columns.add(this.#frames, locationOf);
    return { length, ...this.#columns.finish() };
  }
}

/** Appends values to a column; the first ones become the column, without a copy. */
function addTo(column: Int32Builder, values: Int32Array): void {
  if (column.length > 0) column.append(values);
  else {
    column.values = values;
    column.length = values.length;
  }
}

/** The columns of the stacks that were finished. */
class StackColumns {
  readonly #parent = new Int32Builder(0);
  readonly #location = new Int32Builder(0);
  readonly #ending: ByteBuilder;

  /** `length`: of the first that are finished. */
  constructor(length: number) {
    this.#ending = new ByteBuilder(length);
  }

  /** Adds the stacks that it lacks. */
  add(frames: IntTable, locationOf: (place: number, detail: number) => LocationId): void {
    const first = this.#parent.length;
    const parent = frames.column(0, first);
    const location = frames.column(1, first);
    locate(location, frames.column(2, first), locationOf);
    addTo(this.#parent, parent);
    addTo(this.#location, location);
    this.#ending.reserve(parent.length);
    takeEndings(this.#parent.values, this.#ending.bytes, first, frames.length);
    this.#ending.length = frames.length;
  }

  finish(): Omit<StackTable, 'length'> {
    return {
      parent: this.#parent.finish(),
      location: this.#location.finish(),
      ending: this.#ending.bytes.subarray(0, this.#ending.length),
    };
  }
}

// Loops of their own: the engine compiles each once, with all of its types known.

/** Fills in the endings of stacks from one to before another; a parent that is one becomes -1. */
function takeEndings(parent: Int32Array, ending: Uint8Array, first: number, end: number): void {
  for (let id = first; id < end; id++) {
    const above = parent[id];
    ending[id] = above >= 0 ? ending[above] : -1 - above;
    parent[id] = Math.max(above, -1);
  }
}

function locate(
  place: Int32Array,
  detail: Int32Array,
  locationOf: (place: number, detail: number) => LocationId,
): void {
  for (let id = 0; id < place.length; id++) place[id] = locationOf(place[id], detail[id]);
}
