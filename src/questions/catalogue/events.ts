/** Questions about single events of any type, and about time. */
import { z } from 'zod';
import { defined } from '../../base/defined.js';
import { UsageError } from '../../base/errors.js';
import { phrase, theInput, theOption } from '../../base/phrase.js';
import { EVENT_GROUPS_OPTIONS, EVENT_TYPES_OPTIONS, EVENTS_OPTIONS, TIMELINE_OPTIONS } from '../options/recording.js';
import { BASE, defineQuestion, ONE_RECORDING } from './entry.js';

const STATES = 'examples/deadlock-jstack.txt';
const CHURN = 'examples/jfr/churn-g1.jfr.gz';

const { types, stack_depth, clock, secrets, ids } = EVENTS_OPTIONS.shape;
const { by, value } = EVENT_GROUPS_OPTIONS.shape;

/** Options of questions about events; `types` of a command that lists all if none is named have a default. */
const OPTIONS = z.object({
  types: types.optional().meta({ ...types.meta() }),
  group_by: by.optional().meta({ ...by.meta() }),
  value,
  stack_depth: stack_depth.def.innerType.optional().meta({ ...stack_depth.meta(), usual: '1, in json and ndjson all' }),
  clock,
  secrets,
  ids,
  all: EVENT_TYPES_OPTIONS.shape.all,
});

export const events = defineQuestion({
  id: 'events',
  title: 'types of events; with a type, its events with all fields',
  recordings: ONE_RECORDING,
  subject: 'types',
  options: OPTIONS,
  compared: [BASE],
  view: (options, { compared }) => {
    const { types: typeNames, group_by: fields, value: sum, stack_depth: depth, all } = options;
    const common = { secrets: options.secrets, clock: options.clock };
    if (compared !== undefined && fields === undefined)
      throw new UsageError(
        phrase`${theInput('base')} compares groups of events: ${theOption('groupBy')} chooses them`,
        {
          code: 'needs-groups',
          advice: phrase`As in \`${theOption('groupBy', { value: 'eventThread' })}\`.`,
          action: { choose: ['groupBy'] },
        },
      );
    if (typeNames === undefined) {
      if (fields !== undefined || sum !== undefined || depth !== undefined || options.clock || options.ids)
        throw new UsageError(
          phrase`${theOption('groupBy')}, ${theOption('value')}, ${theOption('stackDepth')}, ${theOption('clock')} and ${theOption('ids')} need a type of events`,
          { code: 'needs-event-type', advice: 'Name it after the file.', action: { choose: ['types'] } },
        );
      return { view: 'event-types', options: { all } };
    }
    if (all)
      throw new UsageError(phrase`${theOption('all')} lists types without events: name no type`, {
        code: 'options-exclude',
        action: { omit: ['all'] },
      });
    if (fields === undefined) {
      if (sum !== undefined)
        throw new UsageError(phrase`${theOption('value')} needs ${theOption('groupBy')}`, {
          code: 'needs-groups',
          action: { choose: ['groupBy'] },
        });
      return { view: 'events', options: { types: typeNames, stack_depth: depth ?? 1, ids: options.ids, ...common } };
    }
    if (depth !== undefined)
      throw new UsageError(phrase`${theOption('stackDepth')}: groups have the innermost frame of their stacks`, {
        code: 'options-exclude',
        action: { omit: ['stackDepth'] },
      });
    if (options.ids)
      throw new UsageError(phrase`${theOption('ids')} are those of single events`, {
        code: 'options-exclude',
        advice: phrase`Omit ${theOption('groupBy')}.`,
        action: { omit: ['groupBy'] },
      });
    return {
      view: 'event-groups',
      options: { types: typeNames, by: fields, ...common, ...defined({ value: sum }) },
    };
  },
  examples: [`events ${STATES} state --filter state=blocked`, `events ${STATES} state --group-by state,stack`],
});

export const timeline = defineQuestion({
  id: 'timeline',
  title: 'threads, garbage collection and counters over time',
  recordings: ONE_RECORDING,
  options: z.object({ width: TIMELINE_OPTIONS.shape.buckets }),
  page: 'limit',
  view: ({ width }) => ({ view: 'timeline', options: { buckets: width } }),
  examples: [
    `timeline ${CHURN} --width 60`,
    `timeline ${CHURN} --time 0.1..0.2 --json`,
    `timeline ${CHURN} -o /tmp/timeline.html`,
    `timeline ${CHURN} -o /tmp/timeline.svg`,
  ],
});
