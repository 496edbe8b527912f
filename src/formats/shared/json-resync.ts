/** Where reading continues after invalid JSON: at the next text that can only be the beginning of a known item. */
import type { Scanner } from './json-scanner.js';

/** No beginning is longer than this, apart from whitespace: the end of the window may contain a part of one. */
export const LONGEST_BEGINNING = 256;
/** How far a pattern looks back before a beginning. */
const LOOK_BEHIND = 40;
/** One character a byte, so that positions in the text are positions in the window. */
const latin1 = new TextDecoder('latin1');

export interface ElementStart {
  /** The pattern that it matches. */
  readonly pattern: RegExp;
  readonly position: number;
}

/**
 * The nearest match of one of the patterns (global ones) at or after `at`; undefined if the window has none. The search
 * range doubles: the next match is usually near, and searching the whole window for each of many damaged entries would
 * take quadratic time.
 */
export function nextBeginning(scanner: Scanner, at: number, patterns: readonly RegExp[]): ElementStart | undefined {
  const from = Math.max(0, at - LOOK_BEHIND);
  for (let length = LONGEST_BEGINNING; ; length *= 2) {
    const text = latin1.decode(scanner.window.subarray(from, Math.min(at + length, scanner.end)));
    let nearest: ElementStart | undefined;
    for (const pattern of patterns) {
      pattern.lastIndex = at - from;
      const match = pattern.exec(text);
      if (match === null || (nearest !== undefined && nearest.position <= from + match.index)) continue;
      nearest = { pattern, position: from + match.index };
    }
    if (nearest !== undefined || at + length >= scanner.end) return nearest;
  }
}
