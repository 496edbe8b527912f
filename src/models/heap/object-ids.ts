/**
 * The ids of the objects of a heap, ascending: the row of an object is the number of smaller ids.
 *
 *   id ──► page of the directory ──► word and its rank ──► row      rank: the number of ids before the word
 *
 * A bit a possible id, in pages that exist only where there are objects: for addresses of a heap 1/32 of its size, and
 * a look-up costs one cache miss. Ids that are spread too thinly are a sorted column instead, 8 bytes each.
 */
import { firstNot, placeOf } from '../../base/columns/search.js';
import type { Flavor } from '../../base/flavor.js';

export type ObjectId = Flavor<number, 'object'>;

/** No object has this id. */
export const NO_OBJECT = -1;

/** Bits of a word of the index, and places of a word: the bits, and the rank. */
const WORD = 32;
const PLACES = 2;
/** Words of a page at least: 64 KiB with their ranks. */
const LEAST_PAGE_WORDS = 1 << 13;
const MOST_PAGES = 1 << 20;
const LARGEST_PAGE = 2 ** 30;
/** A bitmap and its directory may take so many bytes an object, and this much in any case. */
const BYTES_AN_OBJECT = 24;
const ALWAYS_BYTES = 1 << 21;

export interface ObjectIds {
  readonly length: number;
  /** The smallest id of the directory's first page. */
  readonly base: number;
  /** A power of two that divides the distances of all ids. */
  readonly slotBytes: number;
  /** A power of two. */
  readonly pageWords: number;
  /** Number of each page among those that exist; -1. */
  readonly directory: Int32Array;
  /** For each word of the pages that exist: bits, rank. */
  readonly words: Uint32Array;
  /** In place of all that: the ids, ascending. */
  readonly sorted?: Float64Array;
}

/** Where the ids of a heap are: from the first pass over it. */
export interface IdRange {
  /** Numbers of the blocks of `blockBytes` that have ids; undefined if they are too many to be listed. */
  readonly blocks: Float64Array | undefined;
  readonly blockBytes: number;
  /** All ids joined by OR, lower 32 bits. */
  readonly bits: number;
  /** Ids, those that occur twice included. */
  readonly most: number;
}

/** An index without its words. */
export interface IdLayout extends Omit<ObjectIds, 'length' | 'sorted' | 'words'> {
  readonly pages: number;
}

/** The layout of an index for these ids; undefined if they are spread too thinly for one. */
export function layoutOf({ blocks, blockBytes, bits, most }: IdRange): IdLayout | undefined {
  if (blocks === undefined) return undefined;
  // Ids of agents are consecutive numbers; a heap has at least 4 bytes an object.
  const slotBytes = Math.min(bits === 0 ? 1 : (bits & -bits) >>> 0, 4096);
  const { first, last } = extremes(blocks);
  let pageWords = LEAST_PAGE_WORDS;
  const span = (last - first + 1) * blockBytes;
  while (span / (pageWords * WORD * slotBytes) > MOST_PAGES || pageWords * WORD * slotBytes < blockBytes)
    pageWords *= 2;
  const pageBytes = pageWords * WORD * slotBytes;
  const base = Math.floor((first * blockBytes) / pageBytes) * pageBytes;
  const length = blocks.length === 0 ? 0 : Math.floor(((last + 1) * blockBytes - 1 - base) / pageBytes) + 1;
  const bytesLimit = Math.max(ALWAYS_BYTES, most * BYTES_AN_OBJECT);
  if (length * 4 > bytesLimit) return undefined;
  const directory = new Int32Array(length).fill(-1);
  for (const block of blocks) directory[Math.floor((block * blockBytes - base) / pageBytes)] = 0;
  let pages = 0;
  for (let page = 0; page < length; page++) if (directory[page] === 0) directory[page] = pages++;
  if (wordBytes({ pages, pageWords }) + length * 4 > bytesLimit) return undefined;
  // Places in a page, and numbers of pages, are 32-bit integers.
  if (pageBytes > LARGEST_PAGE) return undefined;
  return { base, slotBytes, pageWords, directory, pages };
}

