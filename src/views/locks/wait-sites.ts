/** Contention from single waits: those for monitors of a class at a site together. */
import { functionsOf } from '../../analysis/origin.js';
import { IntTable } from '../../base/columns/hash.js';
import { WAIT_REASONS, type WaitEvents } from '../../models/events/wait.js';
import type { StackTable } from '../../models/profile/profile.js';
import type { Program } from '../../models/program/program.js';

export interface WaitSite {
  /** ClassId of the monitor, or of what the thread was parked for; -1 unknown. */
  readonly class: number;
  /** LocationId; -1 unknown. */
  readonly site: number;
  readonly time: number;
  readonly count: number;
  readonly longest: number;
  /** The thread that held it before the most of this time; -1 unknown. */
  readonly owner: number;
}

const ENTER = WAIT_REASONS.indexOf('enter');
const PARK = WAIT_REASONS.indexOf('park');

/** Waits to enter, at the innermost frame; and parked threads, at the innermost frame outside the JDK's own code. */
export function waitSites(waits: WaitEvents, stacks: StackTable, program: Program): WaitSite[] {
  const { length, reason, stack, class: types, waited, other } = waits;
  const own = functionsOf(program, ['jdk']);
  const siteOf = (leaf: number, skipped: boolean): number => {
    let at = leaf;
    while (skipped && at >= 0 && own[program.locations.function[stacks.location[at]]] === 1) at = stacks.parent[at];
    return leaf < 0 ? -1 : stacks.location[at < 0 ? leaf : at];
  };
  const groups = new IntTable(64);
  const owners = new IntTable(64);
  const sites: { time: number; count: number; longest: number }[] = [];
  const held: number[] = [];
  for (let row = 0; row < length; row++) {
    if (reason[row] !== ENTER && reason[row] !== PARK) continue;
    const group = groups.add(reason[row], types?.[row] ?? -1, siteOf(stack?.[row] ?? -1, reason[row] === PARK));
    sites[group] ??= { time: 0, count: 0, longest: 0 };
    sites[group].time += waited[row];
    sites[group].count++;
    sites[group].longest = Math.max(sites[group].longest, waited[row]);
    const owner = owners.add(group, other?.[row] ?? -1);
    held[owner] = (held[owner] ?? 0) + waited[row];
  }
  const most = new Int32Array(sites.length).fill(-1);
  for (let i = 0; i < owners.length; i++) {
    const group = owners.key(i, 0);
    if (owners.key(i, 1) >= 0 && (most[group] < 0 || held[i] > held[most[group]])) most[group] = i;
  }
  return sites.map((sums, group) => ({
    ...sums,
    class: groups.key(group, 1),
    site: groups.key(group, 2),
    owner: most[group] < 0 ? -1 : owners.key(most[group], 1),
  }));
}
