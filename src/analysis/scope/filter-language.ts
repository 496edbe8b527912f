/**
 * The language of `--filter`: which values the fields of an event must have.
 *
 *   expression  = all { "or" all }            all = one { "and" one }
 *   one         = "not" one | "(" expression ")" | field operator value
 *   operator    = "=" | "!=" | "<" | "<=" | ">" | ">=" | "~" | "!~"       (also "==", "&&", "||", "!")
 *   field       = name | `name with spaces`
 *   value       = number [unit] | word | 'text' | "text" | null | /pattern/flags   (patterns after ~ and !~)
 *
 * A field is named by its key or title. `a != b` is `not a = b`, and `a !~ b` is `not a ~ b`. A comparison with an unknown
 * value is false; `a = null` is true for unknown values. The text is data: nothing of it is evaluated.
 */
import { dictionary } from '../../base/dictionary.js';
import { UsageError } from '../../base/errors.js';
import { doubleAndRest } from '../../base/exact-integers.js';
import { type OperatorDialect, type OperatorLevel, parseOperators } from '../../base/parsing/operator-parser.js';
import { phrase, theStep } from '../../base/phrase.js';
import type { Unit } from '../../base/units.js';

export type Filter =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Filter[] }
  | { readonly kind: 'not'; readonly part: Filter }
  | Comparison;

export interface Comparison {
  readonly kind: 'compare';
  readonly field: string;
  readonly operator: '=' | '<' | '<=' | '>' | '>=' | '~';
  readonly value: FilterValue;
  /** Where the field is in the text, and where the value is; from 0. */
  readonly at: number;
  readonly valueAt: number;
}

export type FilterValue =
  /**
   * `text` is what was written, for fields that are texts; `unit` is that of a number with a unit; `rest` is added to the double of an
   * integer with more digits.
   */
  | {
      readonly kind: 'number';
      readonly number: number;
      readonly rest: number;
      readonly unit: Unit | undefined;
      readonly text: string;
    }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'pattern'; readonly pattern: RegExp; readonly text: string }
  | { readonly kind: 'unknown' };

/** Longer expressions, and deeper ones, are refused. */
const LONGEST = 20_000;
const DEEPEST = 100;

/** An expression, and the kind of the step that it is in. */
export interface FilterText {
  readonly text: string;
  readonly step: 'filter' | 'during';
}

/** Reads an expression. Throws `UsageError` with the place of a mistake. */
export function parseFilter(expression: FilterText): Filter {
  if (expression.text.length > LONGEST)
    throw new UsageError(phrase`${theStep(expression.step)} is longer than ${LONGEST} characters`, {
      code: 'filter-too-long',
    });
  return parseOperators(new FilterDialect(expression));
}

/** An error at a place of an expression, from 0; shown with a mark below the place. */
export function filterError({ text, step }: FilterText, at: number, message: string): UsageError {
  const from = Math.max(0, at - SHOWN);
  const shown = text.slice(from, at + SHOWN).replace(/[\n\r\t]/g, ' ');
  return new UsageError(phrase`${theStep(step)}, character ${at + 1}: ${message}`, {
    code: 'filter-mistake',
    lines: [shown, `${' '.repeat(at - from)}^`],
  });
}

/** Characters of an expression shown before and after a mistake. */
const SHOWN = 60;

/** Names of units, with their size in the unit of the house. */
export const UNIT_NAMES = dictionary<readonly [Unit, number]>({
  ns: ['ns', 1],
  us: ['ns', 1e3],
  µs: ['ns', 1e3],
  ms: ['ns', 1e6],
  s: ['ns', 1e9],
  min: ['ns', 60e9],
  h: ['ns', 3600e9],
  B: ['bytes', 1],
  KB: ['bytes', 1e3],
  MB: ['bytes', 1e6],
  GB: ['bytes', 1e9],
  TB: ['bytes', 1e12],
  KiB: ['bytes', 2 ** 10],
  MiB: ['bytes', 2 ** 20],
  GiB: ['bytes', 2 ** 30],
  TiB: ['bytes', 2 ** 40],
  '%': ['ratio', 0.01],
});