/** Bytes of the words of an index. */
export function wordBytes({ pages, pageWords }: Pick<IdLayout, 'pages' | 'pageWords'>): number {
  return pages * pageWords * PLACES * 4;
}

function extremes(values: Float64Array): { readonly first: number; readonly last: number } {
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    if (value < first) first = value;
    if (value > last) last = value;
  }
  return values.length === 0 ? { first: 0, last: -1 } : { first, last };
}

/** Bytes of the index of these ids. */
export function idBytes(range: IdRange): number {
  const layout = layoutOf(range);
  return layout === undefined ? range.most * 8 : wordBytes(layout) + layout.directory.length * 4;
}

/** Finds the words of many ids. */
class WordLookup {
  readonly #base: number;
  readonly #span: number;
  readonly #pageBytes: number;
  readonly #perByte: number;
  readonly #slotMask: number;
  readonly #slotShift: number;
  readonly #pageWords: number;
  readonly #directory: Int32Array;
  /** Of the id that was found last: its bit is that of the lower 5 bits. */
  slot = 0;

  constructor({ base, slotBytes, pageWords, directory }: Pick<ObjectIds, keyof IdLayout & keyof ObjectIds>) {
    this.#base = base;
    this.#pageBytes = pageWords * WORD * slotBytes;
    this.#perByte = 1 / this.#pageBytes;
    this.#span = directory.length * this.#pageBytes;
    this.#slotMask = slotBytes - 1;
    this.#slotShift = Math.log2(slotBytes);
    this.#pageWords = pageWords;
    this.#directory = directory;
  }

