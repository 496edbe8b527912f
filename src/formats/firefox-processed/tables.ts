/** The tables of a thread, or those that all threads share: columns of numbers, as they are read. Memory: 8 bytes a value. */
import { Float64Builder } from '../../base/columns/columns.js';
import type { ItemLevel } from '../shared/items/json-items.js';
import { numberOf, textOf } from '../shared/items/read-items.js';

/** Columns that are read, by table. */
export const COLUMNS = {
  stackTable: ['prefix', 'prefixOffset', 'frame'],
  frameTable: ['func', 'line', 'category', 'address'],
  funcTable: ['name', 'isJS', 'resource', 'fileName', 'source', 'lineNumber', 'columnNumber'],
  resourceTable: ['name', 'type'],
  sources: ['filename'],
  samples: ['stack', 'time', 'timeDeltas', 'weight'],
  markers: ['name', 'startTime', 'endTime', 'phase'],
} as const;
export type FirefoxTableName = keyof typeof COLUMNS;

/** What a thread, or the shared part, says of itself. */
export interface ThreadFacts {
  name: string;
  processName: string;
  pid: string;
  tid: string;
  weightType: string;
}

type Complain = (offset: number, message: string) => void;

export class FirefoxTables {
  readonly strings: string[] = [];
  readonly facts: ThreadFacts = { name: '', processName: '', pid: '', tid: '', weightType: 'samples' };
  /** Allocations of a table that is not read. */
  allocations = 0;
  readonly #columns = new Map<string, Float64Builder>();
  readonly #complain: Complain;
  /** Whether it has a list of texts of its own. */
  hasStrings = false;

  constructor(complain: Complain) {
    this.#complain = complain;
  }

  has(table: FirefoxTableName): boolean {
    return COLUMNS[table].some((column) => this.#columns.has(`${table}/${column}`));
  }

  /** Unknown values are NaN; empty where the file lacks the column. */
  cells<Name extends FirefoxTableName>(table: Name, column: (typeof COLUMNS)[Name][number]): Float64Array {
    return this.#columns.get(`${table}/${column}`)?.finish() ?? new Float64Array();
  }

  text(index: number): string {
    return this.strings[index] ?? '';
  }

  readonly level: ItemLevel = {
    enter: (key, isList) => {
      if ((key === 'stringArray' || key === 'stringTable') && isList) {
        this.hasStrings = true;
        return this.#texts;
      }
      const table = isTable(key) ? key : undefined;
      return table === undefined || isList ? 'skip' : this.#table(table);
    },
    take: (key, value, offset) => {
      const { facts } = this;
      if (key === 'name' || key === 'processName') facts[key] = textOf(value) ?? '';
      else if (key === 'pid' || key === 'tid') facts[key] = value === null ? '' : String(value);
      else if (isTable(key)) this.#complain(offset, `${key} is not a table`);
    },
  };

  readonly #texts: ItemLevel = {
    take: (_, value, offset) => {
      const text = textOf(value);
      if (text === undefined) this.#complain(offset, 'a text of stringArray is none');
      this.strings.push(text ?? '');
    },
  };

  #table(table: FirefoxTableName): ItemLevel {
    const columns: readonly string[] = COLUMNS[table];
    return {
      enter: (key, isList, offset) => {
        if (!columns.includes(key)) return 'skip';
        if (isList && !this.#columns.has(`${table}/${key}`)) return this.#column(`${table}/${key}`);
        this.#complain(offset, `${key} of ${table} is no column`);
        return 'skip';
      },
      take: (key, value, offset) => {
        if (key === 'weightType') this.facts.weightType = textOf(value) ?? 'samples';
        else if (columns.includes(key) && value !== null) this.#complain(offset, `${key} of ${table} is no column`);
      },
    };
  }

  #column(name: string): ItemLevel {
    const column = new Float64Builder();
    this.#columns.set(name, column);
    return {
      number: (value) => {
        column.push(value);
      },
      take: (_, value, offset) => {
        if (value !== null && typeof value !== 'boolean' && numberOf(value) === undefined)
          this.#complain(offset, `a value of ${name} is not a number`);
        column.push(typeof value === 'boolean' ? Number(value) : Number.NaN);
      },
    };
  }
}

function isTable(key: string): key is FirefoxTableName {
  return Object.hasOwn(COLUMNS, key);
}
