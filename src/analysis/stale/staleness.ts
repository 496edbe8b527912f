/**
 * How much of a PGO profile still fits the code: every entry is judged by its place and by the calls in its context.
 *
 *   stale    something in the context contradicts or is gone: the entry is not applied, or misleads
 *   moved    all of it exists, some of it at other bytecode indexes
 *   outside  the entry's own method is not in the class path
 *   exempt   it does not have a place (negative BCIs: intrinsics and merged code), or the class path lacks classes
 *   fits     the rest
 *
 * If several apply, the first counts. Classes that are no longer receivers make their records stale, and the entry if
 * it does not have others. Cost: one pass over stacks and events.
 */
import { IntTable } from '../../base/columns/hash.js';
import { countedEvents, forEachSite } from '../../models/events/counted.js';
import type { Profile } from '../../models/profile/profile.js';
import type { ClassId, FunctionId, Program } from '../../models/program/program.js';
import { ENTRY_KINDS, type PlaceEntryKind, type ProfiledPlace, type ProfiledPlaces } from './profiled-places.js';
import { FITS, type Judge, type PlaceState, type PlaceVerdict } from './verdict.js';

export const ENTRY_STATES = ['fits', 'moved', 'stale', 'exempt', 'outside'] as const;
export type EntryState = (typeof ENTRY_STATES)[number];

/** Sums by state. */
export type Tally = Record<EntryState, number>;

export interface KindTally {
  readonly kind: PlaceEntryKind;
  readonly entries: Tally;
  /** Calls, branch executions, calls through sites, samples. */
  readonly executions: Tally;
  /** The heaviest of the judged entries, which together have 90 % of the executions, and the others. */
  readonly hot: Tally;
  readonly cold: Tally;
}

/** The counts of a method, and how much of them does not fit as it stands. */
export interface MethodTally {
  readonly function: FunctionId;
  calls: number;
  entries: number;
  /** Executions of entries that do not fit because of this method, also where it was inlined. */
  misplaced: number;
  readonly places: number;
  /** Places that do not fit at their recorded index. */
  misfits: number;
  /** The contradictions at its places, in the order of the profile. */
  readonly why: string[];
}

export interface Staleness {
  readonly kinds: readonly KindTally[];
  readonly methods: readonly MethodTally[];
  /** By row of the table: the state of its entry as an index into `ENTRY_STATES`; `stale` for records of stale classes. */
  readonly states: ReadonlyMap<PlaceEntryKind, Uint8Array>;
  /** The stale part that contradicts the old classes; 0 with one class path. */
  readonly contradictsOld: { readonly entries: number; readonly executions: number };
}

const HOT_SHARE = 0.9;
const STALE = ENTRY_STATES.indexOf('stale');

export function staleness(program: Program, profile: Profile, places: ProfiledPlaces, judge: Judge): Staleness {
  const methods = methodTallies(places, judge);
  const byFunction: (MethodTally | undefined)[] = new Array(program.functions.length);
  for (const method of methods) byFunction[method.function] = method;
  const contexts = new Contexts(program, profile, places, judge);
  const states = new Map<PlaceEntryKind, Uint8Array>();
  const contradictsOld = { entries: 0, executions: 0 };
  const kinds = ENTRY_KINDS.flatMap((kind) => {
    const counted = countedEvents(profile, kind);
    if (counted === undefined) return [];
    const { length, count, type: types } = counted;
    const rows = new Uint8Array(length);
    states.set(kind, rows);
    const entries = new Entries(length);
    const verdicts = new TypeVerdicts(judge);
    forEachSite(counted, (_site, stack, from, to) => {
      const place = places.leaf(kind, stack);
      const { state, blame, contradicts } = contexts.entry(stack, place);
      const code = ENTRY_STATES.indexOf(state);
      let [fitting, misfit, staleRows, contradicted] = [0, 0, 0, 0];
      for (let row = from; row < to; row++) {
        const met = types !== undefined && place !== undefined ? verdicts.of(place, types[row]) : FITS;
        const isStale = state !== 'stale' && met.state === 'stale';
        if (isStale) addReason(byFunction[place?.function ?? -1], met.why);
        rows[row] = isStale ? STALE : code;
        if (rows[row] === STALE) staleRows++;
        if (isStale) misfit += count[row];
        else fitting += count[row];
        if (!contradicts && !(isStale && met.contradictsOld === true)) continue;
        contradicted++;
        contradictsOld.executions += count[row];
      }
      if (contradicted > 0 && contradicted === to - from) contradictsOld.entries++;
      const own = program.locations.function[profile.stacks.location[stack]];
      const all = staleRows === to - from;
      const known = all ? 'stale' : state;
      const weight = fitting + misfit;
      entries.push(known, weight, all ? weight : misfit);
      const tally = byFunction[own];
      if (tally === undefined) return;
      tally.entries++;
      if (kind === 'call') tally.calls += weight;
      const misplaced = known === 'stale' || known === 'moved' ? weight : misfit;
      const at = byFunction[blame < 0 ? own : blame];
      if (at !== undefined) at.misplaced += misplaced;
    });
    return [tallied(kind, entries)];
  });
  return { kinds, methods, states, contradictsOld };
}

