/** `io sizes`: calls that read and wrote by the number of their bytes; what all calls amount to. */
import { z } from 'zod';
import { CALL_KINDS, type CallKind, callKind, movedBytes } from '../../analysis/io/calls.js';
import { callSizes, callSums } from '../../analysis/io/sums.js';
import { SIZE_LIMITS, sizeRange } from '../../analysis/size-sums.js';
import { formatValue, plural } from '../../base/units.js';
import { NO_OPTIONS } from '../../questions/options/shared.js';
import { columnsOf, common, HEADLINES, listed, listingShape, maybe, number } from '../listing.js';
import { defineView } from '../question.js';
import { ioUse, requireIo } from './recorded.js';

const row = z.object({
  from: number('Above', 'bytes', 'calls of the row moved more; the first row has those that moved nothing, too'),
  to: maybe('Up to', 'bytes', 'most bytes of the row; null if it has no end'),
  reads: number('Reads', 'count', 'calls that read'),
  read: number('Read', 'bytes', 'bytes read'),
  read_time: number('Read time', 'ns', 'in calls that read'),
  writes: number('Writes', 'count', 'calls that wrote'),
  written: number('Written', 'bytes', 'bytes written'),
  write_time: number('Write time', 'ns', 'in calls that wrote'),
});

const kind = z.object({
  kind: z.enum(CALL_KINDS),
  calls: z.number(),
  bytes: z.number(),
  time: z.number().describe('in ns'),
  longest: z.number().describe('longest call, in ns'),
  smallest: z.number().nullable().describe('fewest bytes of a call that moved any; null if none did'),
  largest: z.number().describe('most bytes of a call'),
});

export const ioSizesView = defineView({
  name: 'io-sizes',
  version: 1,
  title: 'Input and output by size',
  withoutNames: true,
  options: NO_OPTIONS,
  shape: {
    ...listingShape(row),
    headlines: HEADLINES,
    kinds: z.array(kind).describe('kinds of calls that there are; one that failed is of the kind error only'),
  },
  needs: (input) => ({ io: ioUse(input) }),
  answer: async (input, _, { io }) => {
    const { calls } = requireIo(input, io);
    const { sizes, times, sums } = await input.kept(
      'sums',
      () => SIZE_LIMITS.length * CALL_KINDS.length * 48,
      () => ({
        sizes: callSizes(calls),
        times: callSums(calls, SIZE_LIMITS.length, (i) => sizeRange(movedBytes(calls, i, callKind(calls, i)))),
        sums: callSums(calls, 1, () => 0),
      }),
    );
    const ranges = SIZE_LIMITS.map((_, range) => range).filter(
      (range) => sizes.read.counts[range] > 0 || sizes.write.counts[range] > 0,
    );
    const kinds = CALL_KINDS.flatMap((name) => {
      const { count, bytes, largest, smallestMoved } = sizes[name];
      const { time, longest } = sums[name];
      const smallest = Number.isFinite(smallestMoved) ? smallestMoved : null;
      return count === 0
        ? []
        : [{ kind: name, calls: count, bytes, time: time[0], longest: longest[0], smallest, largest }];
    });
    const cells = {
      from: (i: number) => SIZE_LIMITS[ranges[i] - 1] ?? 0,
      to: (i: number) => (Number.isFinite(SIZE_LIMITS[ranges[i]]) ? SIZE_LIMITS[ranges[i]] : null),
      reads: (i: number) => sizes.read.counts[ranges[i]],
      read: (i: number) => sizes.read.sums[ranges[i]],
      read_time: (i: number) => times.read.time[ranges[i]],
      writes: (i: number) => sizes.write.counts[ranges[i]],
      written: (i: number) => sizes.write.sums[ranges[i]],
      write_time: (i: number) => times.write.time[ranges[i]],
    };
    return {
      ...common(input),
      headlines: kinds.map(kindText),
      kinds,
      ...(await listed(cells, { columns: columnsOf(row), count: ranges.length, input, usual: undefined })),
    };
  },
});

const NOUNS: Readonly<Record<CallKind, string>> = {
  read: 'read',
  write: 'write',
  other: 'other call',
  error: 'failed call',
};

function kindText({ kind: name, calls, bytes, time, longest, smallest, largest }: z.output<typeof kind>): string {
  const size = (value: number): string => formatValue(value, 'bytes');
  const moved = smallest === null ? '' : `, ${size(bytes)} (${size(smallest)} to ${size(largest)})`;
  return `${plural(calls, NOUNS[name])}${moved}: ${formatValue(time, 'ns')}, longest ${formatValue(longest, 'ns')}`;
}
