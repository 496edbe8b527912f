/** Columns of the events of a chunk, as values of the recording. */
import { BLOCK, type PackedBuilder } from '../../../base/columns/packed.js';
import { dictionary } from '../../../base/dictionary.js';
import { NONE } from '../../../base/flavor.js';
import type { FieldMeaning } from '../../../models/table.js';
import type { ChunkColumn, ChunkTable } from '../chunk/chunk-data.js';
import type { ChunkData } from '../chunk/chunk-options.js';
import type { ConstantValues } from './constant-rows.js';
import { ChunkConstantsReader, CLASS, labelColumn, METHOD, STACK_TRACE, THREAD } from './constants.js';
import { OLD_OBJECT } from './old-objects.js';
import type { RecordingTables } from './recording-tables.js';

/** What constants of these types become; those of others become texts. */
const HOLDS = dictionary<FieldMeaning>({
  [STACK_TRACE]: 'stack',
  [METHOD]: 'function',
  [CLASS]: 'class',
  [THREAD]: 'thread',
});

/** A column, and for each event the row in it; undefined if that is its own. */
interface Found {
  readonly column: ChunkColumn;
  readonly rows?: ConstantValues;
}

/** A field of events as a path of names; through a constant to a field of it, if there are several. */
export interface EventField {
  readonly path: string;
  readonly holds: FieldMeaning;
  readonly column: ChunkColumn;
  /** The chunk has no constants of its type, so what it holds is unknown. */
  readonly isMissing?: true;
}

/** Constants within constants are followed so far. */
const DEEPEST = 3;

export class EventColumns {
  #data: ChunkData;
  readonly #constants: ChunkConstantsReader;
  readonly #tables: RecordingTables;
  /** Nanoseconds from the start of the recording to that of the chunk. */
  readonly #start: number;
  #room = new Int32Array();

  constructor(data: ChunkData, tables: RecordingTables, start: number) {
    this.#data = data;
    this.#tables = tables;
    this.#constants = new ChunkConstantsReader(data, tables);
    this.#start = start;
  }

  /** Goes on with the next part of the chunk; false if it has other constants. */
  next(data: ChunkData): boolean {
    const { constants, rowsId } = this.#data;
    if (data.constants !== constants && (rowsId === undefined || data.rowsId !== rowsId)) return false;
    this.#data = data;
    this.#constants.next(data);
    return true;
  }

  /** A text as a name of the recording. */
  name(text: string): number {
    return this.#tables.program.name(text);
  }

