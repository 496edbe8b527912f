/**
 * HPROF and other heap dumps. The binary format is named by its heading with a NUL, the text by the same heading with a
 * date, the table of `cpu=old` (which has no heading) by its column names and the shape of its rows.
 */
import { type Guess, type Head, type KnownKind, NO_GUESS } from '../format.js';
import { filledLines, share, textOf } from '../head-text.js';
import { beginning, guess, surest } from './marks.js';

function probeBinary(head: Head): Guess {
  const version = /^JAVA PROFILE (1\.0(?:\.[123])?)\0/.exec(head.text)?.[1];
  if (version !== undefined) return guess(1, `it begins with JAVA PROFILE ${version} and a NUL`);
  return probeUnknownVersion(head);
}

function probeUnknownVersion(head: Head): Guess {
  if (!/^JAVA PROFILE /.test(textOf(head).text)) return NO_GUESS;
  return guess(0.4, 'it begins with JAVA PROFILE, then a version that is not known or a cut end');
}

const SECTION = /^(?:SITES|CPU SAMPLES|CPU TIME \(ms\)|MONITOR TIME|HEAP DUMP) BEGIN \(/;
const TRACE = /^TRACE \d{1,10}:/;

function probeText(head: Head): Guess {
  const { text, lines } = textOf(head);
  const version = /^JAVA PROFILE (1\.0(?:\.\d)?), created /.exec(text)?.[1];
  if (version !== undefined) return guess(1, `it begins with JAVA PROFILE ${version} and a date`);
  const first = filledLines(head, 'keep', 1)[0] ?? '';
  const headless = SECTION.test(first) || TRACE.test(first) || /^THREAD START \(obj=/.test(first);
  if (headless) return guess(0.6, `its heading is missing, but it begins with ${first.slice(0, 40)}`);
  const section = lines.find((line) => SECTION.test(line));
  const partial = section === undefined ? NO_GUESS : guess(0.3, `it has a line ${section.slice(0, 40)}`);
  return surest(probeUnknownVersion(head), partial);
}

const OLD_ROW = /^\d{1,19} \S{1,250}\(\S{0,250} \S{1,400}/;

function probeCpuOld(head: Head): Guess {
  const [heading, ...rows] = filledLines(head, 'keep', 50);
  if (heading?.trim() !== 'count callee caller time') return NO_GUESS;
  if (rows.length > 0 && share(rows, OLD_ROW) < 0.5) return guess(0.4, 'its first line is that of an old profile');
  return guess(1, 'its first line is "count callee caller time", without the heading of other HPROF files');
}

export const HPROF_KINDS: readonly KnownKind[] = [
  {
    id: 'hprof-binary',
    title: 'binary HPROF dump',
    advice: 'Eclipse Memory Analyzer and VisualVM read such heap dumps.',
    probe: probeBinary,
  },
  {
    id: 'hprof-text',
    title: 'HPROF text file (java.hprof.txt)',
    article: 'an',
    advice: 'It is plain text: the sections SITES, CPU SAMPLES and CPU TIME can be read as they are.',
    probe: probeText,
  },
  {
    id: 'hprof-cpu-old',
    title: 'HPROF call table (cpu=old)',
    article: 'an',
    advice: 'It is plain text: calls, callee, caller and milliseconds in each line.',
    probe: probeCpuOld,
  },
  beginning({
    id: 'phd',
    title: 'portable heap dump of IBM and OpenJ9 (PHD)',
    advice: 'Eclipse Memory Analyzer with IBM DTFJ reads it; it holds no field names and no values.',
    starts: ['\0\u0012portable heap dump'],
    because: 'it begins with "portable heap dump"',
  }),
];
