/** Converts the profiles of an OTLP file to the models: one table with a field for each type of values and each attribute. */
import type { ProblemLog, Severity } from '../../base/problems.js';
import { formatCount } from '../../base/units.js';
import type { Metric } from '../../models/profile/profile.js';
import { THREADS } from '../../models/profile/tables.js';
import type { MetadataEntry, Recording } from '../../models/recording.js';
import type { LabelField } from '../shared/sampled-values/labels.js';
import { framesOfTables, type TablePlaces } from '../shared/sampled-values/places.js';
import { knownUnit, type SampleType, typedValues, valueTable } from '../shared/sampled-values/sample-types.js';
import { placedStacks } from '../shared/sampled-values/stacks.js';
import { threadsOf } from '../shared/sampled-values/threads.js';
import type { OtlpDictionary } from './dictionary.js';
import type { OtlpLayout } from './layout.js';
import type { OtlpProfile, OtlpRows } from './profiles.js';

export interface OtlpContent {
  readonly dictionary: OtlpDictionary;
  readonly places: TablePlaces;
  readonly rows: OtlpRows;
  readonly layout: OtlpLayout;
  readonly isCertain: boolean;
  /** Of the resources: what was recorded. */
  readonly resources: readonly MetadataEntry[];
}

/** The recording; `whole` is false if a part of the file was lost. */
export function toRecording(name: string, content: OtlpContent, problems: ProblemLog, whole: boolean): Recording {
  const { dictionary, places, rows } = content;
  const { tables } = dictionary;
  places.mapped();
  const { types, columns } = typesOf(content);
  const { stacks, placed } = placedStacks(dictionary.stacks, framesOfTables(places));
  const stack = Int32Array.from(rows.stack.finish(), (id) => (id < 0 ? -1 : placed[id]));
  const labels = labelsOf(content, problems);
  const threads = threadsOf(labels, tables.program);
  const start = startOf(rows);
  const typed = typedValues(types, {
    usual: usualType(rows.profiles, types.length),
    period: periodOf(rows.profiles, places),
    more: labels.map(({ field }) => field),
  });
  const scaled = columns.map((column, type) => column.map((value) => value * (typed.scales[type] ?? 1)));
  const hasTimes = rows.timeHigh.finish().some((high) => high !== 0);
  const table = valueTable(typed, scaled, {
    ...Object.fromEntries(labels.map(({ field, column }) => [field.key, column])),
    ...(threads === undefined ? {} : { thread: threads.column }),
    ...(hasTimes ? { time: timesOf(rows, start) } : {}),
    stack,
  });
  const lost = report(content, problems);
  const duration = Math.max(0, ...rows.profiles.map((profile) => profile.duration));
  return {
    ...{ name, format: 'otlp', metadata: metadataOf(content, types), sections: sectionsOf(content) },
    ...(start.high > 0 ? { clock: { start: milliseconds(start), length: duration } } : {}),
    program: tables.program.finish(),
    profile: {
      ...{ stacks, events: [table], metrics: typed.metrics },
      ...(threads === undefined ? {} : { threads: THREADS.table(threads.rows) }),
    },
    problems: problems.finish(),
    complete: whole && lost === 0,
    residue: undefined,
  };
}

interface Halves {
  readonly low: number;
  readonly high: number;
}

/** The types of all profiles, each once, and by type the values of all rows: 0 in rows of profiles of other types. */
function typesOf({ rows, places }: OtlpContent): { readonly types: SampleType[]; readonly columns: Float64Array[] } {
  const types: SampleType[] = [];
  const columns: Float64Array[] = [];
  const { values, valueStart } = rows;
  for (const profile of rows.profiles) {
    const profileTypes =
      profile.types.length === 0
        ? [{ type: '', unit: '' }]
        : profile.types.map(({ type, unit }) => ({ type: places.anyText(type), unit: places.anyText(unit) }));
    for (const [index, type] of profileTypes.entries()) {
      let place = types.findIndex((other) => other.type === type.type && other.unit === type.unit);
      if (place < 0) {
        place = types.push(type) - 1;
        columns.push(new Float64Array(rows.stack.length));
      }
      const column = columns[place];
      if (column === undefined) continue;
      for (let row = profile.first; row < profile.last; row++) {
        const at = valueStart.values[row] + index;
        if (at < valueStart.values[row + 1]) column[row] += values.values[at];
      }
    }
  }
  return { types, columns };
}

/** In 1.7 the type that the first profile names; else the first type. */
function usualType([first]: readonly OtlpProfile[], types: number): number | undefined {
  if (first === undefined || types === 0) return undefined;
  return first.defaultType >= 0 && first.defaultType < types ? first.defaultType : 0;
}

