/** A metric by places of code: instructions of a method, lines of a file. */

import type { Sampling } from '../../analysis/interval.js';
import { usualMetricOf } from '../../analysis/metric-facts.js';
import { samplingOf } from '../../analysis/sampling-error.js';
import { inclusiveByFunction, inclusiveByStack } from '../../analysis/stacks/stack-values.js';
import type { Note } from '../../base/note.js';
import type { Metric, Profile } from '../../models/profile/profile.js';
import type { CodeInfo } from '../../models/program/code.js';
import { lineOf } from '../../models/program/places.js';
import { type LocationId, NO_LINE, type Program } from '../../models/program/program.js';
import { chooseMetric, metricRemarks } from '../metric-choice.js';
import type { ViewInput } from '../question.js';

/** Values by place. */
export interface PlaceValues {
  readonly metric: Metric;
  readonly self: Float64Array;
  /** Undefined for metrics that do not add up along stacks. */
  readonly total: Float64Array | undefined;
  /** Sum over all places of the recording. */
  readonly sum: number;
  /** Undefined if the metric was not sampled, or not by counted samples. */
  readonly sampling: Sampling | undefined;
  /** Remarks that must accompany the numbers. */
  readonly remarks: readonly Note[];
}

/**
 * The metric of each of `count` places; `placeOf` returns the place of a location, -1 for elsewhere. A stack counts
 * once for a place, at its outermost frame there.
 */
export function valuesByPlace(
  profile: Profile,
  metric: Metric,
  exclusive: Float64Array,
  placeOf: (location: number) => number,
  count: number,
): PlaceValues {
  const { stacks } = profile;
  const places = Int32Array.from(stacks.location, (location) => placeOf(location));
  const self = new Float64Array(count);
  let sum = 0;
  for (let id = 0; id < places.length; id++) {
    sum += exclusive[id];
    if (places[id] >= 0) self[places[id]] += exclusive[id];
  }
  const remarks = metricRemarks(metric, profile);
  const sampling = samplingOf(metric, profile);
  if (metric.nature === 'site') return { metric, self, total: undefined, sum, sampling, remarks };
  const grouped = places.map((place) => (place < 0 ? count : place));
  const total = inclusiveByFunction(stacks, grouped, inclusiveByStack(stacks, exclusive), count + 1);
  return { metric, self, total: total.subarray(0, count), sum, sampling, remarks };
}

/** The source line of a place: the recorded one, else the one in its code; not positive if neither is known. */
export function lineOfPlace(program: Program, code: CodeInfo | undefined, location: LocationId): number {
  const line = lineOf(program, location);
  return line > 0 ? line : lineInCode(code, location);
}

/** The source line in the code at a place, or at another offset of the place's function; `NO_LINE` without code. */
export function lineInCode(code: CodeInfo | undefined, location: LocationId, offset?: number): number {
  const codePlace = code?.codeOf(location);
  return codePlace === undefined || 'reason' in codePlace ? NO_LINE : codePlace.code.lineAt(offset ?? codePlace.offset);
}

/** The metric that the question names, else the default; undefined if the recording has no metric along stacks. */
export function metricBesideCode({ recording, profile }: ViewInput, metricId: string | undefined): Metric | undefined {
  if (profile === undefined) return undefined;
  if (metricId !== undefined) return chooseMetric(profile, recording, metricId);
  return usualMetricOf(profile.metrics, profile);
}
