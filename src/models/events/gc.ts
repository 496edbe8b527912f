/** Garbage collection: collections, their phases, the heap before and after them, and what they promoted. */
import { optional, type RowsOf } from '../table-kind.js';
import { defineEvents } from './event-kind.js';
import { THREAD, TIME } from './shared-fields.js';

const COLLECTION = {
  key: 'collection',
  title: 'Collection',
  holds: 'number',
  unit: 'none',
  meaning: "the recording's own number of the collection; -1 none",
  wide: true,
} as const;

/** Collections. Those of two generations may have a row for each, with the number of the whole. */
export const GC_EVENTS = defineEvents('gc', 'Collections', [
  TIME,
  COLLECTION,
  { key: 'name', title: 'Collector', holds: 'string', unit: 'none', meaning: 'name of the collector' },
  {
    key: 'part',
    title: 'Part',
    holds: 'number',
    unit: 'none',
    meaning: '1 for a part of a collection, such as one generation; else 0',
  },
  optional({ key: 'cause', title: 'Cause', holds: 'string', unit: 'none', meaning: 'why it was started; -1 unknown' }),
  {
    key: 'duration',
    title: 'Duration',
    holds: 'number',
    unit: 'ns',
    meaning: 'from its start to its end; the program runs during its concurrent phases',
    wide: true,
  },
  optional({
    key: 'paused',
    title: 'Paused',
    holds: 'number',
    unit: 'ns',
    meaning: 'sum of its pauses; -1 unknown',
    wide: true,
  }),
  optional({
    key: 'longest',
    title: 'Longest pause',
    holds: 'number',
    unit: 'ns',
    meaning: 'the longest of its pauses; -1 unknown',
    wide: true,
  }),
]);
export type GcEvents = RowsOf<typeof GC_EVENTS>;

export const GC_PHASE_EVENTS = defineEvents('gc-phase', 'Phases of collections', [
  TIME,
  optional(THREAD),
  COLLECTION,
  { key: 'name', title: 'Phase', holds: 'string', unit: 'none', meaning: 'name of the phase' },
  {
    key: 'level',
    title: 'Level',
    holds: 'number',
    unit: 'none',
    meaning: '0 for whole pauses and concurrent phases, 1 for their parts, 2 for parts of those',
  },
  {
    key: 'concurrent',
    title: 'Concurrent',
    holds: 'number',
    unit: 'none',
    meaning: '1 for phases during which the program runs, 0 for pauses and their parts',
  },
  { key: 'duration', title: 'Duration', holds: 'number', unit: 'ns', meaning: 'duration', wide: true },
]);
export type GcPhaseEvents = RowsOf<typeof GC_PHASE_EVENTS>;

/** The heap at the start and at the end of collections. */
export const HEAP_USE_EVENTS = defineEvents('heap-use', 'Heap at collections', [
  TIME,
  COLLECTION,
  { key: 'when', title: 'When', holds: 'string', unit: 'none', meaning: '`Before GC` or `After GC`' },
  { key: 'used', title: 'Used', holds: 'number', unit: 'bytes', meaning: 'bytes in use', wide: true },
  optional({
    key: 'committed',
    title: 'Committed',
    holds: 'number',
    unit: 'bytes',
    meaning: 'bytes of memory that the heap has from the system; -1 unknown',
    wide: true,
  }),
]);
export type HeapUseEvents = RowsOf<typeof HEAP_USE_EVENTS>;

/** The old generation at the start and at the end of collections. */
export const OLD_USE_EVENTS = defineEvents('old-use', 'Old generation at collections', [
  TIME,
  COLLECTION,
  { key: 'when', title: 'When', holds: 'string', unit: 'none', meaning: '`Before GC` or `After GC`' },
  { key: 'used', title: 'Used', holds: 'number', unit: 'bytes', meaning: 'bytes in use', wide: true },
]);
export type OldUseEvents = RowsOf<typeof OLD_USE_EVENTS>;

export const PROMOTION_EVENTS = defineEvents('promotion', 'Promotion', [
  TIME,
  COLLECTION,
  {
    key: 'buffers',
    title: 'In buffers',
    holds: 'number',
    unit: 'bytes',
    meaning: 'bytes copied to the old generation into buffers of threads',
    wide: true,
  },
  {
    key: 'direct',
    title: 'Directly',
    holds: 'number',
    unit: 'bytes',
    meaning: 'bytes copied to the old generation outside of buffers',
    wide: true,
  },
]);
export type PromotionEvents = RowsOf<typeof PROMOTION_EVENTS>;
