/**
 * Counted places of code that a handle names, such as branches of a PGO profile.
 *
 *   place#567-5f2a07bd          location 567: a method and bytecode index, in all its contexts
 *   place#567.1234-5f2a07bd     in the context of stack 1234
 */
import { IntTable } from '../../base/columns/hash.js';
import { BRANCH_EVENTS } from '../../models/events/branch.js';
import { INSTANCEOF_EVENTS } from '../../models/events/instanceof.js';
import { RECEIVER_EVENTS } from '../../models/events/receiver.js';
import { type HandleParts, handleOfParts, hashOfName } from '../../models/handle.js';
import type { Profile, StackId, StackTable } from '../../models/profile/profile.js';
import { locationName } from '../../models/program/names.js';
import type { LocationId, Program } from '../../models/program/program.js';
import type { EventGroups } from './event-groups.js';
import { type PathHashes, placeHashes } from './path-hashes.js';

/** The handles of counted places. */
export class PlaceHandles {
  readonly #program: Program;
  readonly #stacks: StackTable;
  readonly #paths: PathHashes;

  constructor(program: Program, stacks: StackTable) {
    this.#program = program;
    this.#stacks = stacks;
    this.#paths = placeHashes(program, stacks);
  }

  /** The handle of a place in all contexts. */
  place(location: LocationId): string {
    return handleOfParts('place', { numbers: [location], hash: this.hashOfPlace(location) });
  }

  /** The handle of the innermost place of a stack, in this context alone. */
  inContext(stack: StackId): string {
    const numbers = [this.#stacks.location[stack], stack];
    return handleOfParts('place', { numbers, hash: this.hashInContext(stack) });
  }

  /** The hash of the name of a place. */
  hashOfPlace(location: LocationId): number {
    return hashOfName(locationName(this.#program, location));
  }

  /** The hash of the names of the places of a stack. */
  hashInContext(stack: StackId): number {
    return this.#paths.ofPath(stack);
  }
}

/** The counted events of a profile by place; by context for a handle of two numbers. */
export function placeGroups(program: Program, profile: Profile, { numbers }: HandleParts): EventGroups {
  const { stacks } = profile;
  const byContext = numbers.length > 1;
  const handles = new PlaceHandles(program, stacks);
  const hashOfRow = (row: number) => (byContext ? handles.hashInContext(row) : handles.hashOfPlace(row));
  const groups = new IntTable(64);
  const rows = new Map<string, Int32Array>();
  for (const kind of [BRANCH_EVENTS, RECEIVER_EVENTS, INSTANCEOF_EVENTS]) {
    const events = kind.of(profile);
    if (events === undefined) continue;
    const { stack } = events;
    rows.set(
      kind.kind,
      Int32Array.from(stack, (id) => groups.add(byContext ? id : stacks.location[id])),
    );
  }
  return {
    length: groups.length,
    rows,
    hashOf: (group) => hashOfRow(groups.key(group, 0)),
    groupOf: ({ numbers: [location = 0, stack], hash }) => {
      const row = stack ?? location;
      const length = byContext ? stacks.length : program.locations.length;
      return row >= length || hashOfRow(row) !== hash ? undefined : groups.find(row);
    },
  };
}
