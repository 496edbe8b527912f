/**
 * Locations of pprof and OTLP profiles as places of the program. One with an address and a file that is mapped there is a place in native code, with a
 * frame for each inlined call; one without is known by its function and line alone, as in profiles of Java, Python and JavaScript.
 */
import { NONE } from '../../../base/flavor.js';
import { decodeUtf8, type StringId } from '../../../base/text.js';
import type { NativePlace } from '../../../models/program/places.js';
import {
  type FunctionId,
  type LoadObjectId,
  type LoadObjectKind,
  type LocationId,
  NO_LINE,
} from '../../../models/program/program.js';
import { FrameReader } from '../frame-text.js';
import type { LocationTables } from './location-tables.js';

/** Files of languages that run on the JVM: their functions are methods of classes. */
const JVM_FILE = /\.(?:java|kt|kts|scala|groovy|clj)$/;

export class TablePlaces {
  /** References to what the file does not define. */
  dangling = 0;
  /** Addresses of places that are known by function and line alone. */
  withoutAddress = 0;
  readonly #tables: LocationTables;
  readonly #frames: FrameReader;
  readonly #loadObjects: LoadObjectId[] = [];
  readonly #functions: FunctionId[] = [];

  constructor(tables: LocationTables) {
    this.#tables = tables;
    this.#frames = new FrameReader(tables.program);
  }

  /** StringId of a string of the file; -1 for the empty one, and for those that the file lacks. */
  string(index: number): StringId {
    const { strings, program } = this.#tables;
    if (index >= strings.length) {
      this.dangling++;
      return NONE;
    }
    // The first one is empty; a file where it is not says so as a problem.
    if (index === 0) return NONE;
    const id = strings.values[index];
    const offsets = program.names.offsets.values;
    return offsets[id] === offsets[id + 1] ? NONE : id;
  }

  /** The text of a string of the file; empty if the file lacks it. */
  text(index: number): string {
    return this.#textAt(this.string(index));
  }

