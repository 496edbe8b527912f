/** PGO profiles small enough to be written in a test: methods and classes are named, ids are made up. */
import type { Recording } from '../../../models/recording.js';
import { readText } from './iprof-documents.js';

/** Contexts as `A.m:0<B.n:3`, leaf first. A method `?7` is one that the file does not define. */
export interface SmallIprof {
  readonly calls?: Readonly<Record<string, number>>;
  /** Target BCI, index and count, one after the other. */
  readonly branches?: Readonly<Record<string, readonly number[]>>;
  /** Counts by class. */
  readonly receivers?: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** The profile, read as a file would be; ids begin at `firstId`, since ids of two files are unrelated. */
export function smallIprof(small: SmallIprof, firstId = 1): Promise<Recording> {
  const ids = new Ids(firstId);
  const context = (text: string): string =>
    text
      .split('<')
      .map((frame) => {
        const [name = '', bci = ''] = frame.split(':');
        return `${ids.method(name)}:${bci}`;
      })
      .join('<');
  const section = <Value>(entries: Readonly<Record<string, Value>> | undefined, of: (value: Value) => number[]) =>
    Object.entries(entries ?? {}).map(([ctx, value]) => ({ ctx: context(ctx), records: of(value) }));
  const callCountProfiles = section(small.calls, (count) => [count]);
  const conditionalProfiles = section(small.branches, (records) => [...records]);
  const virtualInvokeProfiles = section(small.receivers, (classes) =>
    Object.entries(classes).flatMap(([name, count]) => [ids.type(name), count]),
  );
  const sections = { callCountProfiles, conditionalProfiles, virtualInvokeProfiles };
  return readText(JSON.stringify({ version: '1.0.0', types: ids.types(), methods: ids.methods(), ...sections }));
}

class Ids {
  readonly #types = new Map<string, number>();
  readonly #methods = new Map<string, { id: number; signature: number[] }>();
  readonly #first: number;

  constructor(first: number) {
    this.#first = first;
  }

  type(name: string): number {
    const id = this.#types.get(name) ?? this.#first + this.#types.size;
    this.#types.set(name, id);
    return id;
  }

  method(name: string): number {
    if (name.startsWith('?')) return 1_000_000 + Number(name.slice(1));
    const known = this.#methods.get(name);
    if (known !== undefined) return known.id;
    const id = this.#first + this.#methods.size;
    this.#methods.set(name, { id, signature: [this.type(name.slice(0, name.lastIndexOf('.'))), this.type('void')] });
    return id;
  }

  types() {
    return [...this.#types].map(([name, id]) => ({ id, name }));
  }

  methods() {
    return [...this.#methods].map(([name, { id, signature }]) => ({
      id,
      name: name.slice(name.lastIndexOf('.') + 1),
      signature,
    }));
  }
}
