/**
 * Adapts a PGO profile to newer classes: entries that fit stay. Entries of moved code get its new bytecode indexes,
 * also for the calls in their contexts and for branch targets. Entries that do not fit anywhere are dropped.
 *
 *   old context   m:17 < n:40      →   m:17 < n:43      (n was moved by 3)
 *   lambda$n$0:5 < …               →   lambda$n$1:5 < … (the same code under its new number)
 *
 * The order of entries stays. Cost: one pass over stacks and events; new columns for both.
 */
import { ByteBuilder } from '../../base/columns/columns.js';
import { IntTable } from '../../base/columns/hash.js';
import { encodeUtf8, stringAt } from '../../base/text.js';
import { type CountedRows, countedRows, forEachSite } from '../../models/events/counted.js';
import { SITE, STACK } from '../../models/events/shared-fields.js';
import { withColumns } from '../../models/packed-columns.js';
import { type Profile, STACK_ENDINGS } from '../../models/profile/profile.js';
import { rootOf, StackBuilder } from '../../models/profile/stack-builder.js';
import { bciOf } from '../../models/program/places.js';
import type { ClassId, FunctionId, FunctionTable, Program } from '../../models/program/program.js';
import type { Recording } from '../../models/recording.js';
import { type Column, columnOf, selectRows, type Table } from '../../models/table.js';
import { ENTRY_KINDS, type PlaceEntryKind, type ProfiledPlaces } from './profiled-places.js';
import { ENTRY_STATES, type Staleness } from './staleness.js';
import type { Judge } from './verdict.js';

/** Counts of entries of a kind of events: kept + moved + dropped is their number in the input. */
export interface RelocationCount {
  readonly kind: string;
  kept: number;
  moved: number;
  dropped: number;
  /** Dropped records of kept entries: classes that are no longer receivers. */
  records: number;
  /** Executions that were dropped. */
  lost: number;
}

export interface Relocation {
  readonly recording: Recording;
  readonly counts: readonly RelocationCount[];
  /** For each kind, the row in the old table of each row of the new one. */
  readonly rows: ReadonlyMap<PlaceEntryKind, Int32Array>;
}

const STALE = ENTRY_STATES.indexOf('stale');
const MOVED = ENTRY_STATES.indexOf('moved');

export function relocate(
  recording: Recording,
  profile: Profile,
  places: ProfiledPlaces,
  judge: Judge,
  { states }: Staleness,
): Relocation {
  const functions = new RenamedFunctions(recording.program, places, judge);
  const stacks = new MovedStacks(recording.program, profile, places, judge, functions.rows);
  const counts: RelocationCount[] = [];
  const rows = new Map<PlaceEntryKind, Int32Array>();
  const events = profile.events.map((table) => {
    const kind = ENTRY_KINDS.find((known) => known === table.kind);
    const known = kind === undefined ? undefined : states.get(kind);
    const count = { kind: table.kind, kept: 0, moved: 0, dropped: 0, records: 0, lost: 0 };
    counts.push(count);
    if (kind === undefined || known === undefined) {
      count.kept = entriesOf(table);
      return withStacks(table, (stack) => stacks.leaf(stack, undefined));
    }
    const counted = countedRows(table);
    countEntries(counted, known, count);
    const kept = Int32Array.from([...counted.count.keys()].filter((row) => known[row] !== STALE));
    rows.set(kind, kept);
    return movedTable(table, kind, kept, places, judge, stacks);
  });
  const finished = stacks.finish();
  const program = { ...recording.program, ...functions.tables(), locations: finished.locations };
  return {
    recording: { ...recording, program, profile: { ...profile, stacks: finished.stacks, events }, residue: undefined },
    counts,
    rows,
  };
}

function entriesOf(table: Table): number {
  let entries = 0;
  const site = columnOf(table, SITE);
  if (site !== undefined) for (let row = 0; row < table.length; row++) if (site[row] !== site[row - 1]) entries++;
  return entries;
}

function countEntries(counted: CountedRows, states: Uint8Array, count: RelocationCount): void {
  const { count: executed } = counted;
  forEachSite(counted, (_site, _stack, from, to) => {
    let stale = 0;
    let moved = false;
    for (let row = from; row < to; row++) {
      if (states[row] === STALE) {
        stale++;
        count.lost += executed[row];
      } else if (states[row] === MOVED) moved = true;
    }
    if (stale === to - from) count.dropped++;
    else {
      count.records += stale;
      if (moved) count.moved++;
      else count.kept++;
    }
  });
}

function movedTable(
  table: Table,
  kind: PlaceEntryKind,
  kept: Int32Array,
  places: ProfiledPlaces,
  judge: Judge,
  stacks: MovedStacks,
): Table {
  const { stack, site, target } = countedRows(table);
  const moved = kept.map((row) => stacks.leaf(stack[row], kind));
  const targets = target && {
    target: kept.map((row) => {
      const place = places.leaf(kind, stack[row]);
      return place === undefined || place.bci < 0 ? target[row] : (judge.target(place, target[row]) ?? target[row]);
    }),
  };
  return selectRows(table, kept, { stack: moved, ...(site && { site: renumbered(site, kept) }), ...targets });
}

function renumbered(site: Column, kept: Int32Array): Int32Array {
  let last = -1;
  return kept.map((row, i) => (i > 0 && site[kept[i - 1]] === site[row] ? last : ++last));
}

function withStacks(table: Table, moved: (stack: number) => number): Table {
  const old = columnOf(table, STACK);
  if (old === undefined) return table;
  const stack = Int32Array.from(old, (id) => (id < 0 ? id : moved(id)));
  return { ...table, columns: withColumns(table.columns, { stack }) };
}

