/** Call trees in text: a heading, or lines with glyphs, words and ids; and their tables. */
import { type Guess, type Head, NO_GUESS } from '../capabilities/probe.js';
import { filledLines } from '../shared/head-text.js';
import { probeTables } from './tables/probe.js';

/** `─ ` before a node, as UTF-8 read byte by byte, decoded, or written as `?` by builds without UTF-8. */
const GLYPH = String.raw`(?:\u00e2\u0094\u0080|\u2500|\?) `;
const CALL = new RegExp(
  `${GLYPH}(?:entry|directly calls|virtually calls|interfacially calls|is overridden by|is implemented by) \\S`,
);
const CALL_END = / (?:id=|id-ref=|@bci=)-?\d/;

/** The tree in text, or a table. */
export function probeCallTree(head: Head): Guess {
  const [text, table] = [probeText(head), probeTables(head)];
  return text.confidence >= table.confidence ? text : table;
}

function probeText(head: Head): Guess {
  const lines = filledLines(head, 'keep', 200);
  if (lines[0]?.trim() === 'VM Entry Points') return { confidence: 1, because: 'its first line is "VM Entry Points"' };
  const calls = lines.filter((line) => CALL_END.test(line.slice(-400)) && CALL.test(line.slice(0, 1000)));
  if (calls.length === 0) return NO_GUESS;
  const because = 'tree lines with entry, directly calls, virtually calls';
  return calls.length >= lines.length / 2
    ? { confidence: 0.85, because }
    : { confidence: 0.3, because: `a few ${because}` };
}
