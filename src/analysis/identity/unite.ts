/**
 * Finds the functions and classes that several programs have in common, once for a comparison or a merge. The result
 * does not depend on the order of the programs, except for row numbers.
 *
 * Two keys match
 *   exact      all known details of both are equal, except for run-time numbers (`identityOf`)
 *   by name    one knows less (no parameters, no loader) or other details, or hashes or folders of the build differ, and
 *              there is one candidate
 *   ambiguous  there are several: nothing is guessed, the row stays alone and is counted
 *
 * Cost: 10 to 20 bytes for each distinct spelling while it runs, however many programs have it (`distinct.ts`), and
 * about 400 bytes and some strings for those that may be joined with another spelling; 4 bytes for each function of a
 * program and 5 for each joined row.
 */
import { IntRuns } from '../../base/columns/hash.js';
import { mapped, rowsWhere, taken } from '../../base/columns/marks.js';
import { NONE } from '../../base/flavor.js';
import type { Program } from '../../models/program/program.js';
import { Agreeing } from './agreeing.js';
import { distinctSpellings, type Spellings } from './distinct.js';
import { type Known, type KnownRows, knownClasses, knownFunctions } from './known.js';
import { uniteLoadObjects } from './load-objects.js';
import { Settled, tellsAll } from './settled.js';
import { withoutHashes } from './spelling.js';

export const MATCHES = ['alone', 'exact', 'by name', 'ambiguous'] as const;
export type Match = (typeof MATCHES)[number];

/** Rows of several programs, joined. */
export interface United {
  readonly length: number;
  /** For each program: its rows → joined rows. */
  readonly rows: readonly Int32Array[];
  /** Index into `MATCHES`, by joined row. */
  readonly match: Uint8Array;
  /** The normalised spelling of a joined row, without parts that differ from run to run; most are made at each call. */
  readonly name: (row: number) => string;
}

/** By joined row: the row of one of the programs; -1 if it has none of it, or several. Made when first asked for. */
export function onlyRows({ rows, length }: United, program: number): (row: number) => number {
  let rowOfUnited: Int32Array | undefined;
  const make = (): Int32Array => {
    const onlyRow = new Int32Array(length).fill(NONE);
    const isTaken = new Uint8Array(length);
    for (const [id, row] of rows[program].entries()) {
      onlyRow[row] = isTaken[row] === 1 ? NONE : id;
      isTaken[row] = 1;
    }
    return onlyRow;
  };
  return (row) => {
    rowOfUnited ??= make();
    return rowOfUnited[row];
  };
}

export interface UnitedPrograms {
  readonly functions: United;
  readonly classes: United;
  /** For each program: its load objects → joined ones, -1 for code made at run time. */
  readonly loadObjects: readonly Int32Array[];
}

/** `spellings`: those of the programs, if they are known. */
export function unite(programs: readonly Program[], spellings = distinctSpellings(programs)): UnitedPrograms {
  const settled = programs.map((program) => new Settled(program));
  const never = (): boolean => false;
  const told = programs.every(tellsAll);
  const named = settled.every((of) => of.spellsClasses());
  const isClassSettled = (program: number, row: number): boolean => settled[program].hasClassAlone(row);
  const classes = named ? { rows: spellings.classes.rows, isSettled: isClassSettled } : undefined;
  return {
    functions: join(spellings.functions, programs.length, {
      ...knownFunctions(programs, told, classes),
      isSettled: told ? (program, row) => settled[program].hasFunction(row) : never,
      settledFirst: true,
    }),
    classes: join(spellings.classes, programs.length, {
      ...knownClasses(programs),
      isSettled: named ? isClassSettled : never,
      settledFirst: false,
    }),
    loadObjects: uniteLoadObjects(programs),
  };
}

/** What is known of the rows of the programs. */
interface Joinable extends KnownRows {
  /** Whether no other spelling can be joined with that of a row. */
  readonly isSettled: (program: number, row: number) => boolean;
  /** Whether settled rows precede all others; else they are in the order of the spellings. */
  readonly settledFirst: boolean;
}

/** Spellings with the same known details. */
interface Group {
  readonly known: Known;
  readonly members: number[];
  row: number;
}

