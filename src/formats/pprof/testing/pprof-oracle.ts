/**
 * The expected content of a pprof profile, by a plain reader of protobuf that makes an object of every message, and the rules of
 * docs/formats/pprof.md, without any code of the reader.
 */
import { isDeepStrictEqual } from 'node:util';
import { decodeUtf8, stringAt } from '../../../base/text.js';
import { fileName } from '../../../models/program/names.js';
import type { Program } from '../../../models/program/program.js';
import type { Recording } from '../../../models/recording.js';
import { column } from '../../../models/table.js';
import type { Fault, Judge } from '../../../testing/fuzz/fuzzed-reader.js';
import { faultOf, mustShow } from '../../iprof/testing/iprof-oracle.js';
import { frameName } from '../../shared/frame-text.js';
import { type PlainField, plainFields, plainNumbers } from '../../shared/testing/plain-protobuf.js';

/** A sample: frames leaf first, and its values in the units of the models. */
export interface SeenSample {
  readonly frames: readonly string[];
  readonly values: readonly number[];
}

export interface PlainProfile {
  readonly types: readonly string[];
  readonly rows: readonly SeenSample[];
  /** What is against the rules. */
  readonly breaches: readonly string[];
  /** How many samples begin before each. */
  readonly ends: readonly number[];
}

interface Tables {
  readonly strings: string[];
  readonly mappings: Map<string, bigint[]>;
  readonly functions: Map<string, bigint[]>;
  readonly locations: Map<string, { readonly numbers: bigint[]; readonly lines: bigint[][] }>;
}

const SCALES: Readonly<Record<string, number>> = {
  microseconds: 1e3,
  milliseconds: 1e6,
  seconds: 1e9,
  kilobytes: 1024,
};

/** All of a file; undefined if its outermost message is damaged. */
export function plainProfile(bytes: Uint8Array): PlainProfile | undefined {
  const fields = plainFields(bytes);
  if (fields === undefined) return undefined;
  const breaches: string[] = [];
  const numbersOf = (field: PlainField, most: number): bigint[] | undefined => {
    const inner = field.wire === 2 ? plainFields(field.bytes) : undefined;
    const isSound = inner?.every(({ field: number, wire }) => number > most || wire === 0);
    if (inner === undefined || isSound !== true) {
      breaches.push(`field ${field.field}`);
      return undefined;
    }
    return valuesBy(inner, most);
  };
  const tables: Tables = { strings: [], mappings: new Map(), functions: new Map(), locations: new Map() };
  const types: bigint[][] = [];
  const samples: (PlainSample & { readonly end: number })[] = [];
  /** Strings that are named beside samples, mappings and functions. */
  const texts: bigint[] = [];
  const single: bigint[] = [];
  const period: bigint[] = [];
  for (const field of fields) {
    const { field: number, wire } = field;
    const isMessage = number <= 6 || number === 11;
    if (number <= 15 && number !== 13 && wire !== (isMessage ? 2 : 0)) breaches.push(`wire type of ${number}`);
    else if (number === 13 && wire !== 0 && wire !== 2) breaches.push('wire type of 13');
    else if (number === 1) types.push(numbersOf(field, 2) ?? [0n, 0n, 0n]);
    else if (number === 2) {
      const sample = plainSample(field);
      if (sample === undefined) breaches.push('a sample');
      else samples.push({ ...sample, end: field.end });
    } else if (number === 3) define(tables.mappings, numbersOf(field, 10), breaches);
    else if (number === 4) location(tables, field, breaches);
    else if (number === 5) define(tables.functions, numbersOf(field, 5), breaches);
    else if (number === 6) tables.strings.push(decodeUtf8(field.bytes, 0, field.bytes.length));
    else if (number === 11) period.splice(0, 2, ...(numbersOf(field, 2)?.slice(1) ?? period));
    else if (number === 13) {
      const comments = wire === 0 ? [field.value] : plainNumbers(field.bytes);
      if (comments === undefined) breaches.push('comments');
      texts.push(...(comments ?? []));
    } else if (number === 7 || number === 8 || number === 14 || number === 15) single[number] = field.value;
  }
  if (tables.strings.length > 0 && tables.strings[0] !== '') breaches.push('the first string');
  texts.push(...period, ...single.filter((index) => index !== undefined), ...samples.flatMap(({ texts }) => texts));
  for (const [, , , , , file = 0n, build = 0n] of tables.mappings.values()) texts.push(file, build);
  for (const index of texts) text(tables, index, breaches);
  const names = types.map(([, type = 0n]) => text(tables, type, breaches));
  const scales = types.map(([, , unit = 0n]) => SCALES[text(tables, unit, breaches)] ?? 1);
  const sound = samples.filter(({ values }) => values.length === types.length);
  if (sound.length < samples.length) breaches.push('numbers of values');
  const rows = sound.map(({ locations, values }) => ({
    frames: locations.flatMap((id) => framesAt(tables, id, breaches)),
    values: values.map((value, i) => Number(BigInt.asIntN(64, value)) * (scales[i] ?? 1)),
  }));
  return { types: names, rows, breaches, ends: sound.map(({ end }) => end) };
}

