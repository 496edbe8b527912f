/**
 * Types of values as pprof and OTLP name them, such as `alloc_space` in `bytes`: the field of each, its metric, and the kind of events that all
 * of them make. Times become nanoseconds and sizes bytes; other units stay numbers, with a note.
 */
import { dictionary } from '../../../base/dictionary.js';
import { note } from '../../../base/note.js';

import type { Unit } from '../../../base/units.js';
import { SAMPLE_EVENTS } from '../../../models/events/sample.js';
import { CPU_SAMPLE_EVENTS } from '../../../models/events/thread-samples.js';
import { VALUE_EVENTS } from '../../../models/events/weight.js';
import type { Metric } from '../../../models/profile/profile.js';
import type { Column, Field, Nature, Table } from '../../../models/table.js';
import type { TableKind } from '../../../models/table-kind.js';
import { freeKey } from './free-key.js';

export interface SampleType {
  readonly type: string;
  readonly unit: string;
}

/** What a number of a recorder's unit is in ours. */
export interface KnownUnit {
  readonly unit: Unit;
  readonly scale: number;
}

/** The spellings that `go tool pprof` takes (internal/measurement), which has sizes in steps of 1,024. */
const UNITS = dictionary<KnownUnit>({
  ...unitsOf('ns', 1, ['nanoseconds', 'nanosecond', 'ns']),
  ...unitsOf('ns', 1e3, ['microseconds', 'microsecond', 'us', 'µs']),
  ...unitsOf('ns', 1e6, ['milliseconds', 'millisecond', 'ms']),
  ...unitsOf('ns', 1e9, ['seconds', 'second', 'sec', 's']),
  ...unitsOf('ns', 60e9, ['minutes', 'minute']),
  ...unitsOf('ns', 3600e9, ['hours', 'hour']),
  ...unitsOf('bytes', 1, ['bytes', 'byte', 'b', 'by']),
  ...unitsOf('bytes', 2 ** 10, ['kilobytes', 'kilobyte', 'kb', 'kib']),
  ...unitsOf('bytes', 2 ** 20, ['megabytes', 'megabyte', 'mb', 'mib']),
  ...unitsOf('bytes', 2 ** 30, ['gigabytes', 'gigabyte', 'gb', 'gib']),
  ...unitsOf('count', 1, ['count', 'counts', 'objects', '1']),
  ...unitsOf('samples', 1, ['samples', 'sample']),
});

function unitsOf(unit: Unit, scale: number, spellings: readonly string[]): Record<string, KnownUnit> {
  return Object.fromEntries(spellings.map((spelling) => [spelling, { unit, scale }]));
}

/** The unit by its name in a file; numbers without unit if it is none of ours. */
export function knownUnit(name: string): KnownUnit {
  return UNITS[name.toLowerCase()] ?? { unit: 'none', scale: 1 };
}

/** What is true at one moment: what is in use, who exists. */
const LEVELS = /^(?:inuse_|live_|goroutines?$|threadcreate$)/;

/** The events of some types of values. */
export interface TypedValues {
  readonly kind: Pick<TableKind<Field>, 'tableWith'>;
  /** Fields that the kind lacks: those of types, and those of labels. */
  readonly fields: readonly Field[];
  /** By type: the key of its field. */
  readonly keys: readonly string[];
  readonly scales: readonly number[];
  readonly metrics: readonly Metric[];
}

export interface TypeOptions {
  /** Number of the type that the recording wants to be shown. */
  readonly usual?: number | undefined;
  readonly period?: Metric['period'];
  /** Further fields of each row. */
  readonly more?: readonly Field[];
}

/** Fields, metrics and kind of events with these types of values. */
export function typedValues(types: readonly SampleType[], { usual, period, more = [] }: TypeOptions = {}): TypedValues {
  const isOf = (type: string, unit: Unit) => (one: SampleType) =>
    one.type === type && (knownUnit(one.unit).unit === unit || unit === 'samples');
  const samples = types.findIndex(isOf('samples', 'samples'));
  const cpu = types.findIndex(isOf('cpu', 'ns'));
  const isCpu = samples >= 0 && cpu >= 0;
  const base = isCpu ? CPU_SAMPLE_EVENTS : samples >= 0 ? SAMPLE_EVENTS : VALUE_EVENTS;
  const usedKeys = new Set([...base.fields, ...more].map(({ key }) => key));
  const ids = new Set<string>();
  const fields: Field[] = [];
  const keys: string[] = [];
  const metrics = types.map((type, index): Metric => {
    const { unit } = knownUnit(type.unit);
    const ownKey = index === samples ? 'count' : isCpu && index === cpu ? 'cpu' : undefined;
    const isShared = types.some((other, i) => i !== index && other.type === type.type);
    const name = type.type === '' ? 'value' : isShared ? `${type.type}_${type.unit}` : type.type;
    const key = ownKey ?? freeKey(name, usedKeys, '_');
    usedKeys.add(key);
    const nature: Nature = LEVELS.test(name) ? 'level' : 'flow';
    const title = titleOf(name);
    const shownUnit = index === samples ? 'samples' : unit;
    const meaning = `value of the type ${name}${unit === 'none' && type.unit !== '' ? `, in ${type.unit}` : ''}`;
    if (ownKey === undefined)
      fields.push({ key, title, holds: 'number', unit, meaning, wide: true, nature, extension: true });
    keys.push(key);
    const id = freeKey(name, ids, '-');
    ids.add(id);
    const isSampled = index === samples || ownKey === 'cpu';
    return {
      ...{ id, title, unit: shownUnit, nature, table: base.kind, field: key },
      ...(index === usual ? { usual: true } : {}),
      ...(isSampled && period !== undefined ? { period } : {}),
      ...(unit === 'none' && type.unit !== '' ? { notes: [unitNote(title, type.unit)] } : {}),
    };
  });
  return {
    kind: base,
    fields: [...fields, ...more],
    keys,
    scales: types.map(({ unit }) => knownUnit(unit).scale),
    metrics,
  };
}

function unitNote(title: string, unit: string) {
  return note('recorder-unit', `${title}: the recorder counts in ${unit}`);
}

/** `alloc_space` → `Alloc space`. */
function titleOf(type: string): string {
  const words = type.replaceAll('_', ' ');
  return /^(?:cpu|gc|io)\b/.test(words)
    ? words.replace(/^\w+/, (word) => word.toUpperCase())
    : words.slice(0, 1).toUpperCase() + words.slice(1);
}

/** The table of these columns: by type of value, and others by their keys. */
export function valueTable(
  { kind, fields, keys }: TypedValues,
  values: readonly Column[],
  others: Readonly<Record<string, Column | undefined>> & { readonly stack: Column },
): Table {
  return kind.tableWith({ ...others, ...Object.fromEntries(keys.map((key, i) => [key, values[i]])) }, fields);
}
