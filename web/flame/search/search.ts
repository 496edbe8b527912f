/**
 * The nodes that match a search, and their share: a stack counts once, at its outermost match. One pass over the nodes
 * per search, none per frame.
 */
import { plural } from '../../../src/base/units.js';
import type { FlameLayout } from '../../../src/pictures/flame/layout.js';
import { type FlamePicture, valueText } from '../../../src/pictures/flame/picture.js';
import { percent } from '../../../src/pictures/flame/words.js';

export interface Found {
  /** 1 for each function whose name matches. */
  readonly functions: Uint8Array;
  /** Nodes that match. */
  readonly count: number;
  /** Sum of their stacks, each counted once. */
  readonly total: number;
  readonly baseTotal: number;
}

/** A test of names: a regular expression, or text in either case. Throws `SyntaxError` for an invalid expression. */
export function matcher(text: string, isExpression: boolean): (name: string) => boolean {
  if (isExpression) {
    const expression = new RegExp(text, 'u');
    return (name) => expression.test(name);
  }
  const wanted = text.toLocaleLowerCase();
  return (name) => name.toLocaleLowerCase().includes(wanted);
}

export function search(picture: FlamePicture, matches: (name: string) => boolean): Found {
  const functions = Uint8Array.from(picture.names, (name) => (matches(name) ? 1 : 0));
  const within = new Uint8Array(picture.length);
  let count = 0;
  let total = 0;
  let baseTotal = 0;
  for (let node = 1; node < picture.length; node++) {
    const inside = within[picture.parent[node]];
    const match = functions[picture.function[node]];
    within[node] = inside | match;
    count += match;
    if (match === 0 || inside === 1) continue;
    total += picture.total[node];
    baseTotal += picture.base?.total[node] ?? 0;
  }
  return { functions, count, total, baseTotal };
}

/** For each place the number of matches before it, so that any range takes one look-up. */
export function matchesBefore(picture: FlamePicture, layout: FlameLayout, found: Found): Int32Array {
  const before = new Int32Array(picture.length + 1);
  for (let place = 0; place < picture.length; place++)
    before[place + 1] = before[place] + (found.functions[picture.function[layout.order[place]]] === 1 ? 1 : 0);
  return before;
}

/**
 * The next (or, `step` -1, the previous) place with a match, from the top down and from left to right; wrapping around.
 */
export function nextMatch(before: Int32Array, place: number, step: 1 | -1): number {
  const length = before.length - 1;
  for (let gone = 1; gone <= length; gone++) {
    const at = (place + step * gone + length * 2) % length;
    if (before[at + 1] > before[at]) return at;
  }
  return -1;
}

/** The search of a flame graph: what was asked, and what it found. */
export class GraphSearch {
  text = '';
  isExpression = false;
  found: Found | undefined;
  /** For each place the matches before it. */
  matches: Int32Array | undefined;

  /** Searches, and shows the matches or the fault in the expression. */
  run(
    picture: FlamePicture,
    layout: FlameLayout,
    text: string,
    isExpression: boolean,
  ): { readonly said: string; readonly isWrong: boolean } {
    this.text = text;
    this.isExpression = isExpression;
    this.found = undefined;
    this.matches = undefined;
    if (text === '') return { said: '', isWrong: false };
    try {
      this.found = search(picture, matcher(text, isExpression));
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      return { said: `not a regular expression: ${error.message}`, isWrong: true };
    }
    this.place(picture, layout);
    return { said: foundText(picture, this.found), isWrong: false };
  }

  /** Takes another order of the boxes over. */
  place(picture: FlamePicture, layout: FlameLayout): void {
    if (this.found !== undefined) this.matches = matchesBefore(picture, layout, this.found);
  }
}

function foundText(picture: FlamePicture, found: Found): string {
  const { metric, base } = picture;
  const total = `${valueText(picture, found.total)}, ${percent(found.total, metric.sum)} of all`;
  const ofBase = base === undefined ? '' : ` (base ${valueText(picture, found.baseTotal)})`;
  return `${plural(found.count, 'match', 'matches')}: ${total}${ofBase}`;
}