/** Stacks with the frames of the new code. A stack has one row as a caller, and one as the leaf of each kind of entry. */
class MovedStacks {
  readonly #program: Program;
  readonly #profile: Profile;
  readonly #places: ProfiledPlaces;
  readonly #judge: Judge;
  readonly #functions: Int32Array;
  readonly #builder: StackBuilder;
  /** By old stack: its new parent, or how it begins. */
  readonly #above: Int32Array;

  constructor(program: Program, profile: Profile, places: ProfiledPlaces, judge: Judge, functions: Int32Array) {
    const { length, parent, ending, location } = profile.stacks;
    this.#program = program;
    this.#profile = profile;
    this.#places = places;
    this.#judge = judge;
    this.#functions = functions;
    this.#builder = new StackBuilder(length);
    this.#above = new Int32Array(length);
    for (let stack = 0; stack < length; stack++) {
      const above = parent[stack];
      const call = this.#places.places[this.#places.callers[stack]];
      this.#above[stack] =
        above < 0
          ? rootOf(STACK_ENDINGS[ending[stack]])
          : this.#add(this.#above[above], location[above], call === undefined ? undefined : judge.place(call).bci);
    }
  }

  /** The new stack of an entry of a kind with the leaf `stack`; without a kind, the leaf is unchanged. */
  leaf(stack: number, kind: PlaceEntryKind | undefined): number {
    const place = kind === undefined ? undefined : this.#places.leaf(kind, stack);
    const bci = place === undefined ? undefined : this.#judge.place(place).bci;
    return this.#add(this.#above[stack], this.#profile.stacks.location[stack], bci);
  }

  #add(above: number, location: number, bci: number | undefined): number {
    const { locations } = this.#program;
    return this.#builder.add(
      above,
      this.#functions[locations.function[location]],
      bci ?? bciOf(this.#program, location),
    );
  }

  finish(): Pick<Profile, 'stacks'> & Pick<Program, 'locations'> {
    const table = new IntTable();
    const stacks = this.#builder.finish((of, bci) => table.add(of, bci));
    return { stacks, locations: { length: table.length, function: table.column(0), bci: table.column(1) } };
  }
}

/** Functions with new names: the existing function of that name, or a new row. */
class RenamedFunctions {
  /** By old function. */
  readonly rows: Int32Array;
  readonly #program: Program;
  readonly #added: { readonly of: FunctionId; readonly name: string }[] = [];

  constructor(program: Program, places: ProfiledPlaces, judge: Judge) {
    this.#program = program;
    const { length } = program.functions;
    this.rows = Int32Array.from({ length }, (_, id) => id);
    const renamed = [...places.byFunction.keys()].flatMap((of) => {
      const name = judge.method(of).renamed;
      return name === undefined ? [] : [{ of, name }];
    });
    const known = this.#listed(new Set(renamed.map(({ of }) => program.functions.class[of])));
    for (const { of, name } of renamed)
      this.rows[of] = known.get(this.#text(of, name)) ?? length + this.#added.push({ of, name }) - 1;
  }

  /** The first function of each class, name and signature, of some classes. */
  #listed(classes: ReadonlySet<ClassId>): ReadonlyMap<string, FunctionId> {
    const { functions, names } = this.#program;
    const listed = new Map<string, FunctionId>();
    if (classes.size === 0) return listed;
    for (let id = 0; id < functions.length; id++) {
      if (!classes.has(functions.class[id])) continue;
      const text = this.#text(id, stringAt(names, functions.name[id]));
      if (!listed.has(text)) listed.set(text, id);
    }
    return listed;
  }

  #text(of: FunctionId, name: string): string {
    return `${this.#program.functions.class[of]} ${this.#signature(of)} ${name}`;
  }

  #signature(id: FunctionId): string {
    const { signature, signatureStart } = this.#program.functions;
    return signature.subarray(signatureStart[id], signatureStart[id + 1]).join(' ');
  }

  tables(): Pick<Program, 'functions' | 'names'> {
    const { functions, names } = this.#program;
    if (this.#added.length === 0) return { functions, names };
    const last = names.offsets.length - 1;
    const bytes = new ByteBuilder(names.bytes.length);
    bytes.append(names.bytes, 0, names.offsets[last]);
    const ends = this.#added.map(({ name }) => {
      const text = encodeUtf8(name);
      bytes.append(text, 0, text.length);
      return bytes.length;
    });
    const offsets = Int32Array.from([...names.offsets, ...ends]);
    return { names: { bytes: bytes.finish(), offsets }, functions: this.#extended(functions, last) };
  }

  #extended(functions: FunctionTable, firstName: number): FunctionTable {
    const of = this.#added.map((each) => each.of);
    let id = functions.fileId.reduce((most, each) => Math.max(most, each), -1);
    const signature = [...functions.signature];
    const starts = [...functions.signatureStart];
    for (const each of of) {
      signature.push(
        ...functions.signature.subarray(functions.signatureStart[each], functions.signatureStart[each + 1]),
      );
      starts.push(signature.length);
    }
    return {
      ...functions,
      length: functions.length + of.length,
      name: Int32Array.from([...functions.name, ...of.map((_, i) => firstName + i)]),
      class: Int32Array.from([...functions.class, ...of.map((each) => functions.class[each])]),
      kind: Uint8Array.from([...functions.kind, ...of.map((each) => functions.kind[each])]),
      fileId: Int32Array.from([...functions.fileId, ...of.map(() => ++id)]),
      signature: Int32Array.from(signature),
      signatureStart: Int32Array.from(starts),
    };
  }
}
