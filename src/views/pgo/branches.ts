/**
 * `pgo branches`: branches and their outcomes; with classes also the instruction of each branch, its line and role, and
 * the meaning of each target.
 */
import { z } from 'zod';
import { BRANCH_ROLES, mayRepeat } from '../../analysis/places/branch-code.js';
import { type BranchSums, branchSums, targetsOf } from '../../analysis/places/branch-targets.js';
import { siteClassesUse } from '../../analysis/places/class-stages.js';
import type { ProfileFit } from '../../analysis/places/fit.js';
import { PlacedBranches } from '../../analysis/places/placed-branches.js';
import { EntryCounts, requireEvents, siteGroups } from '../../analysis/places/sites.js';
import { requireProfile } from '../../analysis/scope/scoped.js';
import { membersIn } from '../../base/columns/lists.js';
import { taken } from '../../base/columns/marks.js';
import { type Note, note } from '../../base/note.js';
import { phrase, theInput, theView } from '../../base/phrase.js';
import { share } from '../../base/share.js';
import { plural } from '../../base/units.js';
import { BRANCH_EVENTS, type BranchEvents } from '../../models/events/branch.js';
import type { Profile } from '../../models/profile/profile.js';
import { bciName, type Program } from '../../models/program/program.js';
import { BRANCHES_OPTIONS } from '../../questions/options/pgo.js';
import { idNotes } from '../file-ids.js';
import {
  columnsOf,
  common,
  detail,
  HANDLE,
  listed,
  listingShape,
  maybe,
  maybeText,
  number,
  parts,
  type ResultColumn,
} from '../listing.js';
import { defineView, type ViewInput } from '../question.js';
import { placedParts, placedWays, wayShape } from './branch-ways.js';
import { FIT, fitNotes } from './fit.js';
import { classesOf, methodArgument, nextStep } from './next-steps.js';
import {
  findingOrder,
  fitOfSites,
  INLINED_INTO,
  type ListedSites,
  shownColumns,
  siteCells,
  WHERE,
  withoutProfiler,
} from './site-listing.js';

const row = z.object({
  executed: number('Executed', 'count', 'times the branch was reached'),
  bias: maybe('Bias', 'ratio', 'share of the most frequent outcome'),
  per_call: detail(
    1,
    maybe('Per call', 'none', 'times reached per call of the method, over contexts with counted calls'),
  ),
  trips: detail(
    2,
    maybe('Trips', 'none', 'times the most frequent target was taken per call, if more than once: probably a loop'),
  ),
  iterations: detail(
    2,
    maybe(
      'Iterations',
      'none',
      'with classes: runs of the loop body per entry, if the branch can leave the loop and all its exits were counted',
    ),
  ),
  ...WHERE,
  role: z.enum(BRANCH_ROLES).nullable().meta({
    title: 'Role',
    unit: 'text',
    description:
      'with classes: loop condition (at the head or foot of a loop), loop exit (in its middle), condition, switch',
  }),
  targets: parts('Targets', 'how often each target was taken; named by its meaning with classes, else by its BCI'),
  ways: wayShape.meta({ title: 'Ways', unit: 'none', description: 'with classes: each target' }),
  finding: detail(2, maybeText('Finding', 'with classes: why the code does not have the site')),
  inlined_into: INLINED_INTO,
  handle: HANDLE,
});