function join(spellings: Spellings, programs: number, of: Joinable): United {
  const joined = new Joined(spellings, of.text);
  const { buckets, settled } = sorted(spellings, of, joined);
  let next = 0;
  const settle = (end: number): void => {
    for (; next < end; next++) if (settled[next] === 1) joined.alone(next);
  };
  if (of.settledFirst) settle(spellings.length);
  const loose: Group[][] = [];
  for (const bucket of buckets) {
    settle(bucket[0].members[0]);
    for (const group of joinBucket(bucket, joined)) {
      const [first] = group.members;
      const key = of.loose(spellings.program[first], spellings.row[first]);
      if (key < 0) continue;
      const same = loose[key];
      if (same === undefined) loose[key] = [group];
      else same.push(group);
    }
  }
  settle(spellings.length);
  for (const same of loose) if (same !== undefined && same.length > 1) joinHashed(same, programs, joined);
  return joined.finish();
}

/**
 * The spellings that are settled (1 for each), and the groups of the others by name, in the order in which names first
 * appear. Rows without details are added to `joined`.
 */
function sorted(spellings: Spellings, of: Joinable, joined: Joined) {
  const settled = new Uint8Array(spellings.length);
  const details = new IntRuns();
  const groups: Group[] = [];
  const buckets: Group[][] = [];
  for (let spelling = 0; spelling < spellings.length; spelling++) {
    const [program, row] = [spellings.program[spelling], spellings.row[spelling]];
    if (of.isSettled(program, row)) {
      settled[spelling] = 1;
      continue;
    }
    const known = of.known(program, row);
    if (known === undefined) {
      joined.alone(spelling);
      continue;
    }
    details.push(known.name);
    for (const detail of known.details) details.push(detail);
    const id = details.add();
    if (id < groups.length) groups[id].members.push(spelling);
    else {
      const group = { known, members: [spelling], row: NONE };
      groups.push(group);
      if (known.name < buckets.length) buckets[known.name].push(group);
      else buckets.push([group]);
    }
  }
  return { settled, buckets };
}

/**
 * Assigns rows to the groups of one name. A group joins a group with more details if that is the only one that agrees
 * with it; groups with as many, but other details join if each is the only one for the other. Returns the groups that
 * have a row of their own.
 */
function joinBucket(groups: Group[], joined: Joined): Group[] {
  const own: Group[] = [];
  const withMore = new Agreeing<Group>();
  // By the number of known details, most first, so that the candidates of a group get their rows before it.
  const order = groups.length === 1 ? groups : [...groups].sort((a, b) => knownDetails(b) - knownDetails(a));
  for (let at = 0; at < order.length; ) {
    const [from, last] = [at, own.length];
    const known = knownDetails(order[from]);
    while (at < order.length && knownDetails(order[at]) === known) at++;
    const left: Group[] = [];
    for (const group of order.slice(from, at)) {
      const candidates = withMore.with(group);
      const [only] = candidates;
      if (only === undefined) left.push(group);
      else if (candidates.length === 1) joined.into(only, group);
      else joined.own(group, 'ambiguous');
    }
    joinEquals(left, joined);
    for (const group of order.slice(from, at)) if (group.row >= 0) own.push(group);
    if (at < order.length) for (const group of own.slice(last)) withMore.add(group);
  }
  return own;
}

/** Gives rows to groups of one name with equally many known details: one recording may have return types, another loaders. */
function joinEquals(groups: readonly Group[], joined: Joined): void {
  const agreeing = new Agreeing(groups);
  for (const group of groups) {
    const partners = agreeing.with(group);
    const [partner] = partners;
    if (partner === undefined) joined.own(group, joined.isShared(group) ? 'exact' : 'alone');
    else if (partners.length > 1 || agreeing.with(partner).length > 1) joined.own(group, 'ambiguous');
    else if (group.row < 0 && partner.row < 0) {
      // Their spellings may differ; which one is shown does not depend on the order of the programs.
      const [first, second] = joined.spelling(group) <= joined.spelling(partner) ? [group, partner] : [partner, group];
      joined.own(first, 'by name');
      joined.into(first, second);
    }
  }
}

/**
 * Names that differ only in a hash, or in the folders of files. Names that all programs have are settled. If each
 * program has one of the rest, these are the same function in different builds; if one has several, they are ambiguous.
 */
