/**
 * The language of the command `filters`: expressions over the properties of events. It is that of gprofng, whose levels of precedence
 * are not those of C: all arithmetic operators are of one level, so are `&&`, `||`, `&`, `|` and `^`, and `IN` binds least. Outside
 * `--strict` the levels are those of C, and `IN` binds as comparisons do.
 */
import { type OperatorDialect, type OperatorLevel, parseOperators } from '../../../base/parsing/operator-parser.js';

/** A mistake in an expression: where it is, from 0, and what was expected. */
export class ExpressionError extends Error {
  readonly at: number;

  constructor(at: number, message: string) {
    super(message);
    this.at = at;
  }
}

export type BinarySign =
  | '*'
  | '/'
  | '%'
  | '+'
  | '-'
  | '<<'
  | '>>'
  | '<'
  | '<='
  | '>'
  | '>='
  | '=='
  | '!='
  | '&'
  | '^'
  | '|'
  | '&&'
  | '||';
export type Membership = 'IN' | 'SOME IN' | 'ORDERED IN';
export type Matcher = 'FNAME' | 'DNAME' | 'JGROUP' | 'JPARENT' | 'FILEIOVFD';

export type Expression =
  | { readonly kind: 'number'; readonly value: bigint }
  /** Names are in capitals. */
  | { readonly kind: 'name'; readonly name: string; readonly at: number }
  | { readonly kind: 'match'; readonly of: Matcher; readonly pattern: string; readonly at: number }
  | { readonly kind: 'has'; readonly name: string; readonly at: number }
  | { readonly kind: 'unary'; readonly sign: '-' | '!' | '~'; readonly of: Expression }
  | {
      readonly kind: 'binary';
      readonly sign: BinarySign | Membership | ',';
      readonly left: Expression;
      readonly right: Expression;
    }
  | { readonly kind: 'choice'; readonly condition: Expression; readonly yes: Expression; readonly no: Expression };

type Sign = BinarySign | Membership | ',' | '?' | ':' | '-' | '!' | '~' | '(' | ')';
type Level = OperatorLevel<Expression, Sign>;

const MEMBERSHIPS = ['IN', 'SOME IN', 'ORDERED IN'] as const;
const COMPARISONS = ['==', '!=', '<', '<=', '>', '>='] as const;
type Operator = Extract<Expression, { readonly kind: 'binary' }>['sign'];

const CHOICE: Level = {
  kind: 'choice',
  signs: ['?', ':'],
  node: (condition, yes, no) => ({ kind: 'choice', condition, yes, no }),
  expected: "':'",
};

function left(...signs: readonly Operator[]): Extract<Level, { readonly kind: 'left' }> {
  const node = (sign: Sign, left: Expression, right: Expression): Expression => {
    const operator = signs.find((each) => each === sign);
    if (operator === undefined) throw new Error(`no operator of the level: ${sign}`);
    return { kind: 'binary', sign: operator, left, right };
  };
  return { kind: 'left', signs, node };
}

/** Of operators that cannot follow each other. */
function once(...signs: readonly Operator[]): Level {
  return { ...left(...signs), once: 'brackets' };
}

/** From the least binding to the most. */
const PEER_LEVELS: readonly Level[] = [
  once(...MEMBERSHIPS),
  left(','),
  CHOICE,
  left('&&', '||', '&', '|', '^'),
  once(...COMPARISONS),
  left('<<', '>>', '+', '-', '*', '/', '%'),
];
const C_LEVELS: readonly Level[] = [
  CHOICE,
  left('||'),
  left('&&'),
  left(','),
  left('|'),
  left('^'),
  left('&'),
  once(...COMPARISONS, ...MEMBERSHIPS),
  left('<<', '>>'),
  left('+', '-'),
  left('*', '/', '%'),
];

const TOKEN =
  /[ \t]*(?:(0x[\da-f]*|0[0-7]*|[1-9]\d*)|([a-z][\w]*)|"([^"\n]*)"|(\|\||&&|!=|==|<=|<<|>=|>>|[(),%/*\-+~^?:|&!<>]))/iy;
/** Longer expressions, and deeper ones, are refused. */
const LONGEST = 20_000;
const DEEPEST = 100;
const MATCHERS: readonly Matcher[] = ['FNAME', 'DNAME', 'JGROUP', 'JPARENT', 'FILEIOVFD'];

interface Token {
  readonly kind: 'number' | 'word' | 'text' | 'sign' | 'end';
  readonly text: string;
  readonly at: number;
}

