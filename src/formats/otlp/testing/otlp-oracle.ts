/** The samples of a file of OTLP profiles in a layout, by a plain reader that makes an object of every message; and what is made of damage. */
import { isDeepStrictEqual } from 'node:util';
import { functionName } from '../../../models/program/names.js';
import type { Recording } from '../../../models/recording.js';
import { column } from '../../../models/table.js';
import type { Judge } from '../../../testing/fuzz/fuzzed-reader.js';
import { faultOf, mustShow } from '../../iprof/testing/iprof-oracle.js';
import { type PlainField, plainFields, plainNumbers } from '../../shared/testing/plain-protobuf.js';

export interface SeenRow {
  /** Names of functions, leaf first. */
  readonly frames: readonly string[];
  readonly values: readonly number[];
}

/** `broken`: a message that must be whole is not. `odd`: something that no rule of ours says what it means. */
interface PlainOtlp {
  readonly rows: readonly SeenRow[];
  readonly broken: boolean;
  readonly odd: boolean;
}

const NUMBERS: Readonly<
  Record<string, { readonly values: number; readonly attributes: number; readonly times: number }>
> = {
  '1.7': { values: 3, attributes: 4, times: 6 },
  '1.8–1.9': { values: 2, attributes: 3, times: 5 },
  '1.10–1.11': { values: 4, attributes: 2, times: 5 },
};

class PlainReader {
  broken = false;
  odd = false;

  /** Fields of a message, of which only those in `shape` are expected: wire types by field. */
  fields(bytes: Uint8Array, shape: Readonly<Record<number, readonly number[]>>): PlainField[] {
    const fields = plainFields(bytes);
    if (fields === undefined) this.broken = true;
    for (const { field, wire } of fields ?? []) if (shape[field]?.includes(wire) !== true) this.odd = true;
    return fields ?? [];
  }

  numbers(fields: readonly PlainField[], field: number): bigint[] {
    return fields.flatMap((one) => {
      if (one.field !== field) return [];
      const list = one.wire === 2 ? plainNumbers(one.bytes) : [one.value];
      if (list === undefined) this.broken = true;
      return list ?? [];
    });
  }

  at<Value>(list: readonly Value[], index: bigint): Value | undefined {
    const value = index < 2n ** 31n ? list[Number(index)] : undefined;
    if (value === undefined) this.odd = true;
    return value;
  }
}

const SINGLE = [0];
const MESSAGE = [2];
const LIST = [0, 2];
const numbersTo = (most: number) => Object.fromEntries(Array.from({ length: most }, (_, i) => [i + 1, SINGLE]));

/** The content of a file in a layout. */
export function plainOtlp(bytes: Uint8Array, layout: string): PlainOtlp {
  const reader = new PlainReader();
  const outer = reader.fields(bytes, { 1: MESSAGE, 2: MESSAGE });
  const outerOf = (field: number) => outer.filter((one) => one.field === field);
  const tables = outerOf(2).flatMap((one) =>
    reader.fields(one.bytes, Object.fromEntries([1, 2, 3, 4, 5, 6, 7].map((field) => [field, MESSAGE]))),
  );
  const table = (field: number) => tables.filter((one) => one.field === field);
  const strings = table(5).map((one) => Buffer.from(one.bytes).toString('utf8'));
  for (const mapping of table(1)) reader.fields(mapping.bytes, numbersTo(3));
  for (const attribute of table(6))
    for (const one of reader.fields(
      attribute.bytes,
      layout === '1.7' ? { 1: MESSAGE, 2: MESSAGE } : { 1: SINGLE, 2: MESSAGE, 3: SINGLE },
    ))
      if (one.field === 2) reader.fields(one.bytes, { 1: MESSAGE, 3: SINGLE });
  const functions = table(3).map((one) => {
    const fields = reader.fields(one.bytes, numbersTo(4));
    return reader.at(strings, reader.numbers(fields, 1).at(-1) ?? 0n) ?? '';
  });
  const locations = table(2).map((one) => {
    const lines = reader.fields(one.bytes, { 1: SINGLE, 3: MESSAGE }).filter(({ field }) => field === 3);
    const names = lines.map(
      (line) => reader.at(functions, reader.numbers(reader.fields(line.bytes, numbersTo(2)), 1).at(-1) ?? 0n) ?? '',
    );
    // A place without a function.
    return names.length === 0 ? [''] : names;
  });
  const stacks = table(7).map((one) => reader.numbers(reader.fields(one.bytes, { 1: MESSAGE }), 1));
  const isOld = layout === '1.7';
  const rows = outerOf(1).flatMap((resource) =>
    second(reader.fields(resource.bytes, { 2: MESSAGE })).flatMap((scope) =>
      second(reader.fields(scope.bytes, { 2: MESSAGE })).flatMap((profile) => {
        const shape = isOld
          ? { 1: MESSAGE, 2: MESSAGE, 3: MESSAGE, 4: SINGLE, 5: SINGLE }
          : { 1: MESSAGE, 2: MESSAGE, 3: [1], 4: SINGLE };
        const fields = reader.fields(profile.bytes, shape);
        const types = fields.filter(({ field }) => field === 1);
        for (const type of types) reader.fields(type.bytes, numbersTo(3));
        const list = isOld ? reader.numbers(fields, 3) : [];
        return fields
          .filter(({ field }) => field === 2)
          .flatMap((sample) => plainRows(reader, sample, { layout, list, stacks, locations }, types.length));
      }),
    ),
  );
  return { rows, broken: reader.broken, odd: reader.odd || strings.some((text) => text.includes('\ufffd')) };
}

