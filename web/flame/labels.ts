/**
 * Text that fits its box, in any script: cut between graphemes, with an ellipsis, and isolated from its surroundings so
 * that a name from right to left moves nothing else.
 *
 * What is measured is kept: a text that was drawn before costs a look-up. A new one costs two to four measurements.
 */

/** Width of a text in CSS pixels. */
export type Measure = (text: string) => number;

/** A shorter rest than this many graphemes says nothing. */
const SHORTEST = 3;
const ELLIPSIS = '…';
const KEPT = 20_000;
const ASCII = /^[\x20-\x7e]*$/;
/** Longer names are cut before they are taken apart; no box is as wide. */
const LONGEST = 1000;

interface Known {
  readonly width: number;
  /** Where graphemes end, for text that is not ASCII only. */
  readonly ends: readonly number[] | undefined;
  /** Width of the first k graphemes with an ellipsis; NaN where it was not measured. */
  readonly cuts: Float32Array;
}

export class Labels {
  readonly #measure: Measure;
  readonly #known = new Map<string, Known>();
  readonly #segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

  constructor(measure: Measure) {
    this.#measure = measure;
  }

  /** The first of the texts that fits into `width` pixels, or else what fits of the last; '' where that is too little. */
  fit(texts: readonly string[], width: number): string {
    for (const text of texts) if (this.#about(text).width <= width) return isolated(text);
    return this.#cut(texts.at(-1) ?? '', width);
  }

  #cut(text: string, width: number): string {
    const known = this.#about(text);
    const count = known.cuts.length - 1;
    let k = Math.min(count, Math.floor((count * width) / known.width));
    while (k >= SHORTEST && this.#cutWidth(text, known, k) > width) k--;
    while (k < count && this.#cutWidth(text, known, k + 1) <= width) k++;
    return k < SHORTEST ? '' : isolated(head(text, known, k) + ELLIPSIS);
  }

  #cutWidth(text: string, known: Known, k: number): number {
    if (Number.isNaN(known.cuts[k])) known.cuts[k] = this.#measure(isolated(head(text, known, k) + ELLIPSIS));
    return known.cuts[k];
  }

  #about(text: string): Known {
    const found = this.#known.get(text);
    if (found !== undefined) return found;
    if (this.#known.size >= KEPT) this.#known.clear();
    const ends = ASCII.test(text) ? undefined : this.#ends(text);
    const count = ends === undefined ? Math.min(text.length, LONGEST) : ends.length;
    const made = { width: this.#measure(isolated(text)), ends, cuts: new Float32Array(count + 1).fill(Number.NaN) };
    this.#known.set(text, made);
    return made;
  }

  #ends(text: string): number[] {
    const ends: number[] = [];
    for (const { index, segment } of this.#segmenter.segment(text.slice(0, LONGEST))) ends.push(index + segment.length);
    return ends;
  }
}

function head(text: string, known: Known, k: number): string {
  return text.slice(0, known.ends === undefined ? k : known.ends[k - 1]);
}

/** First strong isolate … pop directional isolate (UAX #9): nothing inside moves what is outside. */
function isolated(text: string): string {
  return ASCII.test(text) ? text : `\u2068${text}\u2069`;
}
