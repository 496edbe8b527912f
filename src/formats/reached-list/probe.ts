/**
 * Lists of what a points-to analysis reached. They have no heading: they are recognised by the shape of all lines, and common shapes
 * (dotted names) only together with the report's file name.
 */
import { type Guess, type Head, NO_GUESS } from '../capabilities/probe.js';
import { filledLines, share, textOf } from '../shared/head-text.js';

/** What the lines of a list are. */
export const LISTED = ['methods', 'classes', 'packages', 'fields'] as const;
export type ListedKind = (typeof LISTED)[number];

/** The kind of a list, and whether flags follow each name behind a tab. */
export interface ListKind {
  readonly listed: ListedKind;
  readonly flags: boolean;
}

/** Names that class loaders have in these reports. */
const LOADER = /^(?:null|app|platform|boot|err|[\w$.]{1,100}ClassLoader):/;
const METHOD = /^[^\s(.]{1,200}\.[^\s(]{1,450}\(/;
const METHOD_END = /\):\S{1,300}$/;
const DOTTED = /^(?:[\w$.]{1,100}:)?[\w$\u0080-\u00ff-]{1,200}(?:\.[\w$\u0080-\u00ff/+-]{1,200}){0,40}(?:\[\]){0,8}$/;
const TYPE = /(?:^|[.:])[A-Z][^.]{0,300}$|\$|\[\]$/;

const FLAGGED: readonly { readonly listed: ListedKind; readonly flags: RegExp; readonly name: RegExp }[] = [
  { listed: 'methods', flags: /\t[-ilxrvna]{7}$/, name: /^[^\t(]{1,900}\(/ },
  { listed: 'classes', flags: /\t[-ifar]{4}$/, name: /^[^\t]{1,400}\t/ },
  { listed: 'fields', flags: /\t[-rwfus]{5}$/, name: /^[^\t(:]{1,300}:[^\t(]{1,600}/ },
];

/** The kind that the head looks most like; undefined if it looks like none. */
export function listKindOf(head: Head): { readonly kind: ListKind; readonly guess: Guess } | undefined {
  const guesses = [
    ...FLAGGED.map(({ listed }) => ({ kind: { listed, flags: true }, guess: probeFlagged(head, listed) })),
    ...LISTED.map((listed) => ({ kind: { listed, flags: false }, guess: probePlain(head, listed) })),
  ];
  const best = guesses.reduce((a, b) => (b.guess.confidence > a.guess.confidence ? b : a));
  return best.guess.confidence > 0 ? best : undefined;
}

export function probeList(head: Head): Guess {
  return listKindOf(head)?.guess ?? NO_GUESS;
}

function probeFlagged(head: Head, listed: ListedKind): Guess {
  const shape = FLAGGED.find((each) => each.listed === listed);
  const lines = filledLines(head, 'keep', 200);
  if (shape === undefined || lines.length === 0) return NO_GUESS;
  const fits = lines.filter((line) => shape.flags.test(line.slice(-400)) && shape.name.test(line.slice(0, 1000)));
  return fits.length / lines.length >= 0.9
    ? { confidence: 0.9, because: `${listed} with flags after a tab on each line` }
    : NO_GUESS;
}

function probePlain(head: Head, listed: ListedKind): Guess {
  const lines = filledLines(head, 'keep', 500);
  if (listed === 'fields' || textOf(head).binary || lines.length === 0 || lines.some((line) => line.includes('\t')))
    return NO_GUESS;
  if (listed === 'methods') {
    const fits = lines.filter((line) => METHOD.test(line.slice(0, 500)) && METHOD_END.test(line.slice(-400)));
    return fits.length / lines.length >= 0.9
      ? { confidence: 0.85, because: 'Class.method(parameters):return on each line' }
      : NO_GUESS;
  }
  const types = share(lines, TYPE);
  if (share(lines, DOTTED) < 0.9 || (listed === 'classes' ? types < 0.5 : types >= 0.5)) return NO_GUESS;
  const because = `names of ${listed} on each line`;
  if (head.name.startsWith(`used_${listed}`))
    return { confidence: 0.85, because: `${because}, in a file of that name` };
  if (share(lines, LOADER) >= 0.9) return { confidence: 0.7, because: `${because}, after their class loader` };
  return share(lines, /\./) >= 0.9 && lines.length >= 10 ? { confidence: 0.2, because } : NO_GUESS;
}
