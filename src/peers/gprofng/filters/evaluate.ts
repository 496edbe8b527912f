/**
 * Evaluates expressions of `filters`: for each event to a list of numbers, or to nothing if it needs a property that the event lacks.
 * `&&` and `||` have a value if one side decides it. An operator takes the first number of a list; only memberships take all.
 */
import type { Expression, Matcher } from './language.js';

/** Numbers, at least one. */
export type Values = readonly bigint[];

/** Whether numbers of 64 bits have a sign: those of gprofng, and of `--strict`, have none. */
export type Width = 'signed' | 'unsigned';

const WRAPPED: Readonly<Record<Width, (value: bigint) => bigint>> = {
  signed: (value) => BigInt.asIntN(64, value),
  unsigned: (value) => BigInt.asUintN(64, value),
};

/** The properties of an event. */
export interface EventProperties {
  /** Undefined if the event lacks it. */
  values(name: string): Values | undefined;
}

/** What an expression can name besides properties. */
export interface Names {
  isProperty(name: string): boolean;
  /** The expression of a type of index objects. */
  definition(name: string): Expression | undefined;
  /** The numbers of what fits a pattern. */
  matches(of: Matcher, pattern: string): Values;
}

const NOTHING: EventProperties = { values: () => undefined };
const ZERO: Values = [0n];

/**
 * Replaces what needs no event by its numbers, as gprofng does before it filters: there the names of functions in a list after `,` become 0,
 * and `HAS_PROP` has no value. `strict` does the same.
 */
export function folded(expression: Expression, names: Names, strict: boolean): Folded {
  const { kind } = expression;
  if (kind === 'number') return { kind: 'values', values: [expression.value] };
  if (kind === 'match') return { kind: 'values', values: names.matches(expression.of, expression.pattern) };
  if (kind === 'name') {
    const defined = names.definition(expression.name);
    return defined === undefined ? { kind: 'property', name: expression.name } : folded(defined, names, strict);
  }
  if (kind === 'has') return strict ? { kind: 'unknown' } : { kind: 'has', name: expression.name };
  if (kind === 'binary' && expression.sign === ',' && strict) return unfolded(expression);
  const plain = strict ? evaluated(unfolded(expression), NOTHING, 'unsigned') : undefined;
  if (plain !== undefined) return { kind: 'values', values: plain.slice(0, 1) };
  return mapped(expression, (part) => folded(part, names, strict));
}

/** The same without the numbers of functions and threads, which count as 0. */
function unfolded(expression: Expression): Folded {
  const { kind } = expression;
  if (kind === 'number') return { kind: 'values', values: [expression.value] };
  if (kind === 'match') return { kind: 'values', values: ZERO };
  if (kind === 'name') return { kind: 'property', name: expression.name };
  return kind === 'has' ? { kind: 'unknown' } : mapped(expression, unfolded);
}

function mapped(
  expression: Extract<Expression, { readonly kind: 'unary' | 'binary' | 'choice' }>,
  map: (part: Expression) => Folded,
): Folded {
  if (expression.kind === 'unary') return { kind: 'unary', sign: expression.sign, of: map(expression.of) };
  if (expression.kind === 'binary')
    return { kind: 'binary', sign: expression.sign, left: map(expression.left), right: map(expression.right) };
  const { condition, yes, no } = expression;
  return { kind: 'choice', condition: map(condition), yes: map(yes), no: map(no) };
}

/** An expression whose patterns were looked up. */
export type Folded =
  | { readonly kind: 'values'; readonly values: Values }
  | { readonly kind: 'property' | 'has'; readonly name: string }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'unary'; readonly sign: '-' | '!' | '~'; readonly of: Folded }
  | {
      readonly kind: 'binary';
      readonly sign: Extract<Expression, { kind: 'binary' }>['sign'];
      readonly left: Folded;
      readonly right: Folded;
    }
  | { readonly kind: 'choice'; readonly condition: Folded; readonly yes: Folded; readonly no: Folded };

