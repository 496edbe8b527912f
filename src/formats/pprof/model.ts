/** Converts a pprof profile to the models: one table of events with a field for each type of values and each label. */
import type { ProblemLog, Severity } from '../../base/problems.js';
import { formatCount, plural } from '../../base/units.js';
import type { Metric } from '../../models/profile/profile.js';
import { THREADS } from '../../models/profile/tables.js';
import type { MetadataEntry, Recording } from '../../models/recording.js';
import type { LabelField } from '../shared/sampled-values/labels.js';
import { framesOfTables, TablePlaces } from '../shared/sampled-values/places.js';
import { knownUnit, type SampleType, typedValues, valueTable } from '../shared/sampled-values/sample-types.js';
import { placedStacks } from '../shared/sampled-values/stacks.js';
import { threadsOf } from '../shared/sampled-values/threads.js';
import type { PprofDocument } from './document.js';

/** What a pprof profile has beyond the models, to write it again. Texts as in the file. */
export interface PprofResidue {
  readonly types: readonly SampleType[];
  readonly defaultType: string;
  readonly periodType: SampleType | undefined;
  readonly period: number;
  readonly comments: readonly string[];
  readonly docUrl: string;
  readonly dropFrames: string;
  readonly keepFrames: string;
  /** Keys and units of labels, by the keys of their fields. */
  readonly labels: Readonly<Record<string, { readonly name: string; readonly unit: string }>>;
}

/** The recording; `whole` is false if a part of the file was lost. */
export function toRecording(name: string, document: PprofDocument, problems: ProblemLog, whole: boolean): Recording {
  const places = new TablePlaces(document.tables);
  places.mapped();
  const types = document.types.map(({ type, unit }) => ({ type: places.text(type), unit: places.text(unit) }));
  const rows = soundRows(document, types.length, problems);
  const { stacks, placed } = placedStacks(document.samples.stacks, framesOfTables(places));
  const stack = Int32Array.from(rows, (row) => {
    const numbers = document.samples.stack.values[row];
    return numbers < 0 ? -1 : placed[numbers];
  });
  const residue = residueOf(document, places, types);
  const labels = labelFields(document, places, rows, problems);
  const threads = threadsOf(labels, document.tables.program);
  const typed = typedValues(types, {
    usual: usualType(types, residue.defaultType),
    period: periodOf(residue),
    more: labels.map(({ field }) => field),
  });
  const columns = types.map((_, type) => valuesOf(document, rows, type, typed.scales[type] ?? 1));
  const table = valueTable(typed, columns, {
    ...Object.fromEntries(labels.map(({ field, column }) => [field.key, column])),
    ...(threads === undefined ? {} : { thread: threads.column }),
    stack,
  });
  const metadata = metadataOf(residue, types);
  const dangling = reportPlaces(document, places, problems);
  return {
    ...{ name, format: 'pprof', metadata, sections: sectionsOf(document) },
    ...(document.time > 0 ? { clock: { start: document.time / 1e6, length: Math.max(0, document.duration) } } : {}),
    program: document.tables.program.finish(),
    profile: {
      ...{ stacks, events: [table], metrics: typed.metrics },
      ...(threads === undefined ? {} : { threads: THREADS.table(threads.rows) }),
    },
    problems: problems.finish(),
    complete: whole && dangling === 0 && rows.length === document.samples.length,
    residue: { ...residue, labels: namesOf(labels) },
  };
}

/** The samples with as many values as there are types, which is all of them in sound files. */
function soundRows({ samples }: PprofDocument, types: number, problems: ProblemLog): Int32Array {
  const rows = new Int32Array(samples.length);
  const starts = samples.valueStart.values;
  let count = 0;
  for (let row = 0; row < samples.length; row++) {
    const values = starts[row + 1] - starts[row];
    if (values === types) rows[count++] = row;
    else if (problems.wants('pprof-values')) {
      const message = `a sample has ${plural(values, 'value')}, but there are ${plural(types, 'type')} of values; left out`;
      problems.add({ code: 'pprof-values', severity: 'error', offset: samples.offset.values[row], message });
    } else problems.count('pprof-values', 1);
  }
  return rows.subarray(0, count);
}

function valuesOf({ samples }: PprofDocument, rows: Int32Array, type: number, scale: number): Float64Array {
  const column = new Float64Array(rows.length);
  const { values } = samples.values;
  const starts = samples.valueStart.values;
  for (let i = 0; i < rows.length; i++) column[i] = values[starts[rows[i]] + type] * scale;
  return column;
}

/** The type that the file names, else the last one, as in `go tool pprof`. */
function usualType(types: readonly SampleType[], name: string): number | undefined {
  const index = types.findIndex(({ type }) => name !== '' && type === name);
  return index >= 0 ? index : types.length === 0 ? undefined : types.length - 1;
}

function periodOf({ periodType, period }: Pick<PprofResidue, 'periodType' | 'period'>): Metric['period'] {
  const { unit, scale } = knownUnit(periodType?.unit ?? '');
  return period > 0 && unit === 'ns' ? { value: period * scale, unit } : undefined;
}

