/** Recognises V8's sampling heap profiles by the shape of their nodes. */
import { type Guess, type Head, NO_GUESS } from '../capabilities/probe.js';
import { outlineOf } from '../shared/json-outline.js';

export function probeHeapProfile(head: Head): Guess {
  const { root, marks } = outlineOf(head);
  if (root !== 'object' || marks.get('head/callFrame')?.kind !== 'object') return NO_GUESS;
  const isSized = marks.has('head/selfSize') || marks.has('head/children');
  return { confidence: isSized ? 1 : 0.6, because: 'a tree below head with callFrame and selfSize' };
}
