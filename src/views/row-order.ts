/** The order of the rows of a listing. */
import { FirstOf } from '../base/columns/first-of.js';
import { sortedRows } from '../base/columns/sorted-rows.js';
import type { ExactNumber } from '../base/exact-integers.js';
import type { Steps } from '../base/progress.js';

/** What a row is sorted by; null if that is unknown. */
export type SortValue = ExactNumber | string | null;
export type SortKey = (row: number) => SortValue;

/** Cells between two yields: a cell may be a text that is made. */
const CELLS_A_STEP = 1 << 11;

/** The first `most` rows in order, without keeping what the others are sorted by. */
export function* firstRows(count: number, key: SortKey, reverse: boolean, most: number): Steps<Int32Array> {
  const sign = reverse ? -1 : 1;
  type Item = { readonly row: number; readonly value: ReturnType<SortKey> };
  const compare = (a: Item, b: Item): number => sign * compareFalling(a.value, b.value) || a.row - b.row;
  const first = new FirstOf<Item>(most, compare);
  for (let row = 0; row < count; row++) {
    if (row % CELLS_A_STEP === 0) yield row;
    const value = key(row);
    // Rows come in order: of equal ones, the later one is never before.
    if (first.last === undefined || sign * compareFalling(value, first.last.value) < 0) first.add({ row, value });
  }
  return Int32Array.from(first.finish(), ({ row }) => row);
}

/** All rows in order: numbers falling, texts rising, unknown ones last; reversed, all of it the other way round. */
export function* allRows(count: number, key: SortKey, reverse: boolean): Steps<Int32Array> {
  const keys = new Float64Array(count);
  let texts: TextRanks | undefined;
  let hasNumbers = false;
  for (let row = 0; row < count; row++) {
    if (row % CELLS_A_STEP === 0) yield row;
    const value = key(row);
    if (typeof value === 'bigint') return yield* allSorted(count, key, reverse);
    if (typeof value === 'number') {
      hasNumbers = true;
      keys[row] = reverse ? value : -value;
    } else if (value === null) keys[row] = NaN;
    else {
      texts ??= new TextRanks();
      keys[row] = texts.add(value);
    }
  }
  if (texts === undefined) return yield* sortedRows(keys, reverse);
  if (hasNumbers) {
    // Numbers beside texts are texts.
    const asText = (row: number): string | null => {
      const value = key(row);
      return value === null ? null : String(value);
    };
    return yield* allRows(count, asText, reverse);
  }
  const ranks = texts.finish();
  for (let row = 0; row < count; row++)
    if (!Number.isNaN(keys[row])) keys[row] = reverse ? -ranks[keys[row]] : ranks[keys[row]];
  return yield* sortedRows(keys, reverse);
}

/** All rows, as `allRows` has them, where some numbers have more digits than a double. */
function* allSorted(count: number, key: SortKey, reverse: boolean): Steps<Int32Array> {
  const values: SortValue[] = [];
  for (let row = 0; row < count; row++) {
    if (row % CELLS_A_STEP === 0) yield row;
    values.push(key(row));
  }
  const sign = reverse ? -1 : 1;
  const rows = Int32Array.from(values, (_, row) => row);
  return rows.sort((a, b) => sign * compareFalling(values[a] ?? null, values[b] ?? null) || a - b);
}

/** Numbers falling, texts rising, null last; a number beside a text is a text. */
function compareFalling(a: SortValue, b: SortValue): number {
  if (typeof a === 'number' && typeof b === 'number') return b - a;
  if (isNumber(a) && isNumber(b)) return a < b ? 1 : a > b ? -1 : 0;
  if (a !== null && b !== null) return compareTexts(String(a), String(b));
  return (a === null ? 1 : 0) - (b === null ? 1 : 0);
}

function isNumber(value: SortValue): value is ExactNumber {
  return typeof value === 'number' || typeof value === 'bigint';
}

/** Texts of a `Map`; it cannot have more than 2^24. */
const TEXTS_A_MAP = 1 << 23;

/** Gives texts ids, and the ids their places in the order of the texts: a column has few different ones. */
class TextRanks {
  readonly #texts: string[] = [];
  #ids = new Map<string, number>();

  add(text: string): number {
    const id = this.#ids.get(text);
    if (id !== undefined) return id;
    // A text of a map before has a second id then, with the same rank.
    if (this.#ids.size >= TEXTS_A_MAP) this.#ids = new Map();
    this.#ids.set(text, this.#texts.length);
    return this.#texts.push(text) - 1;
  }

  /** By id. */
  finish(): Int32Array {
    const texts = this.#texts;
    const order = Int32Array.from(texts, (_, id) => id).sort((a, b) => compareTexts(texts[a], texts[b]));
    const ranks = new Int32Array(texts.length);
    let rank = 0;
    for (let i = 0; i < order.length; i++) {
      if (i > 0 && texts[order[i]] !== texts[order[i - 1]]) rank++;
      ranks[order[i]] = rank;
    }
    return ranks;
  }
}

function compareTexts(a = '', b = ''): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
