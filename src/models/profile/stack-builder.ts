/** Builds the trie of stacks. 12 bytes per frame, and 8 to 16 of hash slots, while it grows. */
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

  /** `locationOf` converts the values passed to `add` to locations; without it they are locations. */
  finish(locationOf: (place: number, detail: number) => LocationId = (place) => place): StackTable {
    const length = this.#frames.length;
    const parent = this.#frames.column(0);
    const ending = takeEndings(parent);
    const location = this.#frames.column(1);
    locate(location, this.#frames.column(2), locationOf);
    return { length, parent, location, ending };
  }
}

// Loops of their own: the engine compiles each once, with all of its types known.

/** The ending of each stack; a parent that is one becomes -1. */
function takeEndings(parent: Int32Array): Uint8Array {
  const ending = new Uint8Array(parent.length);
  for (let id = 0; id < parent.length; id++) {
    const above = parent[id];
    ending[id] = above >= 0 ? ending[above] : -1 - above;
    parent[id] = Math.max(above, -1);
  }
  return ending;
}

function locate(
  place: Int32Array,
  detail: Int32Array,
  locationOf: (place: number, detail: number) => LocationId,
): void {
  for (let id = 0; id < place.length; id++) place[id] = locationOf(place[id], detail[id]);
}
