/** The outcomes of a branch in results. */
import { z } from 'zod';
import type { BranchWay } from '../../analysis/places/branch-code.js';
import type { CountedWay, PlacedBranch } from '../../analysis/places/placed-branches.js';
import { share } from '../../base/share.js';
import { WAY_KINDS } from '../../code/java/flow/ways.js';
import { bciName } from '../../models/program/program.js';

export const wayShape = z
  .array(
    z.object({
      kind: z.enum(WAY_KINDS).nullable().describe('null if the target is not a known outcome'),
      bci: z.number().nullable().describe('bytecode index where the outcome begins'),
      line: z.number().nullable(),
      keys: z.array(z.number()).describe('for a switch: the cases with this outcome'),
      is_default: z.boolean(),
      leaves_loop: z.boolean(),
      recorded: z.array(z.number()).describe('BCIs of the target in the recording'),
      count: z.number(),
      share: z.number().nullable(),
    }),
  )
  .nullable();

/** Most keys of a switch that are listed. */
const KEYS_SHOWN = 8;

/** The text of an outcome: `taken`, `falls through`, `case 1, 2`, `default`. */
export function wayMeaning({ kind, keys, isDefault, leaves }: BranchWay): string {
  const keyText = keys.slice(0, KEYS_SHOWN).join(', ') + (keys.length > KEYS_SHOWN ? `, … (${keys.length} keys)` : '');
  const cases = keys.length === 0 ? '' : `case ${keyText}`;
  const meaning =
    kind === 'taken'
      ? 'taken'
      : kind === 'through'
        ? 'falls through'
        : isDefault
          ? cases === ''
            ? 'default'
            : `${cases} and default`
          : cases;
  return leaves ? `${meaning}, leaves loop` : meaning;
}

/** The targets of a branch as parts: `taken, leaves loop (53)`, with their BCIs in the recording. */
export function placedParts({ branch, ways }: PlacedBranch, executed: number) {
  return ways.map((counted) => ({
    name: targetName(counted, branch?.ways[counted.way]),
    count: counted.count,
    share: share(counted.count, executed),
  }));
}

function targetName({ recorded }: CountedWay, way: BranchWay | undefined): string {
  const all = [...recorded];
  const places = all.filter((bci) => bci >= 0);
  const bciText = (places.length > 0 ? places : all).map((bci) => bciName(bci)).join('/');
  return way === undefined ? bciText : `${wayMeaning(way)} (${bciText})`;
}

/** The targets of a branch one by one. */
export function placedWays({ branch, ways }: PlacedBranch, executed: number): z.output<typeof wayShape> {
  return ways.map((counted) => {
    const way = branch?.ways[counted.way];
    return {
      kind: way?.kind ?? null,
      bci: way?.bci ?? null,
      line: way?.line ?? null,
      keys: [...(way?.keys ?? [])],
      is_default: way?.isDefault ?? false,
      leaves_loop: way?.leaves ?? false,
      recorded: [...counted.recorded],
      count: counted.count,
      share: share(counted.count, executed),
    };
  });
}