/** The last number of each field; index 0 is unused. */
function valuesBy(fields: readonly PlainField[], most: number): bigint[] {
  const values = Array.from({ length: most + 1 }, () => 0n);
  for (const { field, value } of fields) if (field <= most) values[field] = value;
  return values;
}

interface PlainSample {
  readonly locations: bigint[];
  readonly values: bigint[];
  /** Strings of its labels. */
  readonly texts: bigint[];
}

function plainSample({ bytes }: PlainField): PlainSample | undefined {
  const sample: PlainSample = { locations: [], values: [], texts: [] };
  for (const field of plainFields(bytes) ?? [undefined]) {
    if (field === undefined) return undefined;
    const { field: number, wire } = field;
    if (number > 3) continue;
    if (number === 3) {
      const label = wire === 2 ? plainFields(field.bytes) : undefined;
      if (label?.every((one) => one.field > 4 || one.wire === 0) !== true || label === undefined) return undefined;
      const [, key = 0n, word = 0n, , unit = 0n] = valuesBy(label, 4);
      sample.texts.push(key, word, unit);
      continue;
    }
    const values = wire === 0 ? [field.value] : wire === 2 ? plainNumbers(field.bytes) : undefined;
    if (values === undefined) return undefined;
    sample[number === 1 ? 'locations' : 'values'].push(...values);
  }
  return sample;
}

function define(table: Map<string, bigint[]>, numbers: bigint[] | undefined, breaches: string[]): void {
  if (numbers === undefined) return;
  const key = String(numbers[1]);
  if (table.has(key)) breaches.push(`number ${key} twice`);
  else table.set(key, numbers);
}

function location(tables: Tables, field: PlainField, breaches: string[]): void {
  const inner = plainFields(field.bytes);
  const lines = inner?.flatMap((one) => (one.field === 4 && one.wire === 2 ? [plainFields(one.bytes)] : []));
  const isSound = inner?.every(
    ({ field: number, wire }) => number > 5 || ((wire === 2) === (number === 4) && (wire === 0 || wire === 2)),
  );
  if (
    inner === undefined ||
    isSound !== true ||
    lines?.every((line) => line?.every((one) => one.field > 3 || one.wire === 0)) !== true
  ) {
    breaches.push('a location');
    return;
  }
  const numbers = valuesBy(
    inner.filter(({ wire }) => wire === 0),
    5,
  );
  const key = String(numbers[1]);
  if (tables.locations.has(key)) breaches.push(`location ${key} twice`);
  else tables.locations.set(key, { numbers, lines: lines.map((line) => valuesBy(line ?? [], 3)) });
}

function text({ strings }: Tables, index: bigint, breaches: string[]): string {
  if (index === 0n) return strings.length === 0 ? dangling(breaches) : '';
  return index < strings.length && index > 0n ? (strings[Number(index)] ?? '') : dangling(breaches);
}

function dangling(breaches: string[]): string {
  breaches.push('dangling');
  return '';
}

