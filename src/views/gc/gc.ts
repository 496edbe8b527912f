/** `gc`: garbage collections one by one, with their pauses, and the heap before and after them. */
import { z } from 'zod';
import { type GcFacts, gcFactsUse } from '../../analysis/gc/stages.js';
import { note } from '../../base/note.js';
import { NO_OPTIONS } from '../../questions/options/shared.js';
import { columnsOf, common, detail, HEADLINES, listed, listingShape, maybe, maybeText, number } from '../listing.js';
import { allocationNotes } from '../metric-choice.js';
import { defineView } from '../question.js';
import { gcHeadlines, pauseNotes, rateNotes } from './facts.js';
import { sumsShape } from './sums.js';

const row = z.object({
  time: maybe('Start', 'ns', 'since the recording began'),
  id: number('Id', 'none', "the recording's own number of the collection"),
  collector: maybeText('Collector', 'its name; of collections without an event of their own the names of their parts'),
  cause: maybeText('Cause', 'why it was started'),
  paused: maybe('Paused', 'ns', 'sum of its pauses'),
  longest: detail(2, maybe('Longest pause', 'ns', 'the longest of its pauses')),
  phase: detail(
    1,
    maybeText('Longest phase', 'longest part of its pauses; where most of a pause has no parts, the pause'),
  ),
  phase_time: detail(2, maybe('Phase time', 'ns', 'time of that phase')),
  concurrent: detail(1, maybe('Concurrent', 'ns', 'sum of its concurrent phases, during which the program runs')),
  duration: detail(3, maybe('Duration', 'ns', 'from its start to its end, with its concurrent phases')),
  before: maybe('Heap before', 'bytes', 'used at its start'),
  after: maybe('Heap after', 'bytes', 'used at its end'),
  freed: maybe('Freed', 'bytes', 'before less after: below 0 where the program allocated more meanwhile'),
  allocated: detail(2, maybe('Allocated', 'bytes', 'growth of the heap since the end of the collection before')),
  promoted: detail(2, maybe('To old', 'bytes', 'copied to the old generation; by mixed collections also from it')),
});

export const gcView = defineView({
  name: 'gc',
  version: 1,
  title: 'Garbage collections',
  withoutNames: true,
  options: NO_OPTIONS,
  shape: {
    ...listingShape(row),
    headlines: HEADLINES,
    span: z.number().describe('time of the recording within the scope, in ns'),
    pauses: sumsShape.describe('of all pauses; null if none is known').nullable(),
    single: z.boolean().describe('whether each pause is known; else the pauses of a collection count as one'),
    concurrent: sumsShape.describe('of all concurrent phases, during which the program runs').nullable(),
    growth_rate: z
      .number()
      .nullable()
      .describe('allocation in bytes a second, by growth of the heap between collections'),
    sampled_rate: z.number().nullable().describe('allocation in bytes a second, by allocation events'),
    promoted: z.number().nullable().describe('bytes copied to the old generation'),
  },
  needs: ({ subject }) => ({ facts: gcFactsUse(subject) }),
  answer: async (input, _, { facts }) => {
    const { collections, times, span, pauses, concurrent, growth_rate, sampled_rate, promoted } = facts;
    const cells = cellsOf(facts);
    const shownColumns = columnsOf(row).filter(
      ({ key }) => !OPTIONAL.has(key) || hasAny(cells, key, collections.length),
    );
    const heapGrows = concurrent.count > 0;
    return {
      ...common(input, [
        ...pauseNotes(facts),
        ...rateNotes(facts),
        ...allocationNotes(input),
        ...(heapGrows
          ? [
              note(
                'heap-grows',
                'The program allocates during concurrent phases: the heap after a collection has that, too.',
              ),
            ]
          : []),
        ...(collections.otherName.some((other) => other >= 0)
          ? [
              note(
                'collections-of-parts',
                'Collections without an event of their own have the names and the time of their parts.',
              ),
            ]
          : []),
      ]),
      headlines: gcHeadlines(facts),
      span,
      pauses: pauses.count === 0 ? null : pauses,
      single: times.single,
      concurrent: concurrent.count === 0 ? null : concurrent,
      growth_rate,
      sampled_rate,
      promoted,
      ...(await listed(cells, { columns: shownColumns, count: collections.length, input, usual: undefined })),
    };
  },
});

/** Columns without any value are not shown. */
const OPTIONAL = new Set([
  ...[
    'cause',
    'longest',
    'phase',
    'phase_time',
    'concurrent',
    'duration',
    'before',
    'after',
    'freed',
    'allocated',
    'promoted',
  ],
]);

function cellsOf({ collections, nameOf, causeOf, text }: GcFacts) {
  const recordedValue = (values: Float64Array) => (i: number) => (values[i] < 0 ? null : values[i]);
  const { before, after } = collections;
  return {
    time: (i: number) => (Number.isNaN(collections.time[i]) ? null : collections.time[i]),
    id: (i: number) => collections.number[i],
    collector: nameOf,
    cause: causeOf,
    paused: recordedValue(collections.paused),
    longest: recordedValue(collections.longest),
    phase: (i: number) => text(collections.phase[i]),
    phase_time: recordedValue(collections.phaseTime),
    concurrent: recordedValue(collections.concurrent),
    duration: recordedValue(collections.duration),
    before: recordedValue(before),
    after: recordedValue(after),
    freed: (i: number) => (before[i] < 0 || after[i] < 0 ? null : before[i] - after[i]),
    allocated: recordedValue(collections.allocated),
    promoted: recordedValue(collections.promoted),
  };
}

function hasAny(cells: Readonly<Record<string, (row: number) => unknown>>, key: string, count: number): boolean {
  for (let i = 0; i < count; i++) if (cells[key]?.(i) !== null) return true;
  return false;
}
