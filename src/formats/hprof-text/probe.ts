/**
 * HPROF text is named by its heading, or by its records where the heading is missing; the table of `cpu=old`, which has
 * no heading, by its column names and the shape of its rows.
 */
import { type Guess, type Head, NO_GUESS } from '../capabilities/probe.js';
import { filledLines, share, textOf } from '../shared/head-text.js';

const SECTION = /^(?:SITES|CPU SAMPLES|CPU TIME \(ms\)|MONITOR TIME|HEAP DUMP) BEGIN \(/;
const TRACE = /^TRACE \d{1,10}:/;
const OLD_ROW = /^\d{1,19} \S{1,250}\(\S{0,250} \S{1,400}/;

export function probeHprofText(head: Head): Guess {
  const { plainLines } = textOf(head);
  const version = /^JAVA PROFILE (1\.0(?:\.\d)?), created /.exec(plainLines[0] ?? '')?.[1];
  if (version !== undefined) return { confidence: 1, because: `it begins with JAVA PROFILE ${version} and a date` };
  const old = probeOld(head);
  if (old.confidence > 0) return old;
  const first = filledLines(head, 'keep', 1, 'drop')[0] ?? '';
  const headless =
    SECTION.test(first) || TRACE.test(first) || /^THREAD START \(obj=/.test(first) || first === 'MONITOR DUMP BEGIN';
  if (headless) return { confidence: 0.6, because: `its header is missing, but it begins with ${first.slice(0, 40)}` };
  const section = plainLines.find((line) => SECTION.test(line));
  if (section !== undefined) return { confidence: 0.3, because: `it has a line ${section.slice(0, 40)}` };
  return NO_GUESS;
}

function probeOld(head: Head): Guess {
  const [heading, ...rows] = filledLines(head, 'keep', 50, 'drop');
  if (heading?.trim() !== 'count callee caller time') return NO_GUESS;
  if (rows.length > 0 && share(rows, OLD_ROW) < 0.5)
    return { confidence: 0.4, because: 'its first line is that of an old profile' };
  return {
    confidence: 1,
    because: 'its first line is "count callee caller time", without the header of other HPROF files',
  };
}
