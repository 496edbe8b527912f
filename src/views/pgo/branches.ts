/**
 * `pgo branches`: branches and their outcomes; with classes also the instruction of each branch, its line and role, and
 * the meaning of each target.
 */
import { z } from 'zod';
import { BRANCH_ROLES, mayRepeat } from '../../analysis/places/branch-code.js';
import { siteClassesUse } from '../../analysis/places/class-stages.js';
import type { Fit } from '../../analysis/places/fit.js';
import { type PlacedBranch, PlacedBranches } from '../../analysis/places/placed-branches.js';
import {
  EntryCounts,
  requireEvents,
  type SiteGroup,
  siteGroups,
  type Target,
  targetsOf,
} from '../../analysis/places/sites.js';
import { requireProfile } from '../../analysis/scope/scoped.js';
import { share } from '../../base/share.js';
import { plural } from '../../base/units.js';
import { BRANCH_EVENTS, type BranchEvents } from '../../models/events/branch.js';
import { bciName } from '../../models/program/program.js';
import {
  columnsOf,
  common,
  detail,
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
import { classesArguments, command, methodArgument, nextNotes } from './next-steps.js';
import {
  findingOrder,
  INLINED_INTO,
  placedSites,
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
});

export const branchesView = defineView({
  name: 'pgo-branches',
  version: 1,
  title: 'Branches',
  options: z.object({ contexts: z.boolean().default(false) }),
  shape: {
    ...listingShape(row),
    sites: z.number().describe('branch sites, or entries with --contexts'),
    one_sided: z.number().describe('sites with one outcome only'),
    never: z.number().describe('sites never reached'),
    code: FIT,
  },
  needs: ({ subject, profile, library }) => ({
    classes: profile && siteClassesUse(subject, library.classes, BRANCH_EVENTS),
  }),
  answer: (input, options, { classes }) => {
    const profile = requireProfile(input);
    const program = input.recording.program;
    const events = requireEvents(profile, BRANCH_EVENTS, 'branch counts');
    const entries = new EntryCounts(profile, program);
    const all = siteGroups(profile, events, !options.contexts).map((group) => branchSite(events, group, entries));
    const { sites: found, notes: apart } = withoutProfiler(input, all, 'executions');
    const branches = classes && new PlacedBranches(classes, program, profile, events);
    const placed = branches && placedSites(program, found, ({ group }) => branches.of(group));
    const sites =
      placed === undefined ? found : found.map((site, i) => ({ ...site, bias: biasOf(placed.sites[i].ways) }));
    const cells = branchCells(
      sites,
      placed?.sites,
      siteCells(profile, program, sites, placed?.sites, options.contexts),
    );
    const page = listed(cells, {
      columns: shownColumns(ownColumns(placed?.fit), options.contexts, placed?.fit, OF_CODE),
      count: sites.length,
      page: input.page,
      usual: 'executed',
      sortable: (key) => SORTED.includes(key) || (placed !== undefined && SORTED_OF_CODE.includes(key)),
      orders: findingOrder(placed?.sites),
    });
    return {
      ...common(input, [
        ...apart,
        ...(placed === undefined ? [] : [...fitNotes(placed.fit), ...contradictions(sites, placed.sites)]),
        ...(placed === undefined && sites.some(({ perCall }) => (perCall ?? 0) > 1) ? [PER_CALL] : []),
        'A branch that is not listed was not counted; it may have run.',
        ...nextSteps(input, page.rows[0]?.site),
      ]),
      sites: sites.length,
      one_sided: sites.filter((site) => site.bias === 1).length,
      never: sites.filter((site) => site.executed === 0).length,
      code: placed?.fit ?? null,
      ...page,
    };
  },
});

const PER_CALL = 'Per call above 1: a loop, or contradictory counts (--classes PATH shows which).';

/** Next steps, for the first branch. */
function nextSteps({ recording, library }: ViewInput, site: string | undefined): string[] {
  if (site === undefined) return [];
  const file = recording.name;
  const path = classesArguments(library);
  const method = methodArgument(site).replace(/:-?\d+$/, '');
  const disasm = { why: 'code of the first branch', run: command('disasm', file, method, ...path) };
  const classes = {
    why: 'instruction and line of each branch',
    run: command('pgo', 'branches', file, ...path),
  };
  return nextNotes([library.classes === undefined ? classes : disasm]);
}

const SORTED: readonly string[] = ['executed', 'bias', 'per_call', 'trips', 'contexts', 'site'];
const SORTED_OF_CODE: readonly string[] = ['iterations', 'role'];

