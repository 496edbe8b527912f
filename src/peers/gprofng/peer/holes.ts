/**
 * Functions that gprofng makes for places that no symbol has. It takes the size of the code for that of
 * the file: behind it, each place begins a function there, in a list that is searched as if it were sorted. So they depend on the order of places.
 */
import type { ElfFile } from '../../../code/native/elf.js';
import type { ElfFunctions } from '../../../code/native/functions.js';

/** A function of its own making. */
export interface Hole {
  readonly start: number;
  size: number;
  /** Whether it is behind the size of the code, or there are no functions at all. */
  readonly isBehind: boolean;
}

interface Listed {
  readonly start: number;
  size: number;
  readonly hole: Hole | undefined;
}

/** Numbers of buckets of its tables of places and of functions. */
const PLACES = 4096;
const FUNCTIONS = 1024;

/** The functions of one library. */
export class Holes {
  readonly #functions: Listed[] = [];
  readonly #codeSize: number;
  readonly #places = new Map<number, { readonly offset: number; readonly found: Listed }>();
  readonly #recent = new Map<number, Listed>();

  /** `codeSize`: bytes of the segment with its code. */
  constructor(elf: ElfFile, functions: ElfFunctions, codeSize: number) {
    this.#codeSize = codeSize;
    const ranges = [...functions.ranges()].sort((a, b) => a.start - b.start);
    for (const [i, { start, end, names }] of ranges.entries()) {
      // Code of assembler has no size: it lasts up to the next symbol.
      const size = end > start ? end - start : Math.max(0, (ranges[i + 1]?.start ?? start) - start);
      for (let left = size > 0 ? names : 0; left > 0; left--) this.#functions.push({ start, size, hole: undefined });
    }
    const plt = elf.sections.find(({ name }) => name === '.plt');
    if (plt !== undefined) this.#functions.push({ start: plt.offset, size: plt.size, hole: undefined });
    this.#functions.sort((a, b) => a.start - b.start);
  }

  /** The function of its own that a place is in; undefined if a symbol has it. */
  at(offset: number): Hole | undefined {
    const place = this.#places.get((offset >> 2) & (PLACES - 1));
    const found = place?.offset === offset ? place.found : this.#find(offset);
    this.#places.set((offset >> 2) & (PLACES - 1), { offset, found });
    return found.hole;
  }

  #find(offset: number): Listed {
    const bucket = (offset >> 6) & (FUNCTIONS - 1);
    const recent = this.#recent.get(bucket);
    if (recent !== undefined && contains(recent, offset)) return recent;
    let [low, high] = [0, this.#functions.length - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const each = this.#functions[middle];
      if (each === undefined) break;
      if (contains(each, offset)) return this.#note(bucket, each);
      if (offset < each.start) high = middle - 1;
      else low = middle + 1;
    }
    return this.#note(bucket, this.#grown(offset) ?? this.#made(offset, low));
  }

  #note(bucket: number, found: Listed): Listed {
    this.#recent.set(bucket, found);
    return found;
  }

  /** The last function, if it begins behind the code: it lasts up to the place then. */
  #grown(offset: number): Listed | undefined {
    const last = this.#functions.at(-1);
    if (offset < this.#codeSize || last?.start !== this.#codeSize) return undefined;
    last.size = Math.max(last.size, offset - this.#codeSize);
    if (last.hole !== undefined) last.hole.size = last.size;
    return last;
  }

  #made(offset: number, at: number): Listed {
    const { from, to, isBehind } = this.#gap(offset, at);
    const hole: Hole = { start: from, size: to - from, isBehind };
    const made: Listed = { start: from, size: to - from, hole };
    this.#functions.splice(at, 0, made);
    return made;
  }

  #gap(offset: number, at: number): { readonly from: number; readonly to: number; readonly isBehind: boolean } {
    const all = this.#functions;
    const [first, last] = [all[0], all.at(-1)];
    if (offset >= this.#codeSize) return { from: this.#codeSize, to: offset, isBehind: true };
    if (first === undefined || last === undefined) return { from: 0, to: this.#codeSize, isBehind: true };
    if (offset < first.start) return { from: 0, to: first.start, isBehind: false };
    if (offset >= last.start + last.size) return { from: last.start + last.size, to: this.#codeSize, isBehind: false };
    const [before, next] = [all[at - 1], all[at]];
    if (next !== undefined && offset >= next.start + next.size)
      return { from: next.start + next.size, to: all[at + 1]?.start ?? this.#codeSize, isBehind: false };
    return { from: before === undefined ? 0 : before.start + before.size, to: next?.start ?? offset, isBehind: false };
  }
}

function contains({ start, size }: Listed, offset: number): boolean {
  return offset >= start && offset < start + size;
}
