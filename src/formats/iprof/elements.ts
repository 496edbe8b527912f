/**
 * Elements of the arrays of an `.iprof` file → columns.
 *
 * `ElementReader.read` reads one whole element or, at the end of a window, nothing: only a complete element is added.
 * Costs: 12 bytes a type, 16 a method and 4 a type of its signature, 12 a call count, 28 a branch, 24 a receiver.
 */
import { ByteBuilder, Float64Builder, Int32Builder, OffsetBuilder } from '../../base/columns.js';
import type { ByteInterner } from '../../base/hash.js';
import type { ProblemLog } from '../../base/problems.js';
import { rootOf, StackBuilder } from '../../models/profile/stack-builder.js';
import { ContextReader } from './contexts.js';
import {
  type Breach,
  FieldReader,
  KEY_CONTEXT,
  KEY_ID,
  KEY_NAME,
  KEY_RECORDS,
  KEY_SIGNATURE,
  NO_TYPE,
  type OpenSection,
} from './fields.js';
import type { VerbatimTable } from './residue.js';
import type { Scanner } from './scanner.js';
import { ARITY, isSingle, type SectionKind } from './vocabulary.js';

/** Rows of one kind of entry: `site` counts the entries, `first` and `second` are its numbers before the count. */
export class EntryColumns {
  readonly stack = new Int32Builder();
  readonly site = new Int32Builder();
  readonly first = new Int32Builder();
  readonly second = new Int32Builder();
  readonly count = new Float64Builder();
  sites = 0;
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

export type EntryKind = Exclude<SectionKind, 'types' | 'methods'>;

/** Real files have a frame of the trie for every 36 to 200 bytes. A hostile size must not make us ask for gigabytes. */
const BYTES_A_STACK = 256;
const LARGEST_GUESS = 1 << 30;

const WHOLE = rootOf('whole');
const PARTIAL = rootOf('partial');

export class ElementReader {
  readonly stacks: StackBuilder;
  readonly contexts: ContextReader;

  readonly typeId = new Int32Builder();
  readonly typeName = new Int32Builder();
  readonly methodId = new Int32Builder();
  readonly methodName = new Int32Builder();
  readonly methodType = new Int32Builder();
  readonly signatureStart = new Int32Builder();
  readonly signature = new Int32Builder();
  readonly entries: Readonly<Record<EntryKind, EntryColumns>> = {
    call: new EntryColumns(),
    branch: new EntryColumns(),
    receiver: new EntryColumns(),
    instanceof: new EntryColumns(),
    monitor: new EntryColumns(),
    sample: new EntryColumns(),
  };
  readonly offsets: Readonly<Record<SectionKind, OffsetBuilder>> = {
    types: new OffsetBuilder(),
    methods: new OffsetBuilder(),
    call: new OffsetBuilder(),
    branch: new OffsetBuilder(),
    receiver: new OffsetBuilder(),
    instanceof: new OffsetBuilder(),
    monitor: new OffsetBuilder(),
    sample: new OffsetBuilder(),
  };
  readonly verbatim = new VerbatimBuilder();

  readonly #scanner: Scanner;
  readonly #problems: ProblemLog;
  readonly #fields: FieldReader;

  /** `bytes`: the size of the input where it is known; tables that would only grow to it begin larger. */
  constructor(scanner: Scanner, problems: ProblemLog, bytes = 0) {
    this.#scanner = scanner;
    this.#problems = problems;
    this.stacks = new StackBuilder(Math.min(bytes, LARGEST_GUESS) / BYTES_A_STACK);
    this.contexts = new ContextReader(this.stacks, Math.min(bytes, LARGEST_GUESS) / BYTES_A_STACK / 2);
    this.#fields = new FieldReader(scanner, this.contexts);
  }

  /** Names of types and methods. */
  get names(): ByteInterner {
    return this.#fields.names;
  }

  /** Reads the element at `position`, whose file offset is `offset`. Returns the position behind it, `MORE` or `BAD`. */
  read(section: OpenSection, position: number, offset: number): number {
    const after = this.#fields.read(section, position);
    if (after < 0) return after;
    this.#add(section, position, after, offset);
    section.elements++;
    return after;
  }

