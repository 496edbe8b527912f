/** Cells of events: their fields as people read them, with secrets hidden. */

import { TRUTH } from '../../analysis/events/recorded.js';
import { fieldNumber, fieldText, isTextual, isUnknown } from '../../models/profile/field-values.js';
import type { Profile } from '../../models/profile/profile.js';
import { locationName } from '../../models/program/names.js';
import type { Program } from '../../models/program/program.js';
import { HIDDEN, isSecretName, namingField, VALUE, withoutSecrets } from '../../models/secrets.js';
import type { Column, Field, Table } from '../../models/table.js';

/** A value in a row: texts and numbers, a truth value, the frames of a stack; null if unknown. */
export type Cell = string | number | boolean | readonly string[] | null;

/** The source of cells. `depth`: frames of a stack, 0 for all. `hidden`: whether a secret was hidden. */
export interface CellSource {
  readonly program: Program;
  readonly profile: Profile;
  readonly depth: number;
  readonly secrets: boolean;
  hidden: boolean;
}

/** The cells of a field, by row of the table. */
export function cellsOf(source: CellSource, table: Table, field: Field): (row: number) => Cell {
  const values = table.columns[field.key];
  if (values === undefined) return () => null;
  if (field.holds === 'stack') return (row) => framesOf(source, values[row]);
  if (field.names === TRUTH) return (row) => (isUnknown(field, values[row]) ? null : values[row] === 1);
  if (!isTextual(field)) return (row) => fieldNumber(field, values[row]);
  const named = field.key === VALUE ? nameBeside(table) : undefined;
  return (row) => textOf(source, field, values[row], named && { field: named.field, value: named.values[row] });
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
  named: { readonly field: Field; readonly value: number } | undefined,
): string | null {
  const { program, profile, secrets } = source;
  const text = fieldText(program, profile, field, value);
  if (text === null || secrets || field.holds !== 'string') return text;
  const name = named && fieldText(program, profile, named.field, named.value);
  const shown = name !== null && name !== undefined && isSecretName(name) ? HIDDEN : withoutSecrets(text);
  source.hidden ||= shown !== text;
  return shown;
}

/** The frames of a stack, the innermost first. */
function framesOf({ program, profile: { stacks }, depth }: CellSource, stack: number): string[] | null {
  if (stack < 0) return null;
  const frames: string[] = [];
  for (let id = stack; id >= 0 && (depth === 0 || frames.length < depth); id = stacks.parent[id])
    frames.push(locationName(program, stacks.location[id]));
  return frames;
}

/** The note on hidden secrets. */
export function secretNotes({ hidden }: CellSource): string[] {
  return hidden ? ['Texts that look like secrets are hidden (--secrets shows them).'] : [];
}
