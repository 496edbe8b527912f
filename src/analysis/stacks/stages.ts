/** Values along the stacks of a subject, as stages that consecutive questions share. */
import { type Steps, withPauses } from '../../base/progress.js';
import { type Stage, type StageUse, type Subject, use } from '../../models/open-recording.js';
import type { Metric, Profile } from '../../models/profile/profile.js';
import { scopedUse } from '../scope/scoped.js';
import { arcInclusive } from './arc-values.js';
import {
  exclusiveByFunction,
  exclusiveByStack,
  functionByStack,
  inclusiveFunctionSteps,
  inclusiveSteps,
} from './stack-values.js';

const functionsStage: Stage<Int32Array, void> = {
  name: 'functions of stacks',
  version: 1,
  key: () => '',
  needs: ([subject]) => [scopedUse(subject)],
  run: async ([subject], _, get) => {
    const { recording, profile } = await get(scopedUse(subject));
    return profile === undefined ? new Int32Array() : functionByStack(profile.stacks, recording.program);
  },
  bytes: ({ byteLength }) => byteLength,
};

/** The function of each stack's leaf. */
export function functionsUse(subject: Subject): StageUse<Int32Array> {
  return use(functionsStage, [subject], undefined);
}

const exclusiveStage: Stage<Float64Array, Metric> = {
  name: 'values of stacks',
  version: 1,
  key: ({ id }) => id,
  needs: ([subject]) => [scopedUse(subject)],
  run: async ([subject], metric, get) => {
    const { profile } = await get(scopedUse(subject));
    return profile === undefined ? new Float64Array() : exclusiveByStack(profile, metric);
  },
  bytes: ({ byteLength }) => byteLength,
};

/** The metric's exclusive value of each stack. */
export function exclusiveUse(subject: Subject, metric: Metric): StageUse<Float64Array> {
  return use(exclusiveStage, [subject], metric);
}

/** A metric by function, and its `sum`. */
export interface FunctionTotals {
  readonly exclusive: Float64Array;
  /** Undefined for metrics that do not add up along stacks. */
  readonly inclusive: Float64Array | undefined;
  readonly sum: number;
}

const totalsStage: Stage<FunctionTotals, Metric> = {
  name: 'values of functions',
  version: 1,
  key: ({ id }) => id,
  needs: ([subject], metric) => [scopedUse(subject), functionsUse(subject), exclusiveUse(subject, metric)],
  run: async ([subject], metric, get, work) => {
    const { recording, profile } = await get(scopedUse(subject));
    const count = recording.program.functions.length;
    if (profile === undefined) return { exclusive: new Float64Array(count), inclusive: undefined, sum: 0 };
    const functions = await get(functionsUse(subject));
    const steps = functionTotals(profile, metric, functions, await get(exclusiveUse(subject, metric)), count);
    const totals = await withPauses(steps, work, 'values of functions', profile.stacks.length);
    const { inclusive } = totals;
    if (metric.arcField === undefined || inclusive === undefined) return totals;
    return { ...totals, inclusive: arcInclusive(profile, metric, inclusive) };
  },
  bytes: ({ exclusive, inclusive }) => exclusive.byteLength + (inclusive?.byteLength ?? 0),
};

/** The metric of each function: exclusive and inclusive values. */
export function functionTotalsUse(subject: Subject, metric: Metric): StageUse<FunctionTotals> {
  return use(totalsStage, [subject], metric);
}

/** The metric of each of `count` functions, or other groups of code, in parts; `functions`: that of each stack. */
export function* functionTotals(
  { stacks }: Profile,
  metric: Metric,
  functions: Int32Array,
  byStack: Float64Array,
  count: number,
): Steps<FunctionTotals> {
  const { values: exclusive, sum } = exclusiveByFunction(functions, byStack, count);
  const inclusive =
    metric.nature === 'site'
      ? undefined
      : yield* inclusiveFunctionSteps(stacks, functions, yield* inclusiveSteps(stacks, byStack), count);
  return { exclusive, inclusive, sum };
}
