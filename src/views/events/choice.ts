/** The events of a question: their types, their rows in one order of time, and the fields of all of them. */
import { type KnownType, typeNamed, typesOf } from '../../analysis/events/event-types.js';
import { NUMBER, type ScopedEvents } from '../../analysis/events/recorded.js';
import { scopeNote, spanNotes } from '../../analysis/scope/scoped.js';
import { inTimeOrder } from '../../base/columns/order.js';
import { MissingError, UsageError } from '../../base/errors.js';
import { type Note, note } from '../../base/note.js';
import { phrase, theView } from '../../base/phrase.js';
import { plural } from '../../base/units.js';
import { TIME } from '../../models/events/shared-fields.js';
import { isTextual } from '../../models/profile/field-values.js';
import { columnOf, type Field, type Table } from '../../models/table.js';
import { type Side, WITHOUT_STEPS } from '../question.js';

/** In place of a name: all types that have events. */
const ALL = '*';

/** The types that a question names. */
export function chosenTypes(input: Side, names: readonly string[]): readonly KnownType[] {
  const types = typesOf(input.subject);
  const { name } = input.recording;
  if (types.length === 0) throw new MissingError(`${name} has no events to show`, { code: 'no-events' });
  const matchingTypes = names.flatMap((text) =>
    text === ALL ? types.filter(({ count }) => count > 0) : [typeNamed(types, text, name)],
  );
  return matchingTypes.filter((type, i) => matchingTypes.indexOf(type) === i);
}

/** The tables that the scope could be applied to. Throws if a type without the data of a step was named; `*` leaves such types out. */
export function scopedTables(
  input: Side,
  names: readonly string[],
  { profile, unscoped }: ScopedEvents,
): readonly Table[] {
  if (unscoped.size === 0) return profile.events;
  const unscopedType = chosenTypes(
    input,
    names.filter((name) => name !== ALL),
  ).find(({ name }) => unscoped.has(name));
  if (unscopedType !== undefined)
    throw new UsageError(
      `${unscopedType.name} of ${input.recording.name} cannot be selected by this scope`,
      WITHOUT_STEPS,
    );
  return profile.events.filter(({ kind }) => !unscoped.has(kind));
}

/** The note on types that the scope could not be applied to. */
export function unscopedNotes(types: readonly string[]): Note[] {
  if (types.length === 0) return [];
  const typeNames = types.slice(0, MOST_NAMED).join(', ') + (types.length > MOST_NAMED ? ', …' : '');
  return [note('unscoped', `The scope cannot be applied to ${plural(types.length, 'type')}: ${typeNames}.`)];
}

const NO_EVENT = note(
  'no-events',
  phrase`No event of this type was recorded; ${theView('event-types')} without a type lists those that were.`,
  { action: { ask: theView('event-types') } },
);

/** Types named in a note. */
const MOST_NAMED = 5;

/** The notes on the scope of a question about events, or on types that have none. `absentNotes`: those of the events in scope. */
export function scopeNotes(input: Side, keptCount: number, total: number, absentNotes: readonly Note[] = []): Note[] {
  if (total === 0) return [NO_EVENT];
  const { scope } = input.subject;
  return scope.length === 0 ? [] : [...spanNotes(scope), scopeNote(keptCount, total), ...absentNotes];
}

/** The rows of several tables as one list. */
export interface EventRows {
  readonly tables: readonly Table[];
  readonly length: number;
  /** By row: the table, and the row in it; both are absent if there is only one table. */
  readonly table?: Int32Array;
  readonly row?: Int32Array;
}

/** All rows in the order of time. */
export function rowsByTime(tables: readonly Table[]): EventRows {
  const length = tables.reduce((sum, each) => sum + each.length, 0);
  if (tables.length <= 1) return { tables, length };
  const table = new Int32Array(length);
  const row = new Int32Array(length);
  const times = new Float64Array(length);
  let at = 0;
  for (const [number, each] of tables.entries()) {
    const tableTimes = columnOf(each, TIME);
    for (let i = 0; i < each.length; i++, at++) {
      table[at] = number;
      row[at] = i;
      times[at] = tableTimes?.[i] ?? NaN;
    }
  }
  const order = inTimeOrder(times);
  if (order === undefined) return { tables, length, table, row };
  return { tables, length, table: order.map((i) => table[i]), row: order.map((i) => row[i]) };
}

/** A field of some of the tables: its own field in each, if any. */
export interface CommonField {
  /** Its key, unless the result has one of this name. */
  readonly key: string;
  readonly field: Field;
  readonly of: readonly (Field | undefined)[];
}

/** The fields of all tables by key; `reserved` are keys that results need. Stacks are last. */
export function commonFields(tables: readonly Table[], reserved: readonly string[]): CommonField[] {
  const fieldsByKey = new Map<string, Field>();
  for (const { fields } of tables)
    for (const field of fields)
      if (field.key !== NUMBER.key && !fieldsByKey.has(field.key)) fieldsByKey.set(field.key, field);
  const all = [...fieldsByKey].map(([fieldKey, field]) => ({
    key: reserved.includes(fieldKey) ? `${fieldKey}_` : fieldKey,
    field,
    of: tables.map(({ fields }) => fields.find(({ key }) => key === fieldKey)),
  }));
  return all.sort((a, b) => Number(a.field.holds === 'stack') - Number(b.field.holds === 'stack'));
}

/** The title of a field of several types: theirs if it is the same, both of two, else the key that they have in common. */
export function titleOf({ key, field, of: tableFields }: CommonField): string {
  const titles = [...new Set(tableFields.flatMap((other) => (other === undefined ? [] : other.title || key)))];
  return titles.length > 2 ? key : titles.join(' / ') || field.title || key;
}

/** The unit of a column: that of the field, none if the tables differ. */
export function unitOf({ field, of: tableFields }: CommonField): Field['unit'] {
  if (field.holds === 'stack') return 'list';
  const same = tableFields.every(
    (other) => other === undefined || (other.unit === field.unit && isTextual(other) === isTextual(field)),
  );
  if (!same) return 'none';
  return isTextual(field) ? 'text' : field.unit;
}
