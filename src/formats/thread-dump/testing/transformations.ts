/**
 * What happens to thread dumps on their way to a file: locales, terminals, editors, mails, logs and shells change them. Each
 * change leaves the content as it was.
 */
import { PREFIX_KINDS, prefixed } from '../../shared/testing/prefixes.js';

/** The order in which changes come upon a text: its program, a terminal or editor, a log, a mail, a file. */
const STAGES = ['program', 'lines', 'log', 'margin', 'file'] as const;
type Stage = (typeof STAGES)[number];

export interface Transformation {
  readonly name: string;
  readonly stage: Stage;
  /** Changes with the same subject exclude one another. */
  readonly subject: string;
  readonly apply: (text: string) => string;
}

/** Of changes in the file, as bytes. */
export type Encoder = (text: string) => Uint8Array;

const eachLine = (change: (line: string, number: number) => string) => (text: string) =>
  text.split('\n').map(change).join('\n');
const indentedBy = (blanks: string) => eachLine((line) => line.replace(/^[ \t]+(?=\S)/, blanks));
const insteadOfTabs = (blanks: string) => eachLine((line) => line.replace(/^\t/, blanks));

/** Breaks headers at a blank behind the name, as `fold -s` does. */
function wrapped(line: string, width: number): string {
  const name = /^"[^"]*" (?=#|daemon|prio|os_prio)/.exec(line)?.[0];
  if (name === undefined || line.length <= width) return line;
  const at = line.lastIndexOf(' ', Math.max(width, name.length + 10));
  return at <= name.length ? line : `${line.slice(0, at)}\n${line.slice(at + 1)}`;
}

const HEADING = /^Full thread dump /;
const LOGGER = '2026-01-01 10:00:00,000 INFO  [Watchdog] demo.Dumper - ';
const OTHER = '2026-01-01 10:00:01,000 INFO  [main] demo.App - next';

const entry = (line: string): string => JSON.stringify({ textPayload: line, timestamp: '2026-01-01T10:00:00Z' });

export const TRANSFORMATIONS: readonly Transformation[] = [
  {
    name: 'decimal commas',
    stage: 'program',
    subject: 'numbers',
    apply: (text) => text.replace(/\b(cpu|elapsed)=(\d+)\.(\d\d)(?=m?s )/g, '$1=$2,$3'),
  },
  {
    name: 'Arabic decimal signs',
    stage: 'program',
    subject: 'numbers',
    apply: (text) => text.replace(/\b(cpu|elapsed)=(\d+)\.(\d\d)(?=m?s )/g, '$1=$2\u066b$3'),
  },
  { name: 'eight blanks', stage: 'lines', subject: 'indentation', apply: insteadOfTabs('        ') },
  { name: 'one blank', stage: 'lines', subject: 'indentation', apply: insteadOfTabs(' ') },
  { name: 'no-break spaces', stage: 'lines', subject: 'indentation', apply: insteadOfTabs('\u00a0\u00a0\u202f') },
  { name: 'escaped tabs', stage: 'lines', subject: 'indentation', apply: insteadOfTabs('#011') },
  { name: 'no indentation', stage: 'lines', subject: 'indentation', apply: indentedBy('') },
  { name: 'two tabs', stage: 'lines', subject: 'indentation', apply: indentedBy('\t\t') },
  { name: 'blanks at ends taken off', stage: 'lines', subject: 'ends', apply: eachLine((line) => line.trimEnd()) },
  { name: 'blanks at ends', stage: 'lines', subject: 'ends', apply: eachLine((line) => `${line}  `) },
  { name: 'carriage returns at ends', stage: 'lines', subject: 'ends', apply: eachLine((line) => `${line}\r`) },
  { name: 'headers wrapped', stage: 'lines', subject: 'wrapping', apply: eachLine((line) => wrapped(line, 80)) },
  { name: 'headers wrapped late', stage: 'lines', subject: 'wrapping', apply: eachLine((line) => wrapped(line, 130)) },
  {
    name: 'double-spaced',
    stage: 'margin',
    subject: 'spacing',
    apply: (text) => text.replaceAll('\n', '\n\n'),
  },
  ...PREFIX_KINDS.map((kind) => ({
    name: `a log: ${kind.name}`,
    stage: 'log' as const,
    subject: 'log',
    apply: (text: string) => prefixed(text, kind),
  })),
  {
    name: 'a log with a prefix before the first line only',
    stage: 'log',
    subject: 'log',
    apply: (text) => {
      const lines = text.split('\n');
      const marked = lines.map((line) => (HEADING.test(line) ? LOGGER + line : line));
      return marked.length === lines.length && lines.some((line) => HEADING.test(line))
        ? `${marked.join('\n').replace(/\n+$/, '\n\n')}${OTHER}\n`
        : text;
    },
  },
  {
    name: 'a log as a JSON array',
    stage: 'log',
    subject: 'log',
    apply: (text) => `[\n ${text.replace(/\n$/, '').split('\n').map(entry).join(',\n ')}\n]\n`,
  },
  {
    name: 'four blanks before all lines',
    stage: 'margin',
    subject: 'margin',
    apply: eachLine((line) => `    ${line}`),
  },
  {
    name: 'a mail',
    stage: 'margin',
    subject: 'margin',
    apply: eachLine((line) => (line === '' ? '>' : `> ${line}`)),
  },
  { name: 'an answer to a mail', stage: 'margin', subject: 'margin', apply: eachLine((line) => `> > ${line}`) },
  { name: 'CR LF', stage: 'file', subject: 'line ends', apply: (text) => text.replaceAll('\n', '\r\n') },
  { name: 'CR', stage: 'file', subject: 'line ends', apply: (text) => text.replaceAll('\n', '\r') },
];

const swapped = (bytes: Buffer): Uint8Array => bytes.swap16();

/** Encodings of the file; the first is the usual one. */
export const ENCODINGS: readonly { readonly name: string; readonly encode: Encoder }[] = [
  { name: 'UTF-8', encode: (text) => Buffer.from(text) },
  { name: 'UTF-8 with a mark', encode: (text) => Buffer.from(`\ufeff${text}`) },
  { name: 'UTF-16 without a mark', encode: (text) => Buffer.from(text, 'utf16le') },
  { name: 'UTF-16, other order, without a mark', encode: (text) => swapped(Buffer.from(text, 'utf16le')) },
  { name: 'UTF-16 with a mark', encode: (text) => Buffer.from(`\ufeff${text}`, 'utf16le') },
];

/** Pairs of changes with different subjects, in the order of their stages. */
export function transformationPairs(): (readonly [Transformation, Transformation])[] {
  return TRANSFORMATIONS.flatMap((first, i) =>
    TRANSFORMATIONS.flatMap((second, j) => {
      const before = STAGES.indexOf(first.stage) < STAGES.indexOf(second.stage);
      const sameStage = first.stage === second.stage && i < j;
      return first.subject !== second.subject && (before || sameStage) ? [[first, second] as const] : [];
    }),
  );
}
