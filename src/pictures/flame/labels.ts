/**
 * Text that fits its box, in any script: cut between graphemes, with an ellipsis, and isolated so that a right-to-left
 * name does not move other text.
 *
 * ASCII text is measured character by character (exact without kerning and ligatures, see `draw.ts`): a new text costs
 * additions, not measurements. Other text is measured as a whole for each cut that is tried. Both are cached.
 */

/** Width of a text in CSS pixels. */
export type Measure = (text: string) => number;

/** Fewest graphemes of a cut text: fewer are not informative. */
const SHORTEST = 3;
const ELLIPSIS = '…';
const KEPT = 20_000;
const ASCII = /^[\x20-\x7e]*$/;
/** Longer names are cut before they are split into graphemes; no box is that wide. */
const LONGEST = 1000;

interface Known {
  readonly width: number;
  /** Where graphemes end, for text that is not ASCII only. */
  readonly ends: readonly number[] | undefined;
  /** Width of the first k graphemes with an ellipsis; NaN until measured. */
  readonly cuts: Float32Array;
}

export class Labels {
  readonly #measure: Measure;
  readonly #known = new Map<string, Known>();
  readonly #segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  readonly #characters = new Float64Array(128).fill(Number.NaN);
  #ellipsis = Number.NaN;

  constructor(measure: Measure) {
    this.#measure = measure;
  }

  /**
   * The first of the texts that fits into `width` pixels after `prefix`, or the part of the last one that fits. The
   * prefix is never cut (half a number would be another number): it is returned alone if no text fits, or '' if it does
   * not fit either.
   */
  fit(texts: readonly string[], width: number, prefix = ''): string {
    for (const text of texts) if (this.#about(prefix + text).width <= width) return isolated(prefix + text);
    const cut = this.#cut(prefix + (texts.at(-1) ?? ''), width, prefix.length + SHORTEST);
    const alone = prefix.trimEnd();
    return cut !== '' || alone === '' || this.#about(alone).width > width ? cut : alone;
  }

  #cut(text: string, width: number, shortest: number): string {
    const known = this.#about(text);
    const count = known.cuts.length - 1;
    let k = Math.min(count, Math.max(shortest, Math.floor((count * width) / known.width)));
    while (k >= shortest && this.#cutWidth(text, known, k) > width) k--;
    while (k < count && this.#cutWidth(text, known, k + 1) <= width) k++;
    return k < shortest ? '' : isolated(head(text, known, k) + ELLIPSIS);
  }

  #cutWidth(text: string, known: Known, k: number): number {
    if (Number.isNaN(known.cuts[k])) known.cuts[k] = this.#measure(isolated(head(text, known, k) + ELLIPSIS));
    return known.cuts[k];
  }

  #about(text: string): Known {
    const found = this.#known.get(text);
    if (found !== undefined) return found;
    if (this.#known.size >= KEPT) this.#known.clear();
    const made = ASCII.test(text) ? this.#aboutPlain(text) : this.#aboutAny(text);
    this.#known.set(text, made);
    return made;
  }

  #aboutPlain(text: string): Known {
    if (Number.isNaN(this.#ellipsis)) this.#ellipsis = this.#measure(ELLIPSIS);
    const cuts = new Float32Array(Math.min(text.length, LONGEST) + 1);
    let width = 0;
    for (let i = 0; i < text.length; i++) {
      if (i < cuts.length) cuts[i] = width + this.#ellipsis;
      const code = text.charCodeAt(i);
      if (Number.isNaN(this.#characters[code])) this.#characters[code] = this.#measure(String.fromCharCode(code));
      width += this.#characters[code];
    }
    if (text.length < cuts.length) cuts[text.length] = width + this.#ellipsis;
    return { width, ends: undefined, cuts };
  }

  #aboutAny(text: string): Known {
    const ends: number[] = [];
    for (const { index, segment } of this.#segmenter.segment(text.slice(0, LONGEST))) ends.push(index + segment.length);
    return {
      width: this.#measure(isolated(text)),
      ends,
      cuts: new Float32Array(ends.length + 1).fill(Number.NaN),
    };
  }
}

function head(text: string, known: Known, k: number): string {
  return text.slice(0, known.ends === undefined ? k : known.ends[k - 1]);
}

/** First strong isolate … pop directional isolate (UAX #9): the text does not affect its surroundings. */
function isolated(text: string): string {
  return ASCII.test(text) ? text : `\u2068${text}\u2069`;
}
