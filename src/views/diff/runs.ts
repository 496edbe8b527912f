/** The recordings of a difference: the runs of both sides, and the functions their programs have in common. */

import { overlapOf, RELATED } from '../../analysis/identity/overlap.js';
import { MATCHES, type United, type UnitedPrograms } from '../../analysis/identity/unite.js';
import { usualMetricOf } from '../../analysis/metric-facts.js';
import { exclusiveUse, functionsUse } from '../../analysis/stacks/stages.js';
import { UsageError } from '../../base/errors.js';
import { type Note, note, notesBeside, withPrefix } from '../../base/note.js';
import { phrase, theInput, theOption, theView } from '../../base/phrase.js';
import { formatCount, plural } from '../../base/units.js';
import type { ObjectGraph } from '../../models/heap/heap.js';
import type { Metric, Profile } from '../../models/profile/profile.js';
import { hasStacks } from '../../models/profile/usual-metric.js';
import type { Side, ViewInput } from '../question.js';
import { type FunctionValues, functionValuesUse } from '../recording/function-values.js';

/** How a row was joined. `one side`: only the programs of one side have it. */
export const JOINS = ['exact', 'by name', 'ambiguous', 'one side'] as const;
export type Join = (typeof JOINS)[number];

export interface Sides {
  /** The runs of the base, then those compared with it. */
  readonly runs: readonly Side[];
  /** Number of runs of the base. */
  readonly bases: number;
  readonly united: UnitedPrograms;
  /** By joined function: index into `JOINS`. */
  readonly functionJoins: Uint8Array;
  /** Values along the stacks of each run; empty unless functions or paths are compared. */
  readonly along: RunStackValues;
}

/** By run. */
export interface RunStackValues {
  readonly values: readonly FunctionValues[];
  readonly exclusive: readonly Float64Array[];
  readonly functions: readonly Int32Array[];
  /** Of differences by root. */
  readonly graphs: readonly ObjectGraph[];
}

/** The runs of the base, then those compared with it. Throws `UsageError` if there is no base. */
export function runsOf(input: ViewInput): readonly Side[] {
  const { base, baseRuns, runs } = input;
  if (base === undefined)
    throw new UsageError('diff needs a base', {
      code: 'needs-base',
      advice: phrase`Name ${theInput('base')}.`,
      action: { give: ['base'] },
    });
  return [base, ...baseRuns, input, ...runs];
}

export function sidesOf(input: ViewInput, united: UnitedPrograms, along: RunStackValues): Sides {
  const bases = 1 + input.baseRuns.length;
  return { runs: runsOf(input), bases, united, functionJoins: joinsOf(united.functions, bases), along };
}

/** The stages that a difference of functions or paths needs for each run. */
export function alongUses(runs: readonly Side[], metrics: readonly Metric[]) {
  return {
    values: runs.map(({ subject }, i) => functionValuesUse(subject, metrics[i])),
    exclusive: runs.map(({ subject }, i) => exclusiveUse(subject, metrics[i])),
    functions: runs.map(({ subject }) => functionsUse(subject)),
  };
}

/** For each joined row its index into `JOINS`. */
export function joinsOf(united: United, bases: number): Uint8Array {
  const sides = new Uint8Array(united.length);
  for (const [run, rows] of united.rows.entries())
    for (let id = 0; id < rows.length; id++) sides[rows[id]] |= run < bases ? 1 : 2;
  const joins = MATCHES.map((match) => JOINS.indexOf(match === 'ambiguous' || match === 'by name' ? match : 'exact'));
  const [ambiguous, oneSide] = [MATCHES.indexOf('ambiguous'), JOINS.indexOf('one side')];
  return sides.map((side, row) => {
    const match = united.match[row];
    return side === 3 || match === ambiguous ? joins[match] : oneSide;
  });
}

type FitsRun = (metric: Metric, profile: Profile) => boolean;

/** The metric of each run: the one that the question names, or the default among those that all have and that `fit`. */
export function commonMetrics(runs: readonly Side[], id: string | undefined, fits: FitsRun = () => true): Metric[] {
  const [first = [], ...others] = [...runs].reverse().map((run) => fitting(run, fits));
  const common = first.filter((metric) => others.every((list) => list.some((other) => other.id === metric.id)));
  const now = runs[runs.length - 1]?.profile;
  const chosen = id === undefined ? now && usualMetricOf(common, now) : common.find((candidate) => candidate.id === id);
  if (chosen === undefined) throw noCommon(id, common);
  return runs.flatMap(({ profile }) => profile?.metrics.find((metric) => metric.id === chosen.id) ?? []);
}

