/** Places of a program as locations, functions and mappings of pprof: inlined calls become lines of the place that they were inlined into. */
import { NONE } from '../../base/flavor.js';
import { stringAt } from '../../base/text.js';
import type { StackTable } from '../../models/profile/profile.js';
import { inlinedIntoOf, lineOf, nativePlace } from '../../models/program/places.js';
import {
  FRAME_MODES,
  FUNCTION_KINDS,
  LOAD_OBJECT_KINDS,
  type LoadObjectId,
  type LocationId,
  type Program,
} from '../../models/program/program.js';
import { frameName, functionText } from '../shared/frame-text.js';
import type { WireWriter } from '../shared/protobuf/writer.js';

const INLINED = FRAME_MODES.indexOf('inlined');
const PSEUDO = FUNCTION_KINDS.indexOf('pseudo');
const UNMAPPED = LOAD_OBJECT_KINDS.indexOf('unmapped');
/** Where files begin whose addresses are unknown: not at 0, which means "no address". */
const SOMEWHERE = 0x10000;

/** Numbers of strings, in the order in which they are first needed. */
export class StringNumbers {
  readonly texts: string[] = [''];
  readonly #numbers = new Map([['', 0]]);

  of(text: string): number {
    const before = this.#numbers.get(text);
    if (before !== undefined) return before;
    this.#numbers.set(text, this.texts.length);
    return this.texts.push(text) - 1;
  }
}

interface WrittenMapping {
  readonly loadObject: LoadObjectId;
  readonly low: number;
  readonly high: number;
  readonly size: number;
  readonly offset: number;
}

export class WrittenPlaces {
  readonly #program: Program;
  readonly #stacks: StackTable;
  readonly #strings: StringNumbers;
  /** Locations: runs of places, the innermost first. */
  readonly #runs = new Map<string, number>();
  readonly #locations: (readonly LocationId[])[] = [];
  readonly #functions = new Map<string, number>();
  readonly #functionRows: { readonly name: string; readonly file: string }[] = [];
  readonly #mappings: WrittenMapping[] = [];

  constructor(program: Program, stacks: StackTable, strings: StringNumbers) {
    this.#program = program;
    this.#stacks = stacks;
    this.#strings = strings;
    const { mappings } = program;
    for (let row = 0; row < (mappings?.length ?? 0); row++)
      if (mappings !== undefined)
        this.#mappings.push({
          loadObject: mappings.loadObject[row],
          low: mappings.startLow[row],
          high: mappings.startHigh[row],
          size: mappings.size[row],
          offset: mappings.offset[row],
        });
  }

  /** The locations of a stack, leaf first, by their numbers. */
  locationsOf(stack: number): number[] {
    const { parent, location } = this.#stacks;
    const numbers: number[] = [];
    let run: LocationId[] = [];
    for (let id = stack; id >= 0; id = parent[id]) {
      const place = location[id];
      run.push(place);
      const caller = parent[id] < 0 ? NONE : location[parent[id]];
      if (caller >= 0 && this.#isInlined(place, caller)) continue;
      numbers.push(this.#locationOf(run));
      run = [];
    }
    return numbers;
  }

  #isInlined(place: LocationId, caller: LocationId): boolean {
    const { locations } = this.#program;
    const into = inlinedIntoOf(this.#program, place);
    if (into >= 0) return into === caller;
    return (
      locations.mode?.[place] === INLINED &&
      nativePlace(this.#program, place) === undefined &&
      nativePlace(this.#program, caller) === undefined
    );
  }

  #locationOf(run: readonly LocationId[]): number {
    const key = run.join(' ');
    const before = this.#runs.get(key);
    if (before !== undefined) return before;
    this.#runs.set(key, this.#locations.length + 1);
    return this.#locations.push(run);
  }

  /** Writes mappings, locations and functions into the outermost message; functions get their numbers from locations. */
  write(out: WireWriter, message: WireWriter, line: WireWriter): void {
    const locations = this.#locations.map((run) => this.#described(run));
    for (const [row, mapping] of this.#mappings.entries()) {
      const { names, loadObjects } = this.#program;
      const file = loadObjects === undefined ? '' : stringAt(names, loadObjects.path[mapping.loadObject]);
      const build = loadObjects?.buildId[mapping.loadObject] ?? -1;
      message.number(1, row + 1);
      message.halves(2, mapping.low, mapping.high);
      const end = (mapping.low >>> 0) + mapping.size;
      message.halves(3, end % 2 ** 32, (mapping.high >>> 0) + Math.floor(end / 2 ** 32));
      message.number(4, mapping.offset);
      message.number(5, this.#strings.of(file));
      message.number(6, build < 0 ? 0 : this.#strings.of(stringAt(names, build)));
      message.number(7, 1);
      out.message(3, message);
    }
    for (const [row, { mapping, low, high, lines }] of locations.entries()) {
      message.number(1, row + 1);
      message.number(2, mapping);
      message.halves(3, low, high);
      for (const one of lines) {
        line.number(1, one.function);
        line.number(2, one.line);
        message.message(4, line);
      }
      out.message(4, message);
    }
    for (const [row, { name, file }] of this.#functionRows.entries()) {
      message.number(1, row + 1);
      message.number(2, this.#strings.of(name));
      message.number(3, this.#strings.of(name));
      message.number(4, this.#strings.of(file));
      out.message(5, message);
    }
  }

  #described(run: readonly LocationId[]) {
    const program = this.#program;
    const [first = NONE] = run;
    const place = nativePlace(program, first);
    const lines = run.flatMap((location) => {
      const id = program.locations.function[location];
      // The pseudo function of a load object stands for an unknown one.
      if (place !== undefined && program.functions.kind[id] === PSEUDO) return [];
      const name = place === undefined ? frameName(program, location) : functionText(program, id);
      const file = program.functions.file?.[id] ?? NONE;
      return [
        {
          function: this.#functionOf(name, file < 0 ? '' : stringAt(program.names, file)),
          line: Math.max(0, lineOf(program, location)),
        },
      ];
    });
    if (place === undefined) return { mapping: 0, low: 0, high: 0, lines };
    const { loadObject, offset } = place;
    if (program.loadObjects?.kind[loadObject] === UNMAPPED) {
      const high = Number.parseInt(stringAt(program.names, program.loadObjects.path[loadObject]), 16);
      return { mapping: 0, low: offset, high, lines };
    }
    const row = this.#mappingOf(loadObject, offset);
    const mapping = this.#mappings[row];
    const address = (mapping?.low ?? 0) + offset - (mapping?.offset ?? 0);
    const high = (mapping?.high ?? 0) + Math.floor(address / 2 ** 32);
    return { mapping: row + 1, low: address % 2 ** 32, high, lines };
  }

  #functionOf(name: string, file: string): number {
    const key = `${name}\0${file}`;
    const before = this.#functions.get(key);
    if (before !== undefined) return before;
    this.#functions.set(key, this.#functionRows.length + 1);
    return this.#functionRows.push({ name, file });
  }

  /** The mapping of an offset in a load object; one without size where none has it. */
  #mappingOf(loadObject: LoadObjectId, offset: number): number {
    const row = this.#mappings.findIndex(
      (mapping) =>
        mapping.loadObject === loadObject &&
        offset >= mapping.offset &&
        (offset < mapping.offset + mapping.size || mapping.size === 0),
    );
    if (row >= 0) return row;
    return this.#mappings.push({ loadObject, low: SOMEWHERE, high: 0, size: 0, offset: 0 }) - 1;
  }
}
