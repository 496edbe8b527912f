/**
 * Reports of GraalVM Native Image in text: trees, lists, traces. The lists have no header: they are recognised by the
 * shape of all lines, and common shapes (dotted names) only together with the report's file name.
 */
import { type Guess, type Head, type KnownKind, NO_GUESS } from '../format.js';
import { filledLines, share, textOf } from '../shared/head-text.js';
import { guess } from './marks.js';

/** `─ ` before a node, as UTF-8 read byte by byte, decoded, or written as `?` by builds without UTF-8. */
const GLYPH = String.raw`(?:\u00e2\u0094\u0080|\u2500|\?) `;
const CALL = new RegExp(
  `${GLYPH}(?:entry|directly calls|virtually calls|interfacially calls|is overridden by|is implemented by) \\S`,
);
const CALL_END = / (?:id=|id-ref=|@bci=)-?\d/;
const OBJECT = new RegExp(`${GLYPH}\\S`);
const OBJECT_END = / (?:toString=|value:|id=\d|id-ref=\d)|value=null|toString=/;

/** Share of the lines with `start` in the first 1,000 characters and `end` in the last 400. */
function shareOf(lines: readonly string[], start: RegExp, end: RegExp): number {
  if (lines.length === 0) return 0;
  return lines.filter((line) => end.test(line.slice(-400)) && start.test(line.slice(0, 1000))).length / lines.length;
}

function probeCallTree(head: Head): Guess {
  const lines = filledLines(head, 'keep', 200);
  if (lines[0]?.trim() === 'VM Entry Points') return guess(1, 'its first line is "VM Entry Points"');
  const part = shareOf(lines, CALL, CALL_END);
  const because = 'tree lines with entry, directly calls, virtually calls';
  return part >= 0.5 ? guess(0.85, because) : part > 0 ? guess(0.3, `a few ${because}`) : NO_GUESS;
}

function probeObjectTree(head: Head): Guess {
  const lines = filledLines(head, 'keep', 200);
  if (lines[0]?.trim() === 'Heap roots') return guess(1, 'its first line is "Heap roots"');
  if (lines.some((line) => CALL.test(line.slice(0, 1000)))) return NO_GUESS;
  const part = shareOf(lines, OBJECT, OBJECT_END);
  const because = 'tree lines with toString= and value:';
  return part >= 0.5 ? guess(0.8, because) : part > 0.05 ? guess(0.3, `a few ${because}`) : NO_GUESS;
}

function probeHeapHistogram(head: Head): Guess {
  const [first, second] = filledLines(head, 'keep', 2);
  if (first?.trim() !== 'Heap histogram') return NO_GUESS;
  return second?.trim() === 'Count Class'
    ? guess(1, 'columns Count and Class')
    : guess(0.4, 'the heading Heap histogram');
}

const TRACES = [
  { what: 'types', first: /^Type \S{1,400} is marked as (?:instantiated|reachable|allocated)$/ },
  { what: 'methods', first: /^Method \S.{1,400} is (?:called|intrinsic)$/ },
  { what: 'fields', first: /^Field \S{1,400} is (?:written|read|accessed unsafely|folded)$/ },
] as const;

function probeTrace(head: Head): Guess {
  const [first, second] = filledLines(head, 'keep', 2).map((line) => line.trimEnd());
  const trace = TRACES.find((candidate) => candidate.first.test((first ?? '').slice(0, 500)));
  if (trace === undefined) return NO_GUESS;
  const reason = /^\s{0,40}(?:at |scanning |type |field |str: |root |\u00e2\u0094|\u251c|\u2514|[\w$.]{1,200}@)/.test(
    second ?? '',
  );
  return guess(reason ? 0.95 : 0.4, `it says why ${trace.what} are reachable: "${(first ?? '').slice(0, 80)}"`);
}

