/** Collapsed stacks: frames joined by semicolons, a space, a number (or two, in the differential form). */
import { type Guess, type Head, NO_GUESS } from '../capabilities/probe.js';
import { filledLines, textOf } from '../shared/head-text.js';

const NUMBERS = /\S[ \t](-?\d{1,30}(?:\.\d{1,30})?)(?: (-?\d{1,30}(?:\.\d{1,30})?))?$/;
const NAMED = /\.(?:collapsed|folded)$/i;

export function probeCollapsed(head: Head): Guess {
  const text = textOf(head);
  const lines = filledLines(head, 'drop', 300);
  const first = lines[0];
  if (text.binary || first === undefined || first === 'count callee caller time') return NO_GUESS;
  const open = lines.length === 1 && !head.whole && !/[\r\n]/.test(text.text);
  if (open) return (first.match(/[^;\s];[^;\s]/g)?.length ?? 0) < 8 ? NO_GUESS : longLine(head);
  if (lines.filter((line) => line.split('\t', 3).length === 3).length > lines.length / 3) return NO_GUESS;
  const ends = lines.map((line) => NUMBERS.exec(line.trimEnd().slice(-70)));
  const counted = ends.filter((end) => end !== null).length / lines.length;
  const stacked = lines.filter((line) => /[^;\s][ \t]*;[ \t]*[^;\s]/.test(line.slice(0, 2000))).length / lines.length;
  const twofold = ends.every((end) => end === null || end[2] !== undefined);
  const numbers = twofold && counted > 0 ? 'two numbers (a difference)' : 'a number';
  const encoding = text.encoding === undefined ? '' : `, in ${text.encoding.toUpperCase()}`;
  const because = `lines of frames joined by semicolons and ${numbers}${encoding}`;
  if (counted >= 0.9 && stacked >= 0.5) return { confidence: 0.9, because };
  if (counted >= 0.6 && stacked >= 0.3)
    return { confidence: counted >= 0.9 || NAMED.test(head.name) ? 0.8 : 0.5, because };
  if (counted >= 0.9 && NAMED.test(head.name)) return { confidence: 0.7, because: `lines that end in ${numbers}` };
  return counted >= 0.3 && stacked >= 0.1 ? { confidence: 0.2, because: `a few ${because}` } : NO_GUESS;
}

/** The head is one unfinished line: a stack of very many frames. */
function longLine(head: Head): Guess {
  return {
    confidence: NAMED.test(head.name) ? 0.6 : 0.4,
    because: 'one very long line of frames joined by semicolons',
  };
}
