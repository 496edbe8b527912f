/** Chooses the metric of a view, and describes it in results. */
import { z } from 'zod';
import {
  amountOf,
  earlierEvents,
  otherStacksOf,
  recordedEventsOf,
  summedDumpsOf,
  usualMetricOf,
} from '../analysis/metric-facts.js';
import { requireDump } from '../analysis/scope/moment.js';
import { requireProfile } from '../analysis/scope/scoped.js';
import { metricSums } from '../analysis/stacks/stack-values.js';
import { MissingError, UsageError } from '../base/errors.js';
import { type Note, note } from '../base/note.js';
import { phrase, theOption, theStep, theView } from '../base/phrase.js';
import { formatCount, formatValue, plural } from '../base/units.js';
import { ALLOCATION_EVENTS, allocationKind } from '../models/events/allocation.js';
import { OTHER_EVENTS } from '../models/events/exception.js';
import { SINGLE_EVENT_KINDS } from '../models/events/index.js';
import { SAMPLE_KINDS } from '../models/events/thread-samples.js';
import { METHOD_TIMING_EVENTS } from '../models/events/time.js';
import { eventTable, type Metric, type Profile } from '../models/profile/profile.js';
import { FEW, hasStacks } from '../models/profile/usual-metric.js';
import type { Program } from '../models/program/program.js';
import type { Recording } from '../models/recording.js';
import { type Side, type ViewInput, WITHOUT_STEPS } from './question.js';

/** A metric in results. */
export const METRIC_SHAPE = {
  id: z.string(),
  title: z.string(),
  unit: z.string(),
  nature: z.string(),
  resolution: z.number().optional().describe('the numbers are known in steps of this'),
};

export function metricOf({ id, title, unit, nature, resolution }: Metric) {
  return { id, title, unit, nature, ...(resolution === undefined ? {} : { resolution }) };
}

/**
 * Remarks that accompany a metric's numbers everywhere: those of its recorder, the number of dumps it is summed over,
 * few samples.
 */
export function metricRemarks(metric: Metric, profile: Profile): Note[] {
  return [
    ...sumNotes(dumpsOf(metric, profile)),
    ...fewNotes(metric, profile),
    ...stacklessNotes(metric, profile),
    ...ownRemarks(metric, profile),
  ];
}

/** The note on single events and samples whose stack the recorder did not get: they are in no row, and in no sum. */
function stacklessNotes(metric: Metric, profile: Profile): Note[] {
  const table = eventTable(profile, metric.table);
  if (table === undefined) return [];
  if (!SINGLE_EVENT_KINDS.has(metric.table) && !SAMPLE_KINDS.has(metric.table)) return [];
  if (metric.field === undefined) return [];
  const { events, sum } = metricSums(metric, table).stackless;
  if (events === 0) return [];
  const noun = SAMPLE_KINDS.has(metric.table) ? 'sample' : 'event';
  const amount = formatValue(sum, metric.unit, metric.resolution);
  return [note('without-stack', `Not counted: ${plural(events, noun)} without a stack (${amount}).`)];
}

/** The remarks of a metric, and how much of its whole metric it does not count. */
export function ownRemarks(metric: Metric, profile: Profile): Note[] {
  return [
    ...restNotes(metric, profile),
    ...earlierNotes(metric, profile),
    ...earlierCallNotes(metric, profile),
    ...(metric.notes ?? []),
  ];
}

/** What is not counted of the allocations of a profile, for views that have no metric. */
export function allocationNotes({ profile }: Pick<Side, 'profile'>): Note[] {
  const kind = allocationKind(profile)?.kind;
  return (
    profile?.metrics.filter(({ table }) => table === kind).flatMap((metric) => earlierNotes(metric, profile)) ?? []
  );
}

/** What the recorder lacks of the waits of virtual threads, for views that have no metric. */
export function virtualWaitNotes({ profile }: Pick<Side, 'profile'>): Note[] {
  const notes = profile?.metrics.flatMap((metric) => metric.notes ?? []) ?? [];
  return notes.filter(({ code }) => code === VIRTUAL_WAITS).slice(0, 1);
}

/** The code of the note of formats on such waits. */
export const VIRTUAL_WAITS = 'virtual-waits';