/** Names that class loaders have in these reports. */
const LOADER = /^(?:null|app|platform|boot|err|[\w$.]{1,100}ClassLoader):/;
const METHOD = /^[^\s(.]{1,200}\.[^\s(]{1,450}\(/;
const DOTTED = /^(?:[\w$.]{1,100}:)?[\w$\u0080-\u00ff-]{1,200}(?:\.[\w$\u0080-\u00ff/+-]{1,200}){0,40}(?:\[\]){0,8}$/;
const TYPE = /(?:^|[.:])[A-Z][^.]{0,300}$|\$|\[\]$/;

interface ListKind {
  readonly word: 'methods' | 'classes' | 'packages';
}

/** The lines of a used_* list, or undefined if a line does not fit. */
function listLines(head: Head): string[] | undefined {
  const { binary } = textOf(head);
  const lines = filledLines(head, 'keep', 500);
  return binary || lines.length === 0 || lines.some((line) => line.includes('\t')) ? undefined : lines;
}

function probeUsed({ word }: ListKind): (head: Head) => Guess {
  return (head) => {
    const lines = listLines(head);
    if (lines === undefined) return NO_GUESS;
    const named = head.name.startsWith(`used_${word}`);
    if (word === 'methods') {
      const returns = lines.filter((line) => METHOD.test(line.slice(0, 500)) && /\):\S{1,300}$/.test(line.slice(-400)));
      const because = 'Class.method(parameters):return on each line';
      return returns.length / lines.length >= 0.9 ? guess(0.85, because) : NO_GUESS;
    }
    if (share(lines, DOTTED) < 0.9) return NO_GUESS;
    const loaded = share(lines, LOADER) >= 0.9;
    const types = share(lines, TYPE);
    const fits = word === 'classes' ? types >= 0.5 : types < 0.5;
    if (!fits) return NO_GUESS;
    const because = `names of ${word} on each line`;
    if (named) return guess(0.85, `${because}, in a file of that name`);
    if (loaded) return guess(0.7, `${because}, after their class loader`);
    return share(lines, /\./) >= 0.9 && lines.length >= 10 ? guess(0.2, because) : NO_GUESS;
  };
}

const REACHABLE = {
  methods: { flags: /\t[-ilxrvna]{7}$/, name: /^[^\t(]{1,900}\(/ },
  types: { flags: /\t[-ifar]{4}$/, name: /^[^\t]{1,400}\t/ },
  fields: { flags: /\t[-rwfus]{5}$/, name: /^[^\t(:]{1,300}:[^\t(]{1,600}/ },
} as const;

function probeReachable(word: keyof typeof REACHABLE): (head: Head) => Guess {
  const { flags, name } = REACHABLE[word];
  return (head) => {
    const lines = filledLines(head, 'keep', 200);
    const part = shareOf(lines, name, flags);
    return part >= 0.9 ? guess(0.9, `${word} with flags after a tab on each line`) : NO_GUESS;
  };
}

const PLAIN = 'It is plain text, sorted: `diff` of two builds shows what was added and removed.';
const used = (word: ListKind['word']): KnownKind => ({
  id: `used-${word}`,
  title: `list of used ${word} (GraalVM Native Image)`,
  advice: PLAIN,
  probe: probeUsed({ word }),
});
const reachable = (word: keyof typeof REACHABLE): KnownKind => ({
  id: `reachable-${word}`,
  title: `list of reachable ${word} with flags`,
  advice: PLAIN,
  probe: probeReachable(word),
});

export const POINTS_TO_KINDS: readonly KnownKind[] = [
  {
    id: 'call-tree-text',
    title: 'GraalVM call tree report',
    advice: 'It is plain text; -H:PrintAnalysisCallTreeType=CSV writes the same data as tables.',
    probe: probeCallTree,
  },
  {
    id: 'object-tree',
    title: 'GraalVM image object tree report',
    advice: 'It is plain text: roots, then objects below them.',
    probe: probeObjectTree,
  },
  used('methods'),
  used('classes'),
  used('packages'),
  {
    id: 'image-heap-histogram',
    title: 'histogram of the image heap (GraalVM Native Image)',
    advice: 'It is plain text: objects by class.',
    probe: probeHeapHistogram,
  },
  {
    id: 'reachability-trace',
    title: 'reachability trace of GraalVM Native Image',
    advice: 'It is plain text: each line gives the reason why the line above is reachable.',
    probe: probeTrace,
  },
  reachable('methods'),
  reachable('types'),
  reachable('fields'),
];
