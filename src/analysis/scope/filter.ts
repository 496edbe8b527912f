/** Keeps the events whose fields fit an expression. One pass a comparison over the column that it names, into a byte a row. */

import { markedRows } from '../../base/columns/marks.js';
import { closestName } from '../../base/parsing/closest-name.js';
import { phrase, theStep } from '../../base/phrase.js';
import type { Unit } from '../../base/units.js';
import { STACK, THREAD, TIME } from '../../models/events/shared-fields.js';
import { doubleOf, fieldText, isTextual, isUnknown, otherText } from '../../models/profile/field-values.js';
import { mapTables, type Profile } from '../../models/profile/profile.js';
import { THREADS } from '../../models/profile/tables.js';
import { closeCommas, functionName, functionSignature } from '../../models/program/names.js';
import type { Program } from '../../models/program/program.js';
import { type Column, columnOf, type Field, keyIn, selectRows, type Table } from '../../models/table.js';
import { fileIdIn, fileIdOf } from '../identity/file-ids.js';
import { functionByStack, stacksThrough } from '../stacks/stack-values.js';
import {
  type Comparison,
  type Filter,
  type FilterText,
  type FilterValue,
  filterError,
  parseFilter,
} from './filter-language.js';
import { InapplicableError } from './inapplicable.js';

/**
 * Keeps the rows that fit. Tables without one of the fields stay as they are and are added to `unscoped`. Throws
 * `UsageError` for mistakes in the expression, also if no events have all of its fields.
 */
export function keepFitting(
  program: Program,
  profile: Profile,
  expression: FilterText,
  unscoped: Set<string>,
): Profile {
  const filter = parseFilter(expression);
  const compared = comparisonsOf(filter);
  const lacks = (table: Table): Comparison | undefined =>
    compared.find(
      ({ field }) => fieldNamed(table, field) === undefined && processesIn(profile, table, field) === undefined,
    );
  const fitting = profile.events.filter((table) => lacks(table) === undefined);
  if (fitting.length === 0) throw noField(profile, compared, expression);
  const context = { program, profile, expression };
  return mapTables(profile, (table) => {
    if (lacks(table) !== undefined) {
      unscoped.add(table.kind);
      return table;
    }
    const rows = markedRows(fits(context, table, filter));
    return rows.length === table.length ? table : selectRows(table, rows);
  });
}

/**
 * The field with this key, else the shared field, else the one with this key or title in any case, else the first with
 * this name on the other side (`Field.otherNames`).
 */
export function fieldNamed(table: Table, name: string): Field | undefined {
  const { fields } = table;
  const lower = name.toLowerCase();
  return (
    fields.find(({ key }) => key === name) ??
    SHARED.flatMap((shared) =>
      shared.key === name ? fields.filter(({ key }) => key === keyIn(table, shared)) : [],
    )[0] ??
    fields.find(({ key }) => key.toLowerCase() === lower) ??
    fields.find(({ title }) => title.toLowerCase() === lower) ??
    fields.find(({ otherNames }) => otherNames?.includes(name))
  );
}

const SHARED = [TIME, THREAD, STACK];

/** The field of a comparison. Where its words lack the value, the one that has the file's own words under this name. */
export function comparedField(table: Table, { field: name, value }: Comparison): Field | undefined {
  const field = fieldNamed(table, name);
  if (field === undefined || hasWord(field, value)) return field;
  return table.fields.find(({ otherNames }) => otherNames?.includes(name)) ?? field;
}

function hasWord({ names }: Field, value: FilterValue): boolean {
  return names === undefined || value.kind === 'pattern' || value.kind === 'unknown' || names.includes(value.text);
}

/** The comparisons of a filter, from left to right. */
export function comparisonsOf(filter: Filter): readonly Comparison[] {
  if (filter.kind === 'compare') return [filter];
  return filter.kind === 'not' ? comparisonsOf(filter.part) : filter.parts.flatMap(comparisonsOf);
}

/** The process of an event is that of its thread. */
const PROCESS: Field = {
  key: 'process',
  title: 'Process',
  holds: 'number',
  unit: 'none',
  meaning: 'number of the process, from 1',
  unknown: -1,
};

/** By row, the number of its process, -1 unknown, if a name that is no field means it and the recording is of several; else undefined. */
function processesIn({ threads }: Profile, table: Table, name: string): Column | undefined {
  const process = name.toLowerCase() === PROCESS.key && threads ? THREADS.rows(threads).process : undefined;
  const thread = process && columnOf(table, THREAD);
  return thread && Int32Array.from(thread, (id) => (id < 0 ? -1 : (process[id] ?? -1) + 1));
}

