/** The judged rows of a difference by the requested kind; for PGO profiles also the number of changes of other kinds. */
import { WITHOUT_SCALE } from '../../analysis/stacks/tree-stages.js';
import { UsageError } from '../../base/errors.js';
import { type Note, note } from '../../base/note.js';
import { phrase, theOption } from '../../base/phrase.js';
import { formatCount } from '../../base/units.js';
import { type DiffBy, USUAL_LEVEL } from '../../questions/options/diff.js';
import { hasLevels } from '../heap/classes.js';
import { contextRows, hasInlining, type InliningRows, inliningRows } from './contexts.js';
import { NAMED_ROWS } from './named-rows.js';
import { rootRows } from './roots.js';
import type { Join, Sides } from './runs.js';
import { hasShares, SHARED, type Shared, type ShareRows, shareRows } from './shares.js';
import { classRows, type DiffMetric, functionRows, type ValueRows } from './values.js';
import { type Comparing, type Judged, judgeShares, judgeValues, SHIFTS, STATES } from './verdict.js';

export interface DiffQuestion {
  readonly by?: DiffBy | undefined;
  readonly metric?: string | undefined;
  readonly normalise: boolean;
  readonly noise?: number | undefined;
}

export interface SiteShare {
  readonly name: string;
  readonly count: number;
  readonly share: number | null;
}

/** A difference before its rows are written. */
export interface Changes {
  readonly by: DiffBy;
  readonly metric: DiffMetric;
  readonly judged: Judged;
  readonly sums: readonly number[];
  readonly comparing: Comparing;
  readonly name: (row: number) => string;
  readonly join: (row: number) => Join;
  readonly names: (row: number) => number;
  readonly notes: readonly Note[];
  /** The kind of change of a row; '' if there is none. */
  readonly what: (row: number) => string;
  /** Whether a row is of the requested kind, and is listed before those that only one side ran. */
  readonly foremost: (row: number) => boolean;
  /** The change of share that exceeds its noise most, by row. */
  readonly shift: ((row: number) => number) | undefined;
  /** The handle of what a row is about in the recording, where rows are functions or classes. */
  readonly handle?: ((row: number) => string | undefined) | undefined;
  readonly parts: ((row: number) => { readonly before: SiteShare[]; readonly after: SiteShare[] }) | undefined;
}

/** The default of `by`: classes if all recordings have objects by class. */
export function usualBy(runs: Sides['runs'], chosenBy: DiffBy | undefined): DiffBy {
  return chosenBy ?? (runs.every(hasLevels) ? 'class' : 'function');
}

export function changesOf(sides: Sides, question: DiffQuestion): Changes {
  const by = usualBy(sides.runs, question.by);
  if (isShared(by) || by === 'inlining') {
    if (question.metric !== undefined)
      throw new UsageError(phrase`${theOption('by', { value: by })} has one metric only`, {
        code: 'one-metric',
        advice: phrase`Omit ${theOption('metric')}, or compare by function or context.`,
        action: { omit: ['metric'] },
      });
    return isShared(by) ? siteChanges(sides, by, question) : inliningChanges(sides, question);
  }
  const rows = VALUE_ROWS[by](sides, question.metric);
  const comparing = comparingOf(rows, sides, question);
  return { ...valueChanges(rows, judgeValues(rows, comparing), comparing), by };
}

const VALUE_ROWS = {
  function: functionRows,
  class: classRows,
  root: rootRows,
  context: contextRows,
  ...NAMED_ROWS,
} as const;

function isShared(by: DiffBy): by is Shared {
  return SHARED.some((shared) => shared === by);
}

function valueChanges(rows: ValueRows, judgement: Judged, comparing: Comparing): Omit<Changes, 'by'> {
  const { metric, sums, name, join, names, notes } = rows;
  const nothing = { what: () => '', foremost: () => false, shift: undefined, parts: undefined };
  return { metric, sums, name, join, names, notes, judged: judgement, comparing, handle: rows.handle, ...nothing };
}

/** Levels are exact: their only noise is `--noise` and the variance of several runs. */
function comparingOf(
  { metric, sums }: { readonly metric: DiffMetric; readonly sums: readonly number[] },
  sides: Sides,
  question: DiffQuestion,
): Comparing {
  const counted = metric.nature === 'flow' || metric.nature === 'site';
  return {
    bases: sides.bases,
    factors: question.normalise ? factorsOf(sums, sides.bases) : sums.map(() => 1),
    level: question.noise ?? (counted ? USUAL_LEVEL : undefined),
  };
}

/** The factors that scale the total of each run to that of the recording, or to the mean of several. */
function factorsOf(sums: readonly number[], bases: number): number[] {
  if (sums.some((sum) => sum <= 0))
    throw new UsageError('the base cannot be scaled: one of the recordings has no total', WITHOUT_SCALE);
  const now = sums.slice(bases);
  const target = now.reduce((all, sum) => all + sum, 0) / now.length;
  return sums.map((sum) => (sum === target ? 1 : target / sum));
}

function siteChanges(sides: Sides, by: Shared, question: DiffQuestion): Changes {
  const rows = shareRows(sides, by);
  const comparing = comparingOf(rows, sides, question);
  const judgement = judgeShares(rows, by, comparing);
  const { metric, sums, name, join } = rows;
  return {
    by,
    metric,
    sums,
    name,
    join,
    judged: judgement,
    comparing,
    names: () => 1,
    notes: [note('rows', 'Each row is a place in the code over all contexts; its state compares shares, not counts.')],
    what: (row) => SHIFTS[judgement.what[row]] ?? '',
    foremost: (row) => judgement.what[row] >= 0,
    shift: (row) => judgement.shift[row],
    parts: (row) => partsOf(rows, row, sides.bases),
  };
}

