/** Kinds of files that users of this field have, named for what they are until they have a reader. */
import { type Guess, type Head, type KnownKind, NO_GUESS } from '../format.js';

/** A kind that is told by the text or bytes at its start. */
function startsWith(id: string, title: string, start: RegExp, because: string): KnownKind {
  const probe = (head: Head): Guess => (start.test(head.text) ? { confidence: 1, because } : NO_GUESS);
  return { id, title, probe };
}

export const KNOWN_KINDS: readonly KnownKind[] = [
  startsWith('jfr', 'JDK Flight Recorder recording', /^FLR\0/, 'it begins with FLR'),
];
