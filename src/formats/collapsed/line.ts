/**
 * The parts of a line of collapsed stacks: `frame;frame;frame COUNT`, or `… BEFORE AFTER` in differential files.
 * Exactly one space or tab belongs to a count; anything before it is part of the leaf's name.
 */
const BLANK = 0x20;
const TAB = 9;
const ZERO = 0x30;
const HASH = 0x23;
const SLASH = 0x2f;

const latin1 = new TextDecoder('latin1');
const NUMBER = /^-?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?$/;
/** Longer digit strings are not numbers. */
const LONGEST_NUMBER = 400;

/** A comment of our writer: only the last number is a count, others belong to names. */
export const ONE_COUNT = '# one count a line';

/** Takes counts from the ends of lines; holds the last ones taken. */
export class CountScanner {
  /** The last count, and the one before it in a differential file. */
  count = 0;
  base = 0;

  /** End of the stack in the line; -1 if no count follows it. */
  take(bytes: Uint8Array, from: number, to: number, differential: boolean): number {
    const end = trimmedEnd(bytes, from, to);
    const stack = this.#number(bytes, from, end);
    if (stack < 0) return -1;
    this.count = this.#value;
    if (!differential) return stack;
    const before = this.#number(bytes, from, stack);
    this.base = this.#value;
    return before;
  }

  #value = 0;

  /** The number that ends at `end`: returns the end of the text before its separator, -1 if there is none. */
  #number(bytes: Uint8Array, from: number, end: number): number {
    let at = end;
    let value = 0;
    let scale = 1;
    let digit = at > from ? bytes[at - 1] - ZERO : -1;
    while (digit >= 0 && digit <= 9) {
      value += digit * scale;
      scale *= 10;
      digit = --at > from ? bytes[at - 1] - ZERO : -1;
    }
    const before = at > from ? bytes[at - 1] : -1;
    if (at === end || end - at > 15 || (before !== BLANK && before !== TAB)) return this.#unusual(bytes, from, end);
    this.#value = value;
    return at - 1;
  }

  #unusual(bytes: Uint8Array, from: number, end: number): number {
    let at = end;
    while (at > from && bytes[at - 1] !== BLANK && bytes[at - 1] !== TAB && end - at < LONGEST_NUMBER) at--;
    if (at === from || at === end || (bytes[at - 1] !== BLANK && bytes[at - 1] !== TAB)) return -1;
    const text = latin1.decode(bytes.subarray(at, end));
    if (!NUMBER.test(text) || !Number.isFinite(Number(text))) return -1;
    this.#value = Number(text);
    return at - 1;
  }
}

/** End of the line without trailing blanks. */
export function trimmedEnd(bytes: Uint8Array, from: number, to: number): number {
  let end = to;
  while (end > from && (bytes[end - 1] === BLANK || bytes[end - 1] === TAB || bytes[end - 1] === 13)) end--;
  return end;
}

export function isComment(bytes: Uint8Array, from: number, to: number): boolean {
  return bytes[from] === HASH ? from < to : bytes[from] === SLASH && bytes[from + 1] === SLASH && from + 1 < to;
}

/**
 * Whether the lines at the start of a file all end in two numbers: then it is differential. `whole` is false if the
 * last line may be truncated.
 */
export function isDifferential(bytes: Uint8Array, whole: boolean): boolean {
  const scanner = new CountScanner();
  let seen = false;
  for (let from = 0; from < bytes.length; ) {
    const feed = bytes.indexOf(10, from);
    if (feed < 0 && !whole && seen) break;
    const to = feed < 0 ? bytes.length : feed;
    const end = trimmedEnd(bytes, from, to);
    if (isComment(bytes, from, to)) {
      if (latin1.decode(bytes.subarray(from, end)) === ONE_COUNT) return false;
    } else if (end > from && scanner.take(bytes, from, to, false) >= 0) {
      if (scanner.take(bytes, from, to, true) < 0) return false;
      seen = true;
    }
    from = to + 1;
  }
  return seen;
}
