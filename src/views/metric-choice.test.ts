import { deepStrictEqual, equal } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { noteTexts } from '../cli/render/spelling.js';
import { ALLOCATION_EVENTS } from '../models/events/allocation.js';
import { CALL_EVENTS } from '../models/events/call.js';
import { CONTENTION_EVENTS } from '../models/events/contention.js';
import { SAMPLE_EVENTS } from '../models/events/sample.js';
import { SITE_EVENTS } from '../models/events/site.js';
import { STATE_EVENTS } from '../models/events/state.js';
import type { Profile } from '../models/profile/profile.js';
import { usualMetric } from '../models/profile/usual-metric.js';
import { metricRemarks } from './metric-choice.js';

const METRICS = [
  SAMPLE_EVENTS.metric('count', { id: 'samples', title: 'Samples' }),
  CONTENTION_EVENTS.metric('waited', { id: 'contention', title: 'Contention' }),
  CONTENTION_EVENTS.metric('count', { id: 'contended', title: 'Contended entries' }),
  SITE_EVENTS.metric('live_bytes', { id: 'live', title: 'Live bytes' }),
  CALL_EVENTS.metric('count', { id: 'calls', title: 'Calls' }),
  STATE_EVENTS.rowMetric({ id: 'threads', title: 'Threads', unit: 'samples', nature: 'flow' }),
];

/** A profile with so many events of each kind; sites and states have a row an event, others one row. */
function profileOf(events: { samples?: number; contended?: number; sites?: number; calls?: number; states?: number }) {
  const { samples = 0, contended = 0, sites = 0, calls = 0, states = 0 } = events;
  const sample = SAMPLE_EVENTS.builder();
  if (samples > 0) sample.add({ stack: 0, count: samples });
  const contention = CONTENTION_EVENTS.builder();
  if (contended > 0) contention.add({ stack: 0, class: -1, name: -1, count: contended, waited: 1e12 });
  const site = SITE_EVENTS.builder();
  for (let i = 0; i < sites; i++) site.add({ stack: 0, dump: 0, class: -1, live_bytes: 1e9 });
  const call = CALL_EVENTS.builder();
  if (calls > 0) call.add({ stack: 0, count: calls });
  const state = STATE_EVENTS.builder();
  for (let i = 0; i < states; i++) state.add({ stack: 0, thread: 0, dump: 0, state: 0, status: -1 });
  const tables = [sample, contention, site, call, state].map((builder) => builder.finish());
  const used = tables.filter(({ length }) => length > 0);
  const stacks = {
    length: 1,
    parent: Int32Array.of(-1),
    location: Int32Array.of(0),
    ending: new Uint8Array(1),
  };
  const metrics = METRICS.filter(({ table }) => used.some(({ kind }) => kind === table));
  return { stacks, events: used, metrics } satisfies Profile;
}

function usual(events: Parameters<typeof profileOf>[0]): string | undefined {
  const profile = profileOf(events);
  return usualMetric(profile.metrics, profile)?.id;
}

describe('the default metric', () => {
  test('has the most recorded events, independent of its values', () => {
    equal(usual({ samples: 500, contended: 400 }), 'samples');
    equal(usual({ samples: 400, contended: 500 }), 'contention');
    equal(usual({ samples: 1, contended: 500 }), 'contention');
    equal(usual({ samples: 1 }), 'samples');
  });

  test('is the first of several with the same number', () => {
    equal(usual({ samples: 500, contended: 500 }), 'samples');
    equal(usual({ contended: 10 }), 'contention');
  });

  test('is calls if they were counted', () => {
    equal(usual({ samples: 1, calls: 63e6 }), 'calls');
    equal(usual({ samples: 5000, calls: 3 }), 'calls');
  });

  test('is a level only if there are few events over time', () => {
    equal(usual({ samples: 200, sites: 400 }), 'samples');
    equal(usual({ samples: 3, sites: 400 }), 'live');
    equal(usual({ contended: 90, states: 94 }), 'contention');
    equal(usual({ states: 12 }), 'threads');
    equal(usual({}), undefined);
  });
});

test('few samples are reported', () => {
  const notes = (samples: number): string[] => {
    const profile = profileOf({ samples });
    return noteTexts(metricRemarks(METRICS[0] ?? CALL_EVENTS.metric('count', { id: '', title: '' }), profile));
  };
  deepStrictEqual(notes(99), ['Samples: only 99 samples, so shares are rough.']);
  deepStrictEqual(notes(1), ['Samples: only 1 sample, so shares are rough.']);
  deepStrictEqual(notes(100), []);
});

test('events without a stack are in no row, which is said; sums of records without one are not events', () => {
  const allocations = ALLOCATION_EVENTS.builder();
  for (const [stack, bytes] of [
    [0, 500],
    [-1, 900],
    [-1, 44],
  ])
    allocations.add({ stack, class: -1, bytes });
  const base = profileOf({ calls: 1 });
  const calls = CALL_EVENTS.builder();
  calls.add({ stack: -1, count: 7 });
  const profile = { ...base, events: [allocations.finish(), calls.finish()] };
  const bytes = ALLOCATION_EVENTS.metric('bytes', { id: 'allocated', title: 'Allocated' });
  deepStrictEqual(noteTexts(metricRemarks(bytes, profile)), ['Not counted: 2 events without a stack (944 B).']);
  deepStrictEqual(metricRemarks(CALL_EVENTS.metric('count', { id: 'calls', title: 'Calls' }), profile), []);
});
