/** Hashes of the names on the way from the root of a stack to its frames: equal where the names are, whatever the numbers of the rows. */
import { hashOfName } from '../../models/handle.js';
import { STACK_ENDINGS, type StackId, type StackTable } from '../../models/profile/profile.js';
import { locationName } from '../../models/program/names.js';
import type { Program } from '../../models/program/program.js';

/** What the name of a frame is of: rows with a name each. */
export interface FrameNames {
  readonly rowOf: (stack: StackId) => number;
  readonly nameOf: (row: number) => string;
}

/** Cost: the name of each row once; a step a frame. */
export class PathHashes {
  readonly #stacks: StackTable;
  readonly #names: FrameNames;
  readonly #hashes = new Map<number, number>();
  readonly #paths = new Map<StackId, number>();

  constructor(stacks: StackTable, names: FrameNames) {
    this.#stacks = stacks;
    this.#names = names;
  }

  /** The hash from the root of a stack on, and of how it begins; 0 without a stack. */
  ofPath(stack: StackId): number {
    if (stack < 0) return 0;
    const below: StackId[] = [];
    let id = stack;
    for (; id >= 0 && !this.#paths.has(id); id = this.#stacks.parent[id]) below.push(id);
    let hash = this.#paths.get(id) ?? hashOfName(STACK_ENDINGS[this.#stacks.ending[stack]] ?? '');
    for (const frame of below.reverse()) {
      hash = hashOfBoth(hash, this.#ofFrame(frame));
      this.#paths.set(frame, hash);
    }
    return hash;
  }

  /** The hash of the innermost frames of a stack, or of all if it has no more. */
  ofEnd(stack: StackId, depth: number): number {
    let hash = hashOfName('end');
    for (let id = stack, rest = depth; id >= 0 && rest > 0; id = this.#stacks.parent[id], rest--)
      hash = hashOfBoth(hash, this.#ofFrame(id));
    return hash;
  }

  #ofFrame(stack: StackId): number {
    const row = this.#names.rowOf(stack);
    const nameHash = this.#hashes.get(row);
    if (nameHash !== undefined) return nameHash;
    const hash = hashOfName(this.#names.nameOf(row));
    this.#hashes.set(row, hash);
    return hash;
  }
}

/** The hashes of the places of stacks. */
export function placeHashes(program: Program, stacks: StackTable): PathHashes {
  return new PathHashes(stacks, {
    rowOf: (stack) => stacks.location[stack],
    nameOf: (row) => locationName(program, row),
  });
}

/** A hash that depends on two, and on their order. */
export function hashOfBoth(hash: number, next: number): number {
  const product = Math.imul((hash << 5) ^ (hash >>> 27) ^ next, 0x9e3779b1);
  return (product ^ (product >>> 15)) >>> 0;
}
