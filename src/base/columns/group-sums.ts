/** Sums of values, and of the values of each group. */
import { groupSumsKernel, type PackedValues, PLACES_OF_SUMS } from './packed-block.js';

/** Some rows: the group of each, negative for none, and its value; each counts 1 where there are no values. */
export interface ValuesOfGroups {
  readonly length: number;
  readonly groups: PackedValues;
  readonly values: PackedValues | undefined;
}

export interface Sums {
  /** Of the values of rows with a group, and of their squares; without values that are negative or none. */
  readonly total: number;
  readonly squares: number;
  /** Rows without a group whose value is above 0, and the sum of these values. */
  readonly ungrouped: { readonly rows: number; readonly sum: number };
  /** Rows whose value is negative or none. */
  readonly withoutValue: number;
}

/** Places in the sums, as in `kernels/packing.ts`. */
const TOTAL = 0;
const SQUARES = 1;
const ROWS = 2;
const UNGROUPED = 3;
const WITHOUT_VALUE = 4;

/** Adds up rows in the order of their parts. `byGroup`: the values of each group are added there, up to its length. */
export function addUp(parts: Iterable<ValuesOfGroups>, byGroup?: Float64Array): Sums {
  const sums = new Float64Array(PLACES_OF_SUMS);
  const kernel = groupSumsKernel(byGroup?.length ?? 0);
  for (const { groups, values, length } of parts)
    if (values === undefined) addCounts(sums, groups, length, byGroup);
    else if (kernel === undefined || !(groups instanceof Int32Array)) addValues(sums, groups, values, length, byGroup);
    else kernel.add(groups, values, length);
  kernel?.finish(sums, byGroup);
  return {
    total: sums[TOTAL],
    squares: sums[SQUARES],
    ungrouped: { rows: sums[ROWS], sum: sums[UNGROUPED] },
    withoutValue: sums[WITHOUT_VALUE],
  };
}

/** As the kernel; sums in memory would make each row wait for the one before. */
function addValues(
  sums: Float64Array,
  groups: PackedValues,
  values: PackedValues,
  length: number,
  byGroup: Float64Array | undefined,
): void {
  let total = sums[TOTAL];
  let squares = sums[SQUARES];
  for (let row = 0; row < length; row++) {
    const group = groups[row];
    const value = values[row];
    if (group >= 0 && byGroup !== undefined) byGroup[group] += value;
    if (!(value >= 0)) sums[WITHOUT_VALUE] += 1;
    else if (group >= 0) {
      total += value;
      squares += value * value;
    } else if (value > 0) {
      sums[ROWS] += 1;
      sums[UNGROUPED] += value;
    }
  }
  sums[TOTAL] = total;
  sums[SQUARES] = squares;
}

function addCounts(sums: Float64Array, groups: PackedValues, length: number, byGroup: Float64Array | undefined): void {
  let ungrouped = 0;
  for (let row = 0; row < length; row++) {
    const group = groups[row];
    if (group < 0) ungrouped++;
    else if (byGroup !== undefined) byGroup[group] += 1;
  }
  sums[TOTAL] += length - ungrouped;
  sums[SQUARES] += length - ungrouped;
  sums[ROWS] += ungrouped;
  sums[UNGROUPED] += ungrouped;
}
