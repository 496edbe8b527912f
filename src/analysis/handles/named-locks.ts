/**
 * Contended locks that a handle names. The numbers depend on what the recording has; each but the first is plus 1, 0 for none:
 *
 *   lock#2.568.8-5f2a07bd          waits of one reason, place and class (locks/wait-sites.ts)
 *   lock#1235.8.0.3.1-5f2a07bd     contention summed by the recorder: stack, class, name, trace, dump
 *   lock#8.32767.123456.1-5f2a07bd waits for one lock: class, upper and lower half of its address plus 1, and 1
 *   lock#7-5f2a07bd                counts of a class
 */
import { IntTable } from '../../base/columns/hash.js';
import { NONE } from '../../base/flavor.js';
import { stringAt } from '../../base/text.js';
import { CONTENTION_EVENTS } from '../../models/events/contention.js';
import { SYNCHRONISATION_EVENTS } from '../../models/events/synchronisation.js';
import { WAIT_EVENTS, WAIT_REASONS } from '../../models/events/wait.js';
import { type HandleParts, handleOfParts, hashOfName } from '../../models/handle.js';
import { eventTable, type Profile, type StackId, type StackTable } from '../../models/profile/profile.js';
import { className, functionSignature, locationName } from '../../models/program/names.js';
import type { ClassId, LocationId, Program } from '../../models/program/program.js';
import { eachContention } from '../locks/wait-sites.js';
import type { EventGroups } from './event-groups.js';
import { hashOfBoth, type PathHashes, placeHashes } from './path-hashes.js';

/** Waits of threads for objects of a class at a place; -1 for what is unknown. */
export interface WaitRow {
  /** Index into `WAIT_REASONS`. */
  readonly reason: number;
  readonly site: LocationId;
  readonly class: ClassId;
}

/** A lock that threads waited for; -1 for what is unknown. */
export interface LockRow {
  readonly class: ClassId;
  readonly address: number;
}

const HALF = 2 ** 32;
/** Functions whose names tell programs apart. */
const MARKED_FUNCTIONS = 8;

/** Contention as the recorder summed it; -1 for what is unknown. */
export interface ContentionRow {
  readonly stack: StackId;
  readonly class: ClassId;
  /** Of a raw monitor. */
  readonly name: number;
  readonly trace: number;
  readonly dump: number;
}

/** The handles of locks with contention or counts. */
export class LockHandles {
  readonly #program: Program;
  readonly #paths: PathHashes;
  /** Another program has other functions; those of one that grows stay where they are. */
  readonly #mark: number;

  constructor(program: Program, stacks: StackTable) {
    this.#program = program;
    this.#paths = placeHashes(program, stacks);
    const count = Math.min(MARKED_FUNCTIONS, program.functions.length);
    this.#mark = hashOfName(Array.from({ length: count }, (_, id) => functionSignature(program, id)).join(' '));
  }

  waits(row: WaitRow): string {
    return handleOfParts('lock', { numbers: [row.reason, row.site + 1, row.class + 1], hash: this.hashOfWaits(row) });
  }

  /** Waits for one lock, wherever; -1 for an unknown address. */
  waitsFor({ class: type, address }: LockRow): string {
    const place = address + 1;
    const numbers = [type + 1, Math.floor(place / HALF), place % HALF, 1];
    return handleOfParts('lock', { numbers, hash: this.hashOfLock(type) });
  }

  contention(row: ContentionRow): string {
    const { stack, class: type, name, trace, dump } = row;
    const numbers = [stack, type, name, trace, dump].map((number) => number + 1);
    return handleOfParts('lock', { numbers, hash: this.hashOfContention(row) });
  }

  counts(type: ClassId): string {
    return handleOfParts('lock', { numbers: [type + 1], hash: this.hashOfClass(type) });
  }