  #add(section: OpenSection, from: number, to: number, offset: number): void {
    const before = this.#rows(section.kind);
    const added = this.#fields.breach === undefined && this.#addRow(section, offset);
    if (added) this.offsets[section.kind].push(offset);
    if (added && !this.#fields.special) return;
    if (this.#fields.breach !== undefined) this.#reportBreach(section, this.#fields.breach, offset);
    this.verbatim.add(section.index, before, added, this.#scanner.window.subarray(from, to));
  }

  #rows(kind: SectionKind): number {
    if (kind === 'types') return this.typeId.length;
    return kind === 'methods' ? this.methodId.length : this.entries[kind].sites;
  }

  #addRow(section: OpenSection, offset: number): boolean {
    switch (section.kind) {
      case 'types':
        if (!this.#fields.has(KEY_ID | KEY_NAME)) return false;
        this.typeId.push(this.#fields.id);
        this.typeName.push(this.#fields.name);
        return true;
      case 'methods':
        return this.#fields.has(KEY_ID | KEY_NAME | KEY_SIGNATURE) && this.#addMethod();
      default:
        return this.#addEntry(section, section.kind, offset);
    }
  }

  #addMethod(): boolean {
    const types = this.#fields.types;
    this.methodId.push(this.#fields.id);
    this.methodName.push(this.#fields.name);
    this.methodType.push(types.length > 0 ? types.values[0] : NO_TYPE);
    this.signatureStart.push(this.signature.length);
    this.signature.reserve(types.length);
    for (let i = 1; i < types.length; i++) this.signature.values[this.signature.length++] = types.values[i];
    return true;
  }

  #addEntry(section: OpenSection, kind: EntryKind, offset: number): boolean {
    const monitor = kind === 'monitor';
    if (!this.#fields.has(section.single ? KEY_RECORDS : KEY_RECORDS | KEY_CONTEXT)) return false;
    if (!monitor && !this.#fields.contextOk) {
      this.#fields.refuse('iprof-context', 'has a context that is not one (frames are METHOD:BCI, joined leaf first)');
      return false;
    }
    const dummy = this.#fields.contextOk && this.contexts.isDummy();
    if (monitor && (section.single ? (this.#fields.seen & KEY_CONTEXT) !== 0 : !dummy)) this.#fields.special = true;
    const { values, length } = this.#fields.numbers;
    const arity = ARITY[kind];
    if (length % arity !== 0 || (isSingle(kind) && length !== 1)) {
      const expected = isSingle(kind) ? 'one belongs' : `a multiple of ${arity} belongs`;
      this.#fields.refuse('iprof-arity', `has ${length} numbers where ${expected}`);
      return false;
    }
    if (!fitsColumns(values, length, arity)) {
      this.#fields.refuse('iprof-schema', 'has a type id, target or index that is not a 32-bit integer');
      return false;
    }
    // Sound, but without a record there is no row: it is kept for writing back only.
    if (length === 0) return false;
    if (this.#fields.special) this.#reportInexact(section, offset);
    const stack = monitor ? -1 : this.contexts.stack(kind === 'sample' ? WHOLE : PARTIAL);
    const columns = this.entries[kind];
    for (let i = 0; i < length; i += arity) {
      columns.stack.push(stack);
      columns.site.push(columns.sites);
      if (arity > 1) columns.first.push(values[i]);
      if (arity > 2) columns.second.push(values[i + 1]);
      columns.count.push(values[i + arity - 1]);
    }
    columns.sites++;
    return true;
  }

  #reportBreach(section: OpenSection, { code, words }: Breach, offset: number): void {
    if (!this.#problems.wants(code)) this.#problems.count(code, 1);
    else {
      const message = `the entry ${words}; it is kept but counts nowhere`;
      this.#problems.add({ code, severity: 'error', message, offset, path: pathOf(section) });
    }
  }

  #reportInexact(section: OpenSection, offset: number): void {
    const { values, length } = this.#fields.numbers;
    for (let i = 0; i < length; i++) {
      if (Number.isSafeInteger(values[i])) continue;
      this.#problems.add({
        code: Number.isInteger(values[i]) ? 'iprof-inexact' : 'iprof-fraction',
        severity: Number.isInteger(values[i]) ? 'warning' : 'error',
        message: Number.isInteger(values[i])
          ? `a count beyond 2^53 is read as the nearest number that fits, ${values[i]}`
          : `a count is not a whole number: ${values[i]}`,
        offset,
        path: pathOf(section),
      });
      return;
    }
  }
}

function pathOf(section: OpenSection): string {
  return section.single ? `/${section.key}` : `/${section.key}/${section.elements}`;
}

/** All numbers but the count of each record are 32-bit integers. */
function fitsColumns(values: Float64Array, length: number, arity: number): boolean {
  for (let i = 0; i < length; i++) if (i % arity !== arity - 1 && values[i] !== (values[i] | 0)) return false;
  return true;
}
