/** The growing columns that elements of an `.iprof` file are read into. */
import { ByteBuilder, Float64Builder, Int32Builder, OffsetBuilder } from '../../base/columns/columns.js';
import type { VerbatimTable } from './residue.js';
import type { ProfileSection } from './vocabulary.js';

export type EntryKind = Exclude<ProfileSection, 'types' | 'methods'>;

/** Types or methods; types have no signatures. */
export class SymbolColumns {
  readonly id: Int32Builder;
  readonly name: Int32Builder;
  /** Id of the declaring type, or `NO_TYPE`. */
  readonly type: Int32Builder;
  readonly signatureStart: Int32Builder;
  /** Ids of the return type and the parameter types. */
  readonly signature: Int32Builder;
  readonly offsets: OffsetBuilder;

  /** `rows`: expected number; reserved room costs nothing until it is used. */
  constructor(rows: number) {
    this.id = new Int32Builder(rows);
    this.name = new Int32Builder(rows);
    this.type = new Int32Builder(rows);
    this.signatureStart = new Int32Builder(rows);
    this.signature = new Int32Builder(rows * 5);
    this.offsets = new OffsetBuilder(rows);
  }
}

/** Rows of one kind of entry: `site` counts the entries, `first` and `second` are its numbers before the count. */
export class EntryColumns {
  readonly stack = new Int32Builder();
  readonly site = new Int32Builder();
  readonly first = new Int32Builder();
  readonly second = new Int32Builder();
  readonly count = new Float64Builder();
  readonly offsets = new OffsetBuilder();
  sites = 0;

  /** Adds an entry of `length` numbers, `arity` per record. */
  add(stack: number, values: Float64Array, length: number, arity: number, offset: number): void {
    for (let i = 0; i < length; i += arity) {
      this.stack.push(stack);
      this.site.push(this.sites);
      if (arity > 1) this.first.push(values[i]);
      if (arity > 2) this.second.push(values[i + 1]);
      this.count.push(values[i + arity - 1]);
    }
    this.sites++;
    this.offsets.push(offset);
  }
}

/** All numbers but the count of each record are 32-bit integers. */
export function fitsColumns(values: Float64Array, length: number, arity: number): boolean {
  for (let i = 0; i < length; i++) if (i % arity !== arity - 1 && values[i] !== (values[i] | 0)) return false;
  return true;
}

export class VerbatimBuilder {
  readonly #section = new Int32Builder(16);
  readonly #before = new Int32Builder(16);
  readonly #replaces = new Int32Builder(16);
  readonly #start = new Float64Builder(16);
  readonly #bytes = new ByteBuilder();

  add(section: number, before: number, replaces: boolean, bytes: Uint8Array): void {
    this.#section.push(section);
    this.#before.push(before);
    this.#replaces.push(replaces ? 1 : 0);
    this.#start.push(this.#bytes.length);
    this.#bytes.append(bytes, 0, bytes.length);
  }

  finish(): VerbatimTable {
    const length = this.#section.length;
    this.#start.push(this.#bytes.length);
    return {
      length,
      section: this.#section.finish(),
      before: this.#before.finish(),
      replaces: this.#replaces.finish(),
      start: this.#start.finish(),
      bytes: this.#bytes.finish(),
    };
  }
}
