/**
 * The language of the command `filters`: expressions over the properties of events. It is that of gprofng, whose levels of precedence
 * are not those of C: all arithmetic operators are of one level, so are `&&`, `||`, `&`, `|` and `^`, and `IN` binds least. Outside
 * `--strict` the levels are those of C, and `IN` binds as comparisons do.
 */

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

interface Level {
  readonly signs: readonly string[];
  /** Whether `a op b op c` is a mistake. */
  readonly once?: boolean;
}

const MEMBERSHIPS = ['IN', 'SOME IN', 'ORDERED IN'];
const COMPARISONS = ['==', '!=', '<', '<=', '>', '>='];
/** From the least binding to the most; `?` is the choice. */
const PEER_LEVELS: readonly Level[] = [
  { signs: MEMBERSHIPS, once: true },
  { signs: [','] },
  { signs: ['?'] },
  { signs: ['&&', '||', '&', '|', '^'] },
  { signs: COMPARISONS, once: true },
  { signs: ['<<', '>>', '+', '-', '*', '/', '%'] },
];
const C_LEVELS: readonly Level[] = [
  { signs: ['?'] },
  { signs: ['||'] },
  { signs: ['&&'] },
  { signs: [','] },
  { signs: ['|'] },
  { signs: ['^'] },
  { signs: ['&'] },
  { signs: [...COMPARISONS, ...MEMBERSHIPS], once: true },
  { signs: ['<<', '>>'] },
  { signs: ['+', '-'] },
  { signs: ['*', '/', '%'] },
];

const TOKEN =
  /[ \t]*(?:(0x[\da-f]*|0[0-7]*|[1-9]\d*)|([a-z][\w]*)|"([^"\n]*)"|(\|\||&&|!=|==|<=|<<|>=|>>|[(),%/*\-+~^?:|&!<>]))/iy;
/** Longer expressions, and deeper ones, are refused: the parser calls itself for each bracket. */
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
  return new Parser(tokens, strict ? PEER_LEVELS : C_LEVELS).whole();
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

class Parser {
  readonly #tokens: readonly Token[];
  readonly #levels: readonly Level[];
  #next = 0;
  #depth = 0;

  constructor(tokens: readonly Token[], levels: readonly Level[]) {
    this.#tokens = tokens;
    this.#levels = levels;
  }

  whole(): Expression {
    const found = this.#level(0);
    if (this.#token.kind !== 'end') throw this.#expected('an operator');
    return found;
  }

  get #token(): Token {
    return this.#tokens[Math.min(this.#next, this.#tokens.length - 1)] ?? { kind: 'end', text: '', at: 0 };
  }

  #expected(what: string): ExpressionError {
    return new ExpressionError(this.#token.at, what);
  }

  #level(number: number): Expression {
    const level = this.#levels[number];
    if (level === undefined) return this.#term();
    let left = this.#level(number + 1);
    for (let count = 0; ; count++) {
      const sign = this.#signOf(level.signs);
      if (sign === undefined) return left;
      if (level.once === true && count > 0) throw this.#expected('brackets');
      this.#next += sign.includes(' ') ? 2 : 1;
      if (sign === '?') return this.#choice(left, number);
      left = { kind: 'binary', sign, left, right: this.#level(number + 1) };
    }
  }

  /** The operator that comes next, if it is one of these. */
  #signOf(signs: readonly string[]): BinarySign | Membership | ',' | '?' | undefined {
    const { kind, text } = this.#token;
    if (kind === 'sign') return isSign(text) && signs.includes(text) ? text : undefined;
    if (kind !== 'word') return undefined;
    const word = text.toUpperCase();
    const following = this.#tokens[this.#next + 1];
    const isPair = following?.kind === 'word' && following.text.toUpperCase() === 'IN';
    const membership =
      word === 'IN' ? 'IN' : isPair && (word === 'SOME' || word === 'ORDERED') ? (`${word} IN` as const) : undefined;
    return membership !== undefined && signs.includes(membership) ? membership : undefined;
  }

  #choice(condition: Expression, number: number): Expression {
    return this.#deeper(() => {
      const yes = this.#level(number);
      this.#take(':');
      return { kind: 'choice', condition, yes, no: this.#level(number) };
    });
  }

  #term(): Expression {
    const { kind, text, at } = this.#token;
    if (kind === 'number') {
      this.#next++;
      return { kind: 'number', value: numberOf(text) };
    }
    if (kind === 'word') return this.#word(text, at);
    if (text === '(')
      return this.#deeper(() => {
        this.#take('(');
        const inner = this.#level(0);
        this.#take(')');
        return inner;
      });
    if (text === '-' || text === '!' || text === '~')
      return this.#deeper(() => {
        this.#next++;
        return { kind: 'unary', sign: text, of: this.#term() };
      });
    throw this.#expected('a number, a name or a bracket');
  }

  #word(text: string, at: number): Expression {
    this.#next++;
    const word = text.toUpperCase();
    if (word === 'TRUE' || word === 'FALSE') return { kind: 'number', value: word === 'TRUE' ? 1n : 0n };
    const of = MATCHERS.find((each) => each === word);
    if (of === undefined && word !== 'HAS_PROP') return { kind: 'name', name: word, at };
    this.#take('(');
    const argument = this.#token;
    if (argument.kind !== (of === undefined ? 'word' : 'text'))
      throw this.#expected(of === undefined ? 'a name' : 'a text in quotes');
    this.#next++;
    this.#take(')');
    if (of === undefined) return { kind: 'has', name: argument.text.toUpperCase(), at: argument.at };
    return { kind: 'match', of, pattern: argument.text, at: argument.at };
  }

  #take(sign: string): void {
    if (this.#token.kind !== 'sign' || this.#token.text !== sign) throw this.#expected(`'${sign}'`);
    this.#next++;
  }

  #deeper(read: () => Expression): Expression {
    if (this.#depth++ >= DEEPEST) throw this.#expected(`at most ${DEEPEST} levels`);
    const found = read();
    this.#depth--;
    return found;
  }
}

const SIGNS = [
  '*',
  '/',
  '%',
  '+',
  '-',
  '<<',
  '>>',
  '<',
  '<=',
  '>',
  '>=',
  '==',
  '!=',
  '&',
  '^',
  '|',
  '&&',
  '||',
  ',',
  '?',
] as const;

function isSign(text: string): text is (typeof SIGNS)[number] {
  return SIGNS.some((sign) => sign === text);
}

/** `0x1f`, `017`, `15`. */
function numberOf(text: string): bigint {
  if (/^0x/i.test(text)) return text.length === 2 ? 0n : BigInt(text);
  return /^0[0-7]/.test(text) ? BigInt(`0o${text.slice(1)}`) : BigInt(text);
}
