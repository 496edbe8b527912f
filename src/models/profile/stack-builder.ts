/** Builds the trie of stacks. 12 bytes per frame, and 8 to 16 of hash slots, while it grows. */
import { IntTable } from '../../base/hash.js';
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

  /** `locationOf` converts the values passed to `add` to locations; without it they are locations. */
  finish(locationOf: (place: number, detail: number) => LocationId = (place) => place): StackTable {
    const length = this.#frames.length;
    const parent = this.#frames.column(0);
    const ending = new Uint8Array(length);
    for (let id = 0; id < length; id++) {
      const above = parent[id];
      if (above >= 0) ending[id] = ending[above];
      else {
        ending[id] = -1 - above;
        parent[id] = -1;
      }
    }
    const location = this.#frames.column(1);
    const detail = this.#frames.column(2);
    for (let id = 0; id < length; id++) location[id] = locationOf(location[id], detail[id]);
    return { length, parent, location, ending };
  }
}
