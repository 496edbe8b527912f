/** Recorded JVMPI streams are recognised by their first bytes. */
import { type Guess, type Head, NO_GUESS } from '../capabilities/probe.js';
import { FILE_MAGIC } from './stream/file.js';

export function probeJvmpi(head: Head): Guess {
  if (!head.text.startsWith(FILE_MAGIC)) return NO_GUESS;
  return { confidence: 1, because: `it begins with ${FILE_MAGIC}` };
}
