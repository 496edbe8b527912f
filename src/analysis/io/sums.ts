/** Sums of calls of input and output by groups of them. One pass over the calls; memory: 32 bytes a group and kind. */
import type { IoEvents } from '../../models/events/io.js';
import { SizeSums } from '../size-sums.js';
import { CALL_KINDS, type CallKind, callKind, movedBytes } from './calls.js';

/** By group. */
export interface CallSums {
  readonly count: Float64Array;
  /** Nanoseconds. */
  readonly time: Float64Array;
  readonly longest: Float64Array;
  readonly bytes: Float64Array;
}

export type SumsByKind = Readonly<Record<CallKind, CallSums>>;

/** The sums of the calls of each kind in each of `groups` groups; calls of group -1 are left out. */
export function callSums(calls: IoEvents, groups: number, groupOf: (row: number) => number): SumsByKind {
  const column = (): Float64Array => new Float64Array(groups);
  const noCalls = (): CallSums => ({ count: column(), time: column(), longest: column(), bytes: column() });
  const sums = { read: noCalls(), write: noCalls(), other: noCalls(), error: noCalls() };
  for (let row = 0; row < calls.length; row++) {
    const group = groupOf(row);
    if (group < 0) continue;
    const kind = callKind(calls, row);
    const { count, time, longest, bytes } = sums[kind];
    const spent = Math.max(0, calls.spent[row]);
    count[group]++;
    time[group] += spent;
    longest[group] = Math.max(longest[group], spent);
    bytes[group] += Math.max(0, movedBytes(calls, row, kind));
  }
  return sums;
}

/** The bytes of the calls of each kind that `isCounted`, by size. */
export function callSizes(
  calls: IoEvents,
  isCounted: (row: number) => boolean = () => true,
): Readonly<Record<CallKind, SizeSums>> {
  const sizes = { read: new SizeSums(), write: new SizeSums(), other: new SizeSums(), error: new SizeSums() };
  for (let row = 0; row < calls.length; row++) {
    const kind = callKind(calls, row);
    if (isCounted(row)) sizes[kind].add(Math.max(0, movedBytes(calls, row, kind)));
  }
  return sizes;
}

/** A sum over all kinds in one group. */
export function sumOfKinds(sums: SumsByKind, key: keyof CallSums, group: number): number {
  return CALL_KINDS.reduce((sum, kind) => sum + sums[kind][key][group], 0);
}
