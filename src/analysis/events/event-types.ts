/** The types of events of a recording: those that it describes itself, else its kinds of events. */

import { UsageError } from '../../base/errors.js';
import { closestName } from '../../base/parsing/closest-name.js';
import { phrase, theView } from '../../base/phrase.js';
import { plural } from '../../base/units.js';
import type { EventType } from '../../models/event-types.js';
import type { Subject } from '../../models/open-recording.js';

/** A type of events; bytes are unknown where only its rows are in memory. */
export type KnownType = Omit<EventType, 'bytes'> & { readonly bytes: number | null };

/** Whether its events are read from the source when asked for. */
export function readsEvents({ source, snapshot }: Pick<Subject, 'source' | 'snapshot'>): boolean {
  return source.events !== undefined && snapshot.recording.eventTypes !== undefined;
}

/** All types of a recording, in its order. */
export function typesOf(subject: Pick<Subject, 'source' | 'snapshot'>): readonly KnownType[] {
  const { eventTypes = [], profile } = subject.snapshot.recording;
  if (readsEvents(subject)) return eventTypes;
  return (profile?.events ?? []).map(({ kind, title, length, fields }) => ({
    name: kind,
    label: title,
    description: '',
    category: [],
    count: length,
    bytes: null,
    fields: fields.map((field) => ({
      name: field.key,
      label: field.title,
      description: field.meaning,
      type: field.holds,
      unit: field.unit,
    })),
  }));
}

/** Names listed in an error. */
const MOST_NAMED = 12;

/**
 * The type with this name: exactly, else as the last part of it (`ThreadPark`), else in any case, else the only one whose
 * name contains the text in any case; of several such the only one with events. Throws `UsageError` with the nearest
 * names.
 */
export function typeNamed(types: readonly KnownType[], text: string, recording: string): KnownType {
  const lower = text.toLowerCase();
  const tests: readonly ((name: string) => boolean)[] = [
    (name) => name === text,
    (name) => name.endsWith(`.${text}`),
    (name) => name.toLowerCase() === lower,
    (name) => name.toLowerCase().endsWith(`.${lower}`),
    (name) => lower !== '' && name.toLowerCase().includes(lower),
  ];
  for (const test of tests) {
    const found = types.filter(({ name }) => test(name));
    const [first] = found;
    const [recorded, ...others] = found.filter(({ count }) => count > 0);
    if (first !== undefined && found.length === 1) return first;
    if (recorded !== undefined && others.length === 0) return recorded;
    const several = recorded === undefined ? found : [recorded, ...others];
    if (several.length > 0)
      throw new UsageError(`${text} names ${plural(several.length, 'type')} of events`, {
        code: 'ambiguous-name',
        advice: `These are: ${namesOf(several)}.`,
      });
  }
  throw unknownType(types, text, recording);
}

function unknownType(types: readonly KnownType[], text: string, recording: string): UsageError {
  const recorded = types.filter(({ count }) => count > 0);
  const closest =
    closestName(
      text,
      types.map(({ name }) => name),
    ) ?? types.find(({ name }) => closestName(text, [name.slice(name.lastIndexOf('.') + 1)]) !== undefined)?.name;
  const all = recorded.length === 0 ? 'It has no events.' : `Types with events: ${namesOf(recorded)}.`;
  return new UsageError(`${recording} has no events of type ${text}`, {
    code: 'no-event-type',
    advice:
      closest === undefined
        ? all
        : phrase`Did you mean ${closest}? ${theView('event-types')} without a type lists all.`,
  });
}

function namesOf(types: readonly KnownType[]): string {
  const names = types.slice(0, MOST_NAMED).map(({ name }) => name);
  return names.join(', ') + (types.length > MOST_NAMED ? ', …' : '');
}
