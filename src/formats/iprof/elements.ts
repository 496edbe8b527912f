/**
 * Elements of the arrays of an `.iprof` file → columns.
 *
 * `ElementReader.read` reads one whole element or, at the end of a window, nothing: only a complete element is added.
 * Costs: 12 bytes per type, 16 per method and 4 per type of its signature, 12 per call count, 28 per branch, 24 per
 * receiver.
 */
import type { ByteInterner } from '../../base/columns/hash.js';
import type { ProblemLog } from '../../base/problems.js';
import { rootOf, StackBuilder } from '../../models/profile/stack-builder.js';
import type { Scanner } from '../shared/json-scanner.js';
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
  pathOf,
} from './fields.js';
import { EntryColumns, type EntryKind, fitsColumns, SymbolColumns, VerbatimBuilder } from './rows.js';
import type { UsualReader } from './usual.js';
import { ARITY, isSingle, type ProfileSection } from './vocabulary.js';

/** Real files have a method for every 90 to 200 bytes, and a frame of the trie for every 36 to 200. */
const BYTES_A_METHOD = 90;
const BYTES_A_STACK = 160;
/** A hostile size must not cause an allocation of gigabytes. */
const LARGEST_GUESS = 1 << 30;

const WHOLE = rootOf('whole');
const PARTIAL = rootOf('partial');

export class ElementReader {
  readonly stacks: StackBuilder;
  readonly contexts: ContextReader;

  readonly types: SymbolColumns;
  readonly methods: SymbolColumns;
  readonly entries: Readonly<Record<EntryKind, EntryColumns>> = {
    call: new EntryColumns(),
    branch: new EntryColumns(),
    receiver: new EntryColumns(),
    instanceof: new EntryColumns(),
    monitor: new EntryColumns(),
    sample: new EntryColumns(),
  };
  readonly verbatim = new VerbatimBuilder();
  /** Entries that are kept but not counted. */
  refused = 0;

  readonly #scanner: Scanner;
  readonly #problems: ProblemLog;
  readonly #fields: FieldReader;
  readonly #usual: UsualReader;

  /** `bytes`: the size of the input if known; tables that would grow to it start larger. */
  constructor(scanner: Scanner, problems: ProblemLog, usual: UsualReader, bytes = 0) {
    this.#scanner = scanner;
    this.#problems = problems;
    this.#usual = usual;
    const guess = Math.min(bytes, LARGEST_GUESS);
    this.types = new SymbolColumns(guess / BYTES_A_METHOD / 8);
    this.methods = new SymbolColumns(guess / BYTES_A_METHOD);
    this.stacks = new StackBuilder(guess / BYTES_A_STACK);
    this.contexts = new ContextReader(this.stacks);
    this.#fields = new FieldReader(scanner, this.contexts);
  }

  /** Names of types and methods. */
  get names(): ByteInterner {
    return this.#fields.names;
  }

  /** Reads the element at `position`, whose file offset is `offset`. Returns the position after it, `MORE` or `BAD`. */
  read(section: OpenSection, position: number, offset: number): number {
    const after = this.#fields.read(section, position);
    if (after < 0) return after;
    this.#add(section, position, after, offset);
    section.elements++;
    return after;
  }

  /**
   * Reads elements from `position` on as long as they have the usual spelling and another one follows. Returns the
   * position of the first element left for `read`.
   */
  readUsual(section: OpenSection, position: number, base: number): number {
    const usual = section.usual;
    if (usual === undefined) return position;
    const rows = this.#rows(section.kind);
    switch (section.kind) {
      case 'types':
        position = this.#usual.symbols(this.#scanner, position, base, usual, this.types, this.names);
        break;
      case 'methods':
        position = this.#usual.symbols(this.#scanner, position, base, usual, this.methods, this.names);
        break;
      default:
        position = this.#usual.entries(this.#scanner, position, base, usual, this.entries[section.kind], this.contexts);
    }
    section.elements += this.#rows(section.kind) - rows;
    return position;
  }

