/**
 * Contexts (`5:0<3:2<1:3`: leaf first, each frame a method id and a BCI) → stacks. Their frames are (method id of the file, BCI) until all methods are known.
 *
 * Consecutive contexts of real files share most of their frames, seen from the root: the frames of the last context are
 * kept with their stacks, and only frames that differ are looked up.
 */
import { doubled } from '../../base/columns/columns.js';
import type { StackId } from '../../models/profile/profile.js';
import type { StackBuilder } from '../../models/profile/stack-builder.js';
import { COLON, COMMA, QUOTE } from '../shared/json-bytes.js';
import { MORE, type Scanner } from '../shared/json-scanner.js';

/** Longest accepted context: real ones end at about 100 frames, Java's own default trace depth is 1,024. */
const DEEPEST = 1 << 16;

const LESS = 0x3c;
const MINUS = 0x2d;
const ZERO = 0x30;
const MAX_INT = 0x7fffffff;

/** The string is not a context. */
export const MALFORMED = -3;

export class ContextReader {
  readonly #stacks: StackBuilder;

  /** Whether the last context is spelled as our writer would spell it. */
  plain = true;

  /** Frames of the context read last, leaf first: a method and a BCI each. */
  #frames = new Int32Array(512);
  #depth = 0;

  /** Frames of the last stack, root first, and the stack up to each. */
  #pathFrames = new Int32Array(512);
  #pathStacks = new Int32Array(256);
  #pathDepth = 0;
  #pathRoot = 0;

  constructor(stacks: StackBuilder) {
    this.#stacks = stacks;
  }

  /** Reads a context with frames joined by `<` or by `,`; `position` is at its opening quote. */
  read(scanner: Scanner, position: number, separator: '<' | ','): number {
    const window = scanner.window;
    if (window[position] !== QUOTE) return scanner.fail(position, 'a context string');
    const between = separator === '<' ? LESS : COMMA;
    let at = position + 1;
    let depth = 0;
    this.plain = true;
    for (;;) {
      if (depth * 2 === this.#frames.length && !this.#growFrames()) return this.#malformed(scanner, position);
      // Written out twice: this loop sees every byte of every context, and a call per number would double its time.
      let digit = window[at] - ZERO;
      const methodStart = at;
      let method = 0;
      while (digit >= 0 && digit <= 9) {
        method = method * 10 + digit;
        digit = window[++at] - ZERO;
      }
      if (window[at] !== COLON || at === methodStart || method > MAX_INT) return this.#malformed(scanner, position);
      if (window[methodStart] === ZERO && at > methodStart + 1) this.plain = false;
      const negative = window[++at] === MINUS;
      if (negative) at++;
      const bciStart = at;
      let bci = 0;
      digit = window[at] - ZERO;
      while (digit >= 0 && digit <= 9) {
        bci = bci * 10 + digit;
        digit = window[++at] - ZERO;
      }
      if (at === bciStart || bci > MAX_INT) return this.#malformed(scanner, position);
      if (window[bciStart] === ZERO && (negative || at > bciStart + 1)) this.plain = false;
      this.#frames[depth * 2] = method;
      this.#frames[depth++ * 2 + 1] = negative ? -bci : bci;
      const next = window[at++];
      if (next === QUOTE) break;
      if (next !== between) return this.#malformed(scanner, position);
    }
    this.#depth = depth;
    return at;
  }

  /** Whether the context read last is the dummy `0:0` of monitor entries. */
  isDummy(): boolean {
    return this.#depth === 1 && this.#frames[0] === 0 && this.#frames[1] === 0;
  }

  /** The stack of the context read last; `root` is how it begins (`rootOf`). */
  stack(root: StackId): StackId {
    const depth = this.#depth;
    const frames = this.#frames;
    while (depth > this.#pathStacks.length) this.#growPath();
    const path = this.#pathFrames;
    const stacks = this.#pathStacks;
    let level = 0;
    let at = (depth - 1) * 2;
    if (root === this.#pathRoot) {
      const known = Math.min(depth, this.#pathDepth);
      while (level < known && path[level * 2] === frames[at] && path[level * 2 + 1] === frames[at + 1]) {
        level++;
        at -= 2;
      }
    }
    let stack = level === 0 ? root : stacks[level - 1];
    for (; level < depth; level++, at -= 2) {
      stack = this.#stacks.add(stack, frames[at], frames[at + 1]);
      path[level * 2] = frames[at];
      path[level * 2 + 1] = frames[at + 1];
      stacks[level] = stack;
    }
    this.#pathDepth = depth;
    this.#pathRoot = root;
    return stack;
  }

  #malformed(scanner: Scanner, position: number): number {
    const after = scanner.readString(position);
    return after === MORE ? MORE : MALFORMED;
  }

  #growFrames(): boolean {
    if (this.#frames.length >= DEEPEST * 2) return false;
    this.#frames = doubled(this.#frames);
    return true;
  }

  #growPath(): void {
    this.#pathFrames = doubled(this.#pathFrames);
    this.#pathStacks = doubled(this.#pathStacks);
  }
}