export const branchesView = defineView({
  name: 'pgo-branches',
  version: 3,
  title: 'Branches',
  options: BRANCHES_OPTIONS,
  shape: {
    ...listingShape(row),
    sites: z.number().describe('branch sites, or entries with the option contexts'),
    one_sided: z.number().describe('sites with one outcome only'),
    never: z.number().describe('sites never reached'),
    code: FIT,
  },
  needs: ({ subject, profile, library }) => ({
    classes: profile && siteClassesUse(subject, library.classes, BRANCH_EVENTS),
  }),
  answer: async (input, options, { classes }) => {
    const profile = requireProfile(input);
    const program = input.recording.program;
    const events = requireEvents(profile, BRANCH_EVENTS, 'branch counts');
    const { sums, sites, apart, placed, findings, fit, bias, calls, totals } = await input.kept(
      'sites',
      bytesOfSites,
      () => {
        const groups = siteGroups(profile, events, !options.contexts);
        const sums = branchSums(events, groups);
        const { sites, notes: apart } = withoutProfiler(input, groups, sums.executed, 'executions');
        const placed = classes && new PlacedBranches(classes, program, profile, events, groups);
        const findings = placed && ((i: number) => placed.findingsOf(sites.group[i]));
        const fit = findings && fitOfSites(program, sites, sums.executed, findings);
        const bias = placed?.biases() ?? ratios(sums.most, sums.executed);
        const calls = callRatios(profile, program, events, sites, sums);
        const totals = branchTotals(sites, sums.executed, bias);
        return { sums, sites, apart, placed, findings, fit, bias, calls, totals };
      },
    );
    const where = siteCells(profile, program, sites, findings, options);
    const page = await listed(branchCells(events, sites, { ...sums, bias, calls }, placed, where), {
      columns: shownColumns(ownColumns(fit), options, fit, OF_CODE),
      count: sites.group.length,
      input,
      usual: 'executed',
      sortable: (key) => SORTED.includes(key) || (placed !== undefined && SORTED_OF_CODE.includes(key)),
      orders: findingOrder(findings),
      handle: where.handle,
    });
    return {
      ...common(input, [
        ...apart,
        ...(fit === undefined ? [] : fitNotes(fit)),
        ...callNotes(sites, calls, placed),
        ...idNotes(options.ids, program),
        note('unlisted-branches', 'A branch that is not listed was not counted; it may have run.'),
        ...nextSteps(input, page.rows[0]?.site),
      ]),
      ...totals,
      code: fit ?? null,
      ...page,
    };
  },
});

/** Ten numbers of each site. */
function bytesOfSites({ sites: { groups } }: { readonly sites: ListedSites }): number {
  return 80 * groups.length;
}

/** The number of branches, of those with one outcome only, and of those that were never reached. */
function branchTotals({ group }: ListedSites, executed: Float64Array, bias: Float64Array) {
  const totals = { sites: group.length, one_sided: 0, never: 0 };
  for (let i = 0; i < group.length; i++) {
    if (bias[group[i]] === 1) totals.one_sided++;
    if (executed[group[i]] === 0) totals.never++;
  }
  return totals;
}

/** The totals of all branches except the profiler's own, folded over contexts; null without branches. */
export function branchSummary(input: Pick<ViewInput, 'recording' | 'subject'>, profile: Profile) {
  const events = BRANCH_EVENTS.of(profile);
  if (events === undefined) return null;
  const groups = siteGroups(profile, events, true);
  const { executed, most } = branchSums(events, groups);
  const { sites, apart } = withoutProfiler(input, groups, executed, 'executions');
  return { summary: branchTotals(sites, executed, ratios(most, executed)), apart };
}

const PER_CALL = note(
  'per-call-above-one',
  phrase`Per call above 1: a loop, or contradictory counts (${theInput('classes', { choose: 'PATH' })} shows which).`,
  { about: { column: 'per_call' }, action: { give: ['classes'] } },
);

/** Next steps, for the first branch. */
function nextSteps({ recording, library }: ViewInput, site: string | undefined): Note[] {
  if (site === undefined) return [];
  const question = { recording: recording.name, inputs: classesOf(library) };
  if (library.classes === undefined)
    return [nextStep('instruction and line of each branch', theView('pgo-branches', question))];
  const method = methodArgument(site).replace(/:-?\d+$/, '');
  return [nextStep('code of the first branch', theView('disasm', { ...question, options: { method } }))];
}

const SORTED: readonly string[] = ['executed', 'bias', 'per_call', 'trips', 'contexts', 'site'];
const SORTED_OF_CODE: readonly string[] = ['iterations', 'role'];

/** Columns that need classes. */
const OF_CODE = ['iterations', 'line', 'instruction', 'role'];

/** With classes, iterations replace trips, which are a guess; the outcomes are for programs. */
function ownColumns(fit: ProfileFit | undefined): ResultColumn[] {
  return columnsOf(row).filter(({ key }) => key !== 'ways' && (key !== 'trips' || fit === undefined));
}

