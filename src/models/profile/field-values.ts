/** Values of fields as people read them: texts for rows of other tables, numbers in the unit of the field. */
import { type ExactNumber, exactNumber } from '../../base/exact-integers.js';
import { stringAt } from '../../base/text.js';
import { className, functionName, functionSignature, locationName } from '../program/names.js';
import type { Program } from '../program/program.js';
import type { Field } from '../table.js';
import type { Profile } from './profile.js';
import { threadLabel } from './thread-label.js';

/** Whether the values of a field are shown as texts. */
export function isTextual({ holds, names }: Field): boolean {
  return names !== undefined || (holds !== 'number' && holds !== 'row');
}

/** Whether a value of a field is unknown. */
export function isUnknown({ holds, names, unknown }: Field, value: number): boolean {
  if (holds === 'number') return Number.isNaN(value) || value === unknown || (names !== undefined && !(value in names));
  return value < 0;
}

/**
 * A number of a field as shown: rows have the number that the recording or people call them by. Null if it is unknown. `rest`: what is added to it,
 * of a field that has rests.
 */
export function fieldNumber(profile: Profile, field: Field, value: number, rest = 0): ExactNumber | null {
  if (isUnknown(field, value)) return null;
  return field.rest === undefined ? doubleOf(profile, field, value) : exactNumber(value, rest);
}

/** As `fieldNumber`, of a known value without its rest. */
export function doubleOf(profile: Profile, { numberedBy, first = 0 }: Field, value: number): number {
  if (numberedBy === undefined) return value + first;
  return profile[numberedBy]?.columns.serial?.[value] ?? value;
}

/**
 * A value of a field as a text: a class, a thread, a function with its parameters, the innermost frame of a stack. Null if
 * it is unknown.
 */
export function fieldText(program: Program, profile: Profile, field: Field, value: number): string | null {
  if (isUnknown(field, value)) return null;
  if (field.names !== undefined) return field.names[value] ?? null;
  switch (field.holds) {
    case 'string':
      return stringAt(program.names, value);
    case 'class':
      return className(program, value);
    case 'function':
      return functionSignature(program, value);
    case 'thread':
      return threadLabel(profile, program, value) ?? null;
    case 'stack':
      return locationName(program, profile.stacks.location[value]);
    case 'number':
    case 'row':
      return null;
  }
}

/** How else a value may be called: a function without its parameters. */
export function otherText(program: Program, { holds }: Field, value: number): string | undefined {
  return holds === 'function' && value >= 0 ? functionName(program, value) : undefined;
}
