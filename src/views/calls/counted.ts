/** Counts of a profile beside the calls of a report, for the views of calls. */
import { type EdgeCounts, edgeCounts } from '../../analysis/callgraph/edge-counts.js';
import { OBSERVED_NOTE } from '../../analysis/callgraph/observed-graph.js';
import type { UnitedPrograms } from '../../analysis/identity/unite.js';
import { unitedUse } from '../../analysis/identity/united.js';
import { requireProfile } from '../../analysis/scope/scoped.js';
import { UsageError } from '../../base/errors.js';
import { formatCount, formatValue, plural } from '../../base/units.js';
import { CALL_EVENTS } from '../../models/events/call.js';
import type { Use } from '../../models/open-recording.js';
import { detail, maybe } from '../listing.js';
import type { ViewInput } from '../question.js';
import { requireGraph } from './choice.js';

/** The column; absent without a profile. */
export const CALLS_COLUMN = detail(
  1,
  maybe('Calls', 'count', 'calls that the profile counted; null if it has none, or without profile'),
);

/** The names that a report and its profile share; nothing without a profile. */
export function countsUse({ base, subject }: ViewInput): Use<UnitedPrograms> | undefined {
  return base && unitedUse([subject, base.subject]);
}

/** Counts by row of targets; undefined without a profile. Throws `UsageError` for one without counted calls. */
export function countsOf(input: ViewInput, united: UnitedPrograms | undefined): EdgeCounts | undefined {
  const { base, recording } = input;
  if (base === undefined || united === undefined) return undefined;
  const profile = requireProfile(base);
  if (CALL_EVENTS.of(profile) === undefined)
    throw new UsageError(`${base.recording.name} does not count calls`, '--counts needs a PGO profile (.iprof).');
  return edgeCounts(requireGraph(input), recording.program, { profile, program: base.recording.program }, united);
}

/** The calls of a row; null if unknown. */
export function callsAt(counts: EdgeCounts | undefined, target: number): number | null {
  const calls = target < 0 ? Number.NaN : (counts?.calls[target] ?? Number.NaN);
  return Number.isNaN(calls) ? null : calls;
}

export function countNotes(counts: EdgeCounts | undefined): string[] {
  if (counts === undefined) return [];
  const { edges, observed, sum, missing, between, unplaced } = counts;
  return [
    `The profile has ${formatCount(observed)} of ${plural(edges, 'call')} of the report (${formatValue(observed / Math.max(1, edges), 'ratio')}), ${formatCount(sum)} times.`,
    ...(missing === 0
      ? []
      : [
          `It has ${plural(missing, 'call')} that the report lacks, ${formatCount(between)} between methods of the report.`,
        ]),
    OBSERVED_NOTE,
    ...(unplaced === 0
      ? []
      : [
          `${plural(unplaced, 'call')} by receiver type ${unplaced === 1 ? 'is' : 'are'} not shown: ${unplaced === 1 ? 'its' : 'their'} target is unknown.`,
        ]),
  ];
}
