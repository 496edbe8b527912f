/**
 * Shared by the listings of sites of a PGO profile: the place of a site, the contexts folded into it, whether it is in
 * the classes. Each view adds the counts.
 */
import { PlaceHandles } from '../../analysis/handles/named-places.js';
import { contextIds, placeIds } from '../../analysis/identity/file-ids.js';
import { originOf } from '../../analysis/origin.js';
import { fitOf, type ProfileFit, type WeightedFinding } from '../../analysis/places/fit.js';
import { inlinedInto, type SiteGroups } from '../../analysis/places/sites.js';
import { membersIn } from '../../base/columns/lists.js';
import { rowsWhere, taken } from '../../base/columns/marks.js';
import { type Note, note } from '../../base/note.js';
import { phrase, theStep } from '../../base/phrase.js';
import { share } from '../../base/share.js';
import { formatValue, plural } from '../../base/units.js';
import type { Profile } from '../../models/profile/profile.js';
import { locationName } from '../../models/program/names.js';
import type { Program } from '../../models/program/program.js';
import { originsOf } from '../../models/scope.js';
import { CONTEXT_IDS, withIds } from '../file-ids.js';
import { detail, list, maybe, maybeText, number, type ResultColumn, type SortKeys, text } from '../listing.js';
import type { ViewInput } from '../question.js';

/** Columns for the place of a site. */
export const WHERE = {
  contexts: detail(3, number('Contexts', 'count', 'number of contexts merged into the row')),
  context: CONTEXT_IDS,
  site: text('Site', 'method and bytecode index'),
  line: detail(2, maybe('Line', 'none', 'with classes: source line')),
  instruction: detail(1, maybeText('Instruction', 'with classes: instruction at the site')),
};

export const INLINED_INTO = list(
  'Inlined into',
  'with the option contexts: the frames around the method, nearest first',
);

/** The sites of a listing: some groups of entries. */
export interface ListedSites {
  readonly groups: SiteGroups;
  /** By row of the listing: its group. */
  readonly group: Int32Array;
}

/** Says what of the profiler's own code is left out. */
export function profilerNote(excluded: string): Note {
  return note(
    'profiler-left-out',
    phrase`Excluded: ${excluded} (${theStep('origin', { value: 'profiler' })} shows them).`,
    { action: { addStep: { kind: 'origin', origins: ['profiler'] } } },
  );
}

/** Sites that are not in the profiler's own code, and a note on the share of the others. `executed`: events by group. */
export function withoutProfiler(
  { recording, subject }: Pick<ViewInput, 'recording' | 'subject'>,
  groups: SiteGroups,
  executed: Float64Array,
  noun: string,
): { readonly sites: ListedSites; readonly apart: { sites: number; executed: number }; readonly notes: Note[] } {
  const { program } = recording;
  // An explicit choice of origins is respected.
  const all = originsOf(subject.scope) !== undefined;
  const isListed = (each: number): boolean =>
    all || originOf(program, program.locations.function[groups.location[each]]) !== 'profiler';
  const group = rowsWhere(groups.length, isListed);
  const sum = executed.reduce((before, each) => before + each, 0);
  const apart = {
    sites: groups.length - group.length,
    executed: sum - taken(executed, group).reduce((before, each) => before + each, 0),
  };
  const part = formatValue(share(apart.executed, sum) ?? 0, 'ratio');
  const excluded = `${plural(apart.sites, 'site')} of the profiler with ${part} of all ${noun}`;
  return { sites: { groups, group }, apart, notes: apart.sites === 0 ? [] : [profilerNote(excluded)] };
}

/** How a listing finds its sites in the code of classes, by row: why the code does not have them. */
export type FindingsOf = (row: number) => readonly WeightedFinding[];

/** How many of the sites the classes have. */
export function fitOfSites(
  program: Program,
  { groups, group }: ListedSites,
  executed: Float64Array,
  findings: FindingsOf,
): ProfileFit {
  return fitOf({
    length: group.length,
    name: (i) => locationName(program, groups.location[group[i]]),
    weight: (i) => executed[group[i]],
    findings,
  });
}

/** Options of listings of sites. */
export interface SiteOptions {
  readonly contexts: boolean;
  readonly ids: boolean;
}

/** The cells for the place of a site. */
export function siteCells(
  profile: Profile,
  program: Program,
  { groups, group }: ListedSites,
  findings: FindingsOf | undefined,
  { contexts, ids }: SiteOptions,
) {
  const entries = (i: number) => membersIn(groups, group[i]);
  const stackOf = (i: number) => groups.entries.stack[entries(i)[0]];
  const handles = new PlaceHandles(program, profile.stacks);
  return {
    /** Of a place, or of one in the only context of a group. */
    handle: (i: number) => (contexts ? handles.inContext(stackOf(i)) : handles.place(groups.location[group[i]])),
    contexts: (i: number) => entries(i).length,
    ...(ids && {
      context: (i: number) =>
        contexts ? contextIds(program, profile.stacks, stackOf(i)) : placeIds(program, groups.location[group[i]]),
    }),
    site: (i: number) => locationName(program, groups.location[group[i]]),
    finding: (i: number) => findings?.(i)[0]?.finding.text ?? null,
    /** The frames around the only context of a group; empty if contexts are folded. */
    inlined_into: (i: number) => (contexts ? inlinedInto(profile, program, stackOf(i)) : []),
  };
}

/** Sorts findings by their reasons. */
export function findingOrder(findings: FindingsOf | undefined): SortKeys {
  return findings === undefined ? {} : { finding: (i) => findings(i)[0]?.finding.reason ?? null };
}

/** The visible columns; `ofCode` are those that need classes. */
export function shownColumns(
  columns: ResultColumn[],
  { contexts, ids }: SiteOptions,
  fit: ProfileFit | undefined,
  ofCode: readonly string[],
): ResultColumn[] {
  return withIds(columns, ids).filter(({ key }) => {
    if (key === 'inlined_into') return contexts;
    if (key === 'finding') return fit !== undefined && fit.fitting < fit.sites;
    return fit !== undefined || !ofCode.includes(key);
  });
}