function residueOf(document: PprofDocument, places: TablePlaces, types: readonly SampleType[]): PprofResidue {
  const { periodType, period } = document;
  return {
    types,
    defaultType: places.text(document.defaultType),
    periodType:
      periodType === undefined ? undefined : { type: places.text(periodType.type), unit: places.text(periodType.unit) },
    period,
    comments: document.comments.map((comment) => places.text(comment)),
    docUrl: places.text(document.docUrl),
    dropFrames: places.text(document.dropFrames),
    keepFrames: places.text(document.keepFrames),
    labels: {},
  };
}

function namesOf(labels: readonly LabelField[]): PprofResidue['labels'] {
  return Object.fromEntries(labels.map(({ field, name, unit }) => [field.key, { name, unit }]));
}

/** The labels of the rows that are read. */
function labelFields(
  document: PprofDocument,
  places: TablePlaces,
  rows: Int32Array,
  problems: ProblemLog,
): readonly LabelField[] {
  const { samples } = document;
  const texts = { textOf: (index: number) => places.text(index), idOf: (index: number) => places.string(index) };
  const { fields, beyond, second } = samples.labels.fields(samples.length, texts, TAKEN);
  if (beyond > 0) {
    const message = `${plural(beyond, 'label')} of rare keys: a recording has fields for the 32 most frequent ones`;
    problems.add({ code: 'pprof-labels', severity: 'warning', message });
  }
  if (second > 0) {
    const message = `${plural(second, 'label')} with a key that the sample has already: the first value is kept`;
    problems.add({ code: 'pprof-labels', severity: 'warning', message });
  }
  if (rows.length === samples.length) return fields;
  return fields.map((field) => ({
    ...field,
    column:
      field.column instanceof Int32Array
        ? rows.map((row) => field.column[row])
        : Float64Array.from(rows, (row) => field.column[row]),
  }));
}

/** Keys of fields that all kinds of these events have, and that views look for. */
const TAKEN: ReadonlySet<string> = new Set(['stack', 'thread', 'time', 'count', 'cpu', 'site', 'trace', 'dump']);

/** Problems of references and numbers; returns how many references are to nothing. */
function reportPlaces(document: PprofDocument, places: TablePlaces, problems: ProblemLog): number {
  const { samples, folded } = document;
  const { mappings, functions, locations } = document.tables;
  const add = (code: string, severity: Severity, count: number, message: string): void => {
    // What is missing is not in the file up to its end.
    const offset = severity === 'error' ? { offset: document.end } : {};
    if (count > 0) problems.add({ code, severity, ...offset, message: `${formatCount(count)} ${message}` });
  };
  add(
    'pprof-dangling',
    'error',
    places.dangling,
    'references are to strings, functions or locations that the file lacks',
  );
  if (places.lacksEmptyString)
    problems.add({
      code: 'pprof-schema',
      severity: 'error',
      offset: document.end,
      message: 'the first string is not empty: names may be those of others',
    });
  const repeated = mappings.repeated + functions.repeated + locations.repeated;
  add(
    'pprof-repeated',
    'error',
    repeated,
    'mappings, functions or locations have a number that is taken; the first ones stay',
  );
  add('pprof-negative', 'warning', samples.negative, 'values are below zero, as in a difference');
  add('pprof-rounded', 'warning', samples.rounded, 'values have more digits than a double holds');
  const unknown = document.unknownFields + samples.unknownFields;
  add('pprof-unknown', 'info', unknown, 'fields are of no known version of the format; not read');
  add(
    'pprof-address',
    'info',
    places.withoutAddress,
    'locations have an address, but no mapped file: they are known by function and line',
  );
  add('pprof-folded', 'info', folded, 'locations stand for several functions with the same code');
  if (document.hasColumns)
    problems.add({ code: 'pprof-columns', severity: 'info', message: 'the columns of lines are not read' });
  return places.dangling + repeated;
}

function metadataOf(residue: PprofResidue, types: readonly SampleType[]): MetadataEntry[] {
  const { comments, docUrl, defaultType, periodType, period, dropFrames, keepFrames } = residue;
  const text = ({ type, unit }: SampleType): string => (unit === '' ? type : `${type} (${unit})`);
  const entries: MetadataEntry[] = types.length === 0 ? [] : [{ key: 'types', value: types.map(text).join(', ') }];
  if (periodType !== undefined && (periodType.type !== '' || period !== 0))
    entries.push({ key: 'period', value: `${period} ${text(periodType)}` });
  if (defaultType !== '') entries.push({ key: 'defaultType', value: defaultType });
  for (const value of comments) entries.push({ key: 'comment', value });
  if (docUrl !== '') entries.push({ key: 'documentation', value: docUrl });
  if (dropFrames !== '') entries.push({ key: 'dropFrames', value: dropFrames });
  if (keepFrames !== '') entries.push({ key: 'keepFrames', value: keepFrames });
  return entries;
}

function sectionsOf(document: PprofDocument): Recording['sections'] {
  const { types, samples } = document;
  const { mappings, locations, functions, strings } = document.tables;
  return [
    { name: 'sample_type', entries: types.length },
    { name: 'sample', entries: samples.length },
    { name: 'mapping', entries: mappings.length },
    { name: 'location', entries: locations.length },
    { name: 'function', entries: functions.length },
    { name: 'string_table', entries: strings.length },
  ];
}
