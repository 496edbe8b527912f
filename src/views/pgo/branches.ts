/**
 * `pgo branches`: where code forks, and which way it went. Records are grouped by the branch's index: cases of a switch
 * that share a target have one record with its BCI and further ones with BCI -5 (unknown) and the same index.
 */
import { z } from 'zod';
import type { Profile } from '../../models/profile/profile.js';
import { locationName } from '../../models/program/names.js';
import { bciName, type Program } from '../../models/program/program.js';
import { column, type Table } from '../../models/table.js';
import {
  columnsOf,
  common,
  defineView,
  list,
  listingShape,
  maybe,
  number,
  pageOf,
  parts,
  requireProfile,
  share,
  text,
} from '../view.js';
import { EntryCounts, inlinedInto, requireEvents, type SiteGroup, siteGroups } from './sites.js';

const row = z.object({
  executed: number('Executed', 'count', 'times the branch was reached'),
  bias: maybe('Bias', 'ratio', 'share of the target taken most'),
  per_call: maybe(
    'Per call',
    'none',
    'times reached per call of the method, over the contexts whose calls are counted',
  ),
  trips: maybe(
    'Trips',
    'none',
    'times the most taken target was taken per call, where that is more than once: a loop, most likely',
  ),
  contexts: number('Contexts', 'count', 'contexts folded into the row'),
  site: text('Site', 'method and bytecode index'),
  targets: parts('Targets', 'how often each target was taken; its name is the bytecode index it goes to'),
  inlined_into: list('Inlined into', 'with --contexts: the frames around the method, nearest first'),
});

export const branchesView = defineView({
  name: 'pgo-branches',
  version: 1,
  title: 'Branches',
  options: z.object({ contexts: z.boolean().default(false) }),
  shape: {
    ...listingShape(row),
    sites: z.number().describe('places of code, or entries with --contexts'),
    one_sided: z.number().describe('of them, those that only ever went one way'),
    never: z.number().describe('of them, those that were never reached'),
  },
  answer: (input, options) => {
    const profile = requireProfile(input);
    const program = input.recording.program;
    const table = requireEvents(profile, 'branch', 'branch counts');
    const entries = new EntryCounts(profile, program);
    const sites = siteGroups(profile, table, !options.contexts).map((group) => branchSite(table, group, entries));
    const order = pageOf(
      sites.length,
      {
        executed: (i) => sites[i].executed,
        bias: (i) => sites[i].bias,
        per_call: (i) => sites[i].perCall,
        trips: (i) => sites[i].trips,
        contexts: (i) => sites[i].group.stacks.length,
        site: (i) => locationName(program, sites[i].group.location),
      },
      input.page,
      'executed',
    );
    return {
      ...common(input, ['A branch that is not listed was not counted, which is not the same as never taken.']),
      sites: sites.length,
      one_sided: sites.filter((site) => site.bias === 1).length,
      never: sites.filter((site) => site.executed === 0).length,
      columns: columnsOf(row).filter((column) => options.contexts || column.key !== 'inlined_into'),
      total: sites.length,
      offset: input.page.offset,
      rows: order.map((i) => toRow(sites[i], profile, program, options.contexts)),
    };
  },
});

interface Target {
  readonly index: number;
  bci: number;
  count: number;
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

export function branchSite(table: Table, group: SiteGroup, entries: EntryCounts): BranchSite {
  const count = column(table, 'count');
  const target = column(table, 'target');
  const index = column(table, 'index');
  const targets = new Map<number, Target>();
  let executed = 0;
  for (const row of group.rows) {
    const known = targets.get(index[row]);
    executed += count[row];
    if (known === undefined) targets.set(index[row], { index: index[row], bci: target[row], count: count[row] });
    else {
      known.count += count[row];
      if (known.bci < 0) known.bci = target[row];
    }
  }
  const ordered = [...targets.values()].sort((a, b) => a.index - b.index);
  const most = ordered.reduce((best, one) => Math.max(best, one.count), 0);
  const counted = countedPart(table, group, entries);
  const perCall = counted.calls === 0 ? null : counted.executed / counted.calls;
  const trips = counted.calls === 0 ? null : counted.most / counted.calls;
  return {
    group,
    targets: ordered,
    executed,
    bias: share(most, executed),
    perCall,
    // A way that is taken more than once a call is likely one that goes round a loop.
    trips: trips !== null && trips > 1 ? trips : null,
  };
}

/**
 * What happened in those contexts whose calls are known: executions, those of the target taken most, and the calls.
 * A ratio must not mix known with unknown.
 */
function countedPart(table: Table, group: SiteGroup, entries: EntryCounts) {
  const count = column(table, 'count');
  const stack = column(table, 'stack');
  const index = column(table, 'index');
  const known = new Map(group.stacks.map((id) => [id, entries.of(id)]));
  const targets = new Map<number, number>();
  let executed = 0;
  for (const row of group.rows) {
    if (known.get(stack[row]) === undefined) continue;
    executed += count[row];
    targets.set(index[row], (targets.get(index[row]) ?? 0) + count[row]);
  }
  let calls = 0;
  for (const value of known.values()) calls += value ?? 0;
  return { executed, most: Math.max(0, ...targets.values()), calls };
}

function toRow(site: BranchSite, profile: Profile, program: Program, contexts: boolean) {
  return {
    executed: site.executed,
    bias: site.bias,
    per_call: site.perCall,
    trips: site.trips,
    contexts: site.group.stacks.length,
    site: locationName(program, site.group.location),
    targets: site.targets.map(({ bci, count }) => ({ name: bciName(bci), count, share: share(count, site.executed) })),
    inlined_into: contexts ? inlinedInto(profile, program, site.group.stacks[0] ?? -1) : [],
  };
}