/** The same of metrics of rare events, such as waits: where all runs are of one format, some may have none of them. */
export function rareMetrics(runs: readonly Side[], id: string | undefined, fits: FitsRun): Metric[] {
  const having = runs.filter((run) => fitting(run, fits).length > 0);
  if (having.length === 0 || new Set(runs.map(({ recording }) => recording.format)).size > 1)
    return commonMetrics(runs, id, fits);
  const metrics = commonMetrics(having, id, fits);
  return runs.map((run) => metrics[having.indexOf(run)] ?? metrics[0]);
}

function fitting({ profile }: Side, fits: FitsRun): Metric[] {
  return profile?.metrics.filter((metric) => hasStacks(metric) && fits(metric, profile)) ?? [];
}

export function noCommon(id: string | undefined, common: readonly { readonly id: string }[]): UsageError {
  const list = common.map((metric) => metric.id).join(', ');
  return new UsageError(
    id === undefined ? 'the recordings have no metric in common' : `not all recordings have the metric ${id}`,
    {
      code: 'no-common-metric',
      advice:
        list === ''
          ? phrase`Compare recordings of one kind; ${theView('summary')} lists their metrics.`
          : `All have: ${list}.`,
    },
  );
}

/** Notes of both sides; a note that both have appears once. */
export function sideNotes(base: readonly Note[], now: readonly Note[]): Note[] {
  const notesOfSide = (notes: readonly Note[], others: readonly Note[], whose: string) =>
    notesBeside(notes, others).map((each) => withPrefix(`${whose}: `, each));
  const alone = new Set(notesBeside(now, base));
  return [
    ...now.filter((each) => !alone.has(each)),
    ...notesOfSide(base, now, 'The base'),
    ...notesOfSide(now, base, 'This'),
  ];
}

/** Says of recordings with (nearly) no code in common that they may be of different programs. */
export function relationNotes({ runs, bases, united }: Pick<Sides, 'runs' | 'bases' | 'united'>): Note[] {
  const programs = runs.map(({ recording }) => recording.program);
  const by = programs.every(({ functions }) => functions.length > 0) ? 'function' : 'class';
  const { shared, all, smaller, own: isOwnCode } = overlapOf(programs, united, bases, by);
  if (smaller === 0 || shared >= smaller * RELATED) return [];
  const rows = plural(all, by, by === 'class' ? 'classes' : 'functions');
  const which = isOwnCode ? ' outside the JDK and VM' : '';
  const part = `${formatCount(shared)} of ${rows}${which}`;
  return [note('other-program', `The recordings share ${part}: they may be of different programs.`)];
}

/** The dumps that are compared, if the question names any. */
export function momentNotes({ runs, bases }: Pick<Sides, 'runs' | 'bases'>): Note[] {
  const momentDumps = [
    { dump: runs[0].dump, whose: 'the base' },
    { dump: runs[bases].dump, whose: 'this' },
  ].filter(({ dump }) => dump.moment !== undefined);
  const words = momentDumps.map(
    ({ dump: { moment, of: dumpCount }, whose }) =>
      `${moment === 'last' ? 'the last dump' : `dump ${moment} of ${dumpCount}`} of ${whose}`,
  );
  const sentence = words.join(', ');
  return words.length === 0 ? [] : [note('dump', `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`)];
}

const PERIODS_DIFFER = note(
  'periods-differ',
  phrase`Different sampling periods (${theOption('normalise')} compares shares).`,
  { action: { set: { normalise: true } } },
);

/** Remarks on metrics with the same name but different kinds. */
export function metricDifferences(metric: Metric, base: Metric): Note[] {
  const notes: Note[] = [];
  if (metric.unit !== base.unit)
    notes.push(note('units-differ', `Different units: ${base.unit} in the base, ${metric.unit} in this.`));
  if (metric.nature !== base.nature)
    notes.push(
      note(
        'kinds-differ',
        `Different kinds of metric: ${metric.id} is a ${base.nature} in the base, a ${metric.nature} in this.`,
      ),
    );
  if (metric.period?.value !== base.period?.value || metric.period?.unit !== base.period?.unit)
    notes.push(PERIODS_DIFFER);
  return notes;
}

/** The weight of one event in a metric; 0 if unknown. */
export function stepOf({ unit, period }: Metric): number {
  if (period !== undefined && period.unit === unit) return period.value;
  return unit === 'count' || unit === 'samples' ? 1 : 0;
}
