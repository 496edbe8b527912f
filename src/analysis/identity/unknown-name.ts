/** The error for a name of a function, thread or class that nothing has. */
import { UsageError } from '../../base/errors.js';
import type { Action } from '../../base/note.js';
import { closestName } from '../../base/parsing/closest-name.js';
import { type Phrase, phrase } from '../../base/phrase.js';

/** Closest names that an error has. */
const MOST_NAMES = 3;

interface UnknownName {
  /** What has the names. */
  readonly noun: string;
  readonly text: string;
  readonly names: readonly string[];
  readonly action?: Action;
}

/** The error for a text that no name is, or matches, with the closest ones; `place` says where it was given. */
export function unknownNameError(place: Phrase, { noun, text, names, action }: UnknownName): UsageError {
  return new UsageError(phrase`${place}: no ${noun} has this name, and none matches`, {
    code: 'no-such-name',
    advice: closestAdvice(text, names),
    ...(action && { action }),
  });
}

/** The advice with the names nearest to a text; undefined if none is near. */
export function closestAdvice(text: string, names: readonly string[]): string | undefined {
  const nearest = closestNames(text, names);
  return nearest.length === 0 ? undefined : `Did you mean ${nearest.join(', ')}?`;
}

/** The names nearest to a text, the nearest first: whole names, and what is behind their last dot. */
function closestNames(text: string, names: readonly string[]): string[] {
  const nearest: string[] = [];
  const rest = new Map<string, string>();
  for (const name of names) {
    rest.set(name, name);
    const last = name.slice(name.lastIndexOf('.') + 1);
    if (!rest.has(last)) rest.set(last, name);
  }
  while (nearest.length < MOST_NAMES) {
    const word = closestName(text, rest.keys());
    if (word === undefined) break;
    const name = rest.get(word) ?? word;
    if (!nearest.includes(name)) nearest.push(name);
    rest.delete(word);
  }
  return nearest;
}
