/**
 * Finds the functions and classes that several programs have in common, once for a comparison or a merge. The result
 * does not depend on the order of the programs, except for row numbers.
 *
 * Two keys match
 *   exact      all known details of both are equal, except for run-time numbers (`identityOf`)
 *   by name    one knows less (no parameters, no loader), or hashes or folders of the build differ, and there is one
 *              candidate
 *   ambiguous  there are several: nothing is guessed, the row stays alone and is counted
 *
 * Cost: 10 to 20 bytes for each distinct spelling while it runs, however many programs have it (`distinct.ts`), and
 * about 400 bytes and some strings for those that may be joined with another spelling; 4 bytes for each function of a
 * program and 5 for each joined row.
 */

import { ByteBuilder, Int32Builder } from '../../base/columns.js';
import { NONE } from '../../base/flavor.js';
import { IntRuns } from '../../base/hash.js';
import { addToList } from '../../base/lists.js';
import {
  type ClassKey,
  cachedTypes,
  classKey,
  keyText,
  type MethodKey,
  methodKey,
} from '../../models/program/method-key.js';
import { className, fileName, functionName } from '../../models/program/names.js';
import type { ClassId, Program } from '../../models/program/program.js';
import { distinctSpellings, type Spellings } from './distinct.js';
import { uniteLoadObjects } from './load-objects.js';
import { Settled, settledText, tellsAll } from './settled.js';
import { identityOf, withoutHashes } from './spelling.js';

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

export interface UnitedPrograms {
  readonly functions: United;
  readonly classes: United;
  /** For each program: its load objects → joined ones, -1 for code made at run time. */
  readonly loadObjects: readonly Int32Array[];
}

/** `spellings`: those of the programs, if they are known. */
export function unite(programs: readonly Program[], spellings = distinctSpellings(programs)): UnitedPrograms {
  const types = programs.map(() => cachedTypes((program, id) => identityOf(className(program, id))));
  const settled = programs.map((program) => new Settled(program));
  const never = (): boolean => false;
  const told = programs.every(tellsAll);
  const named = settled.every((of) => of.spellsClasses());
  return {
    functions: join(spellings.functions, programs.length, {
      isSettled: told ? (program, row) => settled[program].hasFunction(row) : never,
      settledFirst: true,
      settledText: (program, row) => settledText(programs[program], row),
      known: (program, row) => {
        const key = methodKey(programs[program], row, types[program]);
        return key === undefined ? functionName(programs[program], row) : knownMethod(key);
      },
    }),
    classes: join(spellings.classes, programs.length, {
      isSettled: named ? (program, row) => settled[program].hasClassAlone(row) : never,
      settledFirst: false,
      settledText: (program, row) => className(programs[program], row),
      known: (program, row) => knownClass(programs[program], row),
    }),
    loadObjects: uniteLoadObjects(programs),
  };
}

/** What is known of the rows of the programs. */
interface Joinable {
  /** Whether no other spelling can be joined with that of a row. */
  readonly isSettled: (program: number, row: number) => boolean;
  /** Whether settled rows precede all others; else they are in the order of the spellings. */
  readonly settledFirst: boolean;
  /** The text of a settled row. */
  readonly settledText: (program: number, row: number) => string;
  /** The known details of another row; only a text if its only detail is a number of its own recording. */
  readonly known: (program: number, row: number) => Known | string;
}

/** The known details of a row. */
interface Known {
  /** Only rows with the same name can be joined. */
  readonly name: string;
  /** The other details, each undefined if unknown. */
  readonly details: readonly (string | undefined)[];
  /** The text to show, or the key it is made from, since most rows need no text of their own. */
  readonly text: string | MethodKey;
  /** Equal for rows of builds in different folders; undefined if the name has no folder. */
  readonly elsewhere?: string;
}

function knownMethod(key: MethodKey): Known {
  return {
    name: identityOf(key.class === undefined ? key.name : `${key.class.name}.${key.name}`),
    details: [key.parameters?.join(','), key.returns, loaderOf(key.class), key.file, key.unit, key.loadObject],
    text: key,
    ...(key.unit === undefined && key.loadObject === undefined ? {} : { elsewhere: withoutFolders(key) }),
  };
}

/** A native function without the folders of its build and installation. */
function withoutFolders({ name, file, unit, loadObject }: MethodKey): string {
  const files = [file, unit, loadObject].map((path) => (path === undefined ? null : withoutHashes(fileName(path))));
  return JSON.stringify([withoutHashes(name), ...files]);
}

function textOf({ text }: Known): string {
  return typeof text === 'string' ? text : identityOf(keyText(text));
}