/** The note on sampled allocations of a time before the recording, which are in no sum. */
function earlierNotes({ table: kind, field, unit }: Metric, profile: Profile): Note[] {
  const table = eventTable(profile, kind);
  if (table?.kind !== ALLOCATION_EVENTS.kind || field !== 'bytes') return [];
  const { events, sum } = earlierEvents(table);
  if (events === 0) return [];
  const samples = `${plural(events, 'first sample')} of ${events === 1 ? 'a thread' : 'threads'}`;
  const amount = formatValue(sum, unit);
  return [
    note(
      'before-recording',
      `Not counted: ${amount} in ${samples} older than the recording: a first sample weighs all that its thread allocated since it started, or since a recording before.`,
    ),
  ];
}

function restNotes(metric: Metric, profile: Profile): Note[] {
  const whole = profile.metrics.find(({ id }) => id === metric.whole?.metric);
  if (metric.whole === undefined || whole === undefined) return [];
  const rest = amountOf(whole, profile) - amountOf(metric, profile);
  if (rest === 0) return [];
  return [
    note(
      'not-counted',
      phrase`Not counted: ${formatCount(rest)} ${metric.whole.rest} (${theOption('metric', { value: whole.id })} counts them, too).`,
      { action: { set: { metric: whole.id } } },
    ),
  ];
}

/** How many dumps a metric's numbers are summed over. */
export function dumpsOf(metric: Metric, profile: Profile): number {
  const table = eventTable(profile, metric.table);
  return table === undefined ? 1 : summedDumpsOf(metric, table);
}

/** The note on a sum over several dumps. */
export function sumNotes(dumps: number): Note[] {
  if (dumps === 1) return [];
  return [
    note('summed-dumps', phrase`Summed over ${dumps} dumps (${theStep('dump', { choose: 'N' })} chooses one).`, {
      action: { addSteps: ['dump'] },
    }),
  ];
}

/** The note on calls of timed methods that may be older than the recording, which are in no sum. */
function earlierCallNotes({ table: kind, field }: Metric, profile: Profile): Note[] {
  const table = eventTable(profile, kind);
  if (table?.kind !== METHOD_TIMING_EVENTS.kind || field === undefined) return [];
  const { events, sum } = earlierEvents(table);
  if (events === 0) return [];
  const calls = plural(sum, 'call');
  return [
    note(
      'before-recording',
      `Not counted: ${calls} of ${plural(events, 'method')} up to its first event: the recorder ran before this file began, and counts from its start on.`,
    ),
  ];
}

/** Types of other events that a note names. */
const MOST_TYPES = 3;

/** A list of one metric need not say more of the other events if they are fewer than this part of its own. */
const HARDLY_ANY_OTHERS = 0.1;

/**
 * The note on events with stacks that no metric but that of other events counts, such as those of a recorder or an application that the
 * models do not know; beside a metric only if they are many. Undefined if there are none.
 */
export function otherEventNotes(profile: Profile, program: Program, metric?: Metric): Note[] {
  if (metric?.table === OTHER_EVENTS.kind) return [];
  const types = otherStacksOf(profile, program);
  const events = types.reduce((sum, each) => sum + each.events, 0);
  if (events === 0) return [];
  if (metric !== undefined && events < HARDLY_ANY_OTHERS * recordedEventsOf(metric, profile)) return [];
  const list = types.slice(0, MOST_TYPES).map((each) => `${formatCount(each.events)} ${each.type}`);
  if (types.length > MOST_TYPES) list.push(`${plural(types.length - MOST_TYPES, 'more type')}`);
  const words = `${plural(events, 'other event')} with ${events === 1 ? 'a stack' : 'stacks'}: ${list.join(', ')}`;
  const others = profile.metrics.find(({ table }) => table === OTHER_EVENTS.kind);
  if (others === undefined) return [note('other-events', `Not counted: ${words}.`)];
  return [
    note('other-events', phrase`Not counted: ${words} (${theOption('metric', { value: others.id })} shows them).`, {
      action: { set: { metric: others.id } },
    }),
  ];
}

/** Says which metric is shown. */
export function metricNote({ title }: Metric): Note {
  return note('metric', `Metric: ${title.toLowerCase()}.`);
}

/** The note on few samples. */
export function fewNotes(metric: Metric, profile: Profile): Note[] {
  if (!SAMPLE_KINDS.has(metric.table)) return [];
  const events = recordedEventsOf(metric, profile);
  return events === 0 || events >= FEW
    ? []
    : [note('few-samples', `${metric.title}: only ${plural(events, 'sample')}, so shares are rough.`)];
}

