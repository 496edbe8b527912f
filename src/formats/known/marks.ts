/** Shared by the probes of all families: wording of guesses, and tables of fixed beginnings. */
import type { Phrase } from '../../base/phrase.js';
import { type Guess, type Head, NO_GUESS } from '../capabilities/probe.js';
import type { KnownKind } from '../format.js';

export function guess(confidence: number, because: string): Guess {
  return { confidence, because };
}

/** A kind that is certain from its first bytes (one character per byte). */
export interface KindMark {
  readonly id: string;
  readonly title: string;
  readonly article?: 'a' | 'an' | '';
  readonly advice?: Phrase;
  readonly lists?: NonNullable<KnownKind['lists']>;
  readonly starts: readonly string[];
  readonly because: string;
}

export function beginning(row: KindMark): KnownKind {
  const { starts, because, ...kind } = row;
  return {
    ...kind,
    probe: (head: Head): Guess => (starts.some((start) => head.text.startsWith(start)) ? guess(1, because) : NO_GUESS),
  };
}