/** Reads an expression; of nothing, one that is true. Throws `ExpressionError`. */
export function parseExpression(text: string, strict: boolean): Expression {
  if (text.length > LONGEST) throw new ExpressionError(LONGEST, `at most ${LONGEST} characters`);
  const tokens = tokensOf(text);
  if (tokens[0]?.kind === 'end') return { kind: 'number', value: 1n };
  return parseOperators(new FiltersDialect(tokens, strict ? PEER_LEVELS : C_LEVELS));
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  for (;;) {
    const rest = /[ \t]*/y;
    rest.lastIndex = at;
    rest.exec(text);
    const begin = rest.lastIndex;
    // As in gprofng, a line ends the expression.
    if (begin >= text.length || text[begin] === '\n') return [...tokens, { kind: 'end', text: '', at: begin }];
    TOKEN.lastIndex = at;
    const [, number, word, quoted, sign] = TOKEN.exec(text) ?? [];
    if (number !== undefined) tokens.push({ kind: 'number', text: number, at: begin });
    else if (word !== undefined) tokens.push({ kind: 'word', text: word, at: begin });
    else if (quoted !== undefined) tokens.push({ kind: 'text', text: quoted, at: begin });
    else if (sign !== undefined) tokens.push({ kind: 'sign', text: sign, at: begin });
    else throw new ExpressionError(begin, 'a number, a name, a text or an operator');
    at = TOKEN.lastIndex;
  }
}

class FiltersDialect implements OperatorDialect<Expression, Sign> {
  readonly levels: readonly Level[];
  readonly prefixes = ['-', '!', '~'] as const;
  readonly brackets = ['(', ')'] as const;
  readonly deepest = DEEPEST;
  readonly expected = { end: 'an operator', close: "')'", depth: `at most ${DEEPEST} levels` };
  readonly #tokens: readonly Token[];
  #next = 0;

  constructor(tokens: readonly Token[], levels: readonly Level[]) {
    this.#tokens = tokens;
    this.levels = levels;
  }

  get #token(): Token {
    return this.#tokens[Math.min(this.#next, this.#tokens.length - 1)] ?? { kind: 'end', text: '', at: 0 };
  }

  place(): number {
    return this.#token.at;
  }

  isEnd(): boolean {
    return this.#token.kind === 'end';
  }

  take(signs: readonly Sign[]): Sign | undefined {
    const { kind, text } = this.#token;
    const name = kind === 'sign' ? text : kind === 'word' ? this.#membership(text.toUpperCase()) : undefined;
    const sign = signs.find((each) => each === name);
    if (sign !== undefined) this.#next += sign.includes(' ') ? 2 : 1;
    return sign;
  }

  /** The operator that a word begins. */
  #membership(word: string): string | undefined {
    if (word === 'IN') return word;
    const following = this.#tokens[this.#next + 1];
    const isPair = following?.kind === 'word' && following.text.toUpperCase() === 'IN';
    return isPair ? `${word} IN` : undefined;
  }

  prefixed(sign: Sign, of: Expression): Expression {
    const prefix = this.prefixes.find((each) => each === sign);
    if (prefix === undefined) throw new Error(`no prefix: ${sign}`);
    return { kind: 'unary', sign: prefix, of };
  }

  error(message: string, at: number): ExpressionError {
    return new ExpressionError(at, message);
  }

  #expected(what: string): ExpressionError {
    return this.error(what, this.place());
  }

  operand(): Expression {
    const { kind, text, at } = this.#token;
    if (kind === 'word') return this.#word(text, at);
    if (kind !== 'number') throw this.#expected('a number, a name or a bracket');
    this.#next++;
    return { kind: 'number', value: numberOf(text) };
  }

  #word(text: string, at: number): Expression {
    this.#next++;
    const word = text.toUpperCase();
    if (word === 'TRUE' || word === 'FALSE') return { kind: 'number', value: word === 'TRUE' ? 1n : 0n };
    const of = MATCHERS.find((each) => each === word);
    if (of === undefined && word !== 'HAS_PROP') return { kind: 'name', name: word, at };
    this.#need('(');
    const argument = this.#token;
    if (argument.kind !== (of === undefined ? 'word' : 'text'))
      throw this.#expected(of === undefined ? 'a name' : 'a text in quotes');
    this.#next++;
    this.#need(')');
    if (of === undefined) return { kind: 'has', name: argument.text.toUpperCase(), at: argument.at };
    return { kind: 'match', of, pattern: argument.text, at: argument.at };
  }

  #need(sign: '(' | ')'): void {
    if (this.take([sign]) === undefined) throw this.#expected(`'${sign}'`);
  }
}

/** `0x1f`, `017`, `15`. */
function numberOf(text: string): bigint {
  if (/^0x/i.test(text)) return text.length === 2 ? 0n : BigInt(text);
  return /^0[0-7]/.test(text) ? BigInt(`0o${text.slice(1)}`) : BigInt(text);
}
