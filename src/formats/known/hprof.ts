/**
 * Binary HPROF and other heap dumps. The binary format is recognised by its header with a NUL; the text format, which
 * begins alike, has its own reader.
 */
import { type Guess, type Head, type KnownKind, NO_GUESS } from '../format.js';
import { textOf } from '../shared/head-text.js';
import { beginning, guess } from './marks.js';

function probeBinary(head: Head): Guess {
  const version = /^JAVA PROFILE (1\.0(?:\.[123])?)\0/.exec(head.text)?.[1];
  if (version !== undefined) return guess(1, `it begins with JAVA PROFILE ${version} and a NUL`);
  return probeUnknownVersion(head);
}

function probeUnknownVersion(head: Head): Guess {
  if (!/^JAVA PROFILE (?!1\.0(?:\.\d)?, created )/.test(textOf(head).text)) return NO_GUESS;
  return guess(0.4, 'it begins with JAVA PROFILE, then an unknown version or a truncated end');
}

export const HPROF_KINDS: readonly KnownKind[] = [
  {
    id: 'hprof-binary',
    title: 'binary HPROF dump',
    advice: 'Eclipse Memory Analyzer and VisualVM read such heap dumps.',
    probe: probeBinary,
  },
  beginning({
    id: 'phd',
    title: 'portable heap dump of IBM and OpenJ9 (PHD)',
    advice: 'Eclipse Memory Analyzer with IBM DTFJ reads it; it contains no field names or values.',
    starts: ['\0\u0012portable heap dump'],
    because: 'it begins with "portable heap dump"',
  }),
];
