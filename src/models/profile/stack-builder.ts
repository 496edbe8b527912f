/** Builds the trie of stacks. 12 bytes a frame and 8 to 16 of hash slots while it grows. */
import { PairTable } from '../../base/hash.js';
import { STACK_ENDINGS, type StackEnding, type StackId, type StackTable } from './profile.js';

/** What `StackBuilder.add` takes as parent for the first frame of a stack that begins in this way. */
export function rootOf(ending: StackEnding): StackId {
  return -1 - STACK_ENDINGS.indexOf(ending);
}

export class StackBuilder {
  /** (parent or `rootOf` the ending, location) → stack. */
  readonly #frames: PairTable;

  constructor(capacity?: number) {
    this.#frames = new PairTable(capacity);
  }

  get length(): number {
    return this.#frames.length;
  }

  /** The stack of `parent` (or `rootOf` an ending) and one frame more. */
  add(parent: StackId, location: number): StackId {
    return this.#frames.add(parent, location);
  }

  finish(): StackTable {
    const length = this.#frames.length;
    const parent = this.#frames.firsts();
    const ending = new Uint8Array(length);
    for (let id = 0; id < length; id++) {
      const above = parent[id];
      if (above >= 0) ending[id] = ending[above];
      else {
        ending[id] = -1 - above;
        parent[id] = -1;
      }
    }
    return { length, parent, location: this.#frames.seconds(), ending };
  }
}