/**
 * A remark on branches that ran more often than their method. With classes: on those that no call can reach twice, since
 * the counts then contradict those of the calls.
 */
function callNotes({ group }: ListedSites, calls: CallRatios, placed: PlacedBranches | undefined): Note[] {
  const isAbove = (each: number): boolean => (calls(each).perCall ?? 0) > 1;
  if (placed === undefined) return group.some(isAbove) ? [PER_CALL] : [];
  const suspects = group.filter((each) => {
    const branch = placed.branchOf(each);
    return branch !== undefined && isAbove(each) && !mayRepeat(branch);
  }).length;
  return suspects === 0
    ? []
    : [
        note(
          'contradictory-counts',
          `${plural(suspects, 'branch', 'branches')} outside loops ran more often than the method: the counts contradict each other (Per call, too).`,
          { about: { column: 'per_call' } },
        ),
      ];
}

/** `parts` as shares of `sums`; NaN where that is 0. */
function ratios(parts: Float64Array, sums: Float64Array): Float64Array {
  return parts.map((part, i) => part / sums[i]);
}

/** How often a branch, and its most frequent target, were reached per call of the method; by group. */
type CallRatios = (group: number) => { readonly perCall: number | null; readonly trips: number | null };

/**
 * Over the contexts with known calls: a ratio must not mix known and unknown counts. Computed for a group when asked for.
 */
function callRatios(
  profile: Profile,
  program: Program,
  events: BranchEvents,
  { groups }: ListedSites,
  { executed, most }: BranchSums,
): CallRatios {
  const counts = new EntryCounts(profile, program);
  const { stack } = groups.entries;
  return (group) => {
    const members = membersIn(groups, group);
    let calls = 0;
    let unknown = 0;
    // A stack that has several entries counts once.
    for (const id of members.length > 1 ? new Set(taken(stack, members)) : taken(stack, members)) {
      const value = counts.of(id);
      if (value === undefined) unknown++;
      else calls += value;
    }
    if (calls === 0) return { perCall: null, trips: null };
    let [all, top] = [executed[group], most[group]];
    if (unknown > 0) {
      const countedEntries = members.filter((entry) => counts.of(stack[entry]) !== undefined);
      const targets = targetsOf(events, groups, countedEntries);
      all = targets.reduce((sum, { count }) => sum + count, 0);
      top = targets.reduce((best, { count }) => Math.max(best, count), 0);
    }
    const trips = top / calls;
    // An outcome taken more than once a call probably continues a loop.
    return { perCall: all / calls, trips: trips > 1 ? trips : null };
  };
}

interface BranchNumbers extends BranchSums {
  /** NaN for branches that were never reached. */
  readonly bias: Float64Array;
  readonly calls: CallRatios;
}

function branchCells(
  events: BranchEvents,
  { groups, group }: ListedSites,
  { executed, bias, calls }: BranchNumbers,
  placed: PlacedBranches | undefined,
  where: ReturnType<typeof siteCells>,
) {
  const branch = (i: number) => placed?.branchOf(group[i]);
  const targets = (i: number) =>
    targetsOf(events, groups, membersIn(groups, group[i])).map(({ bci, count }) => ({
      name: bciName(bci),
      count,
      share: share(count, executed[group[i]]),
    }));
  return {
    executed: (i: number) => executed[group[i]],
    bias: (i: number) => (Number.isNaN(bias[group[i]]) ? null : bias[group[i]]),
    per_call: (i: number) => calls(group[i]).perCall,
    trips: (i: number) => calls(group[i]).trips,
    iterations: (i: number) => placed?.iterationsOf(group[i]) ?? null,
    contexts: where.contexts,
    ...('context' in where && { context: where.context }),
    site: where.site,
    line: (i: number) => branch(i)?.line ?? null,
    instruction: (i: number) => branch(i)?.instruction.mnemonic ?? null,
    role: (i: number) => branch(i)?.role ?? null,
    targets: (i: number) => (placed === undefined ? targets(i) : placedParts(placed.of(group[i]), executed[group[i]])),
    ways: (i: number) => (placed === undefined ? null : placedWays(placed.of(group[i]), executed[group[i]])),
    finding: where.finding,
    inlined_into: where.inlined_into,
  };
}
