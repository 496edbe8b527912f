/**
 * Rows of several programs that are one: those spelled alike, and those of which `unite` says so although run-time
 * numbers, hashes of the build or what is known of them differ. Where that leaves a choice, nothing is guessed.
 */
import { NONE } from '../../base/flavor.js';
import { MATCHES, type United } from '../identity/unite.js';

const AMBIGUOUS = MATCHES.indexOf('ambiguous');

export interface JoinedSpellings {
  /** Spelling → the spelling that stands for it; itself where it is joined with no other. */
  readonly into: Int32Array;
  /** Spellings that stay apart although others of their identity could be the same thing. */
  readonly ambiguous: Uint8Array;
}

/**
 * `spellings`: by program, row → number of its exact spelling, -1 where it has none; equal numbers are joined anyway.
 * `before(a, b)`: whether spelling `a` is to stand for `b` rather than `b` for `a`. `same(a, b)`: whether they may be
 * joined at all.
 */
export function joinSpellings(
  count: number,
  spellings: readonly Int32Array[],
  united: United,
  before: (a: number, b: number) => boolean,
  same: (a: number, b: number) => boolean,
): JoinedSpellings {
  const into = Int32Array.from({ length: count }, (_, id) => id);
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

/** Only of joined rows that are spelled in several ways, or could be one with others: nearly all are neither. */
function groupsOf(spellings: readonly Int32Array[], united: United): Iterable<Group> {
  const groups = new Map<number, Group>();
  const open = united.match.map((match) => (match === AMBIGUOUS ? 1 : 0));
  const first = new Int32Array(united.length).fill(NONE);
  spellings.forEach((ids, program) => {
    united.rows[program]?.forEach((row, member) => {
      if (ids[member] < 0) return;
      if (first[row] < 0) first[row] = ids[member];
      else if (first[row] !== ids[member]) open[row] = 1;
    });
  });
  spellings.forEach((ids, program) => {
    const rows = united.rows[program] ?? new Int32Array(0);
    rows.forEach((row, member) => {
      if (open[row] === 0 || ids[member] < 0) return;
      let group = groups.get(row);
      if (group === undefined) {
        group = { members: spellings.map(() => []), ambiguous: united.match[row] === AMBIGUOUS };
        groups.set(row, group);
      }
      group.members[program]?.push(ids[member]);
    });
  });
  return groups.values();
}

/** Whether every program that has some of them has all: then each is joined with itself, and nothing is in doubt. */
function isSettled(members: readonly (readonly number[])[], all: ReadonlySet<number>): boolean {
  return all.size > 1 && members.every((ids) => ids.length === 0 || new Set(ids).size === all.size);
}
