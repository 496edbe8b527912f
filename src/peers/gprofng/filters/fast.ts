/**
 * Evaluates expressions of `filters` in plain numbers, which is exact for whole numbers from 0 to 2^53; all others are left to `evaluated`. What
 * depends on the stack only is evaluated once a stack.
 */
import { evaluated, type Folded, type Width } from './evaluate.js';
import { isList, isOfStack, type NumberOf, type TableProperties } from './properties.js';

/** Results that no number stands for: without a value, and those that plain numbers cannot tell. */
const NO_VALUE = Number.NaN;
const SLOW = Infinity;

/** Gives the value of the event of a row: a number up to 2^53, a `bigint` beyond, undefined if it has none. */
export function valueByRow(
  expression: Folded,
  properties: TableProperties,
  width: Width,
): (row: number) => number | bigint | undefined {
  const fast = compiled(expression, properties, width);
  return (row) => {
    properties.row = row;
    const value = fast(row);
    if (value !== SLOW) return Number.isNaN(value) ? undefined : value;
    const exactly = evaluated(expression, properties, width)?.[0];
    const isSmall = exactly !== undefined && exactly >= 0n && exactly <= BigInt(Number.MAX_SAFE_INTEGER);
    return isSmall ? Number(exactly) : exactly;
  };
}

/** Whether the event of a row stays: those without a value do, too. */
export function passes(expression: Folded, properties: TableProperties, width: Width): (row: number) => boolean {
  const value = valueByRow(expression, properties, width);
  return (row) => value(row) !== 0;
}

const slow: NumberOf = () => SLOW;
const exact = (value: number): number => (value >= 0 && value <= Number.MAX_SAFE_INTEGER ? value : SLOW);

function compiled(expression: Folded, properties: TableProperties, width: Width): NumberOf {
  const compile = (part: Folded): NumberOf => compiled(part, properties, width);
  if (expression.kind !== 'values' && usesStackOnly(expression)) return byStack(expression, properties, width);
  switch (expression.kind) {
    case 'values': {
      const value = exact(Number(expression.values[0] ?? 0n));
      return () => value;
    }
    case 'property':
      return propertyOf(properties, expression.name);
    case 'has': {
      const has = properties.numbers(expression.name);
      return has === undefined ? slow : (row) => (Number.isFinite(has(row)) ? 1 : 0);
    }
    case 'unknown':
      return () => NO_VALUE;
    case 'unary': {
      const of = compile(expression.of);
      return expression.sign === '!' ? (row) => negated(of(row)) : slow;
    }
    case 'choice': {
      const [condition, yes, no] = [compile(expression.condition), compile(expression.yes), compile(expression.no)];
      return (row) => {
        const value = condition(row);
        return value === SLOW || Number.isNaN(value) ? value : value === 0 ? no(row) : yes(row);
      };
    }
    case 'binary':
      return binary(expression, compile);
  }
}

function propertyOf(properties: TableProperties, name: string): NumberOf {
  const numbers = properties.numbers(name);
  if (numbers === undefined) return isList(name) ? slow : () => NO_VALUE;
  return (row) => {
    const value = numbers(row);
    return Number.isFinite(value) ? exact(Math.trunc(value)) : NO_VALUE;
  };
}

function negated(value: number): number {
  return value === 0 ? 1 : value === SLOW || Number.isNaN(value) ? value : 0;
}

function usesStackOnly(expression: Folded): boolean {
  switch (expression.kind) {
    case 'values':
      return true;
    case 'property':
      return isOfStack(expression.name);
    case 'unary':
      return usesStackOnly(expression.of);
    case 'binary':
      return usesStackOnly(expression.left) && usesStackOnly(expression.right);
    case 'choice':
      return usesStackOnly(expression.condition) && usesStackOnly(expression.yes) && usesStackOnly(expression.no);
    case 'has':
    case 'unknown':
      return false;
  }
}

/** Of an expression about the stack: its value by stack. */
function byStack(expression: Folded, properties: TableProperties, width: Width): NumberOf {
  const known = new Map<number, number>();
  return () => {
    const stack = properties.stackId();
    const before = known.get(stack);
    if (before !== undefined) return before;
    const value = evaluated(expression, properties, width)?.[0];
    const number = value === undefined ? NO_VALUE : exact(Number(value));
    known.set(stack, number);
    return number;
  };
}

const truth = (is: boolean): number => (is ? 1 : 0);

const COMPARED: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
};
const COMPUTED: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => (b === 0 ? 0 : Math.floor(a / b)),
  '%': (a, b) => (b === 0 ? 0 : a % b),
};

function binary(
  { sign, left, right }: Extract<Folded, { readonly kind: 'binary' }>,
  compile: (part: Folded) => NumberOf,
): NumberOf {
  const [a, b] = [compile(left), compile(right)];
  if (sign === '&&') return (row) => both(a(row), () => b(row));
  if (sign === '||') return (row) => negated(both(negated(a(row)), () => negated(b(row))));
  const compare = COMPARED[sign];
  const compute = COMPUTED[sign];
  if (compare === undefined && compute === undefined) return slow;
  return (row) => {
    const one = a(row);
    // Without a value on one side there is none.
    if (Number.isNaN(one)) return NO_VALUE;
    const other = b(row);
    if (Number.isNaN(other)) return NO_VALUE;
    if (one === SLOW || other === SLOW) return SLOW;
    return compare === undefined ? exact(compute?.(one, other) ?? SLOW) : truth(compare(one, other));
  };
}

/** One side that is 0 decides. */
function both(one: number, right: () => number): number {
  if (one === 0) return 0;
  const other = right();
  if (other === 0) return 0;
  if (one === SLOW || other === SLOW) return SLOW;
  return Number.isNaN(one) || Number.isNaN(other) ? NO_VALUE : 1;
}