/** Fields listed in an error. */
const MOST_NAMED = 30;

function noField(profile: Profile, compared: readonly Comparison[], expression: FilterText): InapplicableError {
  const { events: tables } = profile;
  const lacks = (table: Table, name: string): boolean =>
    fieldNamed(table, name) === undefined && processesIn(profile, table, name) === undefined;
  const missing = compared.find(({ field }) => tables.every((table) => lacks(table, field)));
  const ofThreads = tables.some((table) => processesIn(profile, table, PROCESS.key) !== undefined) ? [PROCESS.key] : [];
  const keys = [...tables.flatMap(({ fields }) => fields.map(({ key }) => key)), ...ofThreads];
  const names = [...new Set(keys)].filter((key) => key !== '#');
  const listed = names.slice(0, MOST_NAMED).join(', ') + (names.length > MOST_NAMED ? ', …' : '');
  if (missing === undefined)
    return new InapplicableError(phrase`${theStep(expression.step)}: no kind of events has all of these fields`, {
      code: 'no-field',
      advice: `Fields: ${listed}.`,
    });
  const { lines, text } = filterError(expression, missing.at, `no events have a field ${missing.field}`);
  const closest = longerName(missing.field, names) ?? closestName(missing.field, names);
  const hint = closest === undefined ? `Fields: ${names.length === 0 ? 'none' : listed}.` : `Did you mean ${closest}?`;
  return new InapplicableError(text, { code: 'no-field', lines: [...lines, hint] });
}

/** The field whose name ends so: `monitorClass` of `class`. */
function longerName(name: string, keys: readonly string[]): string | undefined {
  const end = name.toLowerCase();
  return keys.find((key) => key.toLowerCase().endsWith(end));
}

/** The recording that a filter is applied to, and its text for errors. */
export interface FilterContext {
  readonly program: Program;
  readonly profile: Profile;
  readonly expression: FilterText;
}

/** 1 for each row that fits. */
function fits(context: FilterContext, table: Table, filter: Filter): Uint8Array {
  if (filter.kind === 'compare') return fitsComparison(context, table, filter);
  if (filter.kind === 'not') {
    const marks = fits(context, table, filter.part);
    for (let row = 0; row < marks.length; row++) marks[row] ^= 1;
    return marks;
  }
  const [first, ...rest] = filter.parts;
  const marks = first === undefined ? new Uint8Array(table.length) : fits(context, table, first);
  for (const part of rest) {
    const others = fits(context, table, part);
    if (filter.kind === 'and') for (let row = 0; row < marks.length; row++) marks[row] &= others[row];
    else for (let row = 0; row < marks.length; row++) marks[row] |= others[row];
  }
  return marks;
}

/** 1 for each row that fits a comparison; the table has its field. */
export function fitsComparison(context: FilterContext, table: Table, comparison: Comparison): Uint8Array {
  const ofTable = comparedField(table, comparison);
  const processes = ofTable === undefined ? processesIn(context.profile, table, comparison.field) : undefined;
  const field = processes === undefined ? ofTable : PROCESS;
  const values = processes ?? (field && table.columns[field.key]);
  if (field === undefined || values === undefined) return new Uint8Array(table.length);
  const { operator, value } = comparison;
  if (value.kind === 'unknown') return marksOf(values, (each) => isUnknown(field, each));
  if (field.holds === 'stack') return throughFrames(context, values, textTest(context, comparison), idTest(comparison));
  if (!isTextual(field)) {
    const { number, rest } = numberIn(context, field, comparison);
    const test = ORDER_TESTS[operator];
    if (field.numberedBy !== undefined)
      return marksOf(
        values,
        (each) => !isUnknown(field, each) && test(doubleOf(context.profile, field, each) - number),
      );
    const limit = number - (field.first ?? 0);
    const rests = field.rest === undefined ? undefined : table.columns[field.rest];
    if (rests === undefined && rest === 0)
      return marksOf(values, (each) => test(each - limit) && !isUnknown(field, each));
    return marksOf(values, (each, row) => test(each - limit || (rests?.[row] ?? 0) - rest) && !isUnknown(field, each));
  }
  if (operator !== '=' && operator !== '~')
    throw filterError(context.expression, comparison.at, `${field.key} is a text, which ${operator} cannot compare`);
  requireWord(context, field, comparison);
  const test = textTest(context, comparison);
  const hasId = idTest(comparison);
  const { program, profile } = context;
  return remembered(values, (each) => {
    if (hasId?.(fileIdOfValue(program, field, each)) === true) return true;
    const text = fieldText(program, profile, field, each);
    if (text === null) return false;
    const other = otherText(program, field, each);
    return test(text) || (other !== undefined && test(other));
  });
}

