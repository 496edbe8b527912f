/** Binary HPROF is recognised by its first bytes; the text format begins alike, but has no NUL there. */
import { type Guess, type Head, NO_GUESS } from '../capabilities/probe.js';
import { textOf } from '../shared/head-text.js';

export function probeHprof(head: Head): Guess {
  const version = /^JAVA PROFILE (1\.0(?:\.[123])?)\0/.exec(head.text)?.[1];
  if (version !== undefined) return { confidence: 1, because: `it begins with JAVA PROFILE ${version} and a NUL` };
  if (/^JAVA PROFILE (?!1\.0(?:\.\d)?, created )/.test(textOf(head).text))
    return { confidence: 0.4, because: 'it begins with JAVA PROFILE, then an unknown version or a truncated end' };
  return probePart(head);
}

/** `x.hprof.p0`: HotSpot writes the segments of a dump into such files first. They have no head. */
function probePart({ name, bytes }: Head): Guess {
  const named = /\.p\d{1,4}$/.test(name);
  const begins = bytes.length > 9 && bytes[0] === 0x1c && bytes[1] + bytes[2] + bytes[3] + bytes[4] === 0;
  if (!named || !begins) return NO_GUESS;
  return {
    confidence: 0.8,
    because: 'it begins with a HEAP DUMP SEGMENT, and its name ends as those of parts of dumps',
  };
}
