/** The fields that events are grouped by, the steps that their values are in, and the values that groups have sums of. */

import { NUMBER } from '../../analysis/events/recorded.js';
import { fieldNamed } from '../../analysis/scope/filter.js';
import { UsageError } from '../../base/errors.js';
import { phrase, theView } from '../../base/phrase.js';
import { TIME } from '../../models/events/shared-fields.js';
import { doubleOf, isTextual, isUnknown } from '../../models/profile/field-values.js';
import type { Profile } from '../../models/profile/profile.js';
import { type Field, keyIn, type Table } from '../../models/table.js';
import type { ResultColumn } from '../listing.js';
import type { Side } from '../question.js';
import { type CellSource, type CellValue, cellsOf } from './cells.js';
import { type EventRows, unitOf } from './choice.js';
import { fieldWithWidth, type WrittenWidth, widthIn } from './steps.js';

/** Stands for the type of events, where none has such a field. */
const TYPE = 'type';
/** The value that is usual, where events have it. */
const USUAL_VALUE = 'duration';

export interface EventKey {
  readonly key: string;
  readonly column: ResultColumn;
  /** By row: equal for equal values. */
  readonly codes: Int32Array;
  readonly cellOf: (row: number) => Exclude<CellValue, readonly string[]>;
  readonly step?: Step;
}

/** Equal steps of a number. */
export interface Step {
  readonly key: string;
  /** In the unit of the field. */
  readonly width: number;
  readonly isTime: boolean;
}

/** Who asks, and keys of cells that results have of their own. */
export interface GroupedInput {
  readonly input: Side;
  readonly reserved: readonly string[];
}

/** The key of a field, or of its steps as in `time:1s`. */
export function keyOf(source: CellSource, rows: EventRows, text: string, input: GroupedInput): EventKey {
  const { name, width } = fieldWithWidth(text);
  return width === undefined ? groupKey(source, rows, name, input) : stepKey(source, rows, { name, width }, input);
}

/** The steps that the values of a field are in. */
function stepKey(
  source: CellSource,
  rows: EventRows,
  { name, width: written }: { readonly name: string; readonly width: WrittenWidth },
  input: GroupedInput,
): EventKey {
  const { key, field, tableFields } = namedField(rows, name, input);
  if (field === undefined) throw noField(rows.tables, name, input.input);
  const width = widthIn(field, written);
  const [values] = valuesOf(source.profile, rows, tableFields);
  const numbers = values.map((value) => Math.floor(value / width));
  const codesByNumber = new Map<number, number>();
  const codes = Int32Array.from(numbers, (number) => {
    const code = codesByNumber.get(number) ?? codesByNumber.size;
    codesByNumber.set(number, code);
    return code;
  });
  const isTime = rows.tables.some((table) => keyIn(table, TIME) === field.key);
  return {
    key,
    column: { key, title: field.title || field.key, unit: unitOf({ key, field, of: tableFields }) },
    codes,
    cellOf: (row) => (Number.isNaN(numbers[row]) ? null : numbers[row] * width),
    step: { key, width, isTime },
  };
}

/** A field by its name, the field of each table, and its key among the cells of a result. The field is absent for the type. */
function namedField(rows: EventRows, name: string, { input, reserved }: GroupedInput) {
  const tableFields = rows.tables.map((table) => fieldNamed(table, name));
  const field = tableFields.find((candidate) => candidate !== undefined);
  if (field === undefined && name !== TYPE) throw noField(rows.tables, name, input);
  const key = field?.key ?? TYPE;
  return { key: reserved.includes(key) ? `${key}_` : key, field, tableFields };
}