/** A module is the same in all its versions: `java.base@17.0.15` and `java.base`. */
function loaderOf(key: ClassKey | undefined): string | undefined {
  return key?.loader?.replace(/@[\d.+\w-]*$/, '');
}

function knownClass(program: Program, id: ClassId): Known | string {
  const key = classKey(program, id);
  if (key === undefined) return className(program, id);
  const name = identityOf(key.name);
  return { name, details: [loaderOf(key)], text: name };
}

/** Spellings with the same known details. */
interface Group {
  readonly known: Known;
  readonly members: number[];
  row: number;
}

function join(spellings: Spellings, programs: number, of: Joinable): United {
  const joined = new Joined(spellings, of.settledText);
  const { buckets, settled } = sorted(spellings, of, joined);
  let next = 0;
  const settle = (end: number): void => {
    for (; next < end; next++) if (settled[next] === 1) joined.alone(next);
  };
  if (of.settledFirst) settle(spellings.length);
  const texts = new Texts();
  const loose: Group[][] = [];
  for (const bucket of buckets) {
    settle(bucket[0]?.members[0] ?? 0);
    for (const group of joinBucket(bucket, joined)) {
      const key = looseKey(group.known, joined.nameOf(group.row), texts);
      if (key < 0) continue;
      const same = loose[key];
      if (same === undefined) loose[key] = [group];
      else same.push(group);
    }
  }
  settle(spellings.length);
  for (const same of loose) if (same.length > 1) joinHashed(same, programs, joined);
  return joined.finish();
}

/**
 * The spellings that are settled (1 for each), and the groups of the others by name, in the order in which names first
 * appear. Rows without details are added to `joined`.
 */
function sorted(spellings: Spellings, of: Joinable, joined: Joined) {
  const settled = new Uint8Array(spellings.length);
  const texts = new Texts();
  const groups: Group[] = [];
  const buckets = new Map<string, Group[]>();
  for (let spelling = 0; spelling < spellings.length; spelling++) {
    const [program, row] = [spellings.program[spelling], spellings.row[spelling]];
    if (of.isSettled(program, row)) {
      settled[spelling] = 1;
      continue;
    }
    const known = of.known(program, row);
    if (typeof known === 'string') {
      joined.alone(spelling, known);
      continue;
    }
    texts.push(known.name);
    for (const detail of known.details) texts.push(detail);
    const id = texts.add();
    if (id < groups.length) groups[id]?.members.push(spelling);
    else {
      const group = { known, members: [spelling], row: NONE };
      groups.push(group);
      addToList(buckets, known.name, group);
    }
  }
  return { settled, buckets: buckets.values() };
}

/** Lists of texts → dense numbers. */
class Texts {
  readonly #texts = new Map<string, number>();
  readonly #lists = new IntRuns();

