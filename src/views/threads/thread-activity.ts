/** Cells of `threads` from events of one recording: what threads waited for, allocated and what a metric counts of them. */
import {
  threadAllocationsUse,
  threadTimesUse,
  threadValuesUse,
  threadWaitsUse,
} from '../../analysis/threads/stages.js';
import { share } from '../../base/share.js';
import { allocationKind } from '../../models/events/allocation.js';
import { WAIT_EVENTS } from '../../models/events/wait.js';
import type { Metric, Profile } from '../../models/profile/profile.js';
import type { Side, StageValues, ViewInput } from '../question.js';
import type { ThreadSheet } from './thread-sheet.js';

/** The stages with what threads did by events of the one recording; none of several. `metric`: the one of the question. */
export function activityUses(input: ViewInput, sides: readonly Side[], metric: Metric | undefined) {
  const { subject, profile } = input;
  if (sides.length > 1 || profile === undefined) return {};
  const [allocated, contended] = (['allocated', 'contended'] as const).map((key) => activityMetric(profile, key));
  return {
    waits: threadWaitsUse(subject),
    metricValues: metric && threadValuesUse(subject, metric),
    allocated: allocated && threadValuesUse(subject, allocated),
    contended: contended && threadValuesUse(subject, contended),
    counted: threadAllocationsUse(subject),
    times: threadTimesUse(subject),
  };
}

/** Their values. */
export type ThreadActivity = StageValues<ReturnType<typeof activityUses>>;

/** What a thread did by events of the one recording: waits, and a metric. */
export function activityCells({ shown: shownThreads }: ThreadSheet, { waits, counted, ...activity }: ThreadActivity) {
  const { metricValues: values, allocated, contended } = activity;
  const sum = values?.reduce((all, value) => all + value, 0) ?? 0;
  return {
    waits: (i: number) => waits?.count[shownThreads[i]] ?? null,
    waited: (i: number) => waits?.time[shownThreads[i]] ?? null,
    allocated: (i: number) => allocated?.[shownThreads[i]] ?? null,
    counted: (i: number) => knownOf(counted?.grown[shownThreads[i]]),
    contended: (i: number) => contended?.[shownThreads[i]] ?? null,
    value: (i: number) => values?.[shownThreads[i]] ?? null,
    value_share: (i: number) => (values === undefined ? null : share(values[shownThreads[i]], sum)),
  };
}

/** Null for what is unknown. */
function knownOf(value: number | undefined): number | null {
  return value === undefined || Number.isNaN(value) ? null : value;
}

/** The metric that a column beside the chosen metric shows. */
export function activityMetric(profile: Profile, key: 'allocated' | 'contended'): Metric | undefined {
  const { kind, field } =
    key === 'allocated'
      ? { kind: allocationKind(profile)?.kind, field: 'bytes' }
      : { kind: WAIT_EVENTS.kind, field: key };
  return profile.metrics.find((metric) => metric.table === kind && metric.field === field);
}
