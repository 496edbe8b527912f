/**
 * Places of code and paths of places, joined over several programs. A place is a joined function and a position in it
 * (bytecode index; else load object and offset, if the bytes are the same in all; else line). Two paths are the same if
 * all their places are, and the way they begin. Cost: 20 to 28 bytes a place and a frame of the joined paths.
 */
import { IntTable } from '../../base/columns/hash.js';
import type { StackTable } from '../../models/profile/profile.js';
import { nativeName } from '../../models/program/names.js';
import { bciOf, lineOf, nativePlace, OffsetTable } from '../../models/program/places.js';
import { bciName, type Program, UNKNOWN_BCI } from '../../models/program/program.js';
import { JOINS, type Join, type Sides } from './runs.js';

export class Places {
  readonly #sides: Sides;
  /** (function, bytecode index, line); in native code (-2 - number in `#natives`, 0, 0). */
  readonly #places = new IntTable();
  /** (function, number in `#offsets`). */
  readonly #natives = new IntTable(16);
  /** (joined load object, offset). */
  readonly #offsets = new OffsetTable();
  /** Names of the places in `#offsets`. */
  readonly #offsetNames: string[] = [];
  /** By run: location → place, -1 until needed. */
  readonly #known: readonly Int32Array[];

  constructor(sides: Sides) {
    this.#sides = sides;
    this.#known = sides.runs.map(({ recording }) => new Int32Array(recording.program.locations.length).fill(-1));
  }

  get length(): number {
    return this.#places.length;
  }

  /** The joined place of a location of a run. */
  of(run: number, location: number): number {
    const placeRows = this.#known[run];
    if (placeRows[location] < 0)
      placeRows[location] = this.#add(run, this.#sides.runs[run].recording.program, location);
    return placeRows[location];
  }

  #add(run: number, program: Program, location: number): number {
    const { functions, loadObjects } = this.#sides.united;
    const functionId = program.locations.function[location];
    const row = functionId < 0 ? -1 : functions.rows[run][functionId];
    const native = nativePlace(program, location);
    const loadObject = native === undefined ? -1 : loadObjects[run][native.loadObject];
    if (native !== undefined && loadObject >= 0) {
      const offset = this.#offsets.add(loadObject, native.offset);
      this.#offsetNames[offset] ??= nativeName(program, native);
      return this.#places.add(-2 - this.#natives.add(row, offset), 0, 0);
    }
    const bci = bciOf(program, location);
    return this.#places.add(row, bci, bci === UNKNOWN_BCI ? lineOf(program, location) : 0);
  }

  /** Joined function of each place. */
  functions(): Int32Array {
    const natives = this.#natives.column(0);
    return this.#places.column(0).map((row) => (row < -1 ? natives[-2 - row] : row));
  }

  /**
   * Names of places: `a.B.m(int):17`, `a.B.m line 12`, `main (app.c) at app!0x40`. Each call makes the columns anew:
   * keep the function returned.
   */
  names(): (place: number) => string {
    const [first, bcis, lines] = ([0, 1, 2] as const).map((which) => this.#places.column(which));
    const offsets = this.#natives.column(1);
    const functions = this.functions();
    const { functions: united } = this.#sides.united;
    return (place) => {
      const functionRow = functions[place];
      const name = functionRow < 0 ? '<unknown>' : united.name(functionRow);
      if (first[place] < -1) return `${name} at ${this.#offsetNames[offsets[-2 - first[place]]]}`;
      if (bcis[place] !== UNKNOWN_BCI) return `${name}:${bciName(bcis[place])}`;
      return lines[place] > 0 ? `${name} line ${lines[place]}` : name;
    };
  }

  /** How the function of a place was joined. */
  joins(): (place: number) => Join {
    const joins = this.#sides.functionJoins;
    const functions = this.functions();
    return (place) => JOINS[joins[functions[place]]] ?? 'exact';
  }
}

/** Paths: a trie of places, parents first. */
export class Paths {
  readonly #nodes = new IntTable();

  /** The path of each stack. */
  add(run: number, stacks: StackTable, places: Places): Int32Array {
    const paths = new Int32Array(stacks.length);
    for (let id = 0; id < stacks.length; id++) {
      const parent = stacks.parent[id];
      const above = parent >= 0 ? paths[parent] : -1 - stacks.ending[id];
      paths[id] = this.#nodes.add(above, places.of(run, stacks.location[id]));
    }
    return paths;
  }

  get length(): number {
    return this.#nodes.length;
  }

  /** The parent of each path; negative for a first frame. */
  parents(): Int32Array {
    return this.#nodes.column(0);
  }

  /** Place of the innermost frame of each path. */
  places(): Int32Array {
    return this.#nodes.column(1);
  }
}
