/** Collapsed stacks: frames joined by semicolons, a blank, a number (or two, in the differential form). */
import { type Guess, type Head, type KnownKind, NO_GUESS } from '../format.js';
import { filledLines, textOf } from '../head-text.js';
import { guess } from './marks.js';

const NUMBERS = /\S[ \t](-?\d{1,30}(?:\.\d{1,30})?)(?: (-?\d{1,30}(?:\.\d{1,30})?))?$/;
const NAMED = /\.(?:collapsed|folded)$/i;

function probe(head: Head): Guess {
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
  if (counted >= 0.9 && stacked >= 0.5) return guess(0.9, because);
  if (counted >= 0.6 && stacked >= 0.3) return guess(counted >= 0.9 || NAMED.test(head.name) ? 0.8 : 0.5, because);
  if (counted >= 0.9 && NAMED.test(head.name)) return guess(0.7, `lines that end in ${numbers}`);
  return counted >= 0.3 && stacked >= 0.1 ? guess(0.2, `some ${because}`) : NO_GUESS;
}

/** The head is one line without an end: a stack of very many frames. */
function longLine(head: Head): Guess {
  return guess(NAMED.test(head.name) ? 0.6 : 0.4, 'one very long line of frames joined by semicolons');
}

export const COLLAPSED_KINDS: readonly KnownKind[] = [
  {
    id: 'collapsed',
    title: 'collapsed stacks',
    article: '',
    advice: 'Until then: flamegraph.pl, inferno-flamegraph and speedscope read them.',
    probe,
  },
];
