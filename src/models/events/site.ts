/** Allocation sites: what was allocated where, by class and stack, at the moment of a dump. */
import { optional, type RowsOf } from '../table-kind.js';
import { defineEvents } from './event-kind.js';
import { CLASS, DUMP, STACK, THREAD, TRACE } from './shared-fields.js';

export const SITE_EVENTS = defineEvents('site', 'Allocation sites', [
  STACK,
  optional(TRACE),
  optional(THREAD),
  DUMP,
  CLASS,
  {
    key: 'live_bytes',
    title: 'Live bytes',
    holds: 'number',
    unit: 'bytes',
    meaning: 'of objects not reported as freed',
    wide: true,
    nature: 'level',
  },
  {
    key: 'live_objects',
    title: 'Live objects',
    holds: 'number',
    unit: 'count',
    meaning: 'not reported as freed',
    wide: true,
    nature: 'level',
  },
  {
    key: 'allocated_bytes',
    title: 'Allocated bytes',
    holds: 'number',
    unit: 'bytes',
    meaning: 'since the start',
    wide: true,
    nature: 'level',
  },
  {
    key: 'allocated_objects',
    title: 'Allocated objects',
    holds: 'number',
    unit: 'count',
    meaning: 'since the start',
    wide: true,
    nature: 'level',
  },
]);
export type SiteEvents = RowsOf<typeof SITE_EVENTS>;
