/** Columns of the events of a chunk, as values of the recording. */
import { NONE } from '../../../base/flavor.js';
import { HIDDEN, isSecretName, withoutSecrets } from '../../../models/secrets.js';
import type { Holds } from '../../../models/table.js';
import type { ChunkColumn, ChunkTable } from '../chunk/chunk-data.js';
import type { ChunkData } from '../chunk/read-chunk.js';
import { ChunkConstantsReader, CLASS, labelColumn, METHOD, STACK_TRACE, THREAD } from './constants.js';
import type { RecordingTables } from './recording-tables.js';

export type Values = Int32Array | Float64Array;

/** What constants of these types become; those of others become texts. */
const HOLDS: Readonly<Record<string, Holds>> = {
  [STACK_TRACE]: 'stack',
  [METHOD]: 'function',
  [CLASS]: 'class',
  [THREAD]: 'thread',
};

/** A column, and for each event the row in it; undefined if that is its own. */
interface Found {
  readonly column: ChunkColumn;
  readonly rows?: Values;
}

/** A field of events as a path of names; through a constant to a field of it, if there are several. */
export interface EventField {
  readonly path: string;
  readonly holds: Holds;
  readonly column: ChunkColumn;
}

/** Fields of environment variables, system properties and processes. */
function mayHoldSecrets(path: string): boolean {
  return /^(?:value|jvmArguments|javaArguments|commandLine)$/.test(path);
}

/** Constants within constants are followed so far. */
const DEEPEST = 3;

export class EventColumns {
  readonly #data: ChunkData;
  readonly #constants: ChunkConstantsReader;
  /** Nanoseconds from the start of the recording to that of the chunk. */
  readonly #start: number;

  constructor(data: ChunkData, tables: RecordingTables, start: number) {
    this.#data = data;
    this.#constants = new ChunkConstantsReader(data, tables);
    this.#start = start;
  }

  /** The values of a field of events; undefined if they have no such field. */
  values(table: ChunkTable, path: string): Values | undefined {
    const found = this.#find(table, path, undefined);
    if (found === undefined) return undefined;
    return mayHoldSecrets(path) && found.column.holds === 'string'
      ? this.#shown(found, this.texts(table, 'key'))
      : this.#values(found);
  }

  /** Texts without values that look like secrets, by themselves or by the names beside them. */
  #shown({ column }: Found, names: readonly string[]): Int32Array {
    const constants = this.#constants;
    return Int32Array.from(column.values, (id, row) => {
      const text = constants.text(id);
      const shown = text !== '' && isSecretName(names[row] ?? '') ? HIDDEN : withoutSecrets(text);
      return shown === text ? constants.name(id) : constants.newName(shown);
    });
  }

  /** Whether events have a field. */
  has(table: ChunkTable, path: string): boolean {
    return this.#find(table, path, undefined) !== undefined;
  }

  /** The texts of a field of events; empty where there are none. */
  texts(table: ChunkTable, key: string): readonly string[] {
    const column = table.columns.find((candidate) => candidate.key === key);
    return column?.holds === 'string' ? Array.from(column.values, (id) => this.#constants.text(id)) : [];
  }

  /** The name of the type with this id in the chunk. */
  typeName(id: number): string | undefined {
    return this.#data.types.get(id)?.name;
  }

  #find({ columns }: ChunkTable, path: string, rows: Values | undefined): Found | undefined {
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

  #values({ column, rows }: Found): Values {
    const values = rows === undefined ? column.values : taken(column.values, rows);
    const constants = this.#constants;
    switch (column.holds) {
      case 'number':
        return values;
      case 'time':
        return values.map((time) => time + this.#start);
      case 'string':
        return Int32Array.from(values, (id) => constants.name(id));
      case 'constant':
        return this.#constantsOf(column.pool, values);
    }
  }

  #constantsOf(pool: number, values: Values): Int32Array {
    const constants = this.#constants;
    const type = this.#data.constants.get(pool)?.type.name ?? '';
    const result = new Int32Array(values.length);
    switch (HOLDS[type]) {
      case 'stack':
        for (let i = 0; i < result.length; i++) result[i] = constants.stack(values[i]);
        break;
      case 'function':
        for (let i = 0; i < result.length; i++) result[i] = constants.method(values[i]);
        break;
      case 'class':
        for (let i = 0; i < result.length; i++) result[i] = constants.class(values[i]);
        break;
      case 'thread':
        for (let i = 0; i < result.length; i++) result[i] = constants.thread(values[i]);
        break;
      default:
        for (let i = 0; i < result.length; i++) result[i] = constants.label(pool, values[i]);
    }
    return result;
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
      if (constants === undefined || labelColumn(constants.table.columns) !== undefined)
        return [{ path, holds: 'string', column }];
      return depth >= DEEPEST ? [] : this.fields(constants.table, `${path}.`, depth + 1);
    });
  }
}

/** The values at these rows; -1 where there is none. */
function taken(values: Values, rows: Values): Values {
  const result = values instanceof Int32Array ? new Int32Array(rows.length) : new Float64Array(rows.length);
  for (let i = 0; i < rows.length; i++) result[i] = rows[i] < 0 ? NONE : values[rows[i]];
  return result;
}
