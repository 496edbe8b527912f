/** How much of a profile is in the code: sites without a finding and their weight; the other sites by reason. */
import type { Finding } from './method-code.js';

export interface Fit {
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
  readonly reason: Finding['reason'];
  sites: number;
  weight: number;
  readonly example: string;
}

/** Why some events of a site are not in the code. */
export interface WeightedFinding {
  readonly finding: Finding;
  readonly weight: number;
}

/** A site: its events, and the events that do not fit the code. */
export interface FittedSite {
  readonly name: string;
  readonly weight: number;
  readonly findings: readonly WeightedFinding[];
}

export function fitOf(sites: readonly FittedSite[]): Fit {
  const sums = new Map<string, FindingSum>();
  let weight = 0;
  let lost = 0;
  let fitting = 0;
  for (const site of sites) {
    weight += site.weight;
    if (site.findings.length === 0) fitting++;
    const reasons = new Set<string>();
    for (const { finding, weight: part } of site.findings) {
      lost += part;
      const known = sums.get(finding.reason);
      const example = `${site.name}: ${finding.text}`;
      if (known === undefined) sums.set(finding.reason, { reason: finding.reason, sites: 1, weight: part, example });
      else {
        known.weight += part;
        if (!reasons.has(finding.reason)) known.sites++;
      }
      reasons.add(finding.reason);
    }
  }
  const order = [...sums.values()].sort((a, b) => b.weight - a.weight || b.sites - a.sites);
  return { sites: sites.length, fitting, weight, fitting_weight: weight - lost, findings: order };
}