/** Columns that need classes. */
const OF_CODE = ['iterations', 'line', 'instruction', 'role'];

/** With classes, iterations replace trips, which are a guess; the outcomes are for programs. */
function ownColumns(fit: Fit | undefined): ResultColumn[] {
  return columnsOf(row).filter(({ key }) => key !== 'ways' && (key !== 'trips' || fit === undefined));
}

/** The number of branches with counts that contradict those of the calls: no call can reach them twice. */
function contradictions(sites: readonly BranchSite[], placed: readonly PlacedBranch[]): string[] {
  const found = sites.filter(({ perCall }, i) => {
    const { branch } = placed[i];
    return perCall !== null && perCall > 1 && branch !== undefined && !mayRepeat(branch);
  }).length;
  return found === 0
    ? []
    : [
        `${plural(found, 'branch', 'branches')} outside loops ran more often than the method: the counts contradict each other (Per call, too).`,
      ];
}

/** A branch site with its targets by index. */
export interface BranchSite {
  readonly group: SiteGroup;
  readonly targets: readonly Target[];
  readonly executed: number;
  readonly bias: number | null;
  readonly perCall: number | null;
  readonly trips: number | null;
}

/** The targets of a site and its executions alone. */
export function branchOutcomes(events: BranchEvents, group: SiteGroup) {
  const targets = targetsOf(events, group.rows);
  let executed = 0;
  for (const { count } of targets) executed += count;
  return { group, targets, executed };
}

function branchSite(events: BranchEvents, group: SiteGroup, entries: EntryCounts): BranchSite {
  const { targets, executed } = branchOutcomes(events, group);
  const counted = countedPart(events, group, entries, targets);
  const perCall = counted.calls === 0 ? null : counted.executed / counted.calls;
  const trips = counted.calls === 0 ? null : counted.most / counted.calls;
  return {
    group,
    targets,
    executed,
    bias: biasOf(targets),
    perCall,
    // An outcome taken more than once a call probably continues a loop.
    trips: trips !== null && trips > 1 ? trips : null,
  };
}

/** Share of the most frequent outcome; null if none was taken. */
export function biasOf(ways: readonly { readonly count: number }[]): number | null {
  const most = ways.reduce((best, { count }) => Math.max(best, count), 0);
  return share(
    most,
    ways.reduce((sum, { count }) => sum + count, 0),
  );
}

/**
 * Counts in the contexts with known calls: executions, those of the most frequent target, and the calls. A ratio must
 * not mix known and unknown counts.
 */
function countedPart(events: BranchEvents, group: SiteGroup, entries: EntryCounts, all: readonly Target[]) {
  let calls = 0;
  let unknown = 0;
  // A stack that has several entries counts once.
  for (const id of group.stacks.length > 1 ? new Set(group.stacks) : group.stacks) {
    const value = entries.of(id);
    if (value === undefined) unknown++;
    else calls += value;
  }
  const counted =
    unknown === 0
      ? all
      : targetsOf(
          events,
          group.rows.filter((row) => entries.of(events.stack[row]) !== undefined),
        );
  let executed = 0;
  let most = 0;
  for (const { count } of counted) {
    executed += count;
    most = Math.max(most, count);
  }
  return { executed, most, calls };
}

function branchCells(
  sites: readonly BranchSite[],
  placed: readonly PlacedBranch[] | undefined,
  where: ReturnType<typeof siteCells>,
) {
  const branch = (i: number) => placed?.[i].branch;
  const targets = ({ targets: all, executed }: BranchSite) =>
    all.map(({ bci, count }) => ({ name: bciName(bci), count, share: share(count, executed) }));
  return {
    executed: (i: number) => sites[i].executed,
    bias: (i: number) => sites[i].bias,
    per_call: (i: number) => sites[i].perCall,
    trips: (i: number) => sites[i].trips,
    iterations: (i: number) => placed?.[i].iterations ?? null,
    contexts: where.contexts,
    site: where.site,
    line: (i: number) => branch(i)?.line ?? null,
    instruction: (i: number) => branch(i)?.instruction.mnemonic ?? null,
    role: (i: number) => branch(i)?.role ?? null,
    targets: (i: number) => (placed === undefined ? targets(sites[i]) : placedParts(placed[i], sites[i].executed)),
    ways: (i: number) => (placed === undefined ? null : placedWays(placed[i], sites[i].executed)),
    finding: where.finding,
    inlined_into: where.inlined_into,
  };
}
