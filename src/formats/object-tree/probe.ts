/** Object trees in text: a heading, or lines with glyphs, texts and ids. */
import { type Guess, type Head, NO_GUESS } from '../capabilities/probe.js';
import { filledLines } from '../shared/head-text.js';

/** `─ ` before a node, as UTF-8 read byte by byte, decoded, or written as `?` by builds without UTF-8. */
const GLYPH = String.raw`(?:\u00e2\u0094\u0080|\u2500|\?) `;
/** A line of a call tree, which is no object tree. */
const CALL = new RegExp(`${GLYPH}(?:entry|\\w+ calls|is \\w+ by) \\S`);
const OBJECT = new RegExp(`${GLYPH}\\S`);
const OBJECT_END = / (?:toString=|value:|id=\d|id-ref=\d)|value=null|toString=/;

export function probeObjectTree(head: Head): Guess {
  const lines = filledLines(head, 'keep', 200);
  if (lines[0]?.trim() === 'Heap roots') return { confidence: 1, because: 'its first line is "Heap roots"' };
  if (lines.some((line) => CALL.test(line.slice(0, 1000)))) return NO_GUESS;
  const objects = lines.filter((line) => OBJECT_END.test(line.slice(-400)) && OBJECT.test(line.slice(0, 1000)));
  const because = 'tree lines with toString= and value:';
  if (objects.length >= lines.length / 2 && lines.length > 0) return { confidence: 0.8, because };
  return objects.length > lines.length / 20 ? { confidence: 0.3, because: `a few ${because}` } : NO_GUESS;
}
