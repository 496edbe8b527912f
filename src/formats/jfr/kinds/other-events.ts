/** Events with stacks of types that no kind has: those of applications, of agents, of later JDKs. */
import { OTHER_EVENTS } from '../../../models/events/exception.js';
import type { MetaType } from '../chunk/metadata.js';
import type { KindOfEvents } from './kind-source.js';

const FIELDS = { stack: 'stackTrace', thread: 'eventThread', time: 'startTime' } as const;

/** The fields of other events that are read. */
export const OTHER_FIELDS: readonly string[] = Object.values(FIELDS);

/** Whether the events of a type have a field for a stack; the recorder may leave it empty. */
export function hasStackField({ fields }: Pick<MetaType, 'fields'>): boolean {
  return fields.some(({ name, array }) => name === FIELDS.stack && !array);
}

/** The kind of the events of all types but these. */
export function otherEvents(types: ReadonlySet<string>): KindOfEvents {
  return {
    kind: OTHER_EVENTS,
    sources: [],
    sourceOf: (type) =>
      types.has(type.name) || !hasStackField(type)
        ? undefined
        : { type: type.name, columns: { ...FIELDS, type: { text: type.name }, count: 1 } },
    metrics: [OTHER_EVENTS.metric('count', { id: 'other-events', title: 'Other events with stacks' })],
  };
}
