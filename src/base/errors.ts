/** Everything Kansoku throws on purpose. `advice` says what the user can do; front ends print it on a line of its own. */
export class KansokuError extends Error {
  readonly advice: string | undefined;

  constructor(message: string, advice?: string) {
    super(message);
    this.name = new.target.name;
    this.advice = advice;
  }
}

/** The question is invalid: an unknown option, a view this recording cannot answer. Exit code 2. */
export class UsageError extends KansokuError {}

/** The recording (of a damaged one, the part that could be read) lacks the data to answer the question. */
export class MissingError extends UsageError {}

/** A damaged recording cannot answer: what was asked for may be in the part that was lost. Exit code 4. */
export class DamagedError extends KansokuError {}

/** The answer needs more memory than the limit allows. Exit code 2. */
export class TooLargeError extends UsageError {}

/**
 * The input cannot be opened: missing, of an unknown kind, or of a kind that is recognised but not supported. Exit code
 * 3.
 */
export class UnreadableError extends KansokuError {}

/** The input is of a known format, but nothing in it can be read. Exit code 3. */
export class FormatError extends KansokuError {
  readonly format: string;
  readonly offset: number;

  constructor(details: { format: string; offset: number; expected: string; found: string; advice?: string }) {
    super(
      `${details.format}: byte ${details.offset}: expected ${details.expected}, found ${details.found}`,
      details.advice,
    );
    this.format = details.format;
    this.offset = details.offset;
  }

  /** The error that another thread sent, with its message. */
  static received(
    message: string,
    place: { readonly format: string; readonly offset: number },
    advice?: string,
  ): FormatError {
    const error = new FormatError({ ...place, expected: '', found: '', ...(advice !== undefined && { advice }) });
    error.message = message;
    return error;
  }
}
