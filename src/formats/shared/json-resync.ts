/** Where reading goes on after a breach of JSON: at the next text that can only be the beginning of something known. */
import type { Scanner } from './json-scanner.js';

/** No beginning is longer than this, apart from white space: what the window ends with may be one that is cut. */
export const LONGEST_BEGINNING = 256;
/** What a pattern looks at in front of a beginning lies at most this far back. */
const LOOK_BEHIND = 40;
/** One character a byte, so that positions in the text are positions in the window. */
const latin1 = new TextDecoder('latin1');

export interface Beginning {
  /** The one of the patterns that it matches. */
  readonly pattern: RegExp;
  readonly position: number;
}

/**
 * The nearest match of one of the patterns (global ones) at `at` or behind it; undefined where the window has none. It is
 * looked for in steps that double: the next one is mostly near, and a search through the whole window for each of many
 * damaged entries would take the square of their number.
 */
export function nextBeginning(scanner: Scanner, at: number, patterns: readonly RegExp[]): Beginning | undefined {
  const from = Math.max(0, at - LOOK_BEHIND);
  for (let length = LONGEST_BEGINNING; ; length *= 2) {
    const text = latin1.decode(scanner.window.subarray(from, Math.min(at + length, scanner.end)));
    let nearest: Beginning | undefined;
    for (const pattern of patterns) {
      pattern.lastIndex = at - from;
      const match = pattern.exec(text);
      if (match === null || (nearest !== undefined && nearest.position <= from + match.index)) continue;
      nearest = { pattern, position: from + match.index };
    }
    if (nearest !== undefined || at + length >= scanner.end) return nearest;
  }
}
