/** Differences at places of code: outcomes of branches, classes of calls and type checks. */
import { Int32Builder } from '../../base/columns/columns.js';
import { IntTable } from '../../base/columns/hash.js';
import { MissingError } from '../../base/errors.js';
import { BRANCH_EVENTS, type BranchEvents } from '../../models/events/branch.js';
import { COUNTED_EVENTS, countedEvents, forEachSite } from '../../models/events/counted.js';
import type { Profile } from '../../models/profile/profile.js';
import { bciName } from '../../models/program/program.js';
import type { Side } from '../question.js';
import { Places } from './places.js';
import type { Join, Sides } from './runs.js';
import type { DiffMetric } from './values.js';

export const SHARED = ['branch', 'receiver', 'instanceof'] as const;
export type Shared = (typeof SHARED)[number];

const TABLES: Readonly<Record<Shared, { readonly what: string; readonly metric: DiffMetric }>> = {
  branch: {
    what: 'branch counts',
    metric: { id: 'branches', title: 'Branches taken', unit: 'count', nature: 'site' },
  },
  receiver: {
    what: 'receiver types',
    metric: { id: 'receivers', title: 'Virtual calls', unit: 'count', nature: 'site' },
  },
  instanceof: {
    what: 'instance-of counts',
    metric: { id: 'instanceofs', title: 'Type checks', unit: 'count', nature: 'site' },
  },
};

/** Sites folded over contexts; the executions of each are divided into parts (targets, classes). */
export interface ShareRows {
  readonly metric: DiffMetric;
  readonly length: number;
  /** Parts of site `s`: `parts[starts[s] .. starts[s + 1])`. */
  readonly starts: Int32Array;
  readonly parts: Int32Array;
  /** By run, then part. */
  readonly counts: readonly Float64Array[];
  readonly sums: readonly number[];
  readonly name: (site: number) => string;
  readonly join: (site: number) => Join;
  readonly partName: (part: number) => string;
}

export function hasShares(profile: Profile | undefined, by: Shared): boolean {
  return COUNTED_EVENTS[by].of(profile) !== undefined;
}

/** Throws `MissingError` if a recording does not have such counts. */
export function shareRows(sides: Sides, by: Shared): ShareRows {
  const places = new Places(sides);
  const sites = new IntTable();
  const parts = new IntTable();
  const read = sides.runs.map((run, i) => partCounts(sides, run, i, by, { places, sites, parts }));
  const counts = read.map(({ part, count }) => {
    const sums = new Float64Array(parts.length);
    for (let i = 0; i < part.length; i++) sums[part[i]] += count[i];
    return sums;
  });
  const siteOf = parts.column(0);
  const [keys, marks] = [parts.column(1), parts.column(2)];
  const placeOf = sites.column(0);
  const nameOf = places.names();
  const joinOf = places.joins();
  const { classes } = sides.united;
  return {
    metric: TABLES[by].metric,
    length: sites.length,
    ...grouped(siteOf, sites.length),
    counts,
    sums: counts.map((column) => column.reduce((sum, value) => sum + value, 0)),
    name: (site) => nameOf(placeOf[site]),
    join: (site) => joinOf(placeOf[site]),
    partName: (part) =>
      by !== 'branch'
        ? keys[part] < 0
          ? '<unknown>'
          : classes.name(keys[part])
        : marks[part] === 0
          ? bciName(keys[part])
          : `${bciName(keys[part])} #${marks[part] - 1}`,
  };
}

interface Joining {
  readonly places: Places;
  readonly sites: IntTable;
  readonly parts: IntTable;
}

/** The joined part of each row of a run's table, and its count. */
function partCounts(sides: Sides, { profile, recording }: Side, run: number, by: Shared, joining: Joining) {
  const events = countedEvents(profile, by);
  if (profile === undefined || events === undefined)
    throw new MissingError(`${recording.name} has no ${TABLES[by].what}`, { code: 'no-counts' });
  const { places, sites, parts } = joining;
  const { length, count, type } = events;
  const site = new Int32Array(length);
  forEachSite(events, (_entry, stack, from, to) => {
    site.fill(sites.add(places.of(run, profile.stacks.location[stack])), from, to);
  });
  const branches = by === 'branch' ? BRANCH_EVENTS.of(profile) : undefined;
  if (branches !== undefined) return { part: branchParts(branches, site, parts), count };
  const rows = sides.united.classes.rows[run];
  const part = new Int32Array(length);
  if (type !== undefined)
    for (let row = 0; row < length; row++) part[row] = parts.add(site[row], type[row] < 0 ? -1 : rows[type[row]]);
  return { part, count };
}

/**
 * Identifies the outcome of each row by the BCI of its target. Cases of a switch that share a target have one record
 * with its BCI and others with the same index without one, in one entry; in other contexts the index may belong to
 * another outcome. Outcomes without any BCI are identified by index + 1 as a mark.
 */
function branchParts(branches: BranchEvents, site: Int32Array, parts: IntTable): Int32Array {
  const { target, index, site: entry } = branches;
  const ways = new IntTable();
  const way = new Int32Array(site.length);
  const goesTo = new Int32Builder();
  for (let row = 0; row < site.length; row++) {
    way[row] = ways.add(entry[row], index[row]);
    if (way[row] === goesTo.length) goesTo.push(-1);
    if (goesTo.values[way[row]] < 0 && target[row] >= 0) goesTo.values[way[row]] = target[row];
  }
  const part = new Int32Array(site.length);
  for (let row = 0; row < site.length; row++) {
    const targetRow = target[row] >= 0 ? target[row] : goesTo.values[way[row]];
    part[row] = targetRow >= 0 ? parts.add(site[row], targetRow, 0) : parts.add(site[row], target[row], index[row] + 1);
  }
  return part;
}

/** Rows sorted by group, in one counting sort. */
function grouped(groupOf: Int32Array, groups: number) {
  const starts = new Int32Array(groups + 1);
  for (const group of groupOf) starts[group + 1]++;
  for (let i = 0; i < groups; i++) starts[i + 1] += starts[i];
  const next = starts.slice();
  const parts = new Int32Array(groupOf.length);
  for (let part = 0; part < groupOf.length; part++) parts[next[groupOf[part]]++] = part;
  return { starts, parts };
}
