/** Remarks about a result as data: fronts place, link, fold and test them by their code. docs/notes.md lists the codes. */
import {
  type InputName,
  type OptionValue,
  type Phrase,
  phrase,
  plainText,
  type TransformReference,
  type ViewReference,
} from './phrase.js';

/** A remark about a result, or about numbers of a recording. */
export interface Note {
  /** Stays the same when the text is worded otherwise. */
  readonly code: string;
  readonly text: Phrase;
  readonly about?: About;
  readonly action?: Action;
}

/** What a note is about, if it is not the whole result. */
export interface About {
  /** Key of a column. */
  readonly column?: string;
  /** Name of a recording. */
  readonly recording?: string;
}

/** A change of the question that follows a note or mends an error. All parts belong together. */
export interface Action {
  /** Options with their new values. */
  readonly set?: Readonly<Record<string, OptionValue>>;
  /** Options whose values a person chooses. */
  readonly choose?: readonly string[];
  /** Options to leave out. */
  readonly omit?: readonly string[];
  /** Kinds of scope steps whose values a person chooses. */
  readonly addSteps?: readonly string[];
  /** A step to add to the scope, complete. */
  readonly addStep?: { readonly kind: string } & Readonly<Record<string, unknown>>;
  /** Kinds of scope steps to leave out. */
  readonly omitSteps?: readonly string[];
  /** Another number of rows; 0 for all. */
  readonly limit?: number;
  /** What a person gives when the recordings are opened again. */
  readonly give?: readonly InputName[];
  /** Another question. */
  readonly ask?: ViewReference;
  /** A file to write. */
  readonly write?: TransformReference;
}

export function note(code: string, text: Phrase, more: Omit<Note, 'code' | 'text'> = {}): Note {
  return { code, text, ...more };
}

/** The note with a text before its own, such as the side of a comparison that it is about. */
export function withPrefix(before: string, { text, ...rest }: Note): Note {
  return { ...rest, text: phrase`${before}${text}` };
}

/** Notes that none of the others says, too. */
export function notesBeside(notes: readonly Note[], others: readonly Note[]): Note[] {
  const texts = new Set(others.map(({ text }) => JSON.stringify(text)));
  return notes.filter(({ text }) => !texts.has(JSON.stringify(text)));
}

/** The texts of notes in words that fit any front. */
export function plainNotes(notes: readonly Note[]): string[] {
  return notes.map(({ text }) => plainText(text));
}