function joinHashed(groups: readonly Group[], programs: number, joined: Joined): void {
  const left = groups.map((group) => ({ group, of: joined.programsOf(group) })).filter(({ of }) => of.size < programs);
  const present = left.flatMap(({ of }) => [...of]);
  const distinct = new Set(present).size;
  if (distinct < 2) return;
  if (distinct < present.length) {
    for (const { group, of } of left) if (of.size === 1) joined.mark(group.row, 'ambiguous');
    return;
  }
  const [first, ...others] = left
    .map(({ group: { row } }) => ({ row, name: joined.nameOf(row) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const { row } of others) joined.merge(row, first.row);
  joined.rename(first.row, withoutHashes(first.name));
}

function knownDetails(group: Group): number {
  return group.known.details.reduce((count, detail) => count + (detail < 0 ? 0 : 1), 0);
}

/** The joined rows while they are built. */
class Joined {
  readonly #spellings: Spellings;
  readonly #text: Joinable['text'];
  /** By spelling. */
  readonly #rows: Int32Array;
  /** By row: index into `MATCHES`, and one of its spellings. */
  readonly #match: Uint8Array;
  readonly #first: Int32Array;
  #length = 0;
  /** Texts of rows that were joined although their hashes differ. */
  readonly #names = new Map<number, string>();
  /** Rows that were joined into another one. */
  readonly #into = new Map<number, number>();

  constructor(spellings: Spellings, text: Joinable['text']) {
    this.#spellings = spellings;
    this.#text = text;
    this.#rows = new Int32Array(spellings.length).fill(NONE);
    this.#match = new Uint8Array(spellings.length);
    this.#first = new Int32Array(spellings.length);
  }

  /** Adds a row for a spelling that is not joined with another one. */
  alone(spelling: number): void {
    const { starts } = this.#spellings;
    this.#rows[spelling] = this.add(spelling, starts[spelling + 1] - starts[spelling] > 1 ? 'exact' : 'alone');
  }

  programsOf({ members }: Group): Set<number> {
    const { starts, programs } = this.#spellings;
    const found = new Set<number>();
    for (const member of members) for (let i = starts[member]; i < starts[member + 1]; i++) found.add(programs[i]);
    return found;
  }

  /** Whether several programs have a group. */
  isShared(group: Group): boolean {
    const { starts } = this.#spellings;
    const [first] = group.members;
    return starts[first + 1] - starts[first] > 1 || (group.members.length > 1 && this.programsOf(group).size > 1);
  }

  add(spelling: number, match: Match): number {
    this.#match[this.#length] = MATCHES.indexOf(match);
    this.#first[this.#length] = spelling;
    return this.#length++;
  }

  /** Adds a row for a group. */
  own(group: Group, match: Match): void {
    group.row = this.add(group.members[0], match);
    this.#assign(group.row, group.members);
  }

  /** Joins a group with one that has a row. */
  into(other: Group, { members }: Group): void {
    this.#assign(other.row, members);
    this.mark(other.row, 'by name');
    other.members.push(...members);
  }

  #assign(row: number, members: readonly number[]): void {
    for (const member of members) this.#rows[member] = row;
  }

  merge(row: number, into: number): void {
    this.#into.set(row, into);
    this.mark(into, 'by name');
  }

  nameOf(row: number): string {
    return this.#names.get(row) ?? this.#textOf(this.#first[row]);
  }

  /** The text of a group without a row. */
  spelling({ members }: Group): string {
    return this.#textOf(members[0]);
  }

  #textOf(spelling: number): string {
    return this.#text(this.#spellings.program[spelling], this.#spellings.row[spelling]);
  }

  rename(row: number, name: string): void {
    this.#names.set(row, name);
  }

  mark(row: number, match: Match): void {
    this.#match[row] = MATCHES.indexOf(match);
  }

  /** Closes the gaps that merged rows left. */
  finish(): United {
    const kept = rowsWhere(this.#length, (row) => !this.#into.has(row));
    const numbers = new Int32Array(this.#length).fill(NONE);
    for (let row = 0; row < kept.length; row++) numbers[kept[row]] = row;
    for (const [row, into] of this.#into) numbers[row] = numbers[into];
    const joined = mapped(this.#rows, numbers);
    return {
      length: kept.length,
      rows: this.#spellings.rows.map((rows) => mapped(rows, joined)),
      match: taken(this.#match, kept),
      name: (row) => this.nameOf(kept[row]),
    };
  }
}