function periodOf([first]: readonly OtlpProfile[], places: TablePlaces): Metric['period'] {
  if (first === undefined || first.period <= 0 || first.periodUnit === 0) return undefined;
  const { unit, scale } = knownUnit(places.anyText(first.periodUnit));
  return unit === 'ns' ? { value: first.period * scale, unit } : undefined;
}

function labelsOf({ rows, places }: OtlpContent, problems: ProblemLog): readonly LabelField[] {
  const texts = { textOf: (id: number) => places.textOf(id), idOf: (id: number) => id };
  const { fields, beyond, second } = rows.attributes.fields(rows.stack.length, texts, RESERVED);
  if (beyond + second > 0)
    problems.add({
      code: 'otlp-attributes',
      severity: 'warning',
      message: `${formatCount(beyond + second)} attributes have no place: of rare keys, or a second one of a key`,
    });
  return fields;
}

const RESERVED: ReadonlySet<string> = new Set(['stack', 'thread', 'time', 'count', 'cpu', 'site', 'trace', 'dump']);

/** The earliest start of a profile, else the earliest timestamp. */
function startOf({ profiles, timeHigh, timeLow }: OtlpRows): Halves {
  const starts = profiles.map(({ time }) => time).filter(({ high }) => high !== 0);
  for (let row = 0; starts.length === 0 && row < timeHigh.length; row++)
    if (timeHigh.values[row] !== 0) starts.push({ low: timeLow.values[row], high: timeHigh.values[row] });
  return starts.reduce((first, each) => (since(each, first) < 0 ? each : first), starts[0] ?? { low: 0, high: 0 });
}

/** Nanoseconds from one time to another: exact, as both halves are subtracted. */
function since(time: Halves, start: Halves): number {
  return ((time.high >>> 0) - (start.high >>> 0)) * 2 ** 32 + ((time.low >>> 0) - (start.low >>> 0));
}

function milliseconds({ low, high }: Halves): number {
  return ((high >>> 0) * 2 ** 32 + (low >>> 0)) / 1e6;
}

function timesOf({ timeHigh, timeLow }: OtlpRows, start: Halves): Float64Array {
  return Float64Array.from(timeHigh.finish(), (high, row) =>
    high === 0 ? Number.NaN : since({ high, low: timeLow.values[row] }, start),
  );
}

/** Reports what is missing; returns how much was lost. */
function report({ rows, places, dictionary, layout, isCertain }: OtlpContent, problems: ProblemLog): number {
  const add = (code: string, severity: Severity, count: number, message: string): void => {
    if (count > 0)
      problems.add({
        code,
        severity,
        ...(severity === 'error' ? { offset: 0 } : {}),
        message: `${formatCount(count)} ${message}`,
      });
  };
  const dangling = rows.dangling + places.dangling;
  add('otlp-dangling', 'error', dangling, 'references are to rows that the dictionary lacks');
  add(
    'otlp-values',
    'warning',
    rows.uneven,
    'samples have neither a value for each timestamp nor one for all: their values are added up',
  );
  add('otlp-links', 'info', rows.linked, 'samples name a span of a trace, which is not read');
  if (!isCertain && rows.samples > 0)
    problems.add({
      code: 'otlp-layout',
      severity: 'warning',
      message: `the data fit several layouts of the format; read as that of opentelemetry-proto ${layout}`,
    });
  return dangling + (dictionary.tables.strings.length === 0 && rows.samples > 0 ? 1 : 0);
}

function metadataOf({ layout, resources }: OtlpContent, types: readonly SampleType[]): MetadataEntry[] {
  const texts = types.map(({ type, unit }) => (unit === '' ? type : `${type} (${unit})`));
  return [
    { key: 'layout', value: `opentelemetry-proto ${layout}` },
    { key: 'types', value: texts.join(', ') },
    ...resources,
  ];
}

function sectionsOf({ dictionary, rows }: OtlpContent): Recording['sections'] {
  const { mappings, locations, functions, strings } = dictionary.tables;
  return [
    { name: 'profiles', entries: rows.profiles.length },
    { name: 'samples', entries: rows.samples },
    { name: 'mapping_table', entries: mappings.length },
    { name: 'location_table', entries: locations.length },
    { name: 'function_table', entries: functions.length },
    { name: 'attribute_table', entries: dictionary.attributeKey.length },
    { name: 'stack_table', entries: dictionary.stackMessages },
    { name: 'string_table', entries: strings.length },
  ];
}
