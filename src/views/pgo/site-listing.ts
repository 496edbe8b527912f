/**
 * Shared by the listings of sites of a PGO profile: the place of a site, the contexts folded into it, whether it is in
 * the classes. Each view adds the counts.
 */

import { functionsOf } from '../../analysis/origin.js';
import { type Fit, fitOf, type WeightedFinding } from '../../analysis/places/fit.js';
import { inlinedInto, type SiteGroup } from '../../analysis/places/sites.js';
import { share } from '../../base/share.js';
import { formatValue, plural } from '../../base/units.js';
import type { Profile } from '../../models/profile/profile.js';
import { locationName } from '../../models/program/names.js';
import type { Program } from '../../models/program/program.js';
import { originsOf } from '../../models/scope.js';
import { detail, list, maybe, maybeText, number, type ResultColumn, type SortKeys, text } from '../listing.js';
import type { ViewInput } from '../question.js';

/** Columns for the place of a site. */
export const WHERE = {
  contexts: detail(3, number('Contexts', 'count', 'number of contexts merged into the row')),
  site: text('Site', 'method and bytecode index'),
  line: detail(2, maybe('Line', 'none', 'with classes: source line')),
  instruction: detail(1, maybeText('Instruction', 'with classes: instruction at the site')),
};

export const INLINED_INTO = list('Inlined into', 'with --contexts: the frames around the method, nearest first');

interface Site {
  readonly group: SiteGroup;
  /** Events at the site. */
  readonly executed: number;
}

/** Sites without those in the profiler's own code, and a note on their share. */
export function withoutProfiler<Own extends Site>(
  { recording, subject }: Pick<ViewInput, 'recording' | 'subject'>,
  all: readonly Own[],
  noun: string,
): { readonly sites: readonly Own[]; readonly apart: { sites: number; executed: number }; readonly notes: string[] } {
  // An explicit choice of origins is respected.
  if (originsOf(subject.scope) !== undefined) return { sites: all, apart: { sites: 0, executed: 0 }, notes: [] };
  const own = functionsOf(recording.program, ['profiler']);
  const { function: functions } = recording.program.locations;
  const isOwn = ({ group }: Own): boolean => own[functions[group.location]] === 1;
  const sites = all.filter((site) => !isOwn(site));
  const sum = (of: readonly Own[]): number => of.reduce((all, { executed }) => all + executed, 0);
  const apart = { sites: all.length - sites.length, executed: sum(all) - sum(sites) };
  const part = formatValue(share(apart.executed, sum(all)) ?? 0, 'ratio');
  const note = `Excluded: ${plural(apart.sites, 'site')} of the profiler with ${part} of all ${noun} (--origin profiler shows them).`;
  return { sites, apart, notes: apart.sites === 0 ? [] : [note] };
}

interface Placed {
  readonly findings: readonly WeightedFinding[];
}

/** The sites with the code of classes, and how many of them the classes have. */
export function placedSites<Own extends Site, Each extends Placed>(
  program: Program,
  sites: readonly Own[],
  place: (site: Own) => Each,
): { readonly sites: readonly Each[]; readonly fit: Fit } {
  const placed = sites.map(place);
  const fitted = sites.map(({ group, executed }, i) => ({
    name: locationName(program, group.location),
    weight: executed,
    findings: placed[i].findings,
  }));
  return { sites: placed, fit: fitOf(fitted) };
}

/** The cells for the place of a site. */
export function siteCells(
  profile: Profile,
  program: Program,
  sites: readonly Site[],
  placed: readonly Placed[] | undefined,
  contexts: boolean,
) {
  return {
    contexts: (i: number) => sites[i].group.stacks.length,
    site: (i: number) => locationName(program, sites[i].group.location),
    finding: (i: number) => placed?.[i].findings[0]?.finding.text ?? null,
    /** The frames around the only context of a group; empty if contexts are folded. */
    inlined_into: (i: number) => (contexts ? inlinedInto(profile, program, sites[i].group.stacks[0] ?? -1) : []),
  };
}

/** Sorts findings by their reasons. */
export function findingOrder(placed: readonly Placed[] | undefined): SortKeys {
  return placed === undefined ? {} : { finding: (i) => placed[i].findings[0]?.finding.reason ?? null };
}

/** The visible columns; `ofCode` are those that need classes. */
export function shownColumns(
  columns: readonly ResultColumn[],
  contexts: boolean,
  fit: Fit | undefined,
  ofCode: readonly string[],
): ResultColumn[] {
  return columns.filter(({ key }) => {
    if (key === 'inlined_into') return contexts;
    if (key === 'finding') return fit !== undefined && fit.fitting < fit.sites;
    return fit !== undefined || !ofCode.includes(key);
  });
}
