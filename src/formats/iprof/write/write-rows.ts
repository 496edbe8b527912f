/** Writes rows of the models as JSON of `.iprof` elements, one chunk at a time. */
import { bciOf } from '../../../models/program/places.js';
import { CLASS_KINDS, FUNCTION_KINDS } from '../../../models/program/program.js';
import { COLON, COMMA } from '../../shared/json-bytes.js';
import { fragment, type JsonWriter } from '../../shared/json-writer.js';
import type { EntryKind } from '../rows.js';
import { ARITY } from '../vocabulary.js';
import type { SectionPlan } from './write-layout.js';
import type { EntryRows, RowSource } from './write-source.js';

const LESS = 0x3c;

const OPEN_ID = fragment('{"id":');
const OPEN_RECORDS = fragment('{"records":[');
const RECORDS = fragment('","records":[');
const SIGNATURE = fragment(',"signature":[');
const CLOSE_OBJECT = fragment('}');
const CLOSE_LISTS = fragment(']}');
const NO_CONTEXT = fragment('0:0');

const MISSING_CLASS = CLASS_KINDS.indexOf('missing');
const MISSING_FUNCTION = FUNCTION_KINDS.indexOf('missing');

/** The rows of one section, in order. */
export interface RowCursor {
  /** Rows (types, methods) or entries of the section. */
  readonly total: number;
  /** The next row. */
  readonly position: number;
  /** Rows that could not be written. */
  readonly lost: number;
  /** Writes rows before `end`, or fewer when the chunk is full. */
  write(out: JsonWriter, end: number): void;
  /** Skips a row. */
  skip(): void;
}

/** `strict`: rows that violate the schema are omitted. */
export function rowCursor(source: RowSource, plan: SectionPlan, strict: boolean): RowCursor {
  switch (plan.kind) {
    case 'types':
      return new TypeCursor(source, plan);
    case 'methods':
      return new MethodCursor(source, plan);
    case 'raw':
      throw new Error('a raw section has no rows');
    default:
      return new EntryCursor(source, plan.kind, plan, strict);
  }
}

class TypeCursor implements RowCursor {
  readonly total: number;
  readonly lost = 0;
  position = 0;
  readonly #source: RowSource;
  readonly #name: Uint8Array;

  constructor(source: RowSource, plan: SectionPlan) {
    this.total = source.types;
    this.#source = source;
    this.#name = fragment(`,"${plan.nameKey}":`);
  }

  write(out: JsonWriter, end: number): void {
    const { classIds, program } = this.#source;
    const { classes, names } = program;
    let row = this.position;
    for (; row < end && !out.full; row++) {
      if (classes.kind[row] === MISSING_CLASS) continue;
      out.separate();
      out.text(OPEN_ID);
      out.integer(classIds[row]);
      out.text(this.#name);
      const name = classes.name[row];
      if (name < 0) out.string(names.bytes, 0, 0);
      else out.string(names.bytes, names.offsets[name], names.offsets[name + 1]);
      out.text(CLOSE_OBJECT);
    }
    this.position = row;
  }

  skip(): void {
    this.position++;
  }
}

class MethodCursor implements RowCursor {
  readonly total: number;
  position = 0;
  /** Methods with types and without a declaring class: the format cannot contain their types. */
  lost = 0;
  readonly #source: RowSource;
  readonly #name: Uint8Array;

  constructor(source: RowSource, plan: SectionPlan) {
    this.total = source.methods;
    this.#source = source;
    this.#name = fragment(`,"${plan.nameKey}":`);
  }

  write(out: JsonWriter, end: number): void {
    const { functionIds, program } = this.#source;
    const { functions, names } = program;
    let row = this.position;
    for (; row < end && !out.full; row++) {
      if (functions.kind[row] === MISSING_FUNCTION) continue;
      out.separate();
      out.text(OPEN_ID);
      out.integer(functionIds[row]);
      out.text(this.#name);
      const name = functions.name[row];
      if (name < 0) out.string(names.bytes, 0, 0);
      else out.string(names.bytes, names.offsets[name], names.offsets[name + 1]);
      out.text(SIGNATURE);
      this.#writeSignature(out, row);
      out.text(CLOSE_LISTS);
    }
    this.position = row;
  }

  #writeSignature(out: JsonWriter, row: number): void {
    const { classIds, program } = this.#source;
    const { class: declaring, signature, signatureStart } = program.functions;
    const end = signatureStart[row + 1];
    if (declaring[row] < 0) {
      if (end > signatureStart[row]) this.lost++;
      return;
    }
    out.integer(classIds[declaring[row]]);
    for (let i = signatureStart[row]; i < end; i++) {
      out.byte(COMMA);
      out.integer(classIds[signature[i]]);
    }
  }

