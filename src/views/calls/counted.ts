/** Counts of a profile beside the calls of a report, for the views of calls. */
import { type EdgeCounts, edgeCounts } from '../../analysis/callgraph/edge-counts.js';
import { INHERITED_BY, type InheritedBy } from '../../analysis/callgraph/inheritance.js';
import { OBSERVED_NOTE } from '../../analysis/callgraph/observed-graph.js';
import type { UnitedPrograms } from '../../analysis/identity/unite.js';
import { unitedUse } from '../../analysis/identity/united.js';
import { receiverClassesUse } from '../../analysis/places/class-stages.js';
import { requireProfile } from '../../analysis/scope/scoped.js';
import { UsageError } from '../../base/errors.js';
import { type Note, note } from '../../base/note.js';
import { phrase, theInput } from '../../base/phrase.js';
import { formatCount, formatValue, plural } from '../../base/units.js';
import type { ClassSet } from '../../code/java/class-path/class-set.js';
import { CALL_EVENTS } from '../../models/events/call.js';
import { detail, maybe } from '../listing.js';
import type { ViewInput } from '../question.js';
import { requireGraph } from './choice.js';

/** The column; absent without a profile. */
export const CALLS_COLUMN = detail(
  1,
  maybe('Calls', 'count', 'calls that the profile counted; null if it has none, or without profile'),
);

/** What counts need: the names that a report and its profile share, and the classes of receivers; nothing without a profile. */
export function countsUses({ base, subject, library }: ViewInput) {
  return {
    united: base && unitedUse([subject, base.subject]),
    receivers: base && receiverClassesUse(base.subject, library.classes, 'virtual'),
  };
}

interface CountValues {
  readonly united?: UnitedPrograms | undefined;
  readonly receivers?: ClassSet | undefined;
}

/** Counts by row of targets; undefined without a profile. Throws `UsageError` for one without counted calls. */
export async function countsOf(input: ViewInput, { united, receivers }: CountValues): Promise<EdgeCounts | undefined> {
  const { base, recording } = input;
  if (base === undefined || united === undefined) return undefined;
  const profile = requireProfile(base);
  if (CALL_EVENTS.of(profile) === undefined)
    throw new UsageError(`${base.recording.name} does not count calls`, {
      code: 'no-call-counts',
      advice: phrase`${theInput('counts')} needs a PGO profile (.iprof).`,
      action: { give: ['counts'] },
    });
  const { program } = base.recording;
  return input.kept(
    'counts',
    ({ calls }: EdgeCounts) => calls.byteLength,
    () => edgeCounts(requireGraph(input), recording.program, { profile, program }, united, receivers),
  );
}

/** The calls of a row; null if unknown. */
export function callsAt(counts: EdgeCounts | undefined, target: number): number | null {
  const calls = target < 0 ? Number.NaN : (counts?.calls[target] ?? Number.NaN);
  return Number.isNaN(calls) ? null : calls;
}

/** How much of the report the profile has, and what stays unmatched. `input`: of the counts. */
export function countNotes(counts: EdgeCounts | undefined, { library }: ViewInput): Note[] {
  if (counts === undefined) return [];
  const { edges, observed, sum, missing, between } = counts;
  return [
    note(
      'calls-observed',
      `The profile has ${formatCount(observed)} of ${plural(edges, 'call')} of the report (${formatValue(observed / Math.max(1, edges), 'ratio')}), ${formatCount(sum)} times.`,
    ),
    ...(missing === 0
      ? []
      : [
          note(
            'calls-beside-report',
            `It has ${plural(missing, 'call')} that the report lacks, ${formatCount(between)} between methods of the report.`,
          ),
        ]),
    OBSERVED_NOTE,
    ...receiverNotes(counts, library.classes !== undefined),
  ];
}

/** What showed the targets that receiver classes inherit. */
const SHOWN_BY: Readonly<Record<InheritedBy, string>> = {
  classes: 'by the class path',
  profile: 'by inlined calls of the profile',
  report: 'by overridden methods of the report',
};

const GIVE_CLASSES = phrase`; ${theInput('classes', { choose: 'PATH' })} names the classes`;

function receiverNotes({ inherited, unplaced, elsewhere }: EdgeCounts, hasClasses: boolean): Note[] {
  const countedKinds = INHERITED_BY.filter((by) => inherited[by] > 0);
  const sum = countedKinds.reduce((all, by) => all + inherited[by], 0);
  const kindTexts = countedKinds.map((by) => `${formatCount(inherited[by])} ${SHOWN_BY[by]}`).join(', ');
  const are = (count: number): string => `${plural(count, 'call')} by receiver type ${count === 1 ? 'is' : 'are'}`;
  return [
    ...(sum === 0
      ? []
      : [note('inherited-targets', `${are(sum)} of inherited methods; their targets are known: ${kindTexts}.`)]),
    ...(unplaced === 0
      ? []
      : [
          note(
            'unknown-targets',
            phrase`${are(unplaced)} not shown: the report has the place, but the target is unknown${hasClasses ? '' : GIVE_CLASSES}.`,
            hasClasses ? {} : { action: { give: ['classes'] } },
          ),
        ]),
    ...(elsewhere === 0 ? [] : [note('unknown-places', `${are(elsewhere)} at places that the report lacks.`)]),
  ];
}