/** Messages in field 2: scopes of resources, profiles of scopes. */
function second(fields: readonly PlainField[]): PlainField[] {
  return fields.filter(({ field, wire }) => field === 2 && wire === 2);
}

interface PlainTables {
  readonly layout: string;
  readonly list: readonly bigint[];
  readonly stacks: readonly (readonly bigint[])[];
  readonly locations: readonly (readonly string[])[];
}

function plainRows(reader: PlainReader, sample: PlainField, tables: PlainTables, types: number): SeenRow[] {
  const { layout, list, stacks, locations } = tables;
  const isOld = layout === '1.7';
  const numbers = NUMBERS[layout] ?? { values: 0, attributes: 0, times: 0 };
  const shape = {
    1: SINGLE,
    ...(isOld ? { 2: SINGLE } : {}),
    [numbers.values]: LIST,
    [numbers.attributes]: LIST,
    [numbers.times]: MESSAGE,
  };
  const fields = reader.fields(sample.bytes, shape);
  const first = reader.numbers(fields, 1).at(-1) ?? 0n;
  const count = isOld ? (reader.numbers(fields, 2).at(-1) ?? 0n) : 0n;
  if (isOld && first + count > BigInt(list.length)) reader.odd = true;
  const rows = isOld ? list.slice(Number(first), Number(first + count)) : (reader.at(stacks, first) ?? []);
  const frames = rows.flatMap((row) => reader.at(locations, row) ?? []).map(frameText);
  reader.numbers(fields, numbers.attributes);
  const values = reader.numbers(fields, numbers.values).map((value) => Number(BigInt.asIntN(64, value)));
  const times = fields
    .filter(({ field }) => field === numbers.times)
    .reduce((sum, { bytes }) => sum + bytes.length / 8, 0);
  if (isOld) {
    if (values.length !== types || times > 0) reader.odd = true;
    return [{ frames, values }];
  }
  if (types !== 1 || !Number.isInteger(times)) reader.odd = true;
  if (times === 0 && values.length === 1) return [{ frames, values }];
  if (times > 0 && (values.length === 0 || values.length === times))
    return Array.from({ length: times }, (_, i) => ({ frames, values: [values[i] ?? 1] }));
  reader.odd = true;
  return [];
}

/** A name as both spell it: classes with dots, no name as in the reader. */
function frameText(name: string): string {
  return name === '' ? '[unknown]' : name.replaceAll('/', '.');
}

/** The rows of a recording that was read. */
export function seenOtlpRows({ program, profile }: Recording): SeenRow[] {
  const [table] = profile?.events ?? [];
  if (table === undefined || profile === undefined) return [];
  const stack = column(table, 'stack');
  const fields = profile.metrics.map(({ field }) => column(table, field ?? ''));
  return Array.from({ length: table.length }, (_, row) => {
    const frames: string[] = [];
    for (let id = stack[row]; id >= 0; id = profile.stacks.parent[id])
      frames.push(frameText(functionName(program, program.locations.function[profile.stacks.location[id]])));
    return { frames, values: fields.map((values) => values[row]) };
  });
}

/** The layout that a recording says it was read in. */
export function layoutOf({ metadata }: Recording): string {
  return metadata.find(({ key }) => key === 'layout')?.value.replace(/^opentelemetry-proto /, '') ?? '';
}

export function otlpOracle(): Judge {
  return (mutated, outcome) => {
    if (plainFields(mutated) === undefined)
      return { input: 'damaged', ...faultOf(mustShow(mutated, outcome, 'no message of protobuf')) };
    if (outcome.kind === 'refused') return { input: 'ambiguous' };
    const { recording } = outcome;
    const plain = plainOtlp(mutated, layoutOf(recording));
    if (plain.broken) return { input: 'damaged', ...faultOf(mustShow(mutated, outcome, 'a damaged message')) };
    const isTold = recording.problems.counts['otlp-layout'] === undefined;
    if (plain.odd || !isTold) return { input: 'ambiguous' };
    const rows = seenOtlpRows(recording);
    if (isDeepStrictEqual(plain.rows, rows)) return { input: 'sound' };
    const at = plain.rows.findIndex((row, i) => !isDeepStrictEqual(row, rows[i]));
    const detail = `${plain.rows.length} rows, ${rows.length} read; ${at}: ${JSON.stringify(plain.rows[at])}, ${JSON.stringify(rows[at])} read`;
    return { input: 'sound', fault: { code: 'differs', detail } };
  };
}

/** Where outermost messages begin, and the messages in them. */
export function otlpEdges(bytes: Uint8Array): number[] {
  return (plainFields(bytes) ?? []).flatMap((field) => {
    const begin = field.end - field.bytes.length;
    return [field.start, begin, ...(plainFields(field.bytes) ?? []).map(({ start }) => begin + start)];
  });
}