/** The verdict on each type at each place of one kind of counts, once for all contexts. */
class TypeVerdicts {
  readonly #judge: Judge;
  /** (location, type). */
  readonly #keys = new IntTable();
  readonly #verdicts: PlaceVerdict[] = [];

  constructor(judge: Judge) {
    this.#judge = judge;
  }

  of(place: ProfiledPlace, type: ClassId): PlaceVerdict {
    const key = this.#keys.add(place.location, type);
    this.#verdicts[key] ??= this.#judge.type(place, type);
    return this.#verdicts[key];
  }
}

/** A class that is no longer a receiver is a place that does not fit, counted once for all contexts. */
function addReason(method: MethodTally | undefined, why: string | undefined): void {
  if (method === undefined || why === undefined || method.why.includes(why)) return;
  method.why.push(why);
  method.misfits++;
}

/** The entries of a kind: state as an index into `ENTRY_STATES`, executions, and the part of them in stale records. */
class Entries {
  length = 0;
  readonly state: Uint8Array;
  readonly weight: Float64Array;
  readonly stale: Float64Array;

  constructor(most: number) {
    this.state = new Uint8Array(most);
    this.weight = new Float64Array(most);
    this.stale = new Float64Array(most);
  }

  push(state: EntryState, weight: number, stale: number): void {
    this.state[this.length] = ENTRY_STATES.indexOf(state);
    this.weight[this.length] = weight;
    this.stale[this.length++] = stale;
  }
}

function methodTallies(places: ProfiledPlaces, judge: Judge): MethodTally[] {
  const tallies: MethodTally[] = [];
  for (const [id, own] of places.byFunction) {
    const verdicts = own.map((each) => judge.place(places.places[each]));
    const misfits = verdicts.filter(({ state }) => state === 'stale' || state === 'moved');
    tallies.push({
      function: id,
      calls: 0,
      entries: 0,
      misplaced: 0,
      places: own.length,
      misfits: misfits.length,
      why: misfits.flatMap(({ why }) => (why === undefined ? [] : [why])),
    });
  }
  return tallies;
}

/** The verdict on the calls that lead to each stack, worst first. */
class Contexts {
  readonly #program: Program;
  readonly #profile: Profile;
  readonly #judge: Judge;
  /** By stack: the worst severity of it and the frames above. */
  readonly #bad: Uint8Array;
  /** The method that causes it; -1 if nothing is wrong. */
  readonly #blame: Int32Array;

  constructor(program: Program, profile: Profile, places: ProfiledPlaces, judge: Judge) {
    this.#program = program;
    this.#profile = profile;
    this.#judge = judge;
    const { length, parent } = profile.stacks;
    this.#bad = new Uint8Array(length);
    this.#blame = new Int32Array(length).fill(-1);
    for (let stack = 0; stack < length; stack++) {
      if (places.used[stack] === 0) continue;
      if (parent[stack] >= 0) this.#worsen(stack, this.#bad[parent[stack]], this.#blame[parent[stack]]);
      const own = this.#functionOf(stack);
      this.#worsen(stack, severity({ state: this.#ofMethod(own) }), own);
      const call = places.callers[stack];
      const caller = call < 0 ? undefined : places.places[call];
      if (caller !== undefined) this.#worsen(stack, severity(judge.place(caller)), caller.function);
    }
  }

