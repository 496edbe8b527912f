/** `event-types`: all types of events of a recording with their numbers. */
import { z } from 'zod';
import { countsUse } from '../../analysis/events/counts.js';
import { typesOf } from '../../analysis/events/event-types.js';
import { MissingError } from '../../base/errors.js';
import { type Note, note } from '../../base/note.js';
import { phrase, theOption } from '../../base/phrase.js';
import { share } from '../../base/share.js';
import { plural } from '../../base/units.js';
import { EVENT_TYPES_OPTIONS } from '../../questions/options/recording.js';
import { columnsOf, common, detail, listed, listingShape, maybe, maybeNames, number, text } from '../listing.js';
import { defineView } from '../question.js';
import { scopeNotes, unscopedNotes } from './choice.js';

const row = z.object({
  count: number('Events', 'count', 'events of the type in scope'),
  share: detail(1, maybe('Events %', 'ratio', 'share of the events in scope')),
  bytes: maybe('Bytes', 'bytes', 'bytes of its events in the file, whatever the scope; null where unknown'),
  bytes_share: detail(1, maybe('Bytes %', 'ratio', 'share of the bytes of all events')),
  type: text('Type', 'name of the type'),
  label: detail(2, text('Label', 'for people')),
  category: detail(3, maybeNames('Category', 'from the general to the particular')),
  description: text('Description', 'what the file says about it'),
  fields: z
    .array(z.string())
    .meta({ title: 'Fields', description: 'fields of the events, which filters may name', unit: 'names' }),
});

/** Columns that only data has. */
const ONLY_DATA: readonly string[] = ['description', 'fields'];

export const eventTypesView = defineView({
  name: 'event-types',
  version: 1,
  title: 'Types of events',
  withoutNames: true,
  scopesItself: true,
  options: EVENT_TYPES_OPTIONS,
  shape: {
    ...listingShape(row),
    events: z.number().describe('events of all types in scope'),
    unscoped: z.array(z.string()).describe('types with events that the scope cannot be applied to'),
  },
  needs: (input) => ({ scoped: input.subject.scope.length === 0 ? undefined : countsUse(input.subject) }),
  answer: async (input, { all }, { scoped }) => {
    const types = typesOf(input.subject);
    if (types.length === 0)
      throw new MissingError(`${input.recording.name} has no events to show`, { code: 'no-events' });
    const counts = types.map(({ name, count }) => (scoped === undefined ? count : (scoped.counts.get(name) ?? 0)));
    const shownTypes = types.flatMap((_, i) => (all || (counts[i] ?? 0) > 0 ? [i] : []));
    const typeAt = (i: number) => types[shownTypes[i] ?? 0];
    const events = counts.reduce((sum, count) => sum + count, 0);
    const bytes = types.reduce((sum, type) => sum + (type.bytes ?? 0), 0);
    const total = types.reduce((sum, { count }) => sum + count, 0);
    const columns = columnsOf(row).filter(({ key }) => !ONLY_DATA.includes(key));
    const unknown = types.every((type) => type.bytes === null) ? ['bytes', 'bytes_share', 'category'] : [];
    const { unscoped = [] } = scoped ?? {};
    return {
      ...common(
        input,
        [
          ...scopeNotes(input, events, total),
          ...unscopedNotes(unscoped),
          ...(shownTypes.length < types.length && scoped === undefined
            ? [emptyTypes(types.length - shownTypes.length)]
            : []),
        ],
        scoped?.isPartial,
      ),
      events,
      unscoped: [...unscoped],
      ...(await listed(
        {
          count: (i) => counts[shownTypes[i] ?? 0] ?? 0,
          share: (i) => share(counts[shownTypes[i] ?? 0] ?? 0, events),
          bytes: (i) => typeAt(i)?.bytes ?? null,
          bytes_share: (i) => share(typeAt(i)?.bytes ?? null, bytes),
          type: (i) => typeAt(i)?.name ?? '',
          label: (i) => typeAt(i)?.label ?? '',
          category: (i) => [...(typeAt(i)?.category ?? [])],
          description: (i) => typeAt(i)?.description ?? '',
          fields: (i) => typeAt(i)?.fields.map(({ name }) => name) ?? [],
        },
        {
          columns: columns.filter(({ key }) => !unknown.includes(key)),
          count: shownTypes.length,
          input,
          usual: 'count',
          orders: { category: (i) => typeAt(i)?.category.join(', ') ?? '' },
        },
      )),
    };
  },
});

function emptyTypes(count: number): Note {
  return note(
    'types-without-events',
    phrase`${plural(count, 'type')} without events (${theOption('all')} lists them).`,
    {
      action: { set: { all: true } },
    },
  );
}
