/**
 * How much of the damage a run tries. The quick tier has a budget. The full tier tries all of a reader whose sources differ
 * from those of its last full run (scripts/full-damage.json); of the others one kind of damage at each place, and all kinds
 * at the edges of records.
 */
import { TIER, type Tier } from '../amount.js';

export type DamageExtent = 'quick' | 'edges' | 'all';

/** The environment variable with the ids of the readers that are tried whole, separated by commas, or ALL_READERS. */
export const WHOLE_READERS = 'KANSOKU_WHOLE_DAMAGE';

/** Where the variable is not set. */
const ALL_READERS = '*';

/** How much damage the files of a reader get; `readers` as in the variable. */
export function damageExtent(
  reader: string,
  tier: Tier = TIER,
  readers = process.env[WHOLE_READERS] ?? ALL_READERS,
): DamageExtent {
  if (tier === 'quick') return 'quick';
  return readers === ALL_READERS || readers.split(',').includes(reader) ? 'all' : 'edges';
}
