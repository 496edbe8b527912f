/** Expressions of one digit each, written back with all brackets. */
import { equal, throws } from 'node:assert/strict';
import { test } from 'node:test';
import { type OperatorDialect, type OperatorLevel, parseOperators } from './operator-parser.js';

const LEVELS: readonly OperatorLevel<string, string>[] = [
  { kind: 'joins', sign: '|', node: (operands) => `(${operands.join('|')})` },
  { kind: 'choice', signs: ['?', ':'], node: (a, b, c) => `(${a}?${b}:${c})`, expected: 'a colon' },
  { kind: 'left', signs: ['<'], node: (sign, a, b) => `(${a}${sign}${b})`, once: 'brackets' },
  { kind: 'left', signs: ['+', '-'], node: (sign, a, b) => `(${a}${sign}${b})` },
];

class Digits implements OperatorDialect<string, string> {
  readonly levels = LEVELS;
  readonly prefixes = ['!', '-'];
  readonly brackets = ['(', ')'] as const;
  readonly deepest = 3;
  readonly expected = { end: 'the end', close: 'a bracket', depth: 'fewer levels' };
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  place(): number {
    return this.#at;
  }

  isEnd(): boolean {
    return this.#at === this.#text.length;
  }

  take(signs: readonly string[]): string | undefined {
    const sign = signs.find((each) => each === this.#text[this.#at]);
    if (sign !== undefined) this.#at++;
    return sign;
  }

  operand(): string {
    const digit = this.#text[this.#at] ?? '';
    if (!/^\d$/.test(digit)) throw this.error('a digit', this.#at);
    this.#at++;
    return digit;
  }

  prefixed(sign: string, operand: string): string {
    return `${sign}${operand}`;
  }

  error(message: string, at: number): Error {
    return new Error(`${message} at ${at}`);
  }
}

const parsed = (text: string): string => parseOperators(new Digits(text));

test('levels bind as the table has them', () => {
  for (const [text, expected] of [
    ['1+2-3+4', '(((1+2)-3)+4)'],
    ['1|2|3', '(1|2|3)'],
    ['(1|2)|3', '((1|2)|3)'],
    ['1+2<3|4', '(((1+2)<3)|4)'],
    ['1<(2<3)', '(1<(2<3))'],
    ['1?2:3?4:5', '(1?2:(3?4:5))'],
    ['1?2?3:4:5|6', '((1?(2?3:4):5)|6)'],
    ['!1+-2', '(!1+-2)'],
    ['--1', '--1'],
    ['((1))', '1'],
  ] as const)
    equal(parsed(text), expected);
});

test('mistakes have the place where something else was expected', () => {
  for (const [text, message] of [
    ['', 'a digit at 0'],
    ['1+', 'a digit at 2'],
    ['12', 'the end at 1'],
    ['(1', 'a bracket at 2'],
    ['1?2', 'a colon at 3'],
    ['1<2<3', 'brackets at 3'],
    ['!!!!1', 'fewer levels at 3'],
    ['1+(2+(3+(4+(5))))', 'fewer levels at 11'],
  ] as const)
    throws(() => parsed(text), new Error(message));
});
