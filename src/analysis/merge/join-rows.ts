/**
 * Joins rows of several programs: those with the same spelling, and those that `unite` joins although run-time numbers,
 * hashes of the build or known details differ. If there are several candidates, nothing is guessed.
 */
import { NONE } from '../../base/flavor.js';
import { MATCHES, type United } from '../identity/unite.js';

const AMBIGUOUS = MATCHES.indexOf('ambiguous');

export interface JoinedSpellings {
  /** Spelling → the spelling that represents it; itself if it is not joined with another one. */
  readonly into: Int32Array;
  /** Spellings that are not joined although others of their identity may be the same. */
  readonly ambiguous: Uint8Array;
}

/**
 * `spellings`: by program, row → number of its exact spelling, -1 if it has none; equal numbers are always joined.
 * `before(a, b)`: whether spelling `a` represents `b` rather than `b` `a`. `same(a, b)`: whether they may be joined at
 * all.
 */
export function joinSpellings(
  count: number,
  spellings: readonly Int32Array[],
  united: United,
  before: (a: number, b: number) => boolean,
  same: (a: number, b: number) => boolean,
): JoinedSpellings {
  const into = new Int32Array(count);
  for (let id = 0; id < count; id++) into[id] = id;
  const ambiguous = new Uint8Array(count);
  for (const group of groupsOf(spellings, united)) {
    const all = new Set(group.members.flat());
    if (all.size < 2 && !group.ambiguous) continue;
    const single = group.members.every((members) => new Set(members).size < 2);
    const [first, ...others] = [...all].sort((a, b) => (before(a, b) ? -1 : 1));
    if (first !== undefined && single && !group.ambiguous && others.every((other) => same(first, other)))
      for (const other of others) into[other] = first;
    else if (!isSettled(group.members, all)) for (const id of all) ambiguous[id] = 1;
  }
  return { into, ambiguous };
}

interface Group {
  /** Spellings by program. */
  readonly members: number[][];
  readonly ambiguous: boolean;
}

/** The groups of joined rows with several spellings, or with other candidates; nearly all rows have neither. */
function groupsOf(spellings: readonly Int32Array[], united: United): Iterable<Group> {
  const groups = new Map<number, Group>();
  const open = new Uint8Array(united.length);
  for (let row = 0; row < open.length; row++) if (united.match[row] === AMBIGUOUS) open[row] = 1;
  const first = new Int32Array(united.length).fill(NONE);
  for (const [program, ids] of spellings.entries()) {
    const rows = united.rows[program];
    for (let member = 0; member < ids.length; member++) {
      const [row, id] = [rows[member], ids[member]];
      if (id < 0) continue;
      if (first[row] < 0) first[row] = id;
      else if (first[row] !== id) open[row] = 1;
    }
  }
  for (const [program, ids] of spellings.entries()) {
    const rows = united.rows[program];
    for (let member = 0; member < ids.length; member++) {
      const row = rows[member];
      if (open[row] === 0 || ids[member] < 0) continue;
      let group = groups.get(row);
      if (group === undefined) {
        group = { members: spellings.map(() => []), ambiguous: united.match[row] === AMBIGUOUS };
        groups.set(row, group);
      }
      group.members[program].push(ids[member]);
    }
  }
  return groups.values();
}

/** Whether every program that has some of them has all: then each is joined with itself, and nothing is ambiguous. */
function isSettled(members: readonly (readonly number[])[], all: ReadonlySet<number>): boolean {
  return all.size > 1 && members.every((ids) => ids.length === 0 || new Set(ids).size === all.size);
}
