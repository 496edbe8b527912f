/** How much of a profile the code has: sites without a finding, their weight, and the others by reason. */
import type { Misfit } from './method-code.js';

export interface Fit {
  readonly sites: number;
  /** Sites that the code has. */
  readonly fitting: number;
  /** Events at all sites. */
  readonly weight: number;
  readonly fitting_weight: number;
  /** The largest first. */
  readonly findings: Finding[];
}

/** Why sites are not in the code. */
export interface Finding {
  readonly reason: Misfit['reason'];
  sites: number;
  weight: number;
  readonly example: string;
}

/** A site: its events, and those of them that the code does not have. */
export interface FittedSite {
  readonly name: string;
  readonly weight: number;
  readonly misfits: readonly { readonly misfit: Misfit; readonly weight: number }[];
}

export function fitOf(sites: readonly FittedSite[]): Fit {
  const findings = new Map<string, Finding>();
  let weight = 0;
  let lost = 0;
  let fitting = 0;
  for (const site of sites) {
    weight += site.weight;
    if (site.misfits.length === 0) fitting++;
    const reasons = new Set<string>();
    for (const { misfit, weight: part } of site.misfits) {
      lost += part;
      const known = findings.get(misfit.reason);
      const example = `${site.name}: ${misfit.text}`;
      if (known === undefined) findings.set(misfit.reason, { reason: misfit.reason, sites: 1, weight: part, example });
      else {
        known.weight += part;
        if (!reasons.has(misfit.reason)) known.sites++;
      }
      reasons.add(misfit.reason);
    }
  }
  const order = [...findings.values()].sort((a, b) => b.weight - a.weight || b.sites - a.sites);
  return { sites: sites.length, fitting, weight, fitting_weight: weight - lost, findings: order };
}