const NUMBER = /([-+]?(?:0[xX][0-9a-fA-F]+|(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][-+]?\d+)?))\s*(%|[A-Za-zµ]+)?/y;
const WORD = /[\p{L}_$<[][^\s()=!<>~'"`&|]*/uy;
/** A value without quotes: a path, an address, a time. */
const BARE = /[^\s()=!<>~'"`&|]+/uy;
/** What goes on behind a number that is none: `127.0.0.1`, `3fa9c`, `8:30`. A unit has letters only. */
const NO_NUMBER = /[.:/\\,;@#+*?-]|[\p{L}_]*[\p{N}.:/\\,;@#+*?-]/uy;
const QUOTED = /'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"/sy;
const PATTERN = /\/((?:[^/\\\n]|\\.)+)\/([a-z]*)/y;
const TITLE = /`([^`]+)`/y;
const FIELD = /[\p{L}_$][\p{L}\p{N}_$.]*/uy;
const OPERATOR = /==|!=|!~|<=|>=|[=<>~]/y;
/** Operators between comparisons, and before them. */
const SIGNS = {
  or: /or(?![\p{L}\p{N}_$.])|\|\|/iuy,
  and: /and(?![\p{L}\p{N}_$.])|&&/iuy,
  not: /not(?![\p{L}\p{N}_$.])|!/iuy,
  '(': /\(/y,
  ')': /\)/y,
} as const;
type Sign = keyof typeof SIGNS;

const joins = (sign: 'and' | 'or'): OperatorLevel<Filter, Sign> => ({
  kind: 'joins',
  sign,
  node: (parts) => ({ kind: sign, parts }),
});

class FilterDialect implements OperatorDialect<Filter, Sign> {
  readonly levels = [joins('or'), joins('and')];
  readonly prefixes = ['not'] as const;
  readonly brackets = ['(', ')'] as const;
  readonly deepest = DEEPEST;
  readonly expected = {
    end: 'expected `and`, `or` or the end',
    close: 'expected `)`',
    depth: `more than ${DEEPEST} brackets and \`not\` within each other`,
  };
  readonly #expression: FilterText;
  readonly #text: string;
  #at = 0;

  constructor(expression: FilterText) {
    this.#expression = expression;
    this.#text = expression.text;
  }

  place(): number {
    this.#space();
    return this.#at;
  }

  isEnd(): boolean {
    return this.place() >= this.#text.length;
  }

  take(signs: readonly Sign[]): Sign | undefined {
    return signs.find((sign) => this.#match(SIGNS[sign]) !== undefined);
  }

  prefixed(_: Sign, part: Filter): Filter {
    return { kind: 'not', part };
  }

  /** A comparison. */
  operand(): Filter {
    this.#space();
    const at = this.#at;
    const field = this.#match(TITLE)?.[1] ?? this.#match(FIELD)?.[0];
    if (field === undefined) throw this.#expected('expected a field, as in `duration > 20ms`');
    const operator = this.#match(OPERATOR)?.[0];
    if (operator === undefined) throw this.#expected(`expected = != < <= > >= ~ or !~ after ${field}`);
    this.#space();
    const valueAt = this.#at;
    const negated = operator.startsWith('!');
    const bare = negated ? operator.slice(1) : operator === '==' ? '=' : operator;
    const value = bare === '~' ? this.#pattern() : this.#value();
    const known = OPERATORS.find((candidate) => candidate === bare) ?? '=';
    const isOrder = known !== '=' && known !== '~';
    if (isOrder && value.kind !== 'number')
      throw filterError(this.#expression, valueAt, `expected a number after ${known}`);
    const compared: Comparison = { kind: 'compare', field, operator: known, value, at, valueAt };
    return negated ? { kind: 'not', part: compared } : compared;
  }

  #value(): FilterValue {
    const quoted = this.#match(QUOTED);
    if (quoted !== undefined) return { kind: 'text', text: unescaped(quoted[1] ?? quoted[2] ?? '') };
    const from = this.#at;
    const number = this.#match(NUMBER);
    if (number !== undefined && !this.#goesOn(number)) return this.#number(number, from);
    this.#at = from;
    const word = this.#match(BARE)?.[0];
    if (word === undefined)
      throw this.#expected('expected a value: a number with or without a unit, a word or a quoted text');
    return word === 'null' ? { kind: 'unknown' } : { kind: 'text', text: word };
  }

  /** Whether more follows what looks like a number, without space between. */
  #goesOn([whole, digits = '', name]: RegExpExecArray): boolean {
    if (name !== undefined && whole.length > digits.length + name.length) return false;
    NO_NUMBER.lastIndex = this.#at - (name?.length ?? 0);
    return NO_NUMBER.test(this.#text);
  }

  /** A word behind a number that is no unit belongs to the next part, such as `and`, if there is space between them. */
  #number([whole, digits = '', name]: RegExpExecArray, from: number): FilterValue {
    const known = name === undefined ? undefined : UNIT_NAMES[name];
    if (known === undefined) this.#at = from + digits.length;
    if (known === undefined && name !== undefined && whole.length === digits.length + name.length)
      throw this.#expected(`${name} is no unit; expected one of ${Object.keys(UNIT_NAMES).join(', ')}`);
    const [unit, size] = known ?? [undefined, 1];
    const [number, rest] = numberOf(digits, size);
    return { kind: 'number', number, rest, unit, text: known === undefined ? digits : whole };
  }

  #pattern(): FilterValue {
    const at = this.#at;
    const literal = this.#match(PATTERN);
    const quoted = literal === undefined ? this.#match(QUOTED) : undefined;
    const text =
      literal?.[1] ?? (quoted === undefined ? this.#match(WORD)?.[0] : unescaped(quoted[1] ?? quoted[2] ?? ''));
    if (text === undefined) throw this.#expected('expected a pattern, as in `thread ~ /pool-[0-9]+/`');
    const flags = literal?.[2] ?? '';
    if (/[^ims]/.test(flags))
      throw filterError(this.#expression, at, `flags of a pattern are i, m and s, found ${flags}`);
    try {
      return { kind: 'pattern', pattern: new RegExp(text, `u${flags}`), text };
    } catch (error) {
      const why = error instanceof SyntaxError ? error.message : '';
      throw filterError(this.#expression, at, `not a regular expression: ${text}${why === '' ? '' : ` (${why})`}`);
    }
  }

  #space(): void {
    const text = this.#text;
    while (this.#at < text.length && text.charCodeAt(this.#at) <= 32) this.#at++;
  }

  /** The match of a sticky expression after white space, taken from the text; undefined if there is none. */
  #match(expression: RegExp): RegExpExecArray | undefined {
    this.#space();
    expression.lastIndex = this.#at;
    const match = expression.exec(this.#text);
    if (match === null) return undefined;
    this.#at += match[0].length;
    return match;
  }

  /** The error for what is next. */
  #expected(message: string): UsageError {
    return this.error(message, this.place());
  }

  error(message: string, at: number): UsageError {
    const found = this.#text.slice(at, at + 20);
    return filterError(this.#expression, at, `${message}, found ${found === '' ? 'the end' : found}`);
  }
}

const INTEGER = /^(?:0x[0-9a-f]+|\d+)$/i;

/** A written number times the size of its unit, as a double and its rest. */
function numberOf(digits: string, size: number): readonly [number: number, rest: number] {
  const bare = digits.replace(/^[-+]/, '');
  const sign = digits.startsWith('-') ? -1 : 1;
  const number = Number(bare) * sign * size;
  if (Math.abs(number) <= Number.MAX_SAFE_INTEGER || !INTEGER.test(bare) || !Number.isInteger(size)) return [number, 0];
  return doubleAndRest(BigInt(bare) * BigInt(sign * size));
}

const OPERATORS = ['=', '<', '<=', '>', '>=', '~'] as const;

function unescaped(text: string): string {
  return text.replace(/\\(.)/gs, '$1');
}
