import type { Action } from './note.js';
import { type Phrase, plainText } from './phrase.js';

/** What an error has beside its text. */
export interface ErrorDetails {
  /** What fronts and programs tell it by; that of its class if absent. docs/notes.md lists them. */
  readonly code?: string | undefined;
  /** What the user can do; front ends print it on a line of its own. */
  readonly advice?: Phrase | undefined;
  /** The change of the question that mends it. */
  readonly action?: Action | undefined;
  /** Below the advice, a line each: what can be chosen, a text with a mark below a place. */
  readonly lines?: readonly string[] | undefined;
}

/** Everything Kansoku throws on purpose. `message` fits any front; those that spell parts of a question in their own way write `text`. */
export class KansokuError extends Error {
  /** Of errors of this class that have no code of their own. */
  static readonly code: string = 'failed';

  readonly code: string;
  readonly text: Phrase;
  readonly advice: Phrase | undefined;
  readonly action: Action | undefined;
  readonly lines: readonly string[];

  /** `details` may be the advice alone. */
  constructor(text: Phrase, details?: Phrase | ErrorDetails) {
    super(plainText(text));
    const { code, advice, action, lines = [] } = detailsOf(details);
    this.name = new.target.name;
    this.code = code ?? new.target.code;
    this.text = text;
    this.advice = advice;
    this.action = action;
    this.lines = lines;
  }
}

function detailsOf(details: Phrase | ErrorDetails = {}): ErrorDetails {
  return typeof details === 'string' || isList(details) ? { advice: details } : details;
}

function isList(details: Phrase | ErrorDetails): details is Exclude<Phrase, string> {
  return Array.isArray(details);
}

/** The question is invalid: an unknown option, a view this recording cannot answer. Exit code 2. */
export class UsageError extends KansokuError {
  static override readonly code: string = 'usage';
}

/** The recording (of a damaged one, the part that could be read) lacks the data to answer the question. */
export class MissingError extends UsageError {
  static override readonly code: string = 'missing';
}

/** A damaged recording cannot answer: what was asked for may be in the part that was lost. Exit code 4. */
export class DamagedError extends KansokuError {
  static override readonly code: string = 'damaged';
}

/** The answer needs more memory than the limit allows. Exit code 2. */
export class TooLargeError extends UsageError {
  static override readonly code: string = 'too-large';
}

/**
 * The input cannot be opened: missing, of an unknown kind, or of a kind that is recognised but not supported. Exit code
 * 3.
 */
export class UnreadableError extends KansokuError {
  static override readonly code: string = 'unreadable';
}

/** The input is of a known format, but nothing in it can be read. Exit code 3. */
export class FormatError extends KansokuError {
  static override readonly code: string = 'format';

  readonly format: string;
  readonly offset: number;

  constructor(details: FormatErrorDetails) {
    const { format, offset, advice } = details;
    const text =
      'text' in details
        ? details.text
        : `${format}: byte ${offset}: expected ${details.expected}, found ${details.found}`;
    super(text, { advice });
    this.format = format;
    this.offset = offset;
  }
}

type FormatErrorDetails = { readonly format: string; readonly offset: number } & Pick<ErrorDetails, 'advice'> &
  ({ readonly expected: string; readonly found: string } | { readonly text: Phrase });
