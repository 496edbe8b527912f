/**
 * Tables of mappings, functions and locations as pprof and OTLP have them, by the numbers that the file gives their rows; names are numbers of
 * strings of the file. `places.ts` makes places of them once all are read.
 */
import { Float64Builder, Int32Builder } from '../../../base/columns/columns.js';
import { IntTable } from '../../../base/columns/hash.js';
import { ProgramBuilder } from '../../../models/program/program-builder.js';

/** Dense rows by the numbers that a file gives them, of which both halves are kept. */
export class IdTable {
  readonly ids = new IntTable(16);
  /** Ids that were defined before. */
  repeated = 0;

  get length(): number {
    return this.ids.length;
  }

  /** Defines an id; false if it is defined, and the first one stays. */
  define(low: number, high: number): boolean {
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

/** A mapping: its start in two halves, its size, and numbers of strings. */
export interface MappingRow {
  readonly low: number;
  readonly high: number;
  readonly size: number;
  readonly offset: number;
  readonly file: number;
  readonly build: number;
}

export class LocationTables {
  readonly program = new ProgramBuilder();
  /** StringId of each string of the file. */
  readonly strings = new Int32Builder();
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
  /** Lines of location `row` are `lineStart[row] .. lineStart[row + 1])`, innermost first. */
  readonly lineStart = new Int32Builder();
  readonly lineFunction = { low: new Int32Builder(), high: new Int32Builder() };
  readonly line = new Float64Builder();

  constructor() {
    this.lineStart.push(0);
  }

  /** The values of a mapping whose number was defined. */
  addMapping({ low, high, size, offset, file, build }: MappingRow): void {
    const { mapped } = this;
    mapped.startLow.push(low);
    mapped.startHigh.push(high);
    mapped.size.push(size);
    mapped.offset.push(offset);
    mapped.file.push(file);
    mapped.build.push(build);
  }

  addFunction(name: number, systemName: number, file: number, start: number): void {
    this.functionName.push(name);
    this.functionSystemName.push(systemName);
    this.functionFile.push(file);
    this.functionStart.push(start);
  }

  /** A line of the location that `addLocation` ends. */
  addLine(low: number, high: number, line: number): void {
    this.lineFunction.low.push(low);
    this.lineFunction.high.push(high);
    this.line.push(line);
  }

  /** Forgets the lines of a location that is left out. */
  dropLines(): void {
    const first = this.lineStart.values[this.lineStart.length - 1];
    for (const column of [this.line, this.lineFunction.low, this.lineFunction.high]) column.length = first;
  }

  addLocation(mappingLow: number, mappingHigh: number, low: number, high: number): void {
    this.locationMapping.low.push(mappingLow);
    this.locationMapping.high.push(mappingHigh);
    this.locationAddress.low.push(low);
    this.locationAddress.high.push(high);
    this.lineStart.push(this.line.length);
  }
}