/** The names that are no properties, with their places. */
export function unknownNames(expression: Expression, names: Names): { readonly name: string; readonly at: number }[] {
  const { kind } = expression;
  if (kind === 'number' || kind === 'match') return [];
  if (kind === 'name' || kind === 'has') {
    const isKnown =
      names.isProperty(expression.name) || (kind === 'name' && names.definition(expression.name) !== undefined);
    return isKnown ? [] : [expression];
  }
  const parts =
    kind === 'unary'
      ? [expression.of]
      : kind === 'binary'
        ? [expression.left, expression.right]
        : [expression.condition, expression.yes, expression.no];
  return parts.flatMap((part) => unknownNames(part, names));
}

/** The numbers of an expression for an event; undefined if it has none. */
export function evaluated(expression: Folded, event: EventProperties, width: Width): Values | undefined {
  switch (expression.kind) {
    case 'values':
      return expression.values.map(WRAPPED[width]);
    case 'property':
      return event.values(expression.name)?.map(WRAPPED[width]);
    case 'has':
      return [event.values(expression.name) === undefined ? 0n : 1n];
    case 'unknown':
      return undefined;
    case 'unary': {
      const of = evaluated(expression.of, event, width)?.[0];
      return of === undefined ? undefined : [WRAPPED[width](unary(expression.sign, of))];
    }
    case 'choice': {
      const condition = evaluated(expression.condition, event, width)?.[0];
      if (condition === undefined) return undefined;
      return evaluated(condition === 0n ? expression.no : expression.yes, event, width)?.slice(0, 1);
    }
    case 'binary':
      return binary(expression, event, width);
  }
}

function unary(sign: '-' | '!' | '~', value: bigint): bigint {
  if (sign === '!') return value === 0n ? 1n : 0n;
  return sign === '-' ? -value : ~value;
}

function binary(
  { sign, left, right }: Extract<Folded, { readonly kind: 'binary' }>,
  event: EventProperties,
  width: Width,
): Values | undefined {
  const one = evaluated(left, event, width);
  if (sign === '&&' || sign === '||') {
    const decides = (values: Values | undefined): boolean =>
      values !== undefined && (values[0] === 0n) === (sign === '&&');
    if (decides(one)) return [sign === '&&' ? 0n : 1n];
    const other = evaluated(right, event, width);
    if (decides(other)) return [sign === '&&' ? 0n : 1n];
    return one === undefined || other === undefined ? undefined : [sign === '&&' ? 1n : 0n];
  }
  const other = one && evaluated(right, event, width);
  if (one === undefined || other === undefined) return undefined;
  // A list begins with its last element.
  if (sign === ',') return [...other, ...one];
  if (sign === 'IN') return truth(one.every((value) => other.includes(value)));
  if (sign === 'SOME IN') return truth(one.some((value) => other.includes(value)));
  if (sign === 'ORDERED IN') return truth(other.some((_, from) => one.every((value, i) => other[from + i] === value)));
  return [WRAPPED[width](COMPUTED[sign](one[0] ?? 0n, other[0] ?? 0n))];
}

function truth(is: boolean): Values {
  return [is ? 1n : 0n];
}

const compared = (is: (a: bigint, b: bigint) => boolean) => (a: bigint, b: bigint) => (is(a, b) ? 1n : 0n);

/** Processors take the last six bits of a distance. */
const distance = (value: bigint): bigint => BigInt.asUintN(6, value);

const COMPUTED = {
  '*': (a: bigint, b: bigint) => a * b,
  '/': (a: bigint, b: bigint) => (b === 0n ? 0n : a / b),
  '%': (a: bigint, b: bigint) => (b === 0n ? 0n : a % b),
  '+': (a: bigint, b: bigint) => a + b,
  '-': (a: bigint, b: bigint) => a - b,
  '<<': (a: bigint, b: bigint) => a << distance(b),
  '>>': (a: bigint, b: bigint) => a >> distance(b),
  '<': compared((a, b) => a < b),
  '<=': compared((a, b) => a <= b),
  '>': compared((a, b) => a > b),
  '>=': compared((a, b) => a >= b),
  '==': compared((a, b) => a === b),
  '!=': compared((a, b) => a !== b),
  '&': (a: bigint, b: bigint) => a & b,
  '^': (a: bigint, b: bigint) => a ^ b,
  '|': (a: bigint, b: bigint) => a | b,
} as const;
