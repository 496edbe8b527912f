/** JFR is recognised by the head of its first chunk. */
import { type Guess, type Head, NO_GUESS } from '../capabilities/probe.js';

/** How each chunk begins. */
export const MAGIC = 'FLR\0';

export function probeJfr(head: Head): Guess {
  if (!head.text.startsWith(MAGIC)) return NO_GUESS;
  if (head.bytes.length < 8) return { confidence: 0.9, because: 'it begins with FLR and ends there' };
  const major = (head.bytes[4] << 8) | head.bytes[5];
  const minor = (head.bytes[6] << 8) | head.bytes[7];
  // Version 0 is another format, of Oracle's JDK 7 and 8.
  if (major === 0) return NO_GUESS;
  const state = head.bytes[64];
  const unfinished = state === undefined || state === 0 ? '' : ', the first one incomplete';
  return { confidence: 1, because: `it begins with FLR, chunks of version ${major}.${minor}${unfinished}` };
}