  #add(section: OpenSection, from: number, to: number, offset: number): void {
    const before = this.#rows(section.kind);
    const added = this.#fields.breach === undefined && this.#addRow(section, offset);
    if (added && !this.#fields.special) return;
    if (this.#fields.breach !== undefined) {
      this.refused++;
      this.#reportBreach(section, this.#fields.breach, offset);
    }
    this.verbatim.add(section.index, before, added, this.#scanner.window.subarray(from, to));
  }

  #rows(kind: ProfileSection): number {
    if (kind === 'types') return this.types.id.length;
    return kind === 'methods' ? this.methods.id.length : this.entries[kind].sites;
  }

  #addRow(section: OpenSection, offset: number): boolean {
    switch (section.kind) {
      case 'types':
        if (!this.#fields.has(KEY_ID | KEY_NAME)) return false;
        this.types.id.push(this.#fields.id);
        this.types.name.push(this.#fields.name);
        this.types.offsets.push(offset);
        return true;
      case 'methods':
        return this.#fields.has(KEY_ID | KEY_NAME | KEY_SIGNATURE) && this.#addMethod(offset);
      default:
        return this.#addEntry(section, section.kind, offset);
    }
  }

  #addMethod(offset: number): boolean {
    const types = this.#fields.types;
    const { id, name, type, signatureStart, signature, offsets } = this.methods;
    id.push(this.#fields.id);
    name.push(this.#fields.name);
    type.push(types.length > 0 ? types.values[0] : NO_TYPE);
    signatureStart.push(signature.length);
    for (let i = 1; i < types.length; i++) signature.push(types.values[i]);
    offsets.push(offset);
    return true;
  }

  #addEntry(section: OpenSection, kind: EntryKind, offset: number): boolean {
    const monitor = kind === 'monitor';
    if (!this.#fields.has(section.single ? KEY_RECORDS : KEY_RECORDS | KEY_CONTEXT)) return false;
    if (!monitor && !this.#fields.contextOk) {
      this.#fields.refuse(
        'iprof-context',
        'has an invalid context (expected up to 65,536 frames METHOD:BCI, leaf first)',
      );
      return false;
    }
    const dummy = this.#fields.contextOk && this.contexts.isDummy();
    if (monitor && (section.single ? (this.#fields.seen & KEY_CONTEXT) !== 0 : !dummy)) this.#fields.special = true;
    if (monitor && !section.single && !dummy) this.#reportMonitor(section, offset);
    const { values, length } = this.#fields.numbers;
    const arity = ARITY[kind];
    if (length % arity !== 0 || (isSingle(kind) && length !== 1)) {
      const expected = isSingle(kind) ? 'one' : `a multiple of ${arity}`;
      this.#fields.refuse('iprof-arity', `has ${length} numbers (expected ${expected})`);
      return false;
    }
    if (!fitsColumns(values, length, arity)) {
      this.#fields.refuse('iprof-schema', 'has a type id, target or index that is not a 32-bit integer');
      return false;
    }
    // Valid, but without a record there is no row: it is kept for writing back only.
    if (length === 0) return false;
    if (this.#fields.special) this.#reportInexact(section, offset);
    const stack = monitor ? -1 : this.contexts.stack(kind === 'sample' ? WHOLE : PARTIAL);
    this.entries[kind].add(stack, values, length, arity, offset);
    return true;
  }

  #reportBreach(section: OpenSection, { code, words }: Breach, offset: number): void {
    if (!this.#problems.wants(code)) this.#problems.count(code, 1);
    else {
      const message = `the entry ${words}; it is kept but not counted`;
      this.#problems.add({ code, severity: 'error', message, offset, path: pathOf(section) });
    }
  }

  #reportMonitor(section: OpenSection, offset: number): void {
    const message = 'expected the context 0:0 for monitors; the counts are still read';
    this.#problems.add({ code: 'iprof-monitor-context', severity: 'error', message, offset, path: pathOf(section) });
  }

  #reportInexact(section: OpenSection, offset: number): void {
    const { values, length } = this.#fields.numbers;
    for (let i = 0; i < length; i++) {
      if (Number.isSafeInteger(values[i])) continue;
      this.#problems.add({
        code: Number.isInteger(values[i]) ? 'iprof-inexact' : 'iprof-fraction',
        severity: Number.isInteger(values[i]) ? 'warning' : 'error',
        message: Number.isInteger(values[i])
          ? `count above 2^53 is rounded to ${values[i]}`
          : `count is not an integer: ${values[i]}`,
        offset,
        path: pathOf(section),
      });
      return;
    }
  }
}
