/** Texts of a chunk that look like secrets, by the rule of listings (`models/secrets.ts`). */
import { decodeUtf8 } from '../../../base/text.js';
import { isSecretName, namingField, VALUE, withoutSecrets } from '../../../models/secrets.js';
import type { ChunkColumn, ChunkTable, ChunkTexts } from '../chunk/chunk-data.js';

/** Names of code and of threads, which listings show as they are. */
const NAMES = new Set(['jdk.types.Symbol', 'java.lang.Thread', 'jdk.types.ThreadGroup']);

const UNKNOWN = 0;
const SAME = 1;
const CHANGED = 2;

type Test = (row: number) => boolean;

export class ChunkSecrets {
  readonly #texts: ChunkTexts;
  /** By text: whether a part of it looks like a secret. */
  readonly #changes: Uint8Array;

  constructor(texts: ChunkTexts) {
    this.#texts = texts;
    this.#changes = new Uint8Array(Math.max(0, texts.offsets.length - 1));
  }

  /** Whether a row has a text of its own, not a pooled one, with a secret in it; undefined if none can have. */
  withSecrets(table: ChunkTable): Test | undefined {
    const own = table.columns.filter(({ holds }) => holds === 'string').map((column) => this.#ofColumn(column));
    const inArrays = table.arrays.flatMap(({ first, count, elements }): Test[] => {
      const test = this.withSecrets(elements);
      if (test === undefined) return [];
      return [
        (row) => {
          for (let i = first[row]; i < first[row] + count[row]; i++) if (test(i)) return true;
          return false;
        },
      ];
    });
    const tests = [...own, ...inArrays];
    return tests.length === 0 ? undefined : (row) => tests.some((test) => test(row));
  }

  /** The same for constants: names of code and of threads have none. */
  inConstants(type: string, table: ChunkTable): Test | undefined {
    return NAMES.has(type) ? undefined : this.withSecrets(table);
  }

  /** Whether the field `value` of a row is a secret by the name beside it; undefined if there are no such fields. */
  secretValues({ columns }: ChunkTable): Test | undefined {
    const texts = columns.filter(({ holds }) => holds === 'string');
    const value = texts.find(({ key }) => key === VALUE);
    const name = namingField(columns.map((column) => ({ column, key: column.key, title: column.label })))?.column;
    if (value === undefined || name?.holds !== 'string') return undefined;
    return (row) => value.values[row] >= 0 && name.values[row] >= 0 && isSecretName(this.#text(name.values[row]));
  }

  #ofColumn({ values, pooled }: ChunkColumn): Test {
    return (row) => values[row] >= 0 && (pooled === undefined || pooled[row] < 0) && this.#isChanged(values[row]);
  }

  #isChanged(id: number): boolean {
    if (this.#changes[id] === UNKNOWN) {
      const text = this.#text(id);
      this.#changes[id] = withoutSecrets(text) === text ? SAME : CHANGED;
    }
    return this.#changes[id] === CHANGED;
  }

  #text(id: number): string {
    const { bytes, offsets } = this.#texts;
    return decodeUtf8(bytes, offsets[id], offsets[id + 1]);
  }
}