/** Codes of the values of a field: texts that are equal, such as names of threads, are one value. */
function groupKey(source: CellSource, rows: EventRows, name: string, input: GroupedInput): EventKey {
  const { key: columnKey, field, tableFields } = namedField(rows, name, input);
  const key = field?.key ?? TYPE;
  const tableCells = rows.tables.map((table, t) => {
    const tableField = tableFields[t];
    return tableField === undefined
      ? () => (field === undefined ? table.kind : null)
      : flatCells(source, table, tableField);
  });
  const cellOf = (row: number) => tableCells[rows.table?.[row] ?? 0]?.(rows.row?.[row] ?? row) ?? null;
  const codes = new Int32Array(rows.length);
  const valueCodes = new Map<unknown, number>();
  // Values are decoded once: rows of a table with the same value are in the same group.
  const decoded = rows.tables.map(() => new Map<number, number>());
  for (let row = 0; row < codes.length; row++) {
    const t = rows.table?.[row] ?? 0;
    const tableField = tableFields[t];
    const value =
      tableField === undefined ? 0 : (rows.tables[t]?.columns[tableField.key]?.[rows.row?.[row] ?? row] ?? 0);
    // Of doubles with rests, several values are the same.
    let code = tableField?.rest === undefined ? decoded[t]?.get(value) : undefined;
    if (code === undefined) {
      const text = cellOf(row);
      code = valueCodes.get(text) ?? valueCodes.size;
      valueCodes.set(text, code);
      decoded[t]?.set(value, code);
    }
    codes[row] = code;
  }
  const title = field === undefined ? 'Type' : field.title || key;
  const unit =
    field === undefined ? 'text' : field.holds === 'stack' ? 'text' : unitOf({ key, field, of: tableFields });
  return { key: columnKey, column: { key: columnKey, title, unit }, codes, cellOf };
}

function flatCells(source: CellSource, table: Table, field: Field): EventKey['cellOf'] {
  const cells = cellsOf(source, table, field);
  return (row) => {
    const value = cells(row);
    return typeof value === 'object' ? (value?.[0] ?? null) : value;
  };
}

export interface ValueField {
  readonly field: Field;
  readonly of: readonly (Field | undefined)[];
}

export function valueField({ tables }: EventRows, name: string | undefined, input: Side): ValueField | undefined {
  const tableFields = tables.map((table) => fieldNamed(table, name ?? USUAL_VALUE));
  const field = tableFields.find((candidate) => candidate !== undefined);
  if (field === undefined) {
    if (name === undefined || tables.length === 0) return undefined;
    throw noField(tables, name, input);
  }
  if (isTextual(field) || field.holds === 'row')
    throw new UsageError(`${field.key} is no number`, {
      code: 'not-a-number',
      advice: `Numbers: ${namesOf(tables, (each) => each.holds === 'number')}.`,
    });
  return { field, of: tableFields.map((each) => (each?.unit === field.unit && !isTextual(each) ? each : undefined)) };
}

/** The values, NaN where they are unknown, and what is added to them, if any field has that. */
export function valuesOf(
  profile: Profile,
  { tables, table, row, length }: EventRows,
  tableFields: readonly (Field | undefined)[],
): [Float64Array, Float64Array?] {
  const values = new Float64Array(length).fill(NaN);
  const rests = tableFields.some((field) => field?.rest !== undefined) ? new Float64Array(length) : undefined;
  for (let at = 0; at < length; at++) {
    const t = table?.[at] ?? 0;
    const field = tableFields[t];
    const columns = tables[t]?.columns;
    const column = field && columns?.[field.key];
    if (field === undefined || column === undefined) continue;
    const rowOfTable = row?.[at] ?? at;
    if (isUnknown(field, column[rowOfTable])) continue;
    values[at] = doubleOf(profile, field, column[rowOfTable]);
    if (rests !== undefined && field.rest !== undefined) rests[at] = columns?.[field.rest]?.[rowOfTable] ?? 0;
  }
  return rests === undefined ? [values] : [values, rests];
}

function noField(tables: readonly Table[], name: string, { recording }: Side): UsageError {
  if (tables.length === 0)
    return new UsageError(`${recording.name} has no events with a field ${name}`, {
      code: 'no-field',
      advice: phrase`${theView('event-types')} without a type lists all types.`,
      action: { ask: theView('event-types') },
    });
  return new UsageError(`the events have no field ${name}`, {
    code: 'no-field',
    advice: `Fields: ${namesOf(tables, () => true)}.`,
  });
}

function namesOf(tables: readonly Table[], isListed: (field: Field) => boolean): string {
  const keys = tables.flatMap(({ fields }) => fields.filter(isListed).map(({ key }) => key));
  return [...new Set(keys)].filter((key) => key !== NUMBER.key).join(', ');
}
