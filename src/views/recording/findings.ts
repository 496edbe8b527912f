/** What matters first in a recording of several kinds of events: where the processor, the memory and the waiting time went. */
import { z } from 'zod';
import { intervalOf } from '../../analysis/interval.js';
import { waitTimesUse } from '../../analysis/locks/stages.js';
import type { WaitTimes } from '../../analysis/locks/wait-sites.js';
import { usualMetricOf } from '../../analysis/metric-facts.js';
import { samplingOf } from '../../analysis/sampling-error.js';
import { share } from '../../base/share.js';
import { ALLOCATION_EVENTS, OBJECT_ALLOCATION_EVENTS, TLAB_EVENTS } from '../../models/events/allocation.js';
import { SAMPLE_EVENTS } from '../../models/events/sample.js';
import { CPU_SAMPLE_EVENTS } from '../../models/events/thread-samples.js';
import { WAIT_EVENTS } from '../../models/events/wait.js';
import type { Metric, Profile } from '../../models/profile/profile.js';
import { hasStacks } from '../../models/profile/usual-metric.js';
import { functionSignature } from '../../models/program/names.js';
import type { Program } from '../../models/program/program.js';
import type { ViewInput } from '../question.js';
import type { Hottest } from './overview.js';

const limit = (side: string) =>
  z.number().nullable().describe(`${side} end of the 95 % interval of the share; null if not sampled`);

export const findingsShape = z
  .array(
    z.object({
      metric: z.string().describe('id of the metric'),
      function: z.string().describe('the one with the largest value of it'),
      value: z.number(),
      sum: z.number().describe('of the metric; for waiting without that of idle threads'),
      share: z.number().nullable().describe('value as a share of this sum'),
      low: limit('lower'),
      high: limit('upper'),
    }),
  )
  .describe('what matters first, of recordings of several kinds of events: processor, memory, waiting');

/** The questions, each with the kinds of events that answer it, best first. */
const ASKED: readonly (readonly string[])[] = [
  [CPU_SAMPLE_EVENTS, SAMPLE_EVENTS],
  [OBJECT_ALLOCATION_EVENTS, ALLOCATION_EVENTS, TLAB_EVENTS],
].map((kinds) => kinds.map(({ kind }) => kind));

/** `hottest`: of the metrics with stacks. A recording of one kind of events has no findings: its metric says it all. */
export function findingsOf(
  profile: Profile | undefined,
  program: Program,
  hottest: readonly Hottest[],
  waits: WaitTimes | undefined,
): z.input<typeof findingsShape> {
  if (profile === undefined) return [];
  const stacked = profile.metrics.filter(hasStacks);
  const chosen = ASKED.flatMap((kinds) => {
    const metric = usualMetricOf(
      stacked.filter(({ table }) => kinds.includes(table)),
      profile,
    );
    return metric ?? [];
  });
  const findings = chosen.flatMap(
    (metric) => findingOf(metric, hottest[stacked.indexOf(metric)], profile, program) ?? [],
  );
  findings.push(...waitFinding(profile, program, waits));
  return findings.length < 2 ? [] : findings;
}

function waitMetric(profile: Profile): Metric | undefined {
  return profile.metrics.find(({ table, field }) => table === WAIT_EVENTS.kind && field === 'contended');
}

/** The stage with the times of waits; undefined if the recording has no metric of them. */
export function waitFindingUse({ profile, subject }: Pick<ViewInput, 'profile' | 'subject'>) {
  return profile === undefined || waitMetric(profile) === undefined ? undefined : waitTimesUse(subject);
}

/** Where the most time was waited for locks: the first of `monitors --contention`. */
function waitFinding(profile: Profile, program: Program, waits: WaitTimes | undefined) {
  const metric = waitMetric(profile);
  if (metric === undefined || waits === undefined) return [];
  const { byFunction, sum } = waits;
  let id = 0;
  for (let other = 1; other < byFunction.length; other++) if (byFunction[other] > byFunction[id]) id = other;
  const value = byFunction[id] ?? 0;
  if (value === 0) return [];
  const place = { metric: metric.id, function: functionSignature(program, id) };
  return [{ ...place, value, sum, share: share(value, sum), low: null, high: null }];
}

function findingOf(metric: Metric, { sum, functions }: Hottest, profile: Profile, program: Program) {
  const [first] = functions;
  if (first === undefined || sum === null) return undefined;
  const sampling = samplingOf(metric, profile);
  const interval = sampling && intervalOf(first.value, sampling);
  return {
    metric: metric.id,
    function: functionSignature(program, first.id),
    value: first.value,
    sum,
    share: share(first.value, sum),
    low: interval === undefined ? null : share(interval.low, sum),
    high: interval === undefined ? null : share(interval.high, sum),
  };
}
