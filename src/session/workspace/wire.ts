/** Results and errors on their way between threads. */
import { type BinaryColumn, PackedColumn } from '../../base/base64.js';
import { sharedBytes } from '../../base/columns/shared.js';
import {
  DamagedError,
  type ErrorDetails,
  FormatError,
  KansokuError,
  MissingError,
  TooLargeError,
  UnreadableError,
  UsageError,
} from '../../base/errors.js';
import type { Phrase } from '../../base/phrase.js';
import { isRowTable, type RowTable, rowsOf, type TableColumn, tableOf } from '../../views/row-table.js';

type Path = readonly (string | number)[];

/** A result whose packed columns are typed arrays, and whose rows are tables, at these paths: sending it keeps no class. */
export interface SentResult {
  readonly result: unknown;
  readonly columns: readonly Path[];
  readonly tables: readonly Path[];
}

/**
 * The result as it is sent. Columns are copied into memory that threads share (once, here), so that the thread that receives them copies nothing and
 * kept values of stages stay whole. Rows are sent as their table, whose columns are given away: `transfer`.
 */
export function sentResult(result: unknown): { readonly message: SentResult; readonly transfer: ArrayBuffer[] } {
  const columns: Path[] = [];
  const tables: Path[] = [];
  const transfer: ArrayBuffer[] = [];
  const sent = (value: unknown, path: Path): unknown => {
    const table = tableOf(value);
    if (table !== undefined) {
      tables.push(path);
      transfer.push(...memoryOf(table));
      return table;
    }
    if (value instanceof PackedColumn) {
      columns.push(path);
      return inSharedMemory(value.values);
    }
    if (Array.isArray(value))
      return value.some((each) => typeof each === 'object' && each !== null)
        ? value.map((each, place) => sent(each, [...path, place]))
        : value;
    if (typeof value !== 'object' || value === null) return value;
    const pairs: (readonly [string, unknown])[] = Object.entries(value).map(([key, each]) => [
      key,
      sent(each, [...path, key]),
    ]);
    return Object.fromEntries(pairs);
  };
  return { message: { result: sent(result, []), columns, tables }, transfer };
}

/** The memory of typed columns: a table is made for one answer, so that it can be given away. */
function memoryOf({ columns }: RowTable): ArrayBuffer[] {
  return Object.values(columns).flatMap(memoryOfColumn);
}

function memoryOfColumn(column: TableColumn): ArrayBuffer[] {
  switch (column.kind) {
    case 'numbers':
      return buffersOf(column.values, column.unknown);
    case 'texts':
      return buffersOf(column.ids);
    case 'flags':
      return buffersOf(column.values);
    case 'lists':
      return [...buffersOf(column.first, column.unknown), ...memoryOfColumn(column.items)];
    case 'parts':
      return [...buffersOf(column.first, column.unknown), ...memoryOf(column.parts)];
    case 'values':
      return [];
  }
}

function buffersOf(...arrays: readonly (BinaryColumn | Uint8Array | undefined)[]): ArrayBuffer[] {
  return arrays.flatMap((array) => (array?.buffer instanceof ArrayBuffer ? [array.buffer] : []));
}

function inSharedMemory(values: BinaryColumn): BinaryColumn {
  const copy =
    values instanceof Int8Array
      ? new Int8Array(sharedBytes(values.byteLength))
      : values instanceof Int32Array
        ? new Int32Array(sharedBytes(values.byteLength))
        : new Float64Array(sharedBytes(values.byteLength));
  copy.set(values);
  return copy;
}

/** The result that was sent. */
export function receivedResult({ result, columns, tables }: SentResult): unknown {
  const replace = (path: Path, replacement: (value: unknown) => unknown): void => {
    const key = path[path.length - 1] ?? '';
    const parent = path.slice(0, -1).reduce<unknown>((value, step) => memberOf(value, step), result);
    if (typeof parent === 'object' && parent !== null) Reflect.set(parent, key, replacement(memberOf(parent, key)));
  };
  for (const path of columns) replace(path, (values) => (isColumn(values) ? new PackedColumn(values) : values));
  for (const path of tables) replace(path, (table) => (isRowTable(table) ? rowsOf(table) : table));
  return result;
}

function memberOf(value: unknown, key: string | number | undefined): unknown {
  return typeof value === 'object' && value !== null && key !== undefined ? Reflect.get(value, key) : undefined;
}

function isColumn(value: unknown): value is BinaryColumn {
  return value instanceof Int8Array || value instanceof Int32Array || value instanceof Float64Array;
}

/** An error without its class. */
export interface SentError {
  /** Of `CLASSES`; undefined for any other error. */
  readonly kind: keyof typeof CLASSES | undefined;
  readonly name: string;
  readonly message: string;
  /** Of errors of Kansoku: what they have beside the message. */
  readonly details?: SentDetails;
  /** Of a `FormatError`. */
  readonly place?: { readonly format: string; readonly offset: number };
  readonly stack?: string;
}

interface SentDetails extends ErrorDetails {
  readonly text: Phrase;
}

const CLASSES = { UsageError, MissingError, DamagedError, TooLargeError, UnreadableError, KansokuError };
const KINDS: readonly (keyof typeof CLASSES)[] = [
  'MissingError',
  'TooLargeError',
  'UsageError',
  'DamagedError',
  'UnreadableError',
  'KansokuError',
];

export function sentError(error: unknown): SentError {
  if (!(error instanceof Error)) return { kind: undefined, name: 'Error', message: String(error) };
  const { name, message, stack } = error;
  return {
    kind: KINDS.find((kind) => error instanceof CLASSES[kind]),
    name,
    message,
    ...(stack !== undefined && { stack }),
    ...(error instanceof KansokuError && { details: detailsOf(error) }),
    ...(error instanceof FormatError && { place: { format: error.format, offset: error.offset } }),
  };
}

function detailsOf({ text, code, advice, action, lines }: KansokuError): SentDetails {
  return { text, code, advice, action, lines };
}

export function receivedError({ kind, name, message, details, place, stack }: SentError): Error {
  if (place !== undefined)
    return new FormatError({ ...place, text: details?.text ?? message, advice: details?.advice });
  if (kind !== undefined) return new CLASSES[kind](details?.text ?? message, details);
  if (name === 'AbortError') return new DOMException(message, name);
  const error = new Error(message);
  if (stack !== undefined) error.stack = stack;
  return error;
}