  #textAt(id: StringId): string {
    const { program } = this.#tables;
    if (id < 0) return '';
    const offsets = program.names.offsets.values;
    return decodeUtf8(program.names.bytes.bytes, offsets[id], offsets[id + 1]);
  }

  /** The text of a string of the program. */
  textOf(id: StringId): string {
    return this.#textAt(id);
  }

  /** The text of a string of the file, of the first one too: some files of OTLP begin with another one than the empty one. */
  anyText(index: number): string {
    const { strings } = this.#tables;
    if (index < strings.length) return this.#textAt(strings.values[index]);
    this.dangling++;
    return '';
  }

  /** Whether the first string is none that all files begin with. */
  get lacksEmptyString(): boolean {
    const { strings, program } = this.#tables;
    const offsets = program.names.offsets.values;
    return strings.length > 0 && offsets[strings.values[0]] !== offsets[strings.values[0] + 1];
  }

  /** The load object of each mapping, in the order of the file: the first is mostly the program. */
  mapped(): void {
    const { mappings, mapped, program } = this.#tables;
    for (let row = 0; row < mappings.length; row++) {
      const file = this.string(mapped.file.values[row]);
      const path = this.text(mapped.file.values[row]);
      const build = /^(?:[0-9a-f]{2})+$/i.exec(this.text(mapped.build.values[row]))?.[0]?.toLowerCase();
      if (file < 0) this.#loadObjects.push(NONE);
      else
        this.#loadObjects.push(
          program.loadObject(file, kindOf(path, row), build === undefined ? NONE : program.name(build)),
        );
    }
    for (const [row, loadObject] of this.#loadObjects.entries())
      if (loadObject >= 0 && mapped.size.values[row] > 0)
        program.mapping({
          loadObject,
          high: mapped.startHigh.values[row],
          low: mapped.startLow.values[row],
          size: mapped.size.values[row],
          offset: mapped.offset.values[row],
          from: 0,
          to: Number.POSITIVE_INFINITY,
        });
  }

  /** The frames of a location, that of its caller first; `lines`: how many of its innermost lines are left out. */
  framesOf(low: number, high: number, lines = 0): LocationId[] {
    const { locations, lineStart, program } = this.#tables;
    const row = locations.rowOf(low, high);
    if (row < 0) {
      this.dangling++;
      return [program.location(program.pseudo(`<location ${(high >>> 0) * 2 ** 32 + (low >>> 0)}>`))];
    }
    const first = lineStart.values[row] + lines;
    const end = lineStart.values[row + 1];
    const place = this.#placeOf(row);
    if (place !== undefined) return this.#nativeFrames(place, first, end);
    if (first >= end) return [program.location(program.pseudo('[unknown]'))];
    const { locationAddress } = this.#tables;
    if ((locationAddress.low.values[row] | locationAddress.high.values[row]) !== 0) this.withoutAddress++;
    return Array.from({ length: end - first }, (_, i) => this.#named(end - 1 - i, i > 0));
  }

  /** Where a location is in native code; undefined if only its function is known. */
  #placeOf(row: number): NativePlace | undefined {
    const { locationAddress, locationMapping, mappings, mapped, lineStart, program } = this.#tables;
    const low = locationAddress.low.values[row];
    const high = locationAddress.high.values[row];
    if ((low | high) === 0) return undefined;
    const mapping = mappings.rowOf(locationMapping.low.values[row], locationMapping.high.values[row]);
    const loadObject = mapping < 0 ? NONE : (this.#loadObjects[mapping] ?? NONE);
    if (loadObject >= 0) {
      const start = mapped.startHigh.values[mapping];
      const distance =
        ((high >>> 0) - (start >>> 0)) * 2 ** 32 + ((low >>> 0) - (mapped.startLow.values[mapping] >>> 0));
      const offset = distance + mapped.offset.values[mapping];
      if (distance >= 0 && Number.isSafeInteger(offset)) return { loadObject, offset };
    }
    const isNamed = lineStart.values[row] < lineStart.values[row + 1];
    return isNamed ? undefined : { loadObject: program.unmapped(high), offset: low >>> 0 };
  }

  #nativeFrames(place: NativePlace, first: number, end: number): LocationId[] {
    const { program } = this.#tables;
    if (first >= end) return [program.nativeLocation(NONE, place)];
    const frames: LocationId[] = [];
    for (let at = end - 1; at >= first; at--) {
      const line = this.#lineAt(at);
      const inlinedInto = frames.at(-1) ?? NONE;
      frames.push(program.nativeLocation(this.#functionIn(at, place.loadObject), place, { line, inlinedInto }));
    }
    return frames;
  }

  #lineAt(at: number): number {
    const line = this.#tables.line.values[at];
    return line > 0 && line < 2 ** 31 ? line : NO_LINE;
  }

  #functionRow(at: number): number {
    const { functions, lineFunction } = this.#tables;
    const row = functions.rowOf(lineFunction.low.values[at], lineFunction.high.values[at]);
    if (row < 0) this.dangling++;
    return row;
  }

  /** The native function of a line; -1 if it has none. */
  #functionIn(at: number, loadObject: LoadObjectId): FunctionId {
    const { program, functionFile } = this.#tables;
    const row = this.#functionRow(at);
    if (row < 0) return NONE;
    const before = this.#functions[row];
    if (before !== undefined) return before;
    const name = this.#nameOf(row);
    if (name < 0) return NONE;
    const kernel = isKernel(this.#pathOf(loadObject));
    const unit = program.unit(NONE, loadObject);
    const id = program.native(name, { file: this.string(functionFile.values[row]), unit, kernel });
    this.#functions[row] = id;
    return id;
  }

  #pathOf(loadObject: LoadObjectId): string {
    return this.text(this.#tables.mapped.file.values[this.#loadObjects.indexOf(loadObject)] ?? 0);
  }

  #nameOf(row: number): StringId {
    const { functionName, functionSystemName } = this.#tables;
    const name = this.string(functionName.values[row]);
    return name >= 0 ? name : this.string(functionSystemName.values[row]);
  }

  /** A frame that has a function and a line, and no address. */
  #named(at: number, isInlined: boolean): LocationId {
    const { program, functionFile } = this.#tables;
    const row = this.#functionRow(at);
    const name = row < 0 ? NONE : this.#nameOf(row);
    const line = this.#lineAt(at);
    if (name < 0) return program.location(program.pseudo('[unknown]'), line);
    const file = this.string(functionFile.values[row]);
    const path = this.text(functionFile.values[row]);
    if (path !== '' && !JVM_FILE.test(path))
      return program.location(program.native(name, { file }), line, undefined, isInlined ? 'inlined' : 'unknown');
    return this.#frames.named(this.#textAt(name), file, line);
  }
}

function isKernel(path: string): boolean {
  return path.startsWith('[kernel') || path.startsWith('[guest.kernel');
}

function kindOf(path: string, row: number): LoadObjectKind {
  if (isKernel(path)) return 'kernel';
  if (path === 'jit' || path === '[jit]' || path.startsWith('//anon') || path === '[anon]') return 'jit';
  if (path.endsWith('.jar')) return 'jar';
  return row === 0 ? 'executable' : 'library';
}

/** Places of locations, each made when it is first needed. */
export function framesOfTables(places: TablePlaces) {
  const frames: LocationId[][] = [];
  const rows = new Map<string, number>();
  return {
    rowOf: (low: number, high: number): number => {
      const key = high === 0 ? `${low}` : `${low} ${high}`;
      const before = rows.get(key);
      if (before !== undefined) return before;
      rows.set(key, frames.length);
      return frames.push(places.framesOf(low, high)) - 1;
    },
    at: (row: number): readonly LocationId[] => frames[row] ?? [],
  };
}
