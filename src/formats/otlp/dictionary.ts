/**
 * The dictionary of a file of OTLP profiles: tables that all its profiles point into by row. Schema: `profiles/v1development/profiles.proto` of
 * opentelemetry-proto, 1.7 to 1.11, whose dictionaries differ in field 7 and in how attributes spell their keys.
 */
import { Float64Builder, Int32Builder } from '../../base/columns/columns.js';
import type { StringId } from '../../base/text.js';
import { rootOf, StackBuilder } from '../../models/profile/stack-builder.js';
import { eachVarint, FIXED64, LENGTH, NO_INDEX, VARINT, WireReader } from '../shared/protobuf/wire.js';
import { LocationTables } from '../shared/sampled-values/location-tables.js';

/** Reports a damaged part, which is left out. */
export type Report = (message: string) => void;

export class OtlpDictionary {
  readonly tables = new LocationTables();
  /** Stacks of rows of locations: of those of the table, and of those that samples of 1.7 name. */
  readonly stacks = new StackBuilder();
  /** Stack of each row of the table of stacks; -1 of an empty one. */
  readonly stackOf = new Int32Builder();
  /** Keys of attributes: rows of strings, or strings of the program where the layout has keys as texts. */
  readonly attributeKey = new Int32Builder(16);
  readonly hasTextKey = new Int32Builder(16);
  /** Their values: a string of the program, or -1 and a number. */
  readonly attributeText = new Int32Builder(16);
  readonly attributeNumber = new Float64Builder(16);
  readonly attributeUnit = new Int32Builder(16);
  /** Messages of field 7 that hold a list of locations, and those that hold numbers. */
  stackMessages = 0;
  unitMessages = 0;
  links = 0;

  readonly #reader = new WireReader();
  readonly #inner = new WireReader();
  readonly #nested = new WireReader();
  readonly #report: Report;
  readonly #low = new Int32Array(8);
  readonly #high = new Int32Array(8);
  #frames: { readonly low: number; readonly high: number }[] = [];

  constructor(report: Report) {
    this.#report = report;
  }

  /** Takes a `ProfilesDictionary` message. */
  add(bytes: Uint8Array, start: number, end: number): void {
    const reader = this.#reader.set(bytes, start, end);
    while (reader.next()) {
      if (reader.wire !== LENGTH) this.#report('the dictionary has a field that is no message');
      else this.#entry(reader);
    }
    if (reader.fault !== 'none') this.#report('the dictionary is damaged; the rest of it is not read');
  }

  /** The stack of locations by their rows, leaf first. */
  stack(locations: readonly { readonly low: number; readonly high: number }[]): number {
    let stack = rootOf('whole');
    for (let i = locations.length - 1; i >= 0; i--) {
      const location = locations[i];
      if (location !== undefined) stack = this.stacks.add(stack, location.low, location.high);
    }
    return locations.length === 0 ? -1 : stack;
  }

  #entry(field: WireReader): void {
    const { bytes, start, stop } = field;
    const { tables } = this;
    if (field.field === 1) this.#mapping(bytes, start, stop);
    else if (field.field === 2) this.#location(bytes, start, stop);
    else if (field.field === 3) {
      this.#numbers(bytes, start, stop, 'a function');
      tables.functions.define(tables.functions.length, 0);
      tables.addFunction(this.#index(1), this.#index(2), this.#index(3), this.#index(4));
    } else if (field.field === 4) this.links++;
    else if (field.field === 5) tables.strings.push(tables.program.names.add(bytes, start, stop));
    else if (field.field === 6) this.#attribute(bytes, start, stop);
    else if (field.field === 7) this.#stackOrUnit(bytes, start, stop);
  }