/** `chooseMetric` for one side of a question; a usage error if the scope could not be applied to its events. */
export function metricFor(
  side: Pick<ViewInput, 'profile' | 'recording' | 'unscoped' | 'dump'>,
  id: string | undefined,
  fits?: Fits,
): Metric {
  const { metrics } = requireProfile(side);
  const chosen = chooseMetric(requireProfile(side), side.recording, id, fits);
  const isByScope = id === undefined && side.unscoped.has(chosen.table);
  const metric = isByScope ? (usualInScope(side, fits) ?? chosen) : chosen;
  requireDump(side.recording, side.dump, metric.table);
  if (!side.unscoped.has(metric.table)) return metric;
  const others = metrics.filter((other) => hasStacks(other) && !side.unscoped.has(other.table));
  throw new UsageError(
    `${metric.title.toLowerCase()} of ${side.recording.name} cannot be selected by this scope`,
    others.length === 0
      ? WITHOUT_STEPS
      : {
          code: 'not-in-scope',
          advice: `Metrics that can: ${others.map((other) => other.id).join(', ')}.`,
          action: { choose: ['metric'] },
        },
  );
}

/**
 * The usual metric of those that are in the scope, where the scope can be applied to that of the whole recording: it left so few of its events that
 * others, which it does not select, were more.
 */
function usualInScope({ profile, recording, unscoped }: Pick<Side, 'profile' | 'recording' | 'unscoped'>, fits?: Fits) {
  const whole = recording.profile && chooseMetric(recording.profile, recording, undefined, fits);
  if (whole === undefined || profile === undefined || unscoped.has(whole.table)) return undefined;
  const metrics = profile.metrics.filter(({ table }) => !unscoped.has(table));
  return chooseMetric({ ...profile, metrics }, recording, undefined, fits);
}

/** The metric of the base; a usage error if the two cannot be compared. */
export function baseMetric({ recording }: Side, base: Side, metric: Metric): Metric {
  const other = base.recording;
  if (base.profile === undefined)
    throw new UsageError(`${other.name} has no profile to compare with`, { code: 'no-profile' });
  const chosen = metricFor(base, metric.id);
  if (chosen.unit !== metric.unit || chosen.nature !== metric.nature)
    throw new UsageError(`${metric.id} of ${recording.name} and of ${other.name} are not of the same kind`, {
      code: 'kinds-differ',
    });
  return chosen;
}

/** Which metrics a view can show: the usual one is one of them, unless they have few events. */
export type Fits = (metric: Metric) => boolean;

/** The metric along stacks that the question names, or the default; a usage error that lists the metrics. */
export function chooseMetric(
  profile: Profile,
  recording: Recording,
  id: string | undefined,
  fits: Fits = () => true,
): Metric {
  const stacked = profile.metrics.filter((metric) => hasStacks(metric));
  const metric =
    id === undefined ? chosenMetric(stacked, profile, fits) : stacked.find((candidate) => candidate.id === id);
  if (metric !== undefined) return metric;
  if (profile.metrics.length === 0)
    throw new MissingError(`${recording.name} has no events with stacks`, {
      code: 'no-stacks',
      advice:
        recording.heaps === undefined
          ? phrase`${theView('summary')} lists what this recording has.`
          : phrase`Ask for its objects: ${theView('heap-histogram')}, ${theView('heap-dominators')}.`,
    });
  if (stacked.length === 0 || profile.metrics.some((candidate) => candidate.id === id))
    throw new MissingError(
      `${recording.name} has no stacks${id === undefined ? '' : ` of ${id}`}, only objects by class`,
      {
        code: 'no-stacks',
        advice: phrase`Use ${theView('heap-histogram')}, or ${theView('diff')} to compare two of them.`,
        action: { ask: theView('heap-histogram') },
      },
    );
  throw new UsageError(`${recording.name} has no metric ${id ?? ''}`, {
    code: 'no-metric',
    advice: `Its metrics: ${stacked.map((candidate) => candidate.id).join(', ')}.`,
    action: { choose: ['metric'] },
  });
}

function chosenMetric(metrics: readonly Metric[], profile: Profile, fits: Fits): Metric | undefined {
  const fitting = usualMetricOf(metrics.filter(fits), profile);
  if (fitting !== undefined && recordedEventsOf(fitting, profile) >= FEW) return fitting;
  return usualMetricOf(metrics, profile);
}