/** Parts of a site in the base and now, in the same order: the largest share on either side first. */
function partsOf(rows: ShareRows, site: number, bases: number): { before: SiteShare[]; after: SiteShare[] } {
  const sumOf = (part: number, firstRun: number, endRun?: number): number =>
    rows.counts.slice(firstRun, endRun).reduce((sum, counts) => sum + counts[part], 0);
  const parts = Array.from(rows.parts.subarray(rows.starts[site], rows.starts[site + 1]), (part) => ({
    name: rows.partName(part),
    counts: [sumOf(part, 0, bases), sumOf(part, bases)],
  }));
  const wholes = [0, 1].map((side) => parts.reduce((sum, { counts }) => sum + counts[side], 0));
  const largest = ({ counts }: (typeof parts)[number]): number =>
    Math.max(...counts.map((count, side) => (wholes[side] === 0 ? 0 : count / wholes[side])));
  parts.sort((a, b) => largest(b) - largest(a) || (a.name < b.name ? -1 : 1));
  const [before = [], after = []] = wholes.map((whole, side) =>
    parts.flatMap(({ name, counts }) =>
      counts[side] === 0 ? [] : [{ name, count: counts[side], share: counts[side] / whole }],
    ),
  );
  return { before, after };
}

function inliningChanges(sides: Sides, question: DiffQuestion): Changes {
  const rows = inliningRows(sides);
  const comparing = comparingOf(rows, sides, question);
  const judgement = judgeValues(rows, comparing);
  const { base, value } = judgement.self;
  // A method inlined on both sides is the same, however often it ran.
  const state = judgement.state.map((judgedState, row) =>
    base[row] > 0 && value[row] > 0 ? STATES.indexOf('same') : judgedState,
  );
  const inliningText = (row: number): string => inliningOf(rows, state[row], row);
  return {
    ...valueChanges(rows, { ...judgement, state }, comparing),
    by: 'inlining',
    what: inliningText,
    foremost: (row) => ['inlined', 'not inlined'].includes(inliningText(row)),
  };
}

function inliningOf(rows: InliningRows, state: number, row: number): string {
  const stateName = STATES[state];
  return stateName === 'new' || stateName === 'gone' ? rows.what(row, stateName === 'gone') : '';
}

/** The number of changes of each kind in PGO profiles; null for kinds without counts. */
export function pgoChanges(sides: Sides, question: DiffQuestion) {
  const has = (hasKind: (profile: (typeof sides.runs)[number]['profile']) => boolean): boolean =>
    sides.runs.every(({ profile }) => hasKind(profile));
  const pgoQuestion = { normalise: false, noise: question.noise };
  const branches = has((profile) => hasShares(profile, 'branch'));
  const receivers = has((profile) => hasShares(profile, 'receiver'));
  if (!branches && !receivers) return null;
  return {
    branches: branches ? branchKinds(tally(siteChanges(sides, 'branch', pgoQuestion))) : null,
    receivers: receivers ? receiverKinds(tally(siteChanges(sides, 'receiver', pgoQuestion))) : null,
    inlining: has(hasInlining) ? inliningKinds(tally(inliningChanges(sides, pgoQuestion))) : null,
  };
}

type Tally = (kind: string) => number;

function tally({ judged: judgement, what: kindOf }: Changes): Tally {
  const counts = new Map<string, number>();
  for (const row of judgement.rows) counts.set(kindOf(row), (counts.get(kindOf(row)) ?? 0) + 1);
  return (kind) => counts.get(kind) ?? 0;
}

function branchKinds(count: Tally) {
  return { flip: count('flip'), bias: count('bias'), shares: count('shares') };
}

function receiverKinds(count: Tally) {
  return { shape: count('shape'), classes: count('classes'), shares: count('shares') };
}

function inliningKinds(count: Tally) {
  return {
    inlined: count('inlined'),
    'not inlined': count('not inlined'),
    'root new': count('root new'),
    'root gone': count('root gone'),
    'method new': count('method new'),
    'method gone': count('method gone'),
  };
}

/** The same as notes, with the questions that list them. */
export function pgoNotes({ branches, receivers, inlining }: NonNullable<ReturnType<typeof pgoChanges>>): Note[] {
  const notes: Note[] = [];
  if (branches !== null && branches.flip + branches.bias + branches.shares > 0)
    notes.push(
      changesNote(
        'branch',
        `Branches: ${formatCount(branches.flip)} flipped, ${formatCount(branches.bias)} crossed a bias, ${formatCount(branches.shares)} with other shares`,
      ),
    );
  if (receivers !== null && receivers.shape + receivers.classes + receivers.shares > 0)
    notes.push(
      changesNote(
        'receiver',
        `Virtual calls: ${formatCount(receivers.shape)} with another shape, ${formatCount(receivers.classes)} with other types, ${formatCount(receivers.shares)} with other shares`,
      ),
    );
  if (inlining !== null && inlining.inlined + inlining['not inlined'] > 0)
    notes.push(
      changesNote(
        'inlining',
        `Inlining: ${formatCount(inlining.inlined)} new, ${formatCount(inlining['not inlined'])} gone`,
      ),
    );
  return notes;
}

function changesNote(by: DiffBy, counts: string): Note {
  return note('changes-by', phrase`${counts} (${theOption('by', { value: by })} lists them).`, {
    action: { set: { by } },
  });
}
