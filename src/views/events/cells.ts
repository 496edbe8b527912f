/** Cells of events: their fields as people read them, with secrets hidden. */
import { TRUTH } from '../../analysis/events/recorded.js';
import { timeOfDay, zoneText } from '../../analysis/events/time-of-day.js';
import { contextIds, fileIdOf } from '../../analysis/identity/file-ids.js';
import type { ExactNumber } from '../../base/exact-integers.js';
import { type Note, note } from '../../base/note.js';
import { phrase, theOption } from '../../base/phrase.js';
import { valueIn } from '../../models/packed-columns.js';
import { fieldNumber, fieldText, isTextual, isUnknown } from '../../models/profile/field-values.js';
import type { Profile } from '../../models/profile/profile.js';
import { locationName } from '../../models/program/names.js';
import type { Program } from '../../models/program/program.js';
import type { RecordingClock } from '../../models/recording.js';
import { HIDDEN, isSecretName, namingField, VALUE, withoutSecrets } from '../../models/secrets.js';
import type { Column, Field, Table } from '../../models/table.js';
import type { ResultColumn } from '../listing.js';

/** A value in a row: texts and numbers, a truth value, the frames of a stack; null if unknown. */
export type CellValue = string | ExactNumber | boolean | readonly string[] | null;

/** The source of cells. `depth`: frames of a stack, 0 for all. `hidden`: whether a secret was hidden. */
export interface CellSource {
  readonly program: Program;
  readonly profile: Profile;
  readonly depth: number;
  readonly secrets: boolean;
  hidden: boolean;
}

/** The cells of a field, by row of the table. */
export function cellsOf(source: CellSource, table: Table, field: Field): (row: number) => CellValue {
  const at = valueIn(table.columns, field.key);
  if (at === undefined) return () => null;
  if (field.holds === 'stack') return (row) => framesOf(source, at(row));
  if (field.names === TRUTH) return (row) => (isUnknown(field, at(row)) ? null : at(row) === 1);
  if (!isTextual(field)) {
    const restAt = field.rest === undefined ? undefined : valueIn(table.columns, field.rest);
    return (row) => fieldNumber(source.profile, field, at(row), restAt?.(row));
  }
  const nameField = field.key === VALUE ? nameBeside(table) : undefined;
  return (row) => textOf(source, field, at(row), nameField && { field: nameField.field, value: nameField.values[row] });
}

/** The numbers that the file gives a class, a function, or the places of a stack, by row of the table. */
export function idsOf({ program, profile }: CellSource, table: Table, field: Field): (row: number) => CellValue {
  const at = valueIn(table.columns, field.key);
  if (at === undefined) return () => null;
  if (field.holds === 'stack') return (row) => contextIds(program, profile.stacks, at(row));
  const rows = field.holds === 'class' ? program.classes : program.functions;
  return (row) => fileIdOf(rows, at(row));
}

/** The field with the name of what has the value in the field `value`: of a property, a variable, a flag. */
function nameBeside(table: Table): { readonly field: Field; readonly values: Column } | undefined {
  const field = namingField(table.fields);
  const values = field && table.columns[field.key];
  return field?.holds === 'string' && values !== undefined ? { field, values } : undefined;
}

function textOf(
  source: CellSource,
  field: Field,
  value: number,
  nameCell: { readonly field: Field; readonly value: number } | undefined,
): string | null {
  const { program, profile, secrets } = source;
  const text = fieldText(program, profile, field, value);
  if (text === null || secrets || field.holds !== 'string') return text;
  const name = nameCell && fieldText(program, profile, nameCell.field, nameCell.value);
  const visibleText = name !== null && name !== undefined && isSecretName(name) ? HIDDEN : withoutSecrets(text);
  source.hidden ||= visibleText !== text;
  return visibleText;
}

/** The frames of a stack, the innermost first. */
function framesOf({ program, profile: { stacks }, depth }: CellSource, stack: number): string[] | null {
  if (stack < 0) return null;
  const frames: string[] = [];
  for (let id = stack; id >= 0 && (depth === 0 || frames.length < depth); id = stacks.parent[id])
    frames.push(locationName(program, stacks.location[id]));
  return frames;
}

const SECRETS_HIDDEN = note(
  'secrets-hidden',
  phrase`Texts that look like secrets are hidden (${theOption('secrets')} shows them).`,
  { action: { set: { secrets: true } } },
);

/** The note on hidden secrets. */
export function secretNotes({ hidden }: CellSource): Note[] {
  return hidden ? [SECRETS_HIDDEN] : [];
}

/** The column of times of day. */
export const CLOCK = { key: 'clock', title: 'Time of day', unit: 'text' } as const satisfies ResultColumn;

/** In which zone times of day are. */
export function zoneNote(clock: RecordingClock): Note {
  return note('zone', `Times of day are ${zoneText(clock)}.`);
}

/** Null for what is no time. */
export function clockText(clock: RecordingClock, time: unknown): string | null {
  return typeof time !== 'number' || Number.isNaN(time) ? null : timeOfDay(clock, time);
}