/** Throws if a field whose values are words of the house never has this one: files may have others for the same. */
function requireWord({ expression }: FilterContext, field: Field, { value, valueAt }: Comparison): void {
  if (hasWord(field, value)) return;
  throw filterError(expression, valueAt, `${field.key} is one of ${(field.names ?? []).join(', ')}`);
}

/** Tests whether a text is the wanted one, or matches the pattern. */
function textTest(
  { expression }: FilterContext,
  { operator, value, at, field }: Comparison,
): (text: string) => boolean {
  if (operator !== '=' && operator !== '~')
    throw filterError(expression, at, `${field} is a text, which ${operator} cannot compare`);
  if (value.kind === 'pattern') return (text) => value.pattern.test(text);
  const wanted = closeCommas(value.kind === 'unknown' ? '' : value.text);
  return (text) => closeCommas(text) === wanted;
}

type IdTest = (fileId: number | null) => boolean;

/** Tests whether a number of the file is that of `#4669`; undefined if another text is compared. */
function idTest({ operator, value }: Comparison): IdTest | undefined {
  const number = operator === '=' && value.kind === 'text' ? fileIdIn(value.text) : undefined;
  return number === undefined ? undefined : (fileId) => fileId === number;
}

/** The number of the file of a class or function; null of others. */
function fileIdOfValue({ classes, functions }: Program, { holds }: Field, value: number): number | null {
  if (holds !== 'class' && holds !== 'function') return null;
  return fileIdOf(holds === 'class' ? classes : functions, value);
}

/** The stacks with a frame whose function passes one of the tests. */
function throughFrames(
  { program, profile }: FilterContext,
  values: Column,
  test: (text: string) => boolean,
  hasId: IdTest | undefined,
): Uint8Array {
  const { length } = program.functions;
  const chosen = new Uint8Array(length);
  for (let id = 0; id < length; id++)
    if (
      test(functionSignature(program, id)) ||
      test(functionName(program, id)) ||
      hasId?.(fileIdOf(program.functions, id)) === true
    )
      chosen[id] = 1;
  const through = stacksThrough(profile.stacks, functionByStack(profile.stacks, program), chosen);
  return marksOf(values, (stack) => stack >= 0 && through[stack] === 1);
}

type Test = (value: number, row: number) => boolean;

/**
 * Tests of the difference to the number that is compared with. Where numbers have rests, doubles are the nearest to them: the rests decide between
 * equal doubles only.
 */
const ORDER_TESTS: Readonly<Record<Comparison['operator'], (difference: number) => boolean>> = {
  '=': (difference) => difference === 0,
  '<': (difference) => difference < 0,
  '<=': (difference) => difference <= 0,
  '>': (difference) => difference > 0,
  '>=': (difference) => difference >= 0,
  '~': () => false,
};

/** The number that a numeric field is compared with, in its unit. */
function numberIn(
  { expression }: FilterContext,
  field: Field,
  { operator, value, at, valueAt }: Comparison,
): FilterValue & { readonly kind: 'number' } {
  if (operator === '~') throw filterError(expression, at, `${field.key} is a number, which has no pattern`);
  if (value.kind !== 'number')
    throw filterError(expression, valueAt, `${field.key} is a number, so a number is expected`);
  if (value.unit !== undefined && value.unit !== field.unit)
    throw filterError(
      expression,
      valueAt,
      `${field.key} ${MEASURED[field.unit] ?? 'has no unit'}, found ${value.text}`,
    );
  return value;
}

const MEASURED: Readonly<Partial<Record<Unit, string>>> = {
  ns: 'is a time, as in 20ms',
  bytes: 'is a size, as in 1MB',
  ratio: 'is a share, as in 5%',
};

function marksOf(values: Column, test: Test): Uint8Array {
  const marks = new Uint8Array(values.length);
  for (let row = 0; row < marks.length; row++) if (test(values[row], row)) marks[row] = 1;
  return marks;
}

/** The same, each value tested once. */
function remembered(values: Column, test: (value: number) => boolean): Uint8Array {
  const known = new Map<number, boolean>();
  return marksOf(values, (value) => {
    let answer = known.get(value);
    if (answer === undefined) {
      answer = test(value);
      known.set(value, answer);
    }
    return answer;
  });
}
