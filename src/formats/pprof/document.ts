/**
 * A pprof profile as columns: each message of its outermost level becomes rows as it passes, with the numbers of the file; what they mean is
 * known only at the end, since samples come before the tables that they point at, and those before their strings. Schema:
 * `proto/profile.proto` of google/pprof. Memory: the rows, each distinct stack and name once.
 */
import type { ProblemLog } from '../../base/problems.js';
import { eachVarint, LENGTH, NO_INDEX, VARINT, WireReader } from '../shared/protobuf/wire.js';
import { type IdTable, LocationTables } from '../shared/sampled-values/location-tables.js';
import { SampleRows } from './samples.js';

/** Fields of `Mapping`, `Function`, `ValueType`: all of them single numbers. */
const MAPPING_FIELDS = 10;
const FUNCTION_FIELDS = 5;

export class PprofDocument {
  readonly tables = new LocationTables();
  readonly samples: SampleRows;
  readonly types: { readonly type: number; readonly unit: number }[] = [];
  readonly comments: number[] = [];
  dropFrames = 0;
  keepFrames = 0;
  /** Nanoseconds since 1970, and of the recording. */
  time = 0;
  duration = 0;
  periodType: { readonly type: number; readonly unit: number } | undefined;
  period = 0;
  defaultType = 0;
  docUrl = 0;

  /** Locations whose code several functions share. */
  folded = 0;
  /** Fields that the schema does not have. */
  unknownFields = 0;
  hasColumns = false;
  /** Offset of the last field. */
  end = 0;

  readonly #inner = new WireReader();
  readonly #packed = new WireReader();
  readonly #nested = new WireReader();
  readonly #problems: ProblemLog;
  /** Values of the last message of single numbers, by field. */
  readonly #low = new Int32Array(MAPPING_FIELDS + 1);
  readonly #high = new Int32Array(MAPPING_FIELDS + 1);

  constructor(problems: ProblemLog) {
    this.#problems = problems;
    this.samples = new SampleRows(problems);
  }

  /** Takes a field of the outermost message. */
  readonly take = (field: WireReader, offset: number): void => {
    this.end = offset;
    const isRight = field.field === 13 ? field.isPackable : field.wire === (WIRES[field.field] ?? field.wire);
    if (!isRight) this.#report(offset, `field ${field.field} has the wrong wire type; left out`);
    else if (field.field <= 6 || field.field === 11) this.#message(field, offset);
    else this.#single(field, offset);
  };

  #single(field: WireReader, offset: number): void {
    if (field.field === 7) this.dropFrames = field.index;
    else if (field.field === 8) this.keepFrames = field.index;
    else if (field.field === 9) this.time = field.signed;
    else if (field.field === 10) this.duration = field.signed;
    else if (field.field === 12) this.period = field.signed;
    else if (field.field === 14) this.defaultType = field.index;
    else if (field.field === 15) this.docUrl = field.index;
    else if (field.field !== 13) this.unknownFields++;
    else if (!eachVarint(field, this.#packed, ({ index }) => this.comments.push(index)))
      this.#report(offset, 'a comment is not a number');
  }

  #message(field: WireReader, offset: number): void {
    const { bytes, start, stop } = field;
    switch (field.field) {
      case 1:
      case 11:
        this.#valueType(field, offset);
        return;
      case 2:
        this.samples.add(bytes, start, stop, offset);
        return;
      case 3:
        this.#mapping(field, offset);
        return;
      case 4:
        this.#location(field, offset);
        return;
      case 5:
        this.#function(field, offset);
        return;
      default:
        this.tables.strings.push(this.tables.program.names.add(bytes, start, stop));
    }
  }

