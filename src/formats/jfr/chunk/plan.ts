/**
 * How to read the values of a type: a flat list of operations, made from the metadata. Structs are flattened into dotted columns, an
 * array is a table of its own with a row for each element.
 */
import { dictionary } from '../../../base/dictionary.js';
import type { Metadata, MetaField, MetaType } from './metadata.js';

/** Operations. Those before `BYTE` read one compressed integer; those up to `BOOLEAN` need no other state. */
export const INT = 1;
export const LONG = 2;
export const UNSIGNED_LONG = 3;
/** A time in ticks, which becomes nanoseconds from the start of the chunk. */
export const TICKS = 4;
/** A key of a pool. */
export const KEY = 5;
export const SHORT = 6;
export const CHAR = 7;
export const BYTE = 8;
export const BOOLEAN = 9;
export const FLOAT = 10;
export const DOUBLE = 11;
export const STRING = 12;
export const ROWS = 13;

/** Name of the type of pooled strings. */
export const STRINGS = 'java.lang.String';

const INTEGERS = dictionary<number>({
  int: INT,
  long: LONG,
  short: SHORT,
  char: CHAR,
  byte: BYTE,
  boolean: BOOLEAN,
  float: FLOAT,
  double: DOUBLE,
});

const WIDE = new Set([LONG, UNSIGNED_LONG, TICKS, FLOAT, DOUBLE]);

/** More operations, or structs within structs, are not planned: only damage, or malice, makes such types. */
const MOST_OPERATIONS = 4096;
const DEEPEST = 16;

/** What the values of a planned column are. `pool`: type of the constants that its keys mean. `rows`: of the table of an array. */
export interface PlannedColumn {
  /** Names of the fields that lead to it, joined by dots. */
  readonly key: string;
  readonly field: MetaField;
  readonly operation: number;
  /** Place among the columns of doubles, or of integers; arrays have two there: first row and number of rows. */
  readonly slot: number;
}

export interface DecodePlan {
  readonly operations: Uint8Array;
  /** By operation: its slot, -1 if its value is not wanted; or the number of a plan in `arrays`. */
  readonly slots: Int32Array;
  readonly columns: readonly PlannedColumn[];
  readonly ints: number;
  readonly doubles: number;
  readonly arrays: readonly DecodePlan[];
  /** No operation needs more than compressed integers and bytes. */
  readonly isPlain: boolean;
  /** All operations read a compressed integer. */
  readonly isIntegers: boolean;
}

/**
 * Whether an array can have so many elements in the bytes that are left: each takes one at least. Elements of a type without fields take none,
 * so nothing bounds their number; only damaged metadata have them.
 */
export function isCount(count: number, { operations }: DecodePlan, left: number): boolean {
  return count === 0 || (count > 0 && count <= left && operations.length > 0);
}

export function isWide(operation: number): boolean {
  return WIDE.has(operation);
}

/**
 * The plan of a type; undefined if the metadata lacks one of its types. `wanted`: names of the fields that get columns, all if not
 * given. `sized`: the values end where their event does, so what follows the last wanted field is not read.
 */
export function planOf(
  metadata: Metadata,
  type: MetaType,
  { wanted, sized = false }: { readonly wanted?: ReadonlySet<string>; readonly sized?: boolean } = {},
): DecodePlan | undefined {
  const planner = new Planner(metadata);
  let complete = true;
  if (type.name === STRINGS) planner.add(STRING, 'string', valueField(type.id), true);
  else complete = type.fields.every((field) => planner.field(field, '', wanted?.has(field.name) ?? true, 0));
  return complete ? planner.finish(sized) : undefined;
}

/** The field of values that are no structs. */
function valueField(type: number): MetaField {
  return {
    name: 'value',
    type,
    pooled: false,
    array: false,
    label: '',
    description: '',
    content: { type: '', unit: '', unsigned: false },
  };
}

class Planner {
  readonly #metadata: Metadata;
  readonly #operations: number[] = [];
  readonly #slots: number[] = [];
  readonly #columns: PlannedColumn[] = [];
  readonly #arrays: DecodePlan[] = [];
  /** Number of operations up to the last one with a column. */
  #needed = 0;
  #ints = 0;
  #doubles = 0;

  constructor(metadata: Metadata) {
    this.#metadata = metadata;
  }

  /** Plans a field; false if it cannot be read. */
  field(field: MetaField, prefix: string, wanted: boolean, depth: number): boolean {
    if (this.#operations.length > MOST_OPERATIONS || depth > DEEPEST) return false;
    const key = prefix + field.name;
    const type = this.#metadata.types.get(field.type);
    if (type === undefined) return false;
    if (field.array) return this.#array(field, key, type, wanted, depth);
    if (field.pooled) return this.add(KEY, key, field, wanted);
    if (type.name === STRINGS) return this.add(STRING, key, field, wanted);
    const operation = INTEGERS[type.name];
    if (operation !== undefined) return this.add(operationOf(operation, field), key, field, wanted);
    const isWrapper = type.simple && type.fields.length === 1;
    return type.fields.every((inner) => {
      const named = isWrapper ? { ...inner, name: field.name } : inner;
      return this.field(named, isWrapper ? prefix : `${key}.`, wanted, depth + 1);
    });
  }

  add(operation: number, key: string, field: MetaField, wanted: boolean): boolean {
    this.#operations.push(operation);
    this.#slots.push(wanted ? (isWide(operation) ? this.#doubles : this.#ints) : -1);
    if (!wanted) return true;
    this.#needed = this.#operations.length;
    this.#columns.push({ key, field, operation, slot: this.#slots.at(-1) ?? 0 });
    if (isWide(operation)) this.#doubles++;
    else this.#ints++;
    return true;
  }

  #array(field: MetaField, key: string, type: MetaType, wanted: boolean, depth: number): boolean {
    const elements = new Planner(this.#metadata);
    const single = { ...field, array: false };
    const isStruct = !field.pooled && type.fields.length > 0 && INTEGERS[type.name] === undefined;
    const complete =
      isStruct && type.name !== STRINGS
        ? type.fields.every((inner) => elements.field(inner, '', wanted, depth + 1))
        : elements.field({ ...single, name: 'value' }, '', wanted, depth + 1);
    if (!complete) return false;
    this.#operations.push(ROWS);
    this.#slots.push(this.#arrays.length);
    this.#arrays.push(elements.finish(false));
    if (!wanted) return true;
    this.#needed = this.#operations.length;
    this.#columns.push({ key, field, operation: ROWS, slot: this.#arrays.length - 1 });
    return true;
  }

  finish(sized: boolean): DecodePlan {
    const length = sized ? this.#needed : this.#operations.length;
    const operations = Uint8Array.from(this.#operations.slice(0, length));
    return {
      operations,
      slots: Int32Array.from(this.#slots.slice(0, length)),
      columns: this.#columns,
      ints: this.#ints,
      doubles: this.#doubles,
      arrays: this.#arrays,
      isPlain: operations.every((operation) => operation <= BOOLEAN),
      isIntegers: operations.every((operation) => operation < BYTE),
    };
  }
}

function operationOf(operation: number, { content }: MetaField): number {
  if (operation !== LONG) return operation;
  if (content.type === 'Timestamp' && content.unit === 'TICKS') return TICKS;
  return content.unsigned ? UNSIGNED_LONG : LONG;
}
