/**
 * How much of the damage a run tries. The quick tier has a budget. The full tier tries all of a reader whose sources differ
 * from those of its last full run (scripts/full-damage.json); of the others one kind of damage at each place, and all kinds
 * at the edges of records.
 */
import { TIER, type Tier } from '../amount.js';

export type DamageExtent = 'quick' | 'edges' | 'all';

/** The environment variable with the ids of the readers that are tried whole, separated by commas; without it, all are. */
export const WHOLE_READERS = 'KANSOKU_WHOLE_DAMAGE';

export function damageExtent(reader: string, tier: Tier = TIER, readers = process.env[WHOLE_READERS]): DamageExtent {
  if (tier === 'quick') return 'quick';
  return readers === undefined || readers.split(',').includes(reader) ? 'all' : 'edges';
}
