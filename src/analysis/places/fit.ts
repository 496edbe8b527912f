/** How much of a profile is in the code: sites without a finding and their weight; the other sites by reason. */
import type { FindingReason, SiteFinding } from './method-code.js';

export interface ProfileFit {
  readonly sites: number;
  /** Sites that are in the code. */
  readonly fitting: number;
  /** Events at all sites. */
  readonly weight: number;
  readonly fitting_weight: number;
  /** The largest first. */
  readonly findings: FindingSum[];
}

/** The findings of one reason. */
export interface FindingSum {
  readonly reason: FindingReason;
  sites: number;
  weight: number;
  readonly example: string;
}

/** Why some events of a site are not in the code. */
export interface WeightedFinding {
  readonly finding: SiteFinding;
  readonly weight: number;
}

/** Sites by number: their events, and the events that do not fit the code. `name` is called for examples only. */
export interface FittedSites {
  readonly length: number;
  readonly name: (site: number) => string;
  readonly weight: (site: number) => number;
  readonly findings: (site: number) => readonly WeightedFinding[];
}

export function fitOf({ length, name, weight, findings }: FittedSites): ProfileFit {
  const sums = new Map<FindingReason, FindingSum>();
  /** By reason: the last site that has it. */
  const last = new Map<FindingReason, number>();
  let all = 0;
  let lost = 0;
  let fitting = 0;
  for (let site = 0; site < length; site++) {
    const found = findings(site);
    all += weight(site);
    if (found.length === 0) fitting++;
    for (const { finding, weight: part } of found) {
      const { reason, text } = finding;
      lost += part;
      const known = sums.get(reason);
      if (known === undefined) sums.set(reason, { reason, sites: 1, weight: part, example: `${name(site)}: ${text}` });
      else {
        known.weight += part;
        if (last.get(reason) !== site) known.sites++;
      }
      last.set(reason, site);
    }
  }
  const order = [...sums.values()].sort((a, b) => b.weight - a.weight || b.sites - a.sites);
  return { sites: length, fitting, weight: all, fitting_weight: all - lost, findings: order };
}
