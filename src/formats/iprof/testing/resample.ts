/**
 * A profile as another run of the same program would have counted it: a part of its records (a fifth, as two runs of one
 * instrumented image showed) gets another count, drawn from a negative binomial distribution about the old one, and of
 * the small ones some vanish. Seeded.
 */
import { mapTables } from '../../../models/profile/profile.js';
import type { Recording } from '../../../models/recording.js';
import { column, hasField, selectRows, type Table } from '../../../models/table.js';
import { Random } from '../../../testing/random.js';

export interface Resampling {
  readonly seed: number;
  /** Part of the records that change. */
  readonly changed: number;
  /** Coefficient of variation beyond that of counting. */
  readonly level: number;
  /** Part of the changed entries with at most `small` counts that vanish. */
  readonly vanish: number;
  readonly small: number;
}

export const USUAL_RESAMPLING: Omit<Resampling, 'seed'> = { changed: 0.2, level: 0.05, vanish: 0.25, small: 9 };

export function resampled(recording: Recording, how: Resampling): Recording {
  const { profile } = recording;
  if (profile === undefined) return recording;
  const random = new Draws(how.seed);
  return {
    ...recording,
    name: `${recording.name} resampled`,
    profile: mapTables(profile, (table) => (hasField(table, 'count') ? resampledTable(table, how, random) : table)),
  };
}

function resampledTable(table: Table, how: Resampling, random: Draws): Table {
  const old = column(table, 'count');
  const site = hasField(table, 'site') ? column(table, 'site') : undefined;
  const count = Float64Array.from(old);
  const kept: number[] = [];
  for (let from = 0; from < table.length; ) {
    let to = from + 1;
    while (site !== undefined && to < table.length && site[to] === site[from]) to++;
    const rows = Array.from({ length: to - from }, (_, i) => from + i);
    from = to;
    if (random.fraction() < how.changed) {
      const sum = rows.reduce((all, row) => all + old[row], 0);
      if (sum <= how.small && random.fraction() < how.vanish) continue;
      for (const row of rows) count[row] = random.negativeBinomial(old[row], how.level);
    }
    kept.push(...rows);
  }
  return selectRows({ ...table, columns: { ...table.columns, count } }, Int32Array.from(kept));
}

/** Random numbers of the distributions of counts. */
export class Draws {
  readonly #random: Random;

  constructor(seed: number) {
    this.#random = new Random(seed);
  }

  fraction(): number {
    return this.#random.bits() / 2 ** 32;
  }

  /** Box and Muller's. */
  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.fraction())) * Math.cos(2 * Math.PI * this.fraction());
  }

  /** By waiting times for small means (Knuth), by the normal distribution for large ones. */
  poisson(mean: number): number {
    if (mean > 500) return Math.max(0, Math.round(mean + Math.sqrt(mean) * this.normal()));
    const end = Math.exp(-mean);
    let count = 0;
    for (let product = this.fraction(); product > end; product *= this.fraction()) count++;
    return count;
  }

  /** A count whose mean itself varies by `level` of it; of small levels a normal mean is near enough. */
  negativeBinomial(mean: number, level: number): number {
    return this.poisson(Math.max(0, mean * (1 + level * this.normal())));
  }
}
