/**
 * A pprof profile as columns: each message of its outermost level becomes rows as it passes, with the numbers of the file; what they mean is
 * known only at the end, since samples come before the tables that they point at, and those before their strings. Schema:
 * `proto/profile.proto` of google/pprof. Memory: the rows, each distinct stack and name once.
 */
import { Float64Builder, Int32Builder } from '../../base/columns/columns.js';
import { IntTable } from '../../base/columns/hash.js';
import type { ProblemLog } from '../../base/problems.js';
import { ProgramBuilder } from '../../models/program/program-builder.js';
import { eachVarint, LENGTH, NO_INDEX, VARINT, WireReader } from '../shared/protobuf/wire.js';
import { SampleRows } from './samples.js';

/** Tables of the file by dense row; `ids` has the two halves of each id in the file. */
export class IdTable {
  readonly ids = new IntTable(16);
  /** Ids that were defined before. */
  repeated = 0;

  get length(): number {
    return this.ids.length;
  }

  /** Defines an id; false if it is defined, and the first one stays. */
  define({ low, high }: Id): boolean {
    const before = this.ids.length;
    if (this.ids.add(low, high) === before) return true;
    this.repeated++;
    return false;
  }

  /** The row of an id; -1 if the file does not define it. */
  rowOf(low: number, high: number): number {
    return this.ids.find(low, high);
  }
}

interface Id {
  low: number;
  high: number;
}

/** Fields of `Mapping`, `Function`, `ValueType`: all of them single numbers. */
const MAPPING_FIELDS = 10;
const FUNCTION_FIELDS = 5;

export class PprofDocument {
  readonly program = new ProgramBuilder();
  readonly samples: SampleRows;
  /** StringId of each string of the file. */
  readonly strings = new Int32Builder();
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

  readonly mappings = new IdTable();
  /** By mapping: start and end (two halves each), offset of the file, file name, build id. */
  readonly mapped = {
    startLow: new Int32Builder(16),
    startHigh: new Int32Builder(16),
    size: new Float64Builder(16),
    offset: new Float64Builder(16),
    file: new Int32Builder(16),
    build: new Int32Builder(16),
  };
  readonly functions = new IdTable();
  readonly functionName = new Int32Builder();
  readonly functionSystemName = new Int32Builder();
  readonly functionFile = new Int32Builder();
  readonly functionStart = new Int32Builder();
  readonly locations = new IdTable();
  readonly locationMapping = { low: new Int32Builder(), high: new Int32Builder() };
  readonly locationAddress = { low: new Int32Builder(), high: new Int32Builder() };
  readonly folded = new Int32Builder(16);
  /** Lines of location `row` are `lineStart[row] .. lineStart[row + 1])`, innermost first. */
  readonly lineStart = new Int32Builder();
  readonly lineFunction = { low: new Int32Builder(), high: new Int32Builder() };
  readonly line = new Float64Builder();
  readonly columns = new Float64Builder(16);
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
    this.lineStart.push(0);
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
        this.strings.push(this.program.names.add(bytes, start, stop));
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

  #id(field: number): Id {
    return { low: this.#low[field], high: this.#high[field] };
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
    if (!this.#numbers(field, MAPPING_FIELDS, offset, 'mapping') || !this.mappings.define(this.#id(1))) return;
    const { startLow, startHigh, size, offset: place, file, build } = this.mapped;
    startLow.push(this.#low[2]);
    startHigh.push(this.#high[2]);
    size.push(
      ((this.#high[3] >>> 0) - (this.#high[2] >>> 0)) * 2 ** 32 + ((this.#low[3] >>> 0) - (this.#low[2] >>> 0)),
    );
    place.push((this.#high[4] >>> 0) * 2 ** 32 + (this.#low[4] >>> 0));
    file.push(this.#index(5));
    build.push(this.#index(6));
  }

  #function(field: WireReader, offset: number): void {
    if (!this.#numbers(field, FUNCTION_FIELDS, offset, 'function') || !this.functions.define(this.#id(1))) return;
    this.functionName.push(this.#index(2));
    this.functionSystemName.push(this.#index(3));
    this.functionFile.push(this.#index(4));
    this.functionStart.push(this.#index(5));
  }

  #location({ bytes, start, stop }: WireReader, offset: number): void {
    const inner = this.#inner.set(bytes, start, stop);
    const first = this.line.length;
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
    if (!isWhole || !this.locations.define(this.#id(1))) {
      for (const each of [this.line, this.columns, this.lineFunction.low, this.lineFunction.high]) each.length = first;
      return;
    }
    this.locationMapping.low.push(this.#low[2]);
    this.locationMapping.high.push(this.#high[2]);
    this.locationAddress.low.push(this.#low[3]);
    this.locationAddress.high.push(this.#high[3]);
    if (this.#low[5] !== 0) this.folded.push(this.locations.length - 1);
    this.lineStart.push(this.line.length);
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
    this.lineFunction.low.push(low);
    this.lineFunction.high.push(high);
    this.line.push(line);
    this.columns.push(column);
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
