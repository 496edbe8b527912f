/** Which groups of spellings agree in all details that both know, without comparing each with each. */
import type { Known } from './known.js';

/** Candidates that are looked for: with two, nothing is guessed. */
const ENOUGH = 2;

/**
 * Groups of one name. Two groups that know the same of their details differ in one of them, else they were one group; so
 * only those that know others can agree. Cost: a text for each group and each set of details that was asked for.
 */
export class Agreeing<Group extends { readonly known: Known }> {
  /** By the set of known details, a bit each. */
  readonly #sets = new Map<number, KnownAlike<Group>>();

  constructor(groups: Iterable<Group> = []) {
    for (const group of groups) this.add(group);
  }

  add(group: Group): void {
    const set = knownOf(group);
    const alike = this.#sets.get(set);
    if (alike !== undefined) alike.add(group);
    else this.#sets.set(set, new KnownAlike(group));
  }

  /** Up to two groups that agree with one, which may be among these. */
  with(group: Group): readonly Group[] {
    const own = knownOf(group);
    const found: Group[] = [];
    for (const [set, alike] of this.#sets) {
      if (set === own) continue;
      found.push(...alike.equal(group, set & own));
      if (found.length >= ENOUGH) return found.slice(0, ENOUGH);
    }
    return found;
  }
}

/** Groups that know the same of their details. */
class KnownAlike<Group extends { readonly known: Known }> {
  readonly #groups: Group[];
  /** By the details that are compared, then by their values: the first groups that have these. */
  readonly #byDetails = new Map<number, Map<string, Group[]>>();

  constructor(group: Group) {
    this.#groups = [group];
  }

  add(group: Group): void {
    this.#groups.push(group);
    for (const [details, groups] of this.#byDetails) put(groups, valuesOf(group, details), group);
  }

  /** Those with the same values of some details as a group. */
  equal(group: Group, details: number): readonly Group[] {
    let groups = this.#byDetails.get(details);
    if (groups === undefined) {
      groups = new Map();
      for (const each of this.#groups) put(groups, valuesOf(each, details), each);
      this.#byDetails.set(details, groups);
    }
    return groups.get(valuesOf(group, details)) ?? [];
  }
}

function put<Group>(groups: Map<string, Group[]>, key: string, group: Group): void {
  const same = groups.get(key);
  if (same === undefined) groups.set(key, [group]);
  else if (same.length < ENOUGH) same.push(group);
}

/** The details that are known, a bit each. */
function knownOf({ known: { details } }: { readonly known: Known }): number {
  return details.reduce((set, detail, i) => (detail < 0 ? set : set | (1 << i)), 0);
}

function valuesOf({ known }: { readonly known: Known }, details: number): string {
  return known.details.filter((_, i) => (details & (1 << i)) !== 0).join();
}
