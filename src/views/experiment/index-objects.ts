/** `index`: a metric by what its events belong to besides code: samples, seconds, collections, sizes, durations, processes, regions of OpenMP. */

import { z } from 'zod';
import { SIZE_STEPS, TIME_STEPS } from '../../analysis/index-objects/event-values.js';
import { type IndexObjects, indexObjectsUse, metricsBy } from '../../analysis/index-objects/objects.js';
import { processSamples } from '../../analysis/processes/usage.js';
import { requireProfile } from '../../analysis/scope/scoped.js';
import { MissingError } from '../../base/errors.js';
import { phrase, theOption } from '../../base/phrase.js';
import { share } from '../../base/share.js';
import { formatValue } from '../../base/units.js';
import type { Metric } from '../../models/profile/profile.js';
import { locationName } from '../../models/program/names.js';
import { INDEX_KINDS, INDEX_OPTIONS, type IndexKind } from '../../questions/options/recording.js';
import { common, listed, listingShape, maybe, metricColumns, number, text } from '../listing.js';
import { METRIC_SHAPE, metricFor, metricOf, metricRemarks } from '../metric-choice.js';
import { defineView, type ViewInput } from '../question.js';
import { programName } from './recorded.js';

const row = z.object({
  value: number('Value', 'none', 'of the metric, in its unit'),
  share: maybe('Value %', 'ratio', 'share of the value of all events in scope'),
  events: number('Events', 'count', 'events of the object'),
  process: maybe('Process', 'none', 'number of the process, from 1; null of objects of all processes'),
  number: maybe('Number', 'none', 'number of the object in its process, or the second; null outside of all'),
  start: maybe('Start', 'ns', 'since the start of the recording; null of objects without a time'),
  duration: maybe('Duration', 'ns', 'from the start to the end of the object'),
  name: text('Object', 'what the events belong to'),
});

export const indexObjectsView = defineView({
  name: 'index-objects',
  version: 1,
  title: 'Index objects',
  options: INDEX_OPTIONS,
  shape: {
    ...listingShape(row),
    by: z.enum(INDEX_KINDS),
    metric: z.object(METRIC_SHAPE),
    sum: z.number().describe('of the metric, over all events in scope'),
  },
  needs: (input, { by, metric }) => ({
    objects: indexObjectsUse(input.subject, by, metricFor(input, metric)),
  }),
  answer: async (input, { by, metric: id }, { objects }) => {
    const metric = metricFor(input, id);
    if (objects === undefined) throw missingObjects(input, by, metric);
    const sum = objects.value.reduce((total, value) => total + value, 0);
    const { processes = [] } = input.recording;
    const cells = {
      value: (i: number) => objects.value[i],
      share: (i: number) => share(objects.value[i], sum),
      events: (i: number) => objects.events[i],
      process: (i: number) => (OF_PROCESS.has(by) ? objects.process[i] + 1 : null),
      number: (i: number) =>
        NUMBERED.has(by) && objects.number[i] >= (by === 'second' ? 0 : 1) ? objects.number[i] : null,
      start: (i: number) => numberOrNull(objects.start[i]),
      duration: (i: number) => numberOrNull(objects.duration[i]),
      name: (i: number) => objectName(input, by, objects, i),
    };
    return {
      ...common(input, metricRemarks(metric, requireProfile(input))),
      by,
      metric: metricOf(metric),
      sum,
      ...(await listed(cells, {
        columns: metricColumns(row, metric, ['value']).filter(({ key }) => isShown(key, by, processes.length)),
        count: objects.length,
        input,
        usual: undefined,
      })),
    };
  },
});

/** Objects that are numbered in their process, and objects of a process. */
const NUMBERED: ReadonlySet<IndexKind> = new Set(['sample', 'collection', 'second', 'region', 'task']);
const OF_PROCESS: ReadonlySet<IndexKind> = new Set(['process', 'sample', 'collection', 'region', 'task']);
const TIMED: ReadonlySet<IndexKind> = new Set(['process', 'sample', 'collection', 'second']);

/** The error for a metric whose events do not say what they belong to; it names the metrics whose events do. */
function missingObjects({ recording }: ViewInput, by: IndexKind, metric: Metric): MissingError {
  const ids = metricsBy(by, recording).map(({ id }) => id);
  return new MissingError(`${recording.name} does not say ${MISSING[by]} of the metric ${metric.id}`, {
    code: 'no-values',
    advice:
      ids.length === 0
        ? 'It does not say them of any metric.'
        : phrase`It does of ${ids.join(', ')}: ${theOption('metric')} chooses one.`,
  });
}

const MISSING: Readonly<Record<IndexKind, string>> = {
  process: 'the processes',
  processor: 'the processors',
  sample: 'the samples',
  collection: 'the garbage collections',
  second: 'the times',
  size: 'the bytes',
  duration: 'the durations',
  region: 'the parallel regions',
  task: 'the tasks',
};

function isShown(key: string, by: IndexKind, processes: number): boolean {
  if (key === 'process') return by === 'process' || (OF_PROCESS.has(by) && processes > 1);
  if (key === 'number') return NUMBERED.has(by);
  return TIMED.has(by) || (key !== 'start' && key !== 'duration');
}

function numberOrNull(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}

function objectName(input: ViewInput, by: IndexKind, objects: IndexObjects, i: number): string {
  const { program, processes } = input.recording;
  const process = processes?.[objects.process[i]];
  const objectNumber = objects.number[i];
  switch (by) {
    case 'process':
      return process === undefined ? '<unknown>' : programName(process);
    case 'sample': {
      const sample = process && processSamples(process)[objectNumber - 1];
      return sample === undefined ? 'outside of all samples' : `${sample.startLabel} to ${sample.endLabel}`;
    }
    case 'processor':
      return objectNumber < 0 ? '<unknown>' : `CPU ${objectNumber}`;
    case 'collection':
      return objectNumber > 0 ? `collection ${objectNumber}` : 'outside of all collections';
    case 'second':
      return objectNumber < 0 ? '<unknown>' : `second ${objectNumber}`;
    case 'size':
      return stepName(objectNumber, SIZE_STEPS, 'bytes');
    case 'duration':
      return stepName(objectNumber, TIME_STEPS, 'ns');
    case 'region':
    case 'task': {
      const pragma = objects.pragmas[i];
      const { location } = input.profile?.stacks ?? {};
      if (pragma >= 0 && location !== undefined) return locationName(program, location[pragma]);
      return objectNumber > 0 ? '<unknown>' : `outside of all ${by}s`;
    }
  }
}

/** `64 B to 256 B`: above the one and up to the other. */
function stepName(step: number, steps: readonly number[], unit: 'bytes' | 'ns'): string {
  const size = (value: number): string => formatValue(value, unit);
  if (step <= 0) return size(0);
  const i = steps.indexOf(step);
  return i < 0 ? `above ${size(steps.at(-1) ?? 0)}` : `${size(steps[i - 1] ?? 0)} to ${size(step)}`;
}
