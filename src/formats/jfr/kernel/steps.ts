/** Steps of programs of the kernel: pairs of an operation and what it needs. */
import type { DecodePlan } from '../chunk/plan.js';
import * as op from '../chunk/plan.js';

/** As in `kernels/jfr/values.ts`. */
const [SKIP_BYTES, SKIP_STRING, SKIP_ARRAY] = [17, 18, 20];
export const SKIP = 16;
export const END = 0;
export const STEP_BYTES = 8;

/** The steps that keep a value: of an operation, in a slot; undefined if there are none. */
export type StepsOfValue = (operation: number, slot: number) => readonly number[] | undefined;

/**
 * The steps over the operations of a plan from one to before another, none of them an array, without the end; undefined if they need what
 * the kernel lacks.
 */
export function stepsOf(
  { operations, slots }: DecodePlan,
  keep: StepsOfValue,
  from = 0,
  to = operations.length,
): number[] | undefined {
  const steps: number[] = [];
  for (let i = from; i < to; i++) {
    const isWanted = slots[i] >= 0;
    if (operations[i] === op.ROWS || (operations[i] === op.STRING && isWanted)) return undefined;
    const kept = isWanted ? keep(operations[i], slots[i]) : [];
    if (kept === undefined) return undefined;
    if (isWanted) steps.push(...kept);
    else skip(steps, operations[i]);
  }
  return steps;
}

/** The program over all values of a plan, whose first step is at an address; programs of its arrays follow. */
export function skipProgram({ operations, slots, arrays }: DecodePlan, address: number): number[] {
  const steps: number[] = [];
  const inner: { readonly step: number; readonly plan: DecodePlan }[] = [];
  for (const [i, operation] of operations.entries()) {
    if (operation === op.ROWS) inner.push({ step: steps.push(SKIP_ARRAY, 0) - 1, plan: arrays[slots[i]] });
    else skip(steps, operation);
  }
  steps.push(END, 0);
  for (const { step, plan } of inner) {
    const at = address + (steps.length / 2) * STEP_BYTES;
    steps[step] = at;
    steps.push(...skipProgram(plan, at));
  }
  return steps;
}

/** Adds the step over a value; compressed integers are skipped together. */
function skip(steps: number[], operation: number): void {
  if (operation < op.BYTE && steps.at(-2) === SKIP) steps.push((steps.pop() ?? 0) + 1);
  else if (operation < op.BYTE) steps.push(SKIP, 1);
  else if (operation === op.STRING) steps.push(SKIP_STRING, 0);
  else steps.push(SKIP_BYTES, operation === op.FLOAT ? 4 : operation === op.DOUBLE ? 8 : 1);
}
