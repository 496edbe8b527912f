/** `memory`: native memory by the size of its blocks, what of it was not freed, and the most that was in use. */
import { z } from 'zod';
import { type NativeMemory, nativeMemoryUse } from '../../analysis/memory/stages.js';
import { SIZE_LIMITS, SizeSums } from '../../analysis/size-sums.js';
import { MissingError, UsageError } from '../../base/errors.js';
import { share } from '../../base/share.js';
import { formatValue, plural } from '../../base/units.js';
import { NATIVE_MEMORY_EVENTS } from '../../models/events/memory.js';
import { NO_OPTIONS } from '../../questions/options/shared.js';
import { columnsOf, common, HEADLINES, listed, listingShape, maybe, number } from '../listing.js';
import { defineView, type Side, WITHOUT_STEPS } from '../question.js';
import { freedRemarks } from './remarks.js';

const row = z.object({
  from: number('Above', 'bytes', 'blocks of the row are larger; the first row has those of no bytes, too'),
  to: maybe('Up to', 'bytes', 'largest size of the row; null if it has no end'),
  allocations: number('Allocations', 'count', 'blocks that were allocated'),
  allocated: number('Allocated', 'bytes', 'bytes of these blocks'),
  share: maybe('Allocated %', 'ratio', 'share of all allocated bytes'),
  leaks: number('Not freed', 'count', 'blocks of which something was not freed'),
  leaked: number('Bytes not freed', 'bytes', 'bytes of allocations that the recording does not show as freed'),
});

const sums = z.object({
  count: z.number(),
  bytes: z.number(),
  smallest: z.number().nullable().describe('in bytes; null if there are none'),
  largest: z.number().nullable().describe('in bytes; null if there are none'),
});

export const memoryView = defineView({
  name: 'memory',
  version: 1,
  title: 'Native memory by size',
  withoutNames: true,
  options: NO_OPTIONS,
  shape: {
    ...listingShape(row),
    headlines: HEADLINES,
    allocated: sums.describe('all allocations'),
    leaked: sums.describe('allocations of which something was not freed, and what of them was not'),
    peak: z
      .object({
        bytes: z.number(),
        time: z.number().nullable().describe('in ns since the start of the recording; null unknown'),
        process: z.number().int().describe('number of the process, from 1'),
      })
      .nullable()
      .describe('most bytes in use by one process after an event in scope; null without events'),
    processes: z.number().int().describe('processes with such events in scope'),
  },
  needs: (input) => ({ memory: memoryUse(input) }),
  answer: async (input, _, { memory }) => {
    const { events, peaks } = requireMemory(input, memory);
    const { allocated, leaked } = await input.kept(
      'sums',
      () => SIZE_LIMITS.length * 32,
      () => sizeSums(events),
    );
    const ranges = SIZE_LIMITS.map((_, range) => range).filter(
      (range) => allocated.counts[range] > 0 || leaked.counts[range] > 0,
    );
    const [peak] = [...peaks].sort((a, b) => b.bytes - a.bytes);
    const cells = {
      from: (i: number) => SIZE_LIMITS[ranges[i] - 1] ?? 0,
      to: (i: number) => finite(SIZE_LIMITS[ranges[i]]),
      allocations: (i: number) => allocated.counts[ranges[i]],
      allocated: (i: number) => allocated.sums[ranges[i]],
      share: (i: number) => share(allocated.sums[ranges[i]], allocated.bytes),
      leaks: (i: number) => leaked.counts[ranges[i]],
      leaked: (i: number) => leaked.sums[ranges[i]],
    };
    return {
      ...common(input, freedRemarks(input.recording.profile)),
      headlines: [
        `Allocated: ${sumText(allocated)}`,
        `Not freed: ${sumText(leaked)}`,
        ...(peak === undefined ? [] : [peakText(peak, peaks.length)]),
      ],
      allocated: sumsOf(allocated),
      leaked: sumsOf(leaked),
      peak: peak === undefined ? null : { bytes: peak.bytes, time: finite(peak.time), process: peak.process + 1 },
      processes: peaks.length,
      ...(await listed(cells, { columns: columnsOf(row), count: ranges.length, input, usual: undefined })),
    };
  },
});

/** Sums by size of the allocations, and of what was not freed. */
function sizeSums({ length, allocations, bytes, live }: NativeMemory['events']) {
  const [allocated, leaked] = [new SizeSums(), new SizeSums()];
  for (let i = 0; i < length; i++) {
    if (allocations[i] > 0) allocated.add(bytes[i]);
    if (live[i] > 0) leaked.add(live[i]);
  }
  return { allocated, leaked };
}

/** The stage of the events. Throws `UsageError` if the scope cannot be applied to them. */
function memoryUse({ subject, unscoped, recording }: Side) {
  if (unscoped.has(NATIVE_MEMORY_EVENTS.kind))
    throw new UsageError(`native memory of ${recording.name} cannot be selected by this scope`, WITHOUT_STEPS);
  return nativeMemoryUse(subject);
}

function requireMemory({ recording }: Side, memory: NativeMemory | undefined): NativeMemory {
  if (memory !== undefined) return memory;
  throw new MissingError(`${recording.name} has no events of native memory`, {
    code: 'no-native-memory',
    advice:
      'Experiments of gprofng that were recorded with -H on have them, and recordings of async-profiler with nativemem.',
  });
}

function finite(value: number | undefined): number | null {
  return value === undefined || !Number.isFinite(value) ? null : value;
}

function sumsOf({ count, bytes, smallest, largest }: SizeSums) {
  return { count, bytes, smallest: finite(smallest), largest: count === 0 ? null : largest };
}

function sumText({ count, bytes, smallest, largest }: SizeSums): string {
  const size = (value: number): string => formatValue(value, 'bytes');
  const range = count === 0 ? '' : `; smallest ${size(smallest)}, largest ${size(largest)}`;
  return `${plural(count, 'block')}, ${size(bytes)}${range}`;
}

function peakText({ bytes, time, process }: NativeMemory['peaks'][number], processes: number): string {
  const moment = Number.isNaN(time) ? '' : ` at ${formatValue(time, 'ns')}`;
  return `Most in use: ${formatValue(bytes, 'bytes')}${moment}${processes > 1 ? `, in process ${process + 1}` : ''}`;
}
