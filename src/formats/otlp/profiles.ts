/** The profiles of an OTLP file as rows: once the layout is known, every sample becomes one row, or one for each of its timestamps. */
import { Float64Builder, Int32Builder } from '../../base/columns/columns.js';
import { eachVarint, FIXED64, LENGTH, VARINT, WireReader } from '../shared/protobuf/wire.js';
import { LabelList } from '../shared/sampled-values/labels.js';
import type { TablePlaces } from '../shared/sampled-values/places.js';
import type { OtlpDictionary, Report } from './dictionary.js';
import type { OtlpLayout } from './layout.js';

interface Halves {
  readonly low: number;
  readonly high: number;
}

/** Fields of samples: 0 is none. */
interface SampleFields {
  readonly values: number;
  readonly attributes: number;
  readonly timestamps: number;
  readonly link: number;
}

const SAMPLE: Readonly<Record<OtlpLayout, SampleFields>> = {
  '1.7': { values: 3, attributes: 4, link: 5, timestamps: 6 },
  '1.8–1.9': { values: 2, attributes: 3, link: 4, timestamps: 5 },
  '1.10–1.11': { values: 4, attributes: 2, link: 3, timestamps: 5 },
};

interface ProfileFields {
  readonly time: number;
  readonly duration: number;
  readonly periodType: number;
  readonly period: number;
}

const OLD_PROFILE: ProfileFields = { time: 4, duration: 5, periodType: 6, period: 7 };
const PROFILE: ProfileFields = { time: 3, duration: 4, periodType: 5, period: 6 };
const DEFAULT_TYPE = 9;

/** A profile of the file: its types of values, by rows of strings, and its rows. */
export interface OtlpProfile {
  readonly types: readonly { readonly type: number; readonly unit: number }[];
  readonly defaultType: number;
  readonly periodUnit: number;
  readonly period: number;
  readonly time: Halves;
  readonly duration: number;
  readonly first: number;
  readonly last: number;
}

export class OtlpRows {
  readonly stack = new Int32Builder();
  /** Values of row `row` are `values[valueStart[row] .. valueStart[row + 1])`. */
  readonly values = new Float64Builder();
  readonly valueStart = new Int32Builder();
  readonly timeLow = new Int32Builder();
  readonly timeHigh = new Int32Builder();
  readonly attributes = new LabelList();
  readonly profiles: OtlpProfile[] = [];
  samples = 0;
  linked = 0;
  /** Samples whose values are neither one for each timestamp nor one for all. */
  uneven = 0;
  /** Rows of the dictionary that are not there. */
  dangling = 0;

  readonly #layout: OtlpLayout;
  readonly #dictionary: OtlpDictionary;
  readonly #places: TablePlaces;
  readonly #report: Report;
  readonly #sample = new WireReader();
  readonly #nested = new WireReader();

  constructor(layout: OtlpLayout, dictionary: OtlpDictionary, places: TablePlaces, report: Report) {
    this.#places = places;
    this.#layout = layout;
    this.#dictionary = dictionary;
    this.#report = report;
    this.valueStart.push(0);
  }

