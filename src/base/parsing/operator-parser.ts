/**
 * Parses expressions of operands and operators by a table of levels of precedence. What tokens, operands and mistakes look like, a dialect says: that of
 * `--filter` (analysis/scope/filter-language.ts), and those of gprofng's `filters` (peers/gprofng/filters/language.ts).
 *
 *   level 0    a or b or c         joins: one node of all operands
 *   level 1    a ? b : c           choice
 *   level 2    a + b - c           left: nodes of two operands, from the left
 *   term       -a  (a)  a          prefixes, brackets, operands
 */

/** Operators that bind equally, with the nodes that they make. */
export type OperatorLevel<Node, Sign> =
  | {
      readonly kind: 'left';
      readonly signs: readonly Sign[];
      readonly node: (sign: Sign, left: Node, right: Node) => Node;
      /** The message for a third operand; absent if there may be any number of them. */
      readonly once?: string;
    }
  | { readonly kind: 'joins'; readonly sign: Sign; readonly node: (operands: readonly Node[]) => Node }
  | {
      readonly kind: 'choice';
      readonly signs: readonly [then: Sign, otherwise: Sign];
      readonly node: (condition: Node, yes: Node, no: Node) => Node;
      /** The message for a missing second sign. */
      readonly expected: string;
    };

export interface OperatorDialect<Node, Sign> {
  /** From the level that binds least to the one that binds most. */
  readonly levels: readonly OperatorLevel<Node, Sign>[];
  readonly prefixes: readonly Sign[];
  readonly brackets: readonly [open: Sign, close: Sign];
  /** Brackets, prefixes and choices within each other; the parser calls itself for each. */
  readonly deepest: number;
  /** Messages: something behind the expression, a bracket that is not closed, more than `deepest`. */
  readonly expected: { readonly end: string; readonly close: string; readonly depth: string };
  /** Where the next token begins. */
  place(): number;
  isEnd(): boolean;
  /** Takes the next token if it is one of these. */
  take(signs: readonly Sign[]): Sign | undefined;
  /** Takes an operand; throws if there is none. */
  operand(): Node;
  prefixed(sign: Sign, operand: Node): Node;
  error(message: string, at: number): Error;
}

/** The whole expression. Throws the dialect's error for a mistake. */
export function parseOperators<Node, Sign>(dialect: OperatorDialect<Node, Sign>): Node {
  const node = new OperatorParser(dialect).level(0);
  if (!dialect.isEnd()) throw dialect.error(dialect.expected.end, dialect.place());
  return node;
}

type LevelOf<Node, Sign, Kind> = Extract<OperatorLevel<Node, Sign>, { readonly kind: Kind }>;

class OperatorParser<Node, Sign> {
  readonly #dialect: OperatorDialect<Node, Sign>;
  #depth = 0;

  constructor(dialect: OperatorDialect<Node, Sign>) {
    this.#dialect = dialect;
  }

  level(number: number): Node {
    const level = this.#dialect.levels[number];
    if (level === undefined) return this.#term();
    const first = this.level(number + 1);
    switch (level.kind) {
      case 'joins':
        return this.#joined(first, level, number);
      case 'choice':
        return this.#choice(first, level, number);
      case 'left':
        return this.#fromLeft(first, level, number);
    }
  }

  #joined(first: Node, { sign, node }: LevelOf<Node, Sign, 'joins'>, number: number): Node {
    const operands = [first];
    while (this.#dialect.take([sign]) !== undefined) operands.push(this.level(number + 1));
    return operands.length === 1 ? first : node(operands);
  }

  #fromLeft(first: Node, { signs, node, once }: LevelOf<Node, Sign, 'left'>, number: number): Node {
    const dialect = this.#dialect;
    let left = first;
    for (let count = 0; ; count++) {
      const at = dialect.place();
      const sign = dialect.take(signs);
      if (sign === undefined) return left;
      if (once !== undefined && count > 0) throw dialect.error(once, at);
      left = node(sign, left, this.level(number + 1));
    }
  }

  /** Both sides are of the level of the choice itself. */
  #choice(condition: Node, { signs, node, expected }: LevelOf<Node, Sign, 'choice'>, number: number): Node {
    const dialect = this.#dialect;
    const [then, otherwise] = signs;
    if (dialect.take([then]) === undefined) return condition;
    return this.#deeper(dialect.place(), () => {
      const yes = this.level(number);
      if (dialect.take([otherwise]) === undefined) throw dialect.error(expected, dialect.place());
      return node(condition, yes, this.level(number));
    });
  }

  #term(): Node {
    const dialect = this.#dialect;
    const [open, close] = dialect.brackets;
    const at = dialect.place();
    const prefix = dialect.take(dialect.prefixes);
    if (prefix !== undefined) return this.#deeper(at, () => dialect.prefixed(prefix, this.#term()));
    if (dialect.take([open]) === undefined) return dialect.operand();
    return this.#deeper(at, () => {
      const inner = this.level(0);
      if (dialect.take([close]) === undefined) throw dialect.error(dialect.expected.close, dialect.place());
      return inner;
    });
  }

  #deeper(at: number, read: () => Node): Node {
    const dialect = this.#dialect;
    if (this.#depth++ >= dialect.deepest) throw dialect.error(dialect.expected.depth, at);
    const node = read();
    this.#depth--;
    return node;
  }
}
