/** The allocation sites of a recording within its scope, with their sums, as a stage. */
import { accumulated } from '../base/share.js';
import { STACK_ENDINGS } from '../models/profile/profile.js';
import type { SiteGroup, SiteMemory } from '../questions/options/recording.js';
import type { ScopedRecording } from './scope/scoped.js';
import { scopedPart } from './scope/scoped-part.js';
import { type AllocationSites, allocationSites, nativeSites, type SiteSums } from './sites.js';

/** What sites are ordered by: the first that a recording has. */
export const LEADING = ['live_bytes', 'allocated_bytes', 'old_objects'] as const;

export interface SummedSites extends AllocationSites {
  readonly leading: (typeof LEADING)[number];
  /** By sum: of the known values of all sites. */
  readonly totals: Readonly<Partial<Record<keyof SiteSums, number>>>;
  /** By site: the leading sums of it and of all sites with more. */
  readonly accumulated: Float64Array;
  /** Different stacks of the sites, and those of them that the recorder cut. */
  readonly stacks: number;
  readonly cutStacks: number;
}

/** Which sites. `memory`: objects if there are any, if it is not given. */
export interface SiteChoice {
  readonly by: SiteGroup;
  readonly memory: SiteMemory | undefined;
}

export interface RecordedSites {
  /** Undefined if nothing chosen is within the scope. */
  readonly sites: SummedSites | undefined;
  /** Whether the whole recording has sites of objects. */
  readonly hasObjects: boolean;
}

/** The sites of a choice within the scope. */
export const sitesUse = scopedPart<RecordedSites, SiteChoice>({
  name: 'allocation sites',
  version: 1,
  key: ({ by, memory }) => JSON.stringify([by, memory ?? null]),
  run: (scoped, { by, memory }) => {
    const { recording, profile } = scoped;
    const objects = memory === 'native' ? undefined : allocationSites(scoped, by);
    if (objects !== undefined) return { sites: summed(scoped, objects), hasObjects: true };
    const whole = { ...scoped, unscoped: new Set<string>() };
    const hasObjects = memory !== 'native' && allocationSites(whole, by) !== undefined;
    const isNative = memory !== 'objects' && !hasObjects;
    const native = isNative ? nativeSites(recording.program, profile, by, recording.profile) : undefined;
    return { sites: native && summed(scoped, native), hasObjects };
  },
  bytes: ({ sites }) => (sites === undefined ? 0 : sites.length * BYTES_A_SITE),
});

/** Three columns of four bytes, and some of eight. */
const BYTES_A_SITE = 12 + 5 * 8;

function summed({ profile }: ScopedRecording, sites: AllocationSites): SummedSites {
  const { sums, stack } = sites;
  const leading = LEADING.find((key) => sums[key] !== undefined) ?? LEADING[0];
  const cut = STACK_ENDINGS.indexOf('cut');
  const stacks = new Set(stack.filter((id) => id >= 0));
  let cutStacks = 0;
  for (const id of stacks) if (profile?.stacks.ending[id] === cut) cutStacks++;
  const totals: Partial<Record<keyof SiteSums, number>> = {};
  for (const key of SUM_KEYS) {
    const values = sums[key];
    if (values !== undefined) totals[key] = values.reduce((sum, value) => (Number.isNaN(value) ? sum : sum + value), 0);
  }
  const order = sums[leading] ?? new Float64Array();
  return { ...sites, leading, totals, accumulated: accumulated([...order]), stacks: stacks.size, cutStacks };
}

const SUM_KEYS = [
  'live_bytes',
  'live_objects',
  'allocated_bytes',
  'old_objects',
] as const satisfies readonly (keyof SiteSums)[];