  hashOfWaits({ reason, site, class: type }: WaitRow): number {
    const place = site < 0 ? '' : locationName(this.#program, site);
    return hashOfBoth(hashOfName(`${WAIT_REASONS[reason] ?? ''} ${place}`), this.hashOfClass(type));
  }

  hashOfContention({ stack, class: type, name, dump }: ContentionRow): number {
    const lock = name < 0 ? this.hashOfClass(type) : hashOfName(stringAt(this.#program.names, name));
    return hashOfBoth(hashOfBoth(this.#paths.ofPath(stack), lock), dump + 1);
  }

  /** Addresses have no names: the hash is of the class, and of the first functions of the program. */
  hashOfLock(type: ClassId): number {
    return hashOfBoth(this.#mark, this.hashOfClass(type));
  }

  hashOfClass(type: ClassId): number {
    return hashOfName(className(this.#program, type));
  }
}

/** The events of a profile by lock, of the kind that a handle is of. */
export function lockGroups(program: Program, profile: Profile, { numbers }: HandleParts): EventGroups {
  const handles = new LockHandles(program, profile.stacks);
  if (numbers.length === 1) return countGroups(program, profile, handles);
  if (numbers.length === 4) return addressGroups(program, profile, handles);
  return numbers.length === 3 ? waitGroups(program, profile, handles) : contentionGroups(program, profile, handles);
}

function countGroups(program: Program, profile: Profile, handles: LockHandles): EventGroups {
  const groups = new IntTable(64);
  const types = SYNCHRONISATION_EVENTS.of(profile)?.type;
  const rows = types && Int32Array.from(types, (type) => groups.add(type));
  return {
    length: groups.length,
    rows: new Map(rows && [[SYNCHRONISATION_EVENTS.kind, rows]]),
    hashOf: (group) => handles.hashOfClass(groups.key(group, 0)),
    groupOf: ({ numbers: [plusOne = 0], hash }) => {
      const type = plusOne - 1;
      return type >= program.classes.length || handles.hashOfClass(type) !== hash ? undefined : groups.find(type);
    },
  };
}

function waitGroups(program: Program, profile: Profile, handles: LockHandles): EventGroups {
  const groups = new IntTable(64);
  const table = eventTable(profile, WAIT_EVENTS.kind);
  const rows = new Int32Array(table?.length ?? 0).fill(NONE);
  const rowOf = (group: number): WaitRow => ({
    reason: groups.key(group, 0),
    class: groups.key(group, 1),
    site: groups.key(group, 2),
  });
  if (table !== undefined)
    eachContention(table, profile.stacks, program, ({ reason, class: types }, row, site, first) => {
      rows[first + row] = groups.add(reason[row], types?.[row] ?? NONE, site);
    });
  return {
    length: groups.length,
    rows: new Map(table && [[WAIT_EVENTS.kind, rows]]),
    hashOf: (group) => handles.hashOfWaits(rowOf(group)),
    groupOf: ({ numbers: [reason = NONE, site = 0, type = 0], hash }) => {
      const row = { reason, site: site - 1, class: type - 1 };
      if (row.site >= program.locations.length || row.class >= program.classes.length) return undefined;
      return handles.hashOfWaits(row) === hash ? groups.find(reason, row.class, row.site) : undefined;
    },
  };
}

/** Waits by lock. */
function addressGroups(program: Program, profile: Profile, handles: LockHandles): EventGroups {
  const groups = new IntTable(64);
  const table = eventTable(profile, WAIT_EVENTS.kind);
  const rows = new Int32Array(table?.length ?? 0).fill(NONE);
  if (table !== undefined)
    eachContention(table, profile.stacks, program, ({ class: types, address }, row, _, first) => {
      const place = (address?.[row] ?? NONE) + 1;
      rows[first + row] = groups.add((types?.[row] ?? NONE) + 1, Math.floor(place / HALF), (place % HALF) | 0);
    });
  return {
    length: groups.length,
    rows: new Map(table && [[WAIT_EVENTS.kind, rows]]),
    hashOf: (group) => handles.hashOfLock(groups.key(group, 0) - 1),
    groupOf: ({ numbers: [type = 0, high = 0, low = 0], hash }) =>
      type > program.classes.length || handles.hashOfLock(type - 1) !== hash
        ? undefined
        : groups.find(type, high, low | 0),
  };
}

function contentionGroups(program: Program, profile: Profile, handles: LockHandles): EventGroups {
  const events = CONTENTION_EVENTS.of(profile);
  const places = new IntTable(64);
  const groups = new IntTable(64);
  const locks: ContentionRow[] = [];
  const keyOf = ({ stack, class: type, name, trace, dump }: ContentionRow) =>
    [places.add(stack, type, name), trace, dump] as const;
  const rows = new Int32Array(events?.length ?? 0);
  for (let row = 0; events !== undefined && row < rows.length; row++) {
    const { stack, class: types, name, trace, dump } = events;
    const lock = {
      stack: stack[row],
      class: types[row],
      name: name[row],
      trace: trace?.[row] ?? NONE,
      dump: dump?.[row] ?? NONE,
    };
    rows[row] = groups.add(...keyOf(lock));
    if (rows[row] === locks.length) locks.push(lock);
  }
  return {
    length: locks.length,
    rows: new Map(events && [[CONTENTION_EVENTS.kind, rows]]),
    hashOf: (group) => handles.hashOfContention(locks[group] ?? UNKNOWN),
    groupOf: ({ numbers, hash }) => {
      const [stack = NONE, type = NONE, name = NONE, trace = NONE, dump = NONE] = numbers.map((number) => number - 1);
      const lock = { stack, class: type, name, trace, dump };
      if (stack >= profile.stacks.length || type >= program.classes.length || name + 1 >= program.names.offsets.length)
        return undefined;
      return handles.hashOfContention(lock) === hash ? groups.find(...keyOf(lock)) : undefined;
    },
  };
}

const UNKNOWN: ContentionRow = { stack: NONE, class: NONE, name: NONE, trace: NONE, dump: NONE };
