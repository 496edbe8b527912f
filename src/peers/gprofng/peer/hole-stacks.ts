/**
 * Functions that gprofng makes for places that no symbol has, by event: it looks for the function of each frame of each event, and its tables forget
 * places, so that one place may be in several functions. Then each of these gets a location of its own, and events with it other stacks.
 */
import { NONE } from '../../../base/flavor.js';
import { IO_EVENTS } from '../../../models/events/io.js';
import { NATIVE_MEMORY_EVENTS } from '../../../models/events/memory.js';
import { SAMPLE_EVENTS } from '../../../models/events/sample.js';
import { MACHINE_STACK, STACK } from '../../../models/events/shared-fields.js';
import { CPU_SAMPLE_EVENTS } from '../../../models/events/thread-samples.js';
import { WAIT_EVENTS } from '../../../models/events/wait.js';
import { mapTables, type Profile, STACK_ENDINGS, type StackId } from '../../../models/profile/profile.js';
import { rootOf } from '../../../models/profile/stack-builder.js';
import type { LocationId, Program } from '../../../models/program/program.js';
import type { Recording } from '../../../models/recording.js';
import { columnOf, type Table } from '../../../models/table.js';
import { type CopiedStacks, copiedStacks, withMoved } from './event-columns.js';
import type { Hole, Holes } from './holes.js';
import { withMoreLocations } from './more-locations.js';

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
  for (const kind of KINDS) for (const table of profile.events) if (table.kind === kind) stacks.read(table);
  const { holes, repeated } = stacks;
  if (repeated.length === 0) return { program, profile, holes };
  const locations = withMoreLocations(program.locations, repeated);
  return { program: { ...program, locations }, profile: stacks.changed(), holes };
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
  /** By location, those that were added for it by function. */
  readonly #added = new Map<LocationId, Map<Hole, LocationId>>();
  /** Made when an event needs another stack: few recordings have one. */
  #own: CopiedStacks | undefined;
  /** By table, the other stacks by row. */
  readonly #others = new Map<Table, Map<number, StackId>>();

  constructor(program: Program, profile: Profile, opaque: Opaque) {
    this.#program = program;
    this.#profile = profile;
    this.#opaque = opaque;
    const { length, parent, location } = profile.stacks;
    this.#isOpaque = new Uint8Array(length);
    for (let id = 0; id < length; id++) {
      const isAbove = parent[id] >= 0 && this.#isOpaque[parent[id]] === 1;
      this.#isOpaque[id] = isAbove || this.#holesOf(location[id]) !== undefined ? 1 : 0;
    }
  }

  /** Asks for the frames of the events of a table. */
  read(table: Table): void {
    const stacks = columnOf(table, stackFieldOf(table));
    const others = new Map<number, StackId>();
    for (let row = 0; row < table.length; row++) {
      const stack = stacks?.[row] ?? NONE;
      if (stack < 0 || this.#isOpaque[stack] === 0) continue;
      const other = this.#otherThan(stack);
      if (other !== undefined) others.set(row, other);
    }
    this.#others.set(table, others);
  }

  /** The profile with the stacks that its events need. */
  changed(): Profile {
    const { builder, moved } = this.#ownStacks();
    const changed = mapTables(this.#profile, (table) => {
      const own = withMoved(table, moved);
      const stacks = columnOf(own, stackFieldOf(table));
      for (const [row, stack] of this.#others.get(table) ?? []) if (stacks !== undefined) stacks[row] = stack;
      return own;
    });
    return { ...changed, stacks: builder.finish() };
  }

  #ownStacks(): CopiedStacks {
    this.#own ??= copiedStacks(this.#profile.stacks);
    return this.#own;
  }

  #holesOf(location: LocationId): Pick<Holes, 'at'> | undefined {
    return this.#opaque.get(this.#program.locations.loadObject?.[location] ?? NONE);
  }

  /** The stack of an event in place of this one, asked for from its innermost frame on as gprofng does; undefined if it is this one. */
  #otherThan(stack: StackId): StackId | undefined {
    const { parent, location, ending } = this.#profile.stacks;
    const frames: LocationId[] = [];
    let isOther = false;
    for (let at = stack; at >= 0; at = parent[at]) {
      const own = this.#locationOf(location[at]);
      isOther ||= own !== location[at];
      frames.push(own);
    }
    if (!isOther) return undefined;
    const { builder } = this.#ownStacks();
    const root = rootOf(STACK_ENDINGS[ending[stack]]);
    return frames.reduceRight((above, frame) => builder.add(above, frame), root);
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

function stackFieldOf(table: Table) {
  return columnOf(table, MACHINE_STACK) === undefined ? STACK : MACHINE_STACK;
}
