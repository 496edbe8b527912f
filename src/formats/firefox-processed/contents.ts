/** The parts of a processed profile, as they are read: what it says of itself, shared tables, threads, counters. */
import type { ProblemLog } from '../../base/problems.js';
import type { ItemLevel } from '../shared/items/json-items.js';
import { isObject, listOf, member, textOf } from '../shared/items/read-items.js';
import { FirefoxTables } from './tables.js';

export class FirefoxContents {
  readonly threads: FirefoxTables[] = [];
  readonly shared: FirefoxTables;
  meta: unknown;
  counters: readonly unknown[] = [];
  /** Values that are not what the format has. */
  wrong = 0;
  readonly #problems: ProblemLog;

  constructor(problems: ProblemLog) {
    this.#problems = problems;
    this.shared = this.#tables();
  }

  get categories(): string[] {
    return listOf(member(this.meta, 'categories')).map((category) => textOf(member(category, 'name')) ?? '');
  }

  readonly root: ItemLevel = {
    enter: (key, isList) => {
      if (key === 'shared' && !isList) return this.shared.level;
      if (key === 'threads' && isList) return this.#threads;
      return ['meta', 'counters', 'shared', 'threads'].includes(key) ? 'value' : 'skip';
    },
    take: (key, value, offset) => {
      if (key === 'meta' && isObject(value)) this.meta = value;
      else if (key === 'counters' && (Array.isArray(value) || value === null)) this.counters = listOf(value);
      else if (['meta', 'counters', 'shared', 'threads'].includes(key))
        this.#complain(offset, `${key} is not what the format has there`);
    },
  };

  readonly #threads: ItemLevel = {
    enter: (_, isList) => {
      if (isList) return 'value';
      const tables = this.#tables();
      this.threads.push(tables);
      return tables.level;
    },
    take: (_, __, offset) => this.#complain(offset, 'a thread is not an object'),
  };

  #complain(offset: number, message: string): void {
    this.wrong++;
    this.#problems.add({ code: 'firefox-schema', severity: 'error', offset, message });
  }

  #tables(): FirefoxTables {
    return new FirefoxTables((offset, message) => this.#complain(offset, message));
  }
}