/** Leaf first. */
function framesAt(tables: Tables, id: bigint, breaches: string[]): string[] {
  const location = tables.locations.get(String(id));
  if (location === undefined) {
    breaches.push('dangling');
    // Numbers have the digits of a double.
    return [`<location ${Number(id)}>||0`];
  }
  const [, , mappingId = 0n, address = 0n] = location.numbers;
  const mapping = tables.mappings.get(String(mappingId));
  const path = mapping === undefined ? '' : text(tables, mapping[5] ?? 0n, breaches);
  const isMapped =
    address !== 0n &&
    path !== '' &&
    address >= (mapping?.[2] ?? 0n) &&
    address - (mapping?.[2] ?? 0n) + (mapping?.[4] ?? 0n) < 2n ** 53n;
  const object = isMapped ? `[${fileName(path).replace(/^\[(.*)\]$/, '$1')}]||` : '[unknown]||';
  if (location.lines.length === 0) return [`${object}0`];
  return location.lines.map(([, functionId = 0n, line = 0n]) => {
    const numbers = tables.functions.get(String(functionId));
    if (numbers === undefined) breaches.push('dangling');
    const usual = numbers === undefined ? '' : text(tables, numbers[2] ?? 0n, breaches);
    const name = usual !== '' || numbers === undefined ? usual : text(tables, numbers[3] ?? 0n, breaches);
    const file = name === '' || numbers === undefined ? '' : text(tables, numbers[4] ?? 0n, breaches);
    const at = line > 0n && line < 2n ** 31n ? line : 0n;
    return name === '' ? `${object}${at}` : `${name}|${file}|${at}`;
  });
}

/** The rows of a recording that was read. */
export function seenSamples({ program, profile }: Recording): SeenSample[] {
  const [table] = profile?.events ?? [];
  if (table === undefined || profile === undefined) return [];
  const stack = column(table, 'stack');
  const fields = profile.metrics.map(({ field }) => column(table, field ?? ''));
  return Array.from({ length: table.length }, (_, row) => {
    const frames: string[] = [];
    for (let id = stack[row]; id >= 0; id = profile.stacks.parent[id])
      frames.push(placeText(program, profile.stacks.location[id]));
    return { frames, values: fields.map((values) => values[row]) };
  });
}

/** `name|file|line`. */
function placeText(program: Program, location: number): string {
  const id = program.locations.function[location];
  const file = program.functions.file?.[id] ?? -1;
  return `${frameName(program, location).replace(/_\[[ik]\]$/, '')}|${file < 0 ? '' : stringAt(program.names, file)}|${program.locations.line?.[location] ?? 0}`;
}

/** Judges what was read of a damaged file. */
export function pprofOracle(original: Uint8Array): Judge {
  const before = plainProfile(original);
  return (mutated, outcome, cutAt) => {
    const plain = plainProfile(mutated);
    if (plain === undefined) {
      const hidden = mustShow(mutated, outcome, 'no message of protobuf');
      const count = outcome.kind === 'read' ? seenSamples(outcome.recording).length : 0;
      // Types of values come first: without them, no sample is read.
      const whole = cutAt === undefined ? [] : (before?.ends.filter((end) => end <= cutAt) ?? []);
      const lost: Fault | undefined =
        count < whole.length
          ? { code: 'lost', detail: `${whole.length} samples before the cut, ${count} read` }
          : undefined;
      return { input: 'damaged', ...faultOf(hidden ?? (outcome.kind === 'refused' ? undefined : lost)) };
    }
    const input = plain.breaches.length > 0 ? 'damaged' : 'sound';
    if (outcome.kind === 'refused') {
      const isEmpty = plain.types.length === 0 && plain.rows.length === 0;
      return { input, ...faultOf(isEmpty ? undefined : { code: 'refused', detail: outcome.message }) };
    }
    const { recording } = outcome;
    if (input === 'damaged') {
      const hidden = mustShow(mutated, outcome, plain.breaches[0] ?? '');
      if (hidden !== undefined) return { input, fault: hidden };
    } else if (!recording.complete || recording.problems.list.some(({ severity }) => severity === 'error'))
      return { input, fault: { code: 'false alarm', detail: recording.problems.list[0]?.message ?? 'incomplete' } };
    return { input, ...faultOf(difference(plain.rows, seenSamples(recording))) };
  };
}

function difference(expected: readonly SeenSample[], actual: readonly SeenSample[]): Fault | undefined {
  if (isDeepStrictEqual(expected, actual)) return undefined;
  const at = expected.findIndex((row, i) => !isDeepStrictEqual(row, actual[i]));
  const detail = `${expected.length} rows, ${actual.length} read; row ${at}: ${JSON.stringify(expected[at])}, ${JSON.stringify(actual[at])} read`;
  return { code: 'differs', detail };
}

/** Offsets at which outermost fields begin. */
export function pprofEdges(bytes: Uint8Array): number[] {
  return plainFields(bytes)?.map(({ start }) => start) ?? [];
}