  /** Appends a text to the list that is being made. */
  push(text: string | undefined): void {
    if (text === undefined) {
      this.#lists.push(NONE);
      return;
    }
    const id = this.#texts.get(text) ?? this.#texts.size;
    if (id === this.#texts.size) this.#texts.set(text, id);
    this.#lists.push(id);
  }

  /** The number of the list. The next one is empty. */
  add(): number {
    return this.#lists.add();
  }
}

/** Equal for rows that differ in hashes or folders only; -1 for those without either. */
function looseKey({ details, elsewhere }: Known, text: string, texts: Texts): number {
  if (elsewhere !== undefined) {
    texts.push(elsewhere);
    return texts.add();
  }
  const without = withoutHashes(text);
  const rest = details.map((part) => (part === undefined ? undefined : withoutHashes(part)));
  if (without === text && rest.every((part, i) => part === details[i])) return NONE;
  texts.push(without);
  for (const part of rest) texts.push(part);
  return texts.add();
}

/**
 * Assigns rows to the groups of one name. A group joins a group with more details if that is the only one that agrees
 * with it. Returns the groups that have a row of their own.
 */
function joinBucket(groups: Group[], joined: Joined): Group[] {
  const own: Group[] = [];
  // By the number of known details, most first, so that the candidates of a group get their rows before it.
  const order = groups.length === 1 ? groups : [...groups].sort((a, b) => knownDetails(b) - knownDetails(a));
  for (const group of order) {
    const candidates = candidatesFor(group, own);
    const [only] = candidates;
    if (only !== undefined && candidates.length === 1) {
      joined.assign(only.row, group.members, 'by name');
      only.members.push(...group.members);
      continue;
    }
    const match = candidates.length > 1 ? 'ambiguous' : joined.programsOf(group).size > 1 ? 'exact' : 'alone';
    group.row = joined.add(group.members[0], match, textOf(group.known));
    joined.assign(group.row, group.members);
    own.push(group);
  }
  return own;
}

/** Groups with more details that agree; two are enough. `own`: those with the most details first. */
function candidatesFor(group: Group, own: readonly Group[]): Group[] {
  const found: Group[] = [];
  const known = knownDetails(group);
  for (const other of own) {
    if (found.length > 1 || knownDetails(other) <= known) break;
    if (agree(group, other)) found.push(other);
  }
  return found;
}

/**
 * Names that differ only in a hash, or in the folders of files. Names that all programs have are settled. If each
 * program has one of the rest, these are the same function in different builds; if one has several, they are ambiguous.
 */
function joinHashed(groups: readonly Group[], programs: number, joined: Joined): void {
  const left = groups.filter((group) => joined.programsOf(group).size < programs);
  const [first, ...others] = left.sort((a, b) => (joined.nameOf(a.row) < joined.nameOf(b.row) ? -1 : 1));
  if (first === undefined) return;
  const present = left.flatMap((group) => [...joined.programsOf(group)]);
  const distinct = new Set(present).size;
  if (distinct < 2) return;
  if (distinct === present.length) {
    for (const group of others) joined.merge(group.row, first.row);
    joined.rename(first.row, withoutHashes(joined.nameOf(first.row)));
  } else for (const group of left) if (joined.programsOf(group).size === 1) joined.mark(group.row, 'ambiguous');
}

function knownDetails(group: Group): number {
  return group.known.details.reduce((count, detail) => count + (detail === undefined ? 0 : 1), 0);
}

function agree(group: Group, other: Group): boolean {
  return group.known.details.every(
    (detail, i) => detail === undefined || other.known.details[i] === undefined || detail === other.known.details[i],
  );
}

/** The joined rows while they are built. */
class Joined {
  readonly #spellings: Spellings;
  readonly #settledText: Joinable['settledText'];
  /** By spelling. */
  readonly #rows: Int32Array;
  /** By row: index into `MATCHES`, and one of its spellings. */
  readonly #match = new ByteBuilder();
  readonly #first = new Int32Builder();
  /** Texts of rows that are not settled. */
  readonly #names = new Map<number, string>();
  /** Rows that were joined into another one. */
  readonly #into = new Map<number, number>();

  constructor(spellings: Spellings, settledText: Joinable['settledText']) {
    this.#spellings = spellings;
    this.#settledText = settledText;
    this.#rows = new Int32Array(spellings.length).fill(NONE);
  }

  /** Adds a row for a spelling that is not joined with another one; `name` unless it is settled. */
  alone(spelling: number, name?: string): void {
    const { starts } = this.#spellings;
    this.#rows[spelling] = this.add(spelling, starts[spelling + 1] - starts[spelling] > 1 ? 'exact' : 'alone', name);
  }

  programsOf(group: Group): Set<number> {
    const { starts, programs } = this.#spellings;
    const found = new Set<number>();
    for (const member of group.members)
      for (let i = starts[member]; i < starts[member + 1]; i++) found.add(programs[i]);
    return found;
  }

  add(spelling: number, match: Match, name?: string): number {
    this.#match.push(MATCHES.indexOf(match));
    const row = this.#first.push(spelling);
    if (name !== undefined) this.#names.set(row, name);
    return row;
  }

  assign(row: number, members: readonly number[], match?: Match): void {
    for (const member of members) this.#rows[member] = row;
    if (match !== undefined) this.mark(row, match);
  }

  merge(row: number, into: number): void {
    this.#into.set(row, into);
    this.mark(into, 'by name');
  }

  nameOf(row: number): string {
    const known = this.#names.get(row);
    if (known !== undefined) return known;
    const spelling = this.#first.values[row];
    return this.#settledText(this.#spellings.program[spelling], this.#spellings.row[spelling]);
  }

  rename(row: number, name: string): void {
    this.#names.set(row, name);
  }

  mark(row: number, match: Match): void {
    this.#match.bytes[row] = MATCHES.indexOf(match);
  }

  /** Closes the gaps that merged rows left. */
  finish(): United {
    const kept = new Int32Array(this.#first.length - this.#into.size);
    const numbers = new Int32Array(this.#first.length).fill(NONE);
    let length = 0;
    for (let row = 0; row < numbers.length; row++) {
      if (this.#into.has(row)) continue;
      numbers[row] = length;
      kept[length++] = row;
    }
    for (const [row, into] of this.#into) numbers[row] = numbers[into];
    const joined = this.#rows.map((row) => numbers[row]);
    const match = this.#match.finish();
    return {
      length,
      rows: this.#spellings.rows.map((rows) => rows.map((spelling) => joined[spelling])),
      match: new Uint8Array(kept.map((row) => match[row])),
      name: (row) => this.nameOf(kept[row]),
    };
  }
}
