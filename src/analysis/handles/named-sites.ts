/**
 * Allocation sites that a handle names: the class of the objects, the methods and lines of the stack, and the recording's own number of the stack.
 *
 *   site#1235.8.3-5f2a07bd      objects: stack 1234, class 7, trace 2, each plus 1; 0 for none
 *   site#1235-5f2a07bd          native memory, which has no classes
 */
import { IntTable } from '../../base/columns/hash.js';
import { NONE } from '../../base/flavor.js';
import { ALLOCATION_EVENTS, OBJECT_ALLOCATION_EVENTS, TLAB_EVENTS } from '../../models/events/allocation.js';
import { NATIVE_MEMORY_EVENTS, OLD_OBJECT_EVENTS } from '../../models/events/memory.js';
import { SITE_EVENTS } from '../../models/events/site.js';
import { type HandleParts, handleOfParts, hashOfName } from '../../models/handle.js';
import type { Profile, StackId, StackTable } from '../../models/profile/profile.js';
import { className } from '../../models/program/names.js';
import type { ClassId, Program } from '../../models/program/program.js';
import type { Column } from '../../models/table.js';
import { linesOfStacks } from '../stacks/lines-of-stacks.js';
import type { EventGroups } from './event-groups.js';
import { hashOfBoth, type PathHashes, placeHashes } from './path-hashes.js';

/** Where something was allocated, and what; -1 where unknown. */
export interface SiteRow {
  readonly stack: StackId;
  readonly class: ClassId;
  /** Row in the traces of the recording. */
  readonly trace: number;
}

/** The handles of the sites of objects, or of native memory. */
export class SiteHandles {
  readonly #program: Program;
  readonly #isNative: boolean;
  readonly #paths: PathHashes;

  constructor(program: Program, stacks: StackTable, isNative: boolean) {
    this.#program = program;
    this.#isNative = isNative;
    this.#paths = placeHashes(program, stacks);
  }

  /** The handle of a site. */
  handle(site: SiteRow): string {
    const rows = this.#isNative ? [site.stack] : [site.stack, site.class, site.trace];
    return handleOfParts('site', { numbers: rows.map((row) => row + 1), hash: this.hash(site) });
  }

  /** The hash of the names of a site. */
  hash(site: SiteRow): number {
    const what = this.#isNative ? '' : className(this.#program, site.class);
    return hashOfBoth(hashOfName(what), this.#paths.ofPath(site.stack));
  }
}

const OBJECT_KINDS = [SITE_EVENTS, OBJECT_ALLOCATION_EVENTS, ALLOCATION_EVENTS, TLAB_EVENTS, OLD_OBJECT_EVENTS];

/** The events of a profile by allocation site: those of native memory for a handle of one number. */
export function siteGroups(program: Program, profile: Profile, { numbers }: HandleParts): EventGroups {
  const isNative = numbers.length === 1;
  const { stacks } = profile;
  const handles = new SiteHandles(program, stacks, isNative);
  const lines = linesOfStacks(program, stacks);
  const groups = new IntTable(64);
  const sites: SiteRow[] = [];
  const keyOf = (site: SiteRow) => [site.class, site.stack < 0 ? NONE : lines[site.stack], site.trace] as const;
  const groupOf = (site: SiteRow): number => {
    const group = groups.add(...keyOf(site));
    if (group === sites.length) sites.push(site);
    return group;
  };
  const rows = new Map<string, Int32Array>();
  for (const kind of isNative ? [NATIVE_MEMORY_EVENTS] : OBJECT_KINDS) {
    const events: SiteColumns | undefined = kind.of(profile);
    if (events !== undefined) rows.set(kind.kind, groupsOfRows(events, groupOf));
  }
  return {
    length: sites.length,
    rows,
    hashOf: (group) => handles.hash(sites[group] ?? UNKNOWN),
    groupOf: ({ numbers: plusOne, hash }) => {
      const [stack = NONE, type = NONE, trace = NONE] = plusOne.map((number) => number - 1);
      const site = { stack, class: type, trace };
      if (stack >= stacks.length || type >= program.classes.length || handles.hash(site) !== hash) return undefined;
      return groups.find(...keyOf(site));
    },
  };
}

const UNKNOWN: SiteRow = { stack: NONE, class: NONE, trace: NONE };

/** The columns of events of any of the kinds. */
interface SiteColumns {
  readonly length: number;
  readonly stack: Column;
  readonly class?: Column | undefined;
  readonly trace?: Column | undefined;
  readonly allocations?: Column | undefined;
  readonly live?: Column | undefined;
}

/** The group of each row; -1 of events that freed memory. */
function groupsOfRows(
  { length, stack, class: types, trace, allocations, live }: SiteColumns,
  groupOf: (site: SiteRow) => number,
): Int32Array {
  const groups = new Int32Array(length).fill(NONE);
  for (let row = 0; row < length; row++)
    if (allocations === undefined || allocations[row] > 0 || (live?.[row] ?? 0) > 0)
      groups[row] = groupOf({ stack: stack[row], class: types?.[row] ?? NONE, trace: trace?.[row] ?? NONE });
  return groups;
}