  skip(): void {
    this.position++;
  }
}

const NO_ENTRIES: EntryRows = {
  length: 0,
  sites: 0,
  stack: new Int32Array(0),
  site: new Int32Array(0),
  first: undefined,
  second: undefined,
  count: new Int32Array(0),
};

export class EntryCursor implements RowCursor {
  readonly total: number;
  position = 0;
  /** Violations of the schema: call counts that are not at the start of a method, non-integer counts. */
  lost = 0;
  readonly #source: RowSource;
  readonly #rows: EntryRows;
  readonly #kind: EntryKind;
  readonly #open: Uint8Array;
  readonly #separator: number;
  readonly #single: boolean;
  readonly #strict: boolean;
  /** Row of the table at which entry `position` begins. */
  #row = 0;

  constructor(source: RowSource, kind: EntryKind, plan: SectionPlan, strict: boolean) {
    this.#rows = source.entries.get(kind) ?? NO_ENTRIES;
    this.total = this.#rows.sites;
    this.#source = source;
    this.#kind = kind;
    this.#open = fragment(`{"${plan.contextKey}":"`);
    this.#separator = plan.contextKey === 'ctx' ? LESS : COMMA;
    this.#single = plan.single;
    this.#strict = strict;
  }

  write(out: JsonWriter, end: number): void {
    for (; this.position < end && !out.full; this.position++) {
      if (this.#strict && this.#kind === 'call' && !this.#isAtStart()) {
        this.lost++;
        this.#row = this.#behind();
        continue;
      }
      out.separate();
      if (this.#single) out.text(OPEN_RECORDS);
      else {
        out.text(this.#open);
        if (this.#kind === 'monitor') out.text(NO_CONTEXT);
        else this.#writeContext(out, this.#rows.stack[this.#row]);
        out.text(RECORDS);
      }
      const behind = this.#behind();
      this.#writeRecords(out, behind);
      this.#row = behind;
      out.text(CLOSE_LISTS);
    }
  }

  /** All monitor entries as one object without a context, as version 0.2.0 has them. */
  writeAsOne(out: JsonWriter): void {
    const { count, first, length } = this.#rows;
    let after = false;
    out.text(OPEN_RECORDS);
    for (let row = 0; row < length; row++) {
      if (this.#strict && !Number.isInteger(count[row])) {
        this.lost++;
        continue;
      }
      if (after) out.byte(COMMA);
      after = true;
      out.integer(this.#source.classIds[first?.[row] ?? 0]);
      out.byte(COMMA);
      out.number(count[row]);
    }
    out.text(CLOSE_LISTS);
    this.position = this.total;
  }

  skip(): void {
    this.#row = this.#behind();
    this.position++;
  }

  /** Row after the entry that begins at `#row`. */
  #behind(): number {
    const { site, length } = this.#rows;
    let row = this.#row;
    const own = site[row];
    while (row < length && site[row] === own) row++;
    return row;
  }

  #isAtStart(): boolean {
    const location = this.#source.profile?.stacks.location[this.#rows.stack[this.#row]] ?? -1;
    return this.#source.callsAtStart || bciOf(this.#source.program, location) === 0;
  }

  #writeRecords(out: JsonWriter, behind: number): void {
    const { first, second, count } = this.#rows;
    const arity = ARITY[this.#kind];
    const typed = arity === 2 ? this.#source.classIds : undefined;
    for (let row = this.#row; row < behind; row++) {
      if (row > this.#row) out.byte(COMMA);
      if (first !== undefined && arity > 1) {
        out.integer(typed === undefined ? first[row] : typed[first[row]]);
        out.byte(COMMA);
      }
      if (second !== undefined && arity > 2) {
        out.integer(second[row]);
        out.byte(COMMA);
      }
      out.number(count[row]);
    }
  }

  #writeContext(out: JsonWriter, leaf: number): void {
    const { functionIds, program, profile, callsAtStart } = this.#source;
    if (profile === undefined) return;
    const { parent, location } = profile.stacks;
    const { function: functions } = program.locations;
    for (let stack = leaf; stack >= 0; stack = parent[stack]) {
      if (stack !== leaf) out.byte(this.#separator);
      const place = location[stack];
      out.integer(functionIds[functions[place]]);
      out.byte(COLON);
      out.integer(callsAtStart && stack === leaf && this.#kind === 'call' ? 0 : bciOf(program, place));
    }
  }
}
