/**
 * What `summary` says of the counts of a profile: the hottest functions of each metric, branches and receivers by shape, the
 * profiler's own part. A stage that is kept on disk: a second `summary` of a large profile only reads it.
 */
import { functionsOf, originOf } from '../../analysis/origin.js';
import { scopedUse } from '../../analysis/scope/scoped.js';
import { type CutPart, cutParts } from '../../analysis/stacks/cut-stacks.js';
import { exclusiveByFunction } from '../../analysis/stacks/stack-values.js';
import { exclusiveUse, functionsUse } from '../../analysis/stacks/stages.js';
import { share } from '../../base/share.js';
import { CALL_EVENTS } from '../../models/events/call.js';
import { type Get, type Stage, type StageUse, type Subject, use } from '../../models/open-recording.js';
import type { Metric, Profile } from '../../models/profile/profile.js';
import { ARCS } from '../../models/profile/tables.js';
import { hasStacks } from '../../models/profile/usual-metric.js';
import type { FunctionId, Program } from '../../models/program/program.js';
import { branchSummary } from '../pgo/branches.js';
import { receiversSummary } from '../pgo/receivers.js';
import { functionValuesUse } from './function-values.js';
import { cutSummary } from './summary-parts.js';

const HOTTEST = 3;

/** The hottest functions of a metric, without the profiler's own, and the sum of all; null if that is not recorded. */
export interface Hottest {
  readonly sum: number | null;
  readonly functions: readonly { readonly id: FunctionId; readonly value: number }[];
  /** Its part in stacks that were cut. */
  readonly cut: readonly CutPart[];
}

export interface Overview {
  /** In the order of the metrics with stacks. */
  readonly metrics: readonly Hottest[];
  readonly branches: { readonly sites: number; readonly one_sided: number; readonly never: number } | null;
  readonly receivers: NonNullable<ReturnType<typeof receiversSummary>>['shapes'] | null;
  readonly profiler: ProfilerPart | null;
  readonly cut: ReturnType<typeof cutSummary>;
}

interface ProfilerPart {
  readonly calls: number;
  readonly calls_share: number | null;
  readonly branch_sites: number;
  readonly receiver_sites: number;
  readonly receiver_calls: number;
  readonly receiver_share: number | null;
}

const NOTHING: Overview = { metrics: [], branches: null, receivers: null, profiler: null, cut: null };

const overviewStage: Stage<Overview, void> = {
  name: 'overview',
  version: 2,
  key: () => '',
  needs: ([subject]) => {
    const metrics = subject.snapshot.recording.profile?.metrics.filter(hasStacks) ?? [];
    return [
      scopedUse(subject),
      functionsUse(subject),
      ...metrics.map((metric) =>
        metric.table === ARCS.kind ? functionValuesUse(subject, metric) : exclusiveUse(subject, metric),
      ),
    ];
  },
  run: async ([subject], _, get) => {
    const { recording, profile } = await get(scopedUse(subject));
    if (profile === undefined) return NOTHING;
    const { program } = recording;
    const part = { recording, subject };
    const metrics: Hottest[] = [];
    for (const metric of profile.metrics.filter(hasStacks))
      metrics.push(await hottestOf(metric, profile, program, subject, get));
    const branches = branchSummary(part, profile);
    const receivers = receiversSummary(part, profile);
    return {
      metrics,
      branches: branches?.summary ?? null,
      receivers: receivers?.shapes ?? null,
      profiler: profilerPart(branches, receivers, profile, program),
      cut: cutSummary(profile),
    };
  },
  bytes: ({ metrics }) => 1000 * (1 + metrics.length),
  columns: {
    version: 2,
    toColumns: (overview) => overview,
    fromColumns: (columns) => (isOverview(columns) ? columns : undefined),
  },
};

/** The store guarantees the content; a check of the shape is enough. */
function isOverview(columns: unknown): columns is Overview {
  return typeof columns === 'object' && columns !== null && 'metrics' in columns && 'profiler' in columns;
}

export function overviewUse(subject: Subject): StageUse<Overview> {
  return use(overviewStage, [subject], undefined);
}

async function hottestOf(
  metric: Metric,
  profile: Profile,
  program: Program,
  subject: Subject,
  get: Get,
): Promise<Hottest> {
  // If a part of it is a metric, too, the functions are shown with that one.
  const isWhole = profile.metrics.some(({ whole }) => whole?.metric === metric.id);
  const { values, sum, cut } = await valuesOf(metric, profile, program, subject, get);
  const ids = isWhole ? [] : largest(values, program);
  return { sum, functions: ids.map((id) => ({ id, value: values[id] })), cut };
}

/** The metric of each function: its own, or with its callees if the recording has only that. */
async function valuesOf(metric: Metric, profile: Profile, program: Program, subject: Subject, get: Get) {
  if (metric.table === ARCS.kind) {
    const { exclusive, inclusive, sum } = await get(functionValuesUse(subject, metric));
    return { values: exclusive ?? inclusive ?? new Float64Array(), sum: exclusive === undefined ? null : sum, cut: [] };
  }
  const functions = await get(functionsUse(subject));
  const byStack = await get(exclusiveUse(subject, metric));
  const cut = cutParts(profile, program, byStack);
  return { ...exclusiveByFunction(functions, byStack, program.functions.length), cut };
}

/**
 * The functions with the largest values, largest first. Without the instrumentation, which counts itself, often more than
 * anything else: users are not interested in that.
 */
function largest(values: Float64Array, program: Program): number[] {
  const largestIds: number[] = [];
  // Kept in a local: the loop passes over all functions of the program, and few of them have a larger value.
  let least = 0;
  for (let id = 0; id < values.length; id++) {
    if (values[id] <= least || originOf(program, id) === 'profiler') continue;
    addLargest(largestIds, id, values);
    if (largestIds.length === HOTTEST) least = values[largestIds[HOTTEST - 1]];
  }
  return largestIds;
}

/** Keeps `largestIds` ordered by value, then by first occurrence, and at most `HOTTEST` long. */
function addLargest(largestIds: number[], id: number, values: Float64Array): void {
  const place = largestIds.findIndex((other) => values[other] < values[id]);
  largestIds.splice(place < 0 ? largestIds.length : place, 0, id);
  largestIds.length = Math.min(largestIds.length, HOTTEST);
}

/** The share of the profiler's own code in counted calls, branches and virtual calls; null if there is none. */
function profilerPart(
  branches: ReturnType<typeof branchSummary>,
  receivers: ReturnType<typeof receiversSummary>,
  profile: Profile,
  program: Program,
): ProfilerPart | null {
  const counted = CALL_EVENTS.of(profile);
  const profilerFunctions = functionsOf(program, ['profiler']);
  const functions = program.locations.function;
  let calls = 0;
  let all = 0;
  for (let row = 0; row < (counted?.length ?? 0); row++) {
    const count = counted?.count[row] ?? 0;
    const stack = counted?.stack[row] ?? -1;
    all += count;
    if (stack >= 0 && profilerFunctions[functions[profile.stacks.location[stack]]] === 1) calls += count;
  }
  const apart = receivers?.apart ?? { sites: 0, executed: 0 };
  const rest = receivers?.shapes.reduce((sum, shape) => sum + shape.calls, 0) ?? 0;
  const branchSites = branches?.apart.sites ?? 0;
  if (calls === 0 && branchSites === 0 && apart.sites === 0) return null;
  return {
    calls,
    calls_share: share(calls, all),
    branch_sites: branchSites,
    receiver_sites: apart.sites,
    receiver_calls: apart.executed,
    receiver_share: share(apart.executed, rest + apart.executed),
  };
}