  /** The verdict on an entry with the context `stack` and its leaf at `place`. */
  entry(
    stack: number,
    place: ProfiledPlace | undefined,
  ): { state: EntryState; blame: FunctionId; contradicts: boolean } {
    const own = this.#functionOf(stack);
    const leaf = place === undefined ? FITS : this.#judge.place(place);
    const blame = severity(leaf) > this.#bad[stack] ? own : this.#blame[stack];
    const worst = Math.max(severity(leaf), this.#bad[stack]);
    const contradicts = worst === CONTRADICTS_OLD;
    if (worst > 0) return { state: worst === 1 ? 'moved' : 'stale', blame, contradicts };
    const isOutside = this.#judge.method(own).state === 'outside';
    const state = isOutside ? 'outside' : leaf.state === 'exempt' ? 'exempt' : 'fits';
    return { state, blame, contradicts };
  }

  #functionOf(stack: number): FunctionId {
    return this.#program.locations.function[this.#profile.stacks.location[stack]];
  }

  /** A method with another name is moved as a whole. */
  #ofMethod(id: FunctionId): PlaceState {
    const { state, renamed } = this.#judge.method(id);
    return state === 'gone' ? 'stale' : renamed === undefined ? 'fits' : 'moved';
  }

  #worsen(stack: number, bad: number, blame: FunctionId): void {
    if (bad <= this.#bad[stack]) return;
    this.#bad[stack] = bad;
    this.#blame[stack] = blame;
  }
}

const CONTRADICTS_OLD = 3;

/** 0 nothing is wrong, 1 moved, 2 stale, 3 stale for the old classes, too. */
function severity({ state, contradictsOld }: PlaceVerdict): number {
  if (contradictsOld === true) return CONTRADICTS_OLD;
  return state === 'stale' ? 2 : state === 'moved' ? 1 : 0;
}

function tallied(kind: PlaceEntryKind, { length, state: states, weight, stale }: Entries): KindTally {
  const tally = { kind, entries: noTally(), executions: noTally(), hot: noTally(), cold: noTally() };
  const judged = new Float64Array(length);
  let [count, all] = [0, 0];
  for (let entry = 0; entry < length; entry++) {
    const state = ENTRY_STATES[states[entry]];
    tally.entries[state]++;
    tally.executions[state] += state === 'stale' ? weight[entry] : weight[entry] - stale[entry];
    if (state !== 'stale') tally.executions.stale += stale[entry];
    if (!isJudged(state)) continue;
    judged[count++] = weight[entry];
    all += weight[entry];
  }
  const hot = heaviest(judged.subarray(0, count).sort(), all * HOT_SHARE);
  for (let entry = 0; entry < length; entry++) {
    const state = ENTRY_STATES[states[entry]];
    if (!isJudged(state)) continue;
    const isHot = weight[entry] > hot.least || (weight[entry] === hot.least && hot.ties-- > 0);
    (isHot ? tally.hot : tally.cold)[state]++;
  }
  return tally;
}

function isJudged(state: EntryState): boolean {
  return state !== 'outside' && state !== 'exempt';
}

/** The heaviest entries that together have `enough`: those above `least`, and the first `ties` of just that weight. */
function heaviest(weights: Float64Array, enough: number): { readonly least: number; ties: number } {
  let [sum, least, ties] = [0, Number.POSITIVE_INFINITY, 0];
  for (let i = weights.length - 1; i >= 0 && sum < enough; i--) {
    ties = weights[i] === least ? ties + 1 : 1;
    least = weights[i];
    sum += least;
  }
  return { least, ties };
}

function noTally(): Tally {
  return { fits: 0, moved: 0, stale: 0, exempt: 0, outside: 0 };
}

/** The share of the judged part of a tally that fits; null if nothing could be judged. */
export function fittingShare({ fits, moved, stale }: Tally): number | null {
  const judged = fits + moved + stale;
  return judged === 0 ? null : fits / judged;
}

/** The share of a tally that could be judged; null if it is empty. */
export function judgedShare({ fits, moved, stale, exempt, outside }: Tally): number | null {
  const all = fits + moved + stale + exempt + outside;
  return all === 0 ? null : (fits + moved + stale) / all;
}

/** The sum of several tallies. */
export function sumOf(tallies: readonly Tally[]): Tally {
  const sum = noTally();
  for (const tally of tallies) for (const state of ENTRY_STATES) sum[state] += tally[state];
  return sum;
}
