/** Steps of programs of the kernel over values that nobody wants. */
import type { Plan } from '../chunk/plan.js';
import * as op from '../chunk/plan.js';

/** As in `kernels/jfr.ts`. */
const [SKIP, SKIP_BYTES, SKIP_STRING, SKIP_ARRAY, END] = [16, 17, 18, 20, 0];
const STEP_BYTES = 8;

/** The step over a value of an operation other than of arrays. */
export function skipOf(operation: number): readonly [number, number] {
  if (operation < op.BYTE) return [SKIP, 1];
  if (operation === op.STRING) return [SKIP_STRING, 0];
  return [SKIP_BYTES, operation === op.FLOAT ? 4 : operation === op.DOUBLE ? 8 : 1];
}

/** The program over all values of a plan, whose first step is at an address; programs of its arrays follow. */
export function skipProgram({ operations, slots, arrays }: Plan, address: number): number[] {
  const steps: number[] = [];
  const inner: { readonly step: number; readonly plan: Plan }[] = [];
  for (const [i, operation] of operations.entries()) {
    if (operation === op.ROWS) inner.push({ step: steps.push(SKIP_ARRAY, 0) - 1, plan: arrays[slots[i]] });
    else {
      const [step, what] = skipOf(operation);
      if (step === SKIP && steps.at(-2) === SKIP) steps.push((steps.pop() ?? 0) + 1);
      else steps.push(step, what);
    }
  }
  steps.push(END, 0);
  for (const { step, plan } of inner) {
    const at = address + (steps.length / 2) * STEP_BYTES;
    steps[step] = at;
    steps.push(...skipProgram(plan, at));
  }
  return steps;
}
