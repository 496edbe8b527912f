/**
 * Code that runs only if a test holds (SkipFlow: Kozák et al., "SkipFlow: Improving the Precision of Points-to Analysis Using Primitive Values
 * and Predicate Edges", CGO 2025): it is added once an object or a number arrives with which the test holds.
 */
import type { Condition } from './branches.js';
import type { Engine } from './engine.js';

/** Whether a condition holds already, as far as that is seen without watching. */
export function holdsAlready({ flows }: Engine, condition: Condition): boolean {
  if (typeof condition === 'boolean') return condition;
  if (condition.kind === 'some') return flows.hasAny(condition.node);
  if (condition.kind === 'numbers') return !flows.isNumber(condition.left) || !flows.isNumber(condition.right);
  // Damaged code may compare objects as numbers.
  return flows.isSaturated(condition.node) || !flows.isNumber(condition.node);
}

/** Does something once a condition holds, when types have moved. */
export function whenHolds(engine: Engine, condition: Condition, action: () => void): void {
  if (condition === false) return;
  const once = onFirst(engine, action);
  if (condition === true) once();
  else if (condition.kind === 'some') engine.watch(condition.node, { arrived: once, saturated: once, unknown: once });
  else if (condition.kind === 'number')
    watchNumbers(engine, condition.node, (value) => {
      if (value === undefined || condition.holds(value)) once();
    });
  else watchPairs(engine, condition, once);
}

function watchPairs(
  engine: Engine,
  { left, right, holds }: Extract<Condition, { readonly kind: 'numbers' }>,
  action: () => void,
): void {
  const [lefts, rights]: [(number | undefined)[], (number | undefined)[]] = [[], []];
  const isMet = (a: number | undefined, b: number | undefined): boolean =>
    a === undefined || b === undefined || holds(a, b);
  watchNumbers(engine, left, (value) => {
    lefts.push(value);
    if (rights.some((each) => isMet(value, each))) action();
  });
  watchNumbers(engine, right, (value) => {
    rights.push(value);
    if (lefts.some((each) => isMet(each, value))) action();
  });
}

function onFirst(engine: Engine, action: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    engine.ready(action);
  };
}

/** Calls back with each number that arrives; undefined for any. */
function watchNumbers(engine: Engine, node: number, visit: (value: number | undefined) => void): void {
  engine.watch(node, {
    arrived: (type) => visit(engine.types.numberOf(type)),
    saturated: () => visit(undefined),
  });
}