  /**
   * Appends the values of a field of events; none if they have no such field, or the metadata of the file give it a type that
   * holds something else. `unknown`: what unknown numbers become.
   */
  append(table: ChunkTable, path: string, holds: FieldMeaning, to: PackedBuilder, unknown = Number.NaN): void {
    const found = this.#find(table, path, undefined);
    if (found === undefined) return;
    const own = this.#holdsOf(found.column);
    if (own !== holds && !(own === 'function' && holds === 'stack')) return;
    const { column, rows } = found;
    const all = rows === undefined ? column.values : taken(column.values, rows);
    const values = column.hasUnknown === true ? all.map((value) => (Number.isNaN(value) ? unknown : value)) : all;
    if (column.holds === 'number') to.append(values);
    else if (column.holds === 'time') to.append(values, this.#start);
    else
      for (let from = 0; from < values.length; from += BLOCK) {
        const found = this.#looked(column, values.subarray(from, from + BLOCK));
        // A method without its callers is a stack of one frame.
        if (own !== holds) for (let i = 0; i < found.length; i++) found[i] = this.#constants.stackOfMethod(found[i]);
        to.append(found);
      }
  }

  /** What is added to the numbers of a field of events; undefined if that is nothing. */
  rests(table: ChunkTable, path: string): ConstantValues | undefined {
    const { column, rows } = this.#find(table, path, undefined) ?? {};
    const rests = column?.rests;
    if (rests === undefined || rows === undefined) return rests;
    return taken(rests, rows, 0);
  }

  /** Whether the values of a field need doubles. */
  isWide(table: ChunkTable, path: string): boolean {
    return this.#find(table, path, undefined)?.column.values instanceof Float64Array;
  }

  /** Whether events have a field. */
  has(table: ChunkTable, path: string): boolean {
    return this.#find(table, path, undefined) !== undefined;
  }

  /** Whether any event has a constant, or a string, in a field. */
  isSet(table: ChunkTable, path: string): boolean {
    return this.#find(table, path, undefined)?.column.values.some((value: number) => value >= 0) === true;
  }

  /** Appends stacks, each without a function of the recorder that stands in for the one that the program called. */
  appendCallers(table: ChunkTable, field: string, to: PackedBuilder): void {
    const place = this.#find(table, field, undefined);
    if (place === undefined || this.#holdsOf(place.column) !== 'stack') return;
    const { values } = place.column;
    for (let start = 0; start < values.length; start += BLOCK) {
      const stacks = this.#looked(place.column, values.subarray(start, start + BLOCK));
      for (let i = 0; i < stacks.length; i++) stacks[i] = this.#tables.withoutHook(stacks[i]);
      to.append(stacks);
    }
  }

  /** Appends the numbers that the texts of a field stand for. */
  appendWords(table: ChunkTable, field: string, words: Readonly<Record<string, number>>, to: PackedBuilder): void {
    const place = this.#find(table, field, undefined);
    if (place === undefined || this.#holdsOf(place.column) !== 'string') return;
    const numbers = new Map(Object.entries(words).map(([word, number]) => [this.name(word), number]));
    const { column, rows } = place;
    const values = rows === undefined ? column.values : taken(column.values, rows);
    for (let start = 0; start < values.length; start += BLOCK) {
      const names = this.#looked(column, values.subarray(start, start + BLOCK));
      // Names in a row are mostly the same.
      let [name, number] = [NONE, 0];
      for (let i = 0; i < names.length; i++) {
        if (names[i] !== name) {
          name = names[i];
          number = numbers.get(name) ?? 0;
        }
        names[i] = number;
      }
      to.append(names);
    }
  }

  /** Whether events have a field of numbers that are no points in time. */
  isNumber(table: ChunkTable, path: string): boolean {
    return this.#find(table, path, undefined)?.column.holds === 'number';
  }

  /** The numbers of a field of events; empty where there are none. */
  numbers(table: ChunkTable, key: string): ArrayLike<number> {
    const column = table.columns.find((candidate) => candidate.key === key);
    return column?.holds === 'number' ? column.values : [];
  }

  /** The texts of a field of events, or those that its constants have as their name; empty where there are none. */
  texts(table: ChunkTable, key: string): readonly string[] {
    const column = table.columns.find((candidate) => candidate.key === key);
    if (column?.holds === 'string') return Array.from(column.values, (id) => this.#constants.text(id));
    const constants = column?.holds === 'constant' ? this.#data.constants.get(column.pool)?.table : undefined;
    const label = constants && labelColumn(constants.columns);
    if (column === undefined || label?.holds !== 'string') return [];
    return Array.from(taken(label.values, column.values), (id) => (id < 0 ? '' : this.#constants.text(id)));
  }

  /** The name of the type with this id in the chunk. */
  typeName(id: number): string | undefined {
    return this.#data.types.get(id)?.name;
  }

  #find({ columns }: ChunkTable, path: string, rows: ConstantValues | undefined): Found | undefined {
    const column = columns.find(({ key }) => key === path);
    if (column !== undefined) return { column, ...(rows && { rows }) };
    for (const outer of columns) {
      if (outer.holds !== 'constant' || !path.startsWith(`${outer.key}.`)) continue;
      const inner = this.#data.constants.get(outer.pool)?.table;
      const of = rows === undefined ? outer.values : taken(outer.values, rows);
      return inner && this.#find(inner, path.slice(outer.key.length + 1), of);
    }
    return undefined;
  }

  /** What strings and constants become; valid until the next call. */
  #looked(column: ChunkColumn, values: ConstantValues): Int32Array {
    if (this.#room.length < values.length) this.#room = new Int32Array(values.length);
    const found = this.#room.subarray(0, values.length);
    const constants = this.#constants;
    if (column.holds === 'constant')
      constants.write(this.#data.constants.get(column.pool)?.type.name ?? '', column.pool, values, found);
    else for (let i = 0; i < values.length; i++) found[i] = constants.name(values[i]);
    return found;
  }

  #holdsOf({ holds, pool }: ChunkColumn): FieldMeaning {
    if (holds !== 'constant') return holds === 'string' ? 'string' : 'number';
    const type = this.#data.constants.get(pool)?.type.name ?? '';
    return type === OLD_OBJECT ? 'row' : (HOLDS[type] ?? 'string');
  }

  /** The fields of events; of constants that have no name, their fields. */
  fields({ columns }: ChunkTable, prefix = '', depth = 0): readonly EventField[] {
    return columns.flatMap((column): readonly EventField[] => {
      const path = prefix + column.key;
      if (column.holds !== 'constant')
        return [{ path, holds: column.holds === 'string' ? 'string' : 'number', column }];
      const constants = this.#data.constants.get(column.pool);
      const holds = constants && HOLDS[constants.type.name];
      if (holds !== undefined) return [{ path, holds, column }];
      if (constants === undefined) return [{ path, holds: 'string', column, isMissing: true }];
      if (labelColumn(constants.table.columns) !== undefined) return [{ path, holds: 'string', column }];
      return depth >= DEEPEST ? [] : this.fields(constants.table, `${path}.`, depth + 1);
    });
  }
}

/** The values at these rows. */
function taken(values: ConstantValues, rows: ConstantValues, missing = NONE): ConstantValues {
  const result = values instanceof Int32Array ? new Int32Array(rows.length) : new Float64Array(rows.length);
  for (let i = 0; i < rows.length; i++) result[i] = rows[i] < 0 ? missing : values[rows[i]];
  return result;
}