  /** Single numbers of a message by field, others as 0. A damaged message keeps its row: all others are known by theirs. */
  #numbers(bytes: Uint8Array, start: number, end: number, name: string, visit?: (inner: WireReader) => boolean): void {
    const inner = this.#inner.set(bytes, start, end);
    this.#low.fill(0);
    this.#high.fill(0);
    while (inner.next()) {
      if (inner.wire === VARINT && inner.field < this.#low.length) {
        this.#low[inner.field] = inner.low;
        this.#high[inner.field] = inner.high;
      } else if (visit?.(inner) === false) {
        this.#report(`${name} is damaged`);
        return;
      }
    }
    if (inner.fault !== 'none') this.#report(`${name} is damaged`);
  }

  #index(field: number): number {
    return this.#high[field] === 0 && this.#low[field] >= 0 ? this.#low[field] : NO_INDEX;
  }

  #mapping(bytes: Uint8Array, start: number, end: number): void {
    this.#numbers(bytes, start, end, 'a mapping');
    const { mappings } = this.tables;
    const [low, high] = [this.#low, this.#high];
    mappings.define(mappings.length, 0);
    this.tables.addMapping({
      low: low[1],
      high: high[1],
      size: ((high[2] >>> 0) - (high[1] >>> 0)) * 2 ** 32 + ((low[2] >>> 0) - (low[1] >>> 0)),
      offset: (high[3] >>> 0) * 2 ** 32 + (low[3] >>> 0),
      file: this.#index(4),
      build: 0,
    });
  }

  #location(bytes: Uint8Array, start: number, end: number): void {
    const { tables } = this;
    this.#numbers(bytes, start, end, 'a location', (inner) => inner.field !== 3 || this.#line(inner));
    tables.locations.define(tables.locations.length, 0);
    tables.addLocation(this.#low[1], this.#high[1], this.#low[2], this.#high[2]);
  }

  #line({ bytes, start, stop, wire }: WireReader): boolean {
    if (wire !== LENGTH) return false;
    const nested = this.#nested.set(bytes, start, stop);
    let [low, high, line] = [0, 0, 0];
    while (nested.next()) {
      if (nested.wire !== VARINT) return false;
      if (nested.field === 1) ({ low, high } = nested);
      else if (nested.field === 2) line = nested.signed;
    }
    this.tables.addLine(low, high, line);
    return nested.fault === 'none';
  }

  #attribute(bytes: Uint8Array, start: number, end: number): void {
    const { program } = this.tables;
    let [textKey, text, value]: [StringId, StringId, number] = [-1, -1, Number.NaN];
    this.#numbers(bytes, start, end, 'an attribute', (inner) => {
      if (inner.wire !== LENGTH) return false;
      if (inner.field === 1) textKey = program.names.add(inner.bytes, inner.start, inner.stop);
      if (inner.field !== 2) return true;
      const any = this.#nested.set(inner.bytes, inner.start, inner.stop);
      while (any.next()) {
        if (any.field === 1 && any.wire === LENGTH) text = program.names.add(any.bytes, any.start, any.stop);
        else if (any.field === 2 && any.wire === VARINT) text = program.name(any.low === 0 ? 'false' : 'true');
        else if (any.field === 3 && any.wire === VARINT) value = any.signed;
        else if (any.field === 4 && any.wire === FIXED64) value = doubleOf(any);
      }
      return any.fault === 'none';
    });
    this.attributeKey.push(textKey >= 0 ? textKey : this.#index(1));
    this.hasTextKey.push(textKey >= 0 ? 1 : 0);
    this.attributeText.push(text);
    this.attributeNumber.push(value);
    this.attributeUnit.push(this.#index(3));
  }

  /** From 1.8 on a list of rows of locations; before, the unit of an attribute. */
  #stackOrUnit(bytes: Uint8Array, start: number, end: number): void {
    this.#frames = [];
    let isStack = start === end;
    this.#numbers(bytes, start, end, 'a stack', (inner) => {
      isStack ||= inner.field === 1 && inner.wire === LENGTH;
      return eachVarint(inner, this.#nested, ({ low, high }) => this.#frames.push({ low, high }));
    });
    if (isStack) this.stackMessages++;
    else this.unitMessages++;
    this.stackOf.push(this.stack(this.#frames));
  }
}

function doubleOf({ low, high }: WireReader): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setInt32(0, low, true);
  view.setInt32(4, high, true);
  return view.getFloat64(0, true);
}