  /** A `Profile` message. */
  add(bytes: Uint8Array): void {
    const isOld = this.#layout === '1.7';
    const fields = isOld ? OLD_PROFILE : PROFILE;
    const first = this.stack.length;
    const types: { type: number; unit: number }[] = [];
    const numbers = new Map<number, number>();
    let [time, periodUnit]: [Halves, number] = [{ low: 0, high: 0 }, 0];
    const locations = isOld ? this.#locations(bytes) : [];
    const reader = new WireReader().set(bytes, 0, bytes.length);
    while (reader.next()) {
      const { field, wire } = reader;
      if (field === 1 && wire === LENGTH) types.push(this.#valueType(reader));
      else if (field === 2 && wire === LENGTH) this.#addSample(reader, locations, types.length);
      else if (field === fields.time && wire !== LENGTH) time = { low: reader.low, high: reader.high };
      else if (field === fields.periodType && wire === LENGTH) periodUnit = this.#valueType(reader).unit;
      else if (wire === VARINT || wire === FIXED64) numbers.set(field, reader.signed);
    }
    if (reader.fault !== 'none') this.#report('a profile is damaged; the rest of it is not read');
    this.profiles.push({
      ...{ types, periodUnit, time, first, last: this.stack.length },
      defaultType: isOld ? (numbers.get(DEFAULT_TYPE) ?? 0) : 0,
      period: numbers.get(fields.period) ?? 0,
      duration: numbers.get(fields.duration) ?? 0,
    });
  }

  /** The list of locations that samples of 1.7 point into; it may follow them. */
  #locations(bytes: Uint8Array): Halves[] {
    const list: Halves[] = [];
    const reader = new WireReader().set(bytes, 0, bytes.length);
    while (reader.next())
      if (reader.field === 3 && !eachVarint(reader, this.#nested, ({ low, high }) => list.push({ low, high })))
        this.#report('the list of locations of a profile is damaged');
    return list;
  }

  #valueType({ bytes, start, stop }: WireReader): { type: number; unit: number } {
    const nested = this.#nested.set(bytes, start, stop);
    let [type, unit] = [0, 0];
    while (nested.next()) {
      if (nested.wire !== VARINT) continue;
      if (nested.field === 1) type = nested.index;
      else if (nested.field === 2) unit = nested.index;
    }
    if (nested.fault !== 'none') this.#report('a type of values is damaged');
    return { type, unit };
  }

  #addSample(field: WireReader, locations: readonly Halves[], types: number): void {
    const numbers = SAMPLE[this.#layout];
    const sample = this.#sample.set(field.bytes, field.start, field.stop);
    const values: number[] = [];
    const times: Halves[] = [];
    const attributes: number[] = [];
    let [first, second] = [0, 0];
    let isSound = true;
    while (isSound && sample.next()) {
      if (sample.field === 1 && sample.wire === VARINT) first = sample.index;
      else if (sample.field === numbers.values)
        isSound = eachVarint(sample, this.#nested, ({ signed }) => values.push(signed));
      else if (sample.field === numbers.attributes)
        isSound = eachVarint(sample, this.#nested, ({ index }) => attributes.push(index));
      else if (sample.field === numbers.timestamps) isSound = this.#times(sample, times);
      else if (sample.field === numbers.link) this.linked += sample.low === 0 ? 0 : 1;
      else if (sample.field === 2 && sample.wire === VARINT) second = sample.index;
    }
    if (!isSound || sample.fault !== 'none') {
      this.#report('a sample is damaged; left out');
      return;
    }
    this.samples++;
    const stack = this.#layout === '1.7' ? this.#stackOf(locations, first, second) : this.#stackAt(first);
    this.#rows(stack, values, times, attributes, Math.max(1, types));
  }

  #stackAt(row: number): number {
    const { stackOf } = this.#dictionary;
    if (row < stackOf.length) return stackOf.values[row];
    this.dangling++;
    return -1;
  }

  #stackOf(locations: readonly Halves[], start: number, length: number): number {
    if (start + length > locations.length) this.dangling++;
    return this.#dictionary.stack(locations.slice(start, start + length));
  }

  /** Packed or single, of eight bytes, or varints in 1.7. */
  #times(field: WireReader, times: Halves[]): boolean {
    const push = ({ low, high }: Halves): void => void times.push({ low, high });
    if (field.wire === FIXED64) push(field);
    else if (this.#layout === '1.7') return eachVarint(field, this.#nested, push);
    else if (field.wire !== LENGTH || (field.stop - field.start) % 8 !== 0) return false;
    else {
      const view = new DataView(field.bytes.buffer, field.bytes.byteOffset);
      for (let at = field.start; at < field.stop; at += 8)
        push({ low: view.getInt32(at, true), high: view.getInt32(at + 4, true) });
    }
    return true;
  }

  /** In 1.7 a value for each type; later one type, and a value for each timestamp, or one for the sample; none counts each timestamp 1. */
  #rows(
    stack: number,
    values: readonly number[],
    times: readonly Halves[],
    attributes: readonly number[],
    types: number,
  ): void {
    const [time] = times;
    if (this.#layout === '1.7') {
      const even = Array.from({ length: types }, (_, type) => values[type] ?? 0);
      if (values.length !== types) this.uneven++;
      this.#row(stack, even, time, attributes);
      return;
    }
    if (times.length > 0 && (values.length === 0 || values.length === times.length)) {
      for (const [i, each] of times.entries()) this.#row(stack, [values[i] ?? 1], each, attributes);
      return;
    }
    if (times.length > 0 || values.length !== 1) this.uneven++;
    this.#row(stack, [values.reduce((sum, value) => sum + value, 0)], time, attributes);
  }

  #row(stack: number, values: readonly number[], time: Halves | undefined, attributes: readonly number[]): void {
    const row = this.stack.push(stack);
    for (const value of values) this.values.push(value);
    this.valueStart.push(this.values.length);
    this.timeLow.push(time?.low ?? 0);
    this.timeHigh.push(time?.high ?? 0);
    for (const attribute of attributes) this.#attribute(row, attribute);
  }

  #attribute(row: number, attribute: number): void {
    const { attributeText, attributeNumber, attributeUnit, attributeKey, hasTextKey } = this.#dictionary;
    if (attribute >= attributeKey.length) {
      this.dangling++;
      return;
    }
    const text = attributeText.values[attribute];
    const value = attributeNumber.values[attribute];
    const key = attributeKey.values[attribute];
    const name = hasTextKey.values[attribute] === 1 ? key : this.#places.string(key);
    // Attribute 0 of later layouts is none: it has no key, and values of other kinds (lists) have no place.
    if (name < 0 || (text < 0 && Number.isNaN(value))) return;
    this.attributes.add(row, name, text, value, this.#places.string(attributeUnit.values[attribute]));
  }
}
