/**
 * Functions that gprofng makes for places that no symbol has, by event: it looks for the function of each frame of each event, and its tables forget
 * places, so that one place may be in several functions. Then each of these gets a location of its own, and events with it other stacks.
 */
import { IO_EVENTS } from '../../../models/events/io.js';
import { NATIVE_MEMORY_EVENTS } from '../../../models/events/memory.js';
import { SAMPLE_EVENTS } from '../../../models/events/sample.js';
import { MACHINE_STACK, STACK } from '../../../models/events/shared-fields.js';
import { CPU_SAMPLE_EVENTS } from '../../../models/events/thread-samples.js';
import { WAIT_EVENTS } from '../../../models/events/wait.js';
import { mapTables, type Profile, STACK_ENDINGS, type StackId } from '../../../models/profile/profile.js';
import { rootOf, StackBuilder } from '../../../models/profile/stack-builder.js';
import type { LocationId, Program } from '../../../models/program/program.js';
import type { Recording } from '../../../models/recording.js';
import { columnOf, type Table } from '../../../models/table.js';
import { withMoved } from './event-columns.js';
import type { Hole, Holes } from './holes.js';

/** In the order in which gprofng reads the data of experiments. */
const KINDS = [CPU_SAMPLE_EVENTS.kind, WAIT_EVENTS.kind, IO_EVENTS.kind, SAMPLE_EVENTS.kind, NATIVE_MEMORY_EVENTS.kind];

/** A recording whose places are each in one function. */
export interface WithHoles {
  readonly program: Program;
  readonly profile: Profile | undefined;
  /** By location, the function that was made for it. */
  readonly holes: ReadonlyMap<LocationId, Hole>;
}

/** By load object, the functions of a library without symbols; what they answer depends on the places that they were asked for. */
type Opaque = ReadonlyMap<number, Pick<Holes, 'at'>>;

/** Asks for the function of each frame of each event. Places that are in several functions get a location for each. */
export function withHoles({ program, profile }: Pick<Recording, 'program' | 'profile'>, opaque: Opaque): WithHoles {
  if (profile === undefined || opaque.size === 0) return { program, profile, holes: new Map() };
  const stacks = new HoleStacks(program, profile, opaque);
  const tables = KINDS.flatMap((kind) => profile.events.filter((table) => table.kind === kind));
  const changed = new Map(tables.map((table) => [table, stacks.read(table)]));
  const { holes, repeated } = stacks;
  if (repeated.length === 0) return { program, profile, holes };
  const own = mapTables(profile, (table) => changed.get(table) ?? stacks.moved(table));
  return { program: withRepeated(program, repeated), profile: { ...own, stacks: stacks.finish() }, holes };
}

class HoleStacks {
  /** By location, the first function; then those of the locations that were added. */
  readonly holes = new Map<LocationId, Hole>();
  /** The locations that the added ones are like. */
  readonly repeated: LocationId[] = [];
  readonly #program: Program;
  readonly #profile: Profile;
  readonly #opaque: Opaque;
  /** By stack, whether a frame is in a library without symbols. */
  readonly #isOpaque: Uint8Array;
  readonly #builder: StackBuilder;
  /** By stack, what it has become. */
  readonly #moved: Int32Array;
  /** By location, those that were added for it by function. */
  readonly #added = new Map<LocationId, Map<Hole, LocationId>>();

  constructor(program: Program, profile: Profile, opaque: Opaque) {
    this.#program = program;
    this.#profile = profile;
    this.#opaque = opaque;
    const { length, parent, location } = profile.stacks;
    this.#isOpaque = new Uint8Array(length);
    this.#builder = new StackBuilder(length);
    this.#moved = new Int32Array(length);
    for (let id = 0; id < length; id++) {
      const above = parent[id];
      const isAbove = above >= 0 && this.#isOpaque[above] === 1;
      this.#isOpaque[id] = isAbove || this.#holesOf(location[id]) !== undefined ? 1 : 0;
      this.#moved[id] = this.#builder.add(above >= 0 ? this.#moved[above] : rootOf(this.#endingOf(id)), location[id]);
    }
  }

  /** Reads the events of a table; returns it with their stacks. */
  read(table: Table): Table {
    const field = columnOf(table, MACHINE_STACK) === undefined ? STACK : MACHINE_STACK;
    const old = columnOf(table, field);
    const own = this.moved(table);
    if (old === undefined) return own;
    const stacks = Int32Array.from(own.columns[field.key] ?? []);
    for (let row = 0; row < table.length; row++)
      if (old[row] >= 0 && this.#isOpaque[old[row]] === 1) stacks[row] = this.#stackOf(old[row]);
    return { ...own, columns: { ...own.columns, [field.key]: stacks } };
  }

  /** A table with the stacks of the program's own functions. */
  moved(table: Table): Table {
    return withMoved(table, this.#moved);
  }

  finish(): Profile['stacks'] {
    return this.#builder.finish();
  }

  #holesOf(location: LocationId): Pick<Holes, 'at'> | undefined {
    return this.#opaque.get(this.#program.locations.loadObject?.[location] ?? -1);
  }

  #endingOf(id: StackId) {
    return STACK_ENDINGS[this.#profile.stacks.ending[id]];
  }

  /** The stack of an event that has this one, from its innermost frame on, as gprofng looks for them. */
  #stackOf(stack: StackId): StackId {
    const { parent, location } = this.#profile.stacks;
    const frames: LocationId[] = [];
    let isOther = false;
    for (let at = stack; at >= 0; at = parent[at]) {
      const own = this.#locationOf(location[at]);
      isOther ||= own !== location[at];
      frames.push(own);
    }
    if (!isOther) return this.#moved[stack];
    return frames.reduceRight((above, frame) => this.#builder.add(above, frame), rootOf(this.#endingOf(stack)));
  }

  #locationOf(location: LocationId): LocationId {
    const { offset } = this.#program.locations;
    const hole = this.#holesOf(location)?.at(offset?.[location] ?? 0);
    if (hole === undefined) return location;
    const first = this.holes.get(location) ?? hole;
    if (first === hole) {
      this.holes.set(location, hole);
      return location;
    }
    const added = this.#added.get(location) ?? new Map<Hole, LocationId>();
    this.#added.set(location, added);
    const known = added.get(hole) ?? this.#program.locations.length + this.repeated.push(location) - 1;
    added.set(hole, known);
    this.holes.set(known, hole);
    return known;
  }
}

/** The program with more locations, each like one that it has. */
function withRepeated(program: Program, repeated: readonly LocationId[]): Program {
  const { locations } = program;
  const length = locations.length + repeated.length;
  const longer = <Values extends Int32Array | Float64Array | Uint8Array>(into: Values, from: Values): Values => {
    into.set(from);
    for (const [i, location] of repeated.entries()) into[from.length + i] = from[location];
    return into;
  };
  const { bci, loadObject, offset, inlinedInto, line, mode } = locations;
  return {
    ...program,
    locations: {
      length,
      function: longer(new Int32Array(length), locations.function),
      ...(bci && { bci: longer(new Int32Array(length), bci) }),
      ...(loadObject && { loadObject: longer(new Int32Array(length), loadObject) }),
      ...(offset && { offset: longer(new Float64Array(length), offset) }),
      ...(inlinedInto && { inlinedInto: longer(new Int32Array(length), inlinedInto) }),
      ...(line && { line: longer(new Int32Array(length), line) }),
      ...(mode && { mode: longer(new Uint8Array(length), mode) }),
    },
  };
}
