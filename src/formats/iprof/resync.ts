/** Where reading goes on after a breach of JSON: at the next thing that can only be the start of an entry or section. */
import type { Scanner } from '../shared/json-scanner.js';
import { SECTION_WORDS } from './vocabulary.js';

/** Keys that an entry begins with, in any version: resynchronisation trusts nothing else. */
const ELEMENT_START =
  /(?<=[[,}][ \t\r\n]{0,32})\{[ \t\r\n]*"(?:id|name|typeName|methodName|signature|ctx|methodBciList|records)"[ \t\r\n]*:/g;
const SECTION_START = new RegExp(`"(?:version|${SECTION_WORDS.map((word) => word.key).join('|')})"[ \\t\\r\\n]*:`, 'g');
/** One character a byte, so that positions in the text are positions in the window. */
const latin1 = new TextDecoder('latin1');
/** No match of the two patterns above is longer than this, apart from white space. */
export const LONGEST_START = 256;
/** What stands before an entry (a bracket, a comma, or the entry whose comma is missing) lies at most this far back. */
const LOOK_BEHIND = 40;

export interface Start {
  readonly of: 'element' | 'section';
  readonly position: number;
}

/**
 * The nearest start at `at` or behind it; undefined where the window shows none. It is looked for in steps that double:
 * the next start is mostly near, and a search through the whole window for each of many damaged entries would take the
 * square of their number.
 */
export function nextStart(scanner: Scanner, at: number, inSection: boolean): Start | undefined {
  const from = Math.max(0, at - LOOK_BEHIND);
  for (let length = LONGEST_START; ; length *= 2) {
    const text = latin1.decode(scanner.window.subarray(from, Math.min(at + length, scanner.end)));
    const section = indexIn(text, SECTION_START, at - from);
    const element = inSection ? indexIn(text, ELEMENT_START, at - from) : -1;
    if (element >= 0 && (section < 0 || element < section)) return { of: 'element', position: at + element };
    if (section >= 0) return { of: 'section', position: at + section };
    if (at + length >= scanner.end) return undefined;
  }
}

/** Where `pattern` (a global one) first matches at `from` or behind, counted from there; -1 if it does not. */
function indexIn(text: string, pattern: RegExp, from: number): number {
  pattern.lastIndex = from;
  const match = pattern.exec(text);
  return match === null ? -1 : match.index - from;
}