  /** Reads a message of single numbers; false if it is damaged. */
  #numbers({ bytes, start, stop }: WireReader, fields: number, offset: number, name: string): boolean {
    const inner = this.#inner.set(bytes, start, stop);
    this.#low.fill(0);
    this.#high.fill(0);
    while (inner.next()) {
      if (inner.field > fields) this.unknownFields++;
      else if (inner.wire !== VARINT) return this.#report(offset, `a ${name} has a field that is no number; left out`);
      else {
        this.#low[inner.field] = inner.low;
        this.#high[inner.field] = inner.high;
      }
    }
    return inner.fault === 'none' || this.#report(offset, `a ${name} is damaged; left out`);
  }

  #index(field: number): number {
    return this.#high[field] === 0 && this.#low[field] >= 0 ? this.#low[field] : NO_INDEX;
  }

  #define(ids: IdTable): boolean {
    return ids.define(this.#low[1], this.#high[1]);
  }

  #valueType(field: WireReader, offset: number): void {
    const isPeriod = field.field === 11;
    if (!this.#numbers(field, 2, offset, 'type of values') && isPeriod) return;
    // A damaged type still has its place among the values.
    const type = { type: this.#index(1), unit: this.#index(2) };
    if (isPeriod) this.periodType = type;
    else this.types.push(type);
  }

  #mapping(field: WireReader, offset: number): void {
    if (!this.#numbers(field, MAPPING_FIELDS, offset, 'mapping') || !this.#define(this.tables.mappings)) return;
    const [low, high] = [this.#low, this.#high];
    this.tables.addMapping({
      low: low[2],
      high: high[2],
      size: ((high[3] >>> 0) - (high[2] >>> 0)) * 2 ** 32 + ((low[3] >>> 0) - (low[2] >>> 0)),
      offset: (high[4] >>> 0) * 2 ** 32 + (low[4] >>> 0),
      file: this.#index(5),
      build: this.#index(6),
    });
  }

  #function(field: WireReader, offset: number): void {
    if (!this.#numbers(field, FUNCTION_FIELDS, offset, 'function') || !this.#define(this.tables.functions)) return;
    this.tables.addFunction(this.#index(2), this.#index(3), this.#index(4), this.#index(5));
  }

  #location({ bytes, start, stop }: WireReader, offset: number): void {
    const inner = this.#inner.set(bytes, start, stop);
    this.#low.fill(0);
    this.#high.fill(0);
    let isSound = true;
    while (isSound && inner.next()) {
      const { field } = inner;
      if (field === 4) isSound = inner.wire === LENGTH && this.#line(inner);
      else if (field > 5) this.unknownFields++;
      else if (inner.wire !== VARINT) isSound = false;
      else {
        this.#low[field] = inner.low;
        this.#high[field] = inner.high;
      }
    }
    const isWhole = isSound && inner.fault === 'none';
    if (!isWhole) this.#report(offset, 'a location is damaged; left out');
    if (!isWhole || !this.#define(this.tables.locations)) {
      this.tables.dropLines();
      return;
    }
    if (this.#low[5] !== 0) this.folded++;
    this.tables.addLocation(this.#low[2], this.#high[2], this.#low[3], this.#high[3]);
  }

  #line({ bytes, start, stop }: WireReader): boolean {
    const nested = this.#nested.set(bytes, start, stop);
    let [low, high, line, column] = [0, 0, 0, 0];
    while (nested.next()) {
      if (nested.field > 3) this.unknownFields++;
      else if (nested.wire !== VARINT) return false;
      else if (nested.field === 1) ({ low, high } = nested);
      else if (nested.field === 2) line = nested.signed;
      else column = nested.signed;
    }
    this.tables.addLine(low, high, line);
    this.hasColumns ||= column !== 0;
    return nested.fault === 'none';
  }

  #report(offset: number, message: string): false {
    this.#problems.add({ code: 'pprof-schema', severity: 'error', offset, message });
    return false;
  }
}

/** Wire types of the outermost fields. */
const WIRES: Readonly<Record<number, number>> = {
  ...Object.fromEntries([1, 2, 3, 4, 5, 6, 11].map((field) => [field, LENGTH])),
  ...Object.fromEntries([7, 8, 9, 10, 12, 14, 15].map((field) => [field, VARINT])),
};