  /** The position of an id's word in `words`; -1 if there is none. */
  find(id: number): number {
    const offset = id - this.#base;
    if (!(offset >= 0 && offset < this.#span)) return -1;
    // Exact: both factors are powers of two.
    const page = (offset * this.#perByte) | 0;
    const number = this.#directory[page];
    if (number < 0) return -1;
    const inPage = (offset - page * this.#pageBytes) | 0;
    if ((inPage & this.#slotMask) !== 0) return -1;
    const slot = inPage >>> this.#slotShift;
    this.slot = slot;
    return (number * this.#pageWords + (slot >>> 5)) * PLACES;
  }
}

/** Collects ids for `finishIds`. Several threads may fill one: `words` is shared memory. */
export type IdBuilder =
  | { readonly kind: 'bits'; readonly layout: IdLayout; readonly words: Uint32Array }
  | { readonly kind: 'list'; readonly ids: Float64Array; readonly next: Int32Array };

/** The builder for ids in this range. Allocates shared memory, unless `words`, zeros of `wordBytes`, are given. */
export function idBuilder(range: IdRange, words?: Uint32Array): IdBuilder {
  const layout = layoutOf(range);
  if (layout === undefined)
    return {
      kind: 'list',
      ids: new Float64Array(new SharedArrayBuffer(range.most * 8)),
      next: new Int32Array(new SharedArrayBuffer(4)),
    };
  return { kind: 'bits', layout, words: words ?? new Uint32Array(new SharedArrayBuffer(wordBytes(layout))) };
}

/** Adds ids that are in the range of a builder. */
export class IdSink {
  readonly #builder: IdBuilder;
  readonly #words: WordLookup | undefined;

  constructor(builder: IdBuilder) {
    this.#builder = builder;
    this.#words = builder.kind === 'bits' ? new WordLookup(builder.layout) : undefined;
  }

  add(id: number): void {
    const builder = this.#builder;
    if (builder.kind === 'list') {
      const at = Atomics.add(builder.next, 0, 1);
      if (at < builder.ids.length) builder.ids[at] = id;
      return;
    }
    const words = this.#words;
    const at = words?.find(id) ?? -1;
    if (words !== undefined && at >= 0) Atomics.or(builder.words, at, 1 << words.slot);
  }
}

/** The index of all ids that were added; each counts once. */
export function finishIds(builder: IdBuilder): ObjectIds {
  if (builder.kind === 'list') return sortedIds(builder.ids.subarray(0, Math.min(builder.next[0], builder.ids.length)));
  const { layout, words } = builder;
  const { pages: _, ...rest } = layout;
  let length = 0;
  for (let at = 0; at < words.length; at += PLACES) {
    words[at + 1] = length;
    length += bitCount(words[at]);
  }
  return { length, ...rest, words };
}

/** An index of a few ids. Sorts the column in place; each id counts once. */
export function sortedIds(ids: Float64Array): ObjectIds {
  ids.sort();
  let length = 0;
  for (let i = 0; i < ids.length; i++) if (length === 0 || ids[i] !== ids[length - 1]) ids[length++] = ids[i];
  const none = { base: 0, slotBytes: 1, pageWords: 1, directory: new Int32Array(0), words: new Uint32Array(0) };
  return { length, ...none, sorted: ids.subarray(0, length) };
}

/** Looks up rows of many ids: one cache miss each. */
export class RowLookup {
  readonly #sorted: Float64Array | undefined;
  readonly #lookup: WordLookup;
  readonly #words: Uint32Array;

  constructor(ids: ObjectIds) {
    this.#sorted = ids.sorted;
    this.#lookup = new WordLookup(ids);
    this.#words = ids.words;
  }

  /** The row of the object with this id; `NO_OBJECT` if there is none. */
  row(id: number): ObjectId {
    const lookup = this.#lookup;
    const at = lookup.find(id);
    if (at < 0) return this.#sorted === undefined ? NO_OBJECT : placeOf(this.#sorted, id);
    const bits = this.#words[at];
    if (((bits >>> lookup.slot) & 1) === 0) return NO_OBJECT;
    return this.#words[at + 1] + bitCount(bits & ((1 << lookup.slot) - 1));
  }
}

/** The row of one id, likewise. */
export function rowOfId(ids: ObjectIds, id: number): ObjectId {
  return new RowLookup(ids).row(id);
}

/** The id of an object. */
export function idOfRow(ids: ObjectIds, row: ObjectId): number {
  if (ids.sorted !== undefined) return ids.sorted[row];
  const { words } = ids;
  // The last word whose rank is not above the row, among those with bits.
  const low = Math.max(0, firstNot(0, words.length / PLACES, (word) => words[word * PLACES + 1] <= row) - 1);
  let bits = words[low * PLACES];
  for (let left = row - words[low * PLACES + 1]; left > 0; left--) bits &= bits - 1;
  return idAtWord(ids, low) + trailingZeros(bits) * ids.slotBytes;
}

/** The id of the first bit of a word, by its number among those of all pages. */
function idAtWord(ids: ObjectIds, word: number): number {
  const number = Math.floor(word / ids.pageWords);
  const page = ids.directory.indexOf(number);
  return ids.base + (page * ids.pageWords + (word % ids.pageWords)) * WORD * ids.slotBytes;
}

/** Calls `visit` for all objects in the order of their rows. */
export function eachId(ids: ObjectIds, visit: (id: number, row: ObjectId) => void): void {
  if (ids.sorted !== undefined) {
    ids.sorted.forEach(visit);
    return;
  }
  let row = 0;
  for (let page = 0; page < ids.directory.length; page++) {
    const number = ids.directory[page];
    if (number < 0) continue;
    for (let word = 0; word < ids.pageWords; word++) {
      const first = ids.base + (page * ids.pageWords + word) * WORD * ids.slotBytes;
      for (let bits = ids.words[(number * ids.pageWords + word) * PLACES]; bits !== 0; bits &= bits - 1)
        visit(first + trailingZeros(bits) * ids.slotBytes, row++);
    }
  }
}

/** Bits that are set in a 32-bit integer. */
export function bitCount(bits: number): number {
  let count = bits - ((bits >>> 1) & 0x55555555);
  count = (count & 0x33333333) + ((count >>> 2) & 0x33333333);
  return Math.imul((count + (count >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

function trailingZeros(bits: number): number {
  return 31 - Math.clz32(bits & -bits);
}
