/** A function, or a fragment of stacks, with its values from each caller and to each callee. */
import { functionNames, textForOther } from '../../analysis/identity/named-functions.js';
import type { UnitedPrograms } from '../../analysis/identity/unite.js';
import { closestAdvice } from '../../analysis/identity/unknown-name.js';
import { attributedAround } from '../../analysis/stacks/stack-values.js';
import { exclusiveUse, functionsUse } from '../../analysis/stacks/stages.js';
import { UsageError } from '../../base/errors.js';
import type { Note } from '../../base/note.js';
import { CALL_EVENTS } from '../../models/events/call.js';
import type { Metric, Profile } from '../../models/profile/profile.js';
import { ARCS } from '../../models/profile/tables.js';
import { functionSignature } from '../../models/program/names.js';
import type { FunctionId, Program } from '../../models/program/program.js';
import type { Table } from '../../models/table.js';
import { NOT_INLINED, observedAround, type SiteNeighbour } from '../pgo/observed-callers.js';
import { functionsNamed, type Side } from '../question.js';
import { arcNotes, arcsAroundFunctions } from './arcs.js';
import { metricNotes } from './function-values.js';

export interface Neighbour extends SiteNeighbour {
  /** Whether it is one of the chosen functions. */
  readonly chosen: boolean;
}

export interface Around {
  readonly inclusive: number;
  readonly exclusive: number | null;
  readonly callers: readonly Neighbour[];
  readonly callees: readonly Neighbour[];
  readonly notes: readonly Note[];
}

/** Values along stacks, if the metric has them. */
export interface StackValues {
  readonly exclusive?: Float64Array | undefined;
  readonly functions?: Int32Array | undefined;
}

const NOTHING = new Float64Array();

export function aroundOf(
  profile: Profile,
  program: Program,
  metric: Metric,
  fragment: readonly FragmentFrame[],
  { exclusive = NOTHING, functions = new Int32Array() }: StackValues,
  name: Names,
): Around {
  const notes = metricNotes(metric, profile, program, exclusive);
  const chosen = fragment.at(-1)?.ids ?? [];
  if (fragment.length > 1 && !hasCallers(metric))
    throw new UsageError(`${metric.title.toLowerCase()} have no stacks to look for a fragment in`, {
      code: 'no-stacks',
      advice: 'Name one function.',
    });
  if (metric.table === CALL_EVENTS.kind) return observedCalls(profile, program, chosen, notes);
  const count = program.functions.length;
  const neighboursIn = (values: ReadonlyMap<FunctionId, number>): Neighbour[] =>
    [...values]
      .sort((a, b) => a[0] - b[0])
      .map(([id, value]) => ({
        id,
        function: id < 0 ? rootName(metric) : name(id),
        at: undefined,
        count: value,
        chosen: chosen.includes(id),
      }));
  if (metric.table === ARCS.kind && profile.arcs !== undefined) {
    const { callers, callees, sum } = arcsAroundFunctions(profile.arcs, metric, chosen, count);
    const exclusive = metric.nature === 'flow' ? null : sum;
    return {
      inclusive: sum,
      exclusive,
      callers: neighboursIn(callers),
      callees: neighboursIn(callees),
      notes: arcNotes(metric),
    };
  }
  if (metric.arcField !== undefined && profile.arcs !== undefined)
    return {
      ...calledAround(profile, profile.arcs, { metric, chosen, count, exclusive, functions }, neighboursIn),
      notes,
    };
  const masks = fragment.map(({ ids }) => maskOf(ids, count));
  const [first = new Uint8Array(count)] = masks;
  const around =
    metric.nature === 'site'
      ? directAround(profile.stacks.parent, functions, exclusive, first)
      : attributedAround(profile.stacks, functions, exclusive, masks);
  const { callers, callees } = around;
  return {
    ...around,
    callers: neighboursIn(callers),
    callees: neighboursIn(callees),
    notes,
  };
}

/** Whether the stacks of a metric have callers, and their sums a meaning. */
function hasCallers({ table, arcField, nature }: Metric): boolean {
  return table !== CALL_EVENTS.kind && table !== ARCS.kind && arcField === undefined && nature !== 'site';
}

interface ChosenFunctions {
  readonly metric: Metric;
  readonly chosen: readonly FunctionId[];
  /** Functions of the program. */
  readonly count: number;
  readonly exclusive: Float64Array;
  readonly functions: Int32Array;
}

/** Where costs are of places, and those of calls of pairs: the latter around the chosen functions, with the code that was inlined into them. */
function calledAround(
  { stacks }: Profile,
  arcs: Table,
  { metric, chosen, count, exclusive, functions }: ChosenFunctions,
  neighboursIn: (values: ReadonlyMap<FunctionId, number>) => Neighbour[],
): Omit<Around, 'notes'> {
  const along = attributedAround(stacks, functions, exclusive, [maskOf(chosen, count)]);
  const { callers, callees, sum } = arcsAroundFunctions(arcs, metric, chosen, count);
  let called = 0;
  for (const [callee, value] of callees) if (!chosen.includes(callee)) called += value;
  return {
    inclusive: sum > 0 ? sum : along.inclusive + called,
    exclusive: along.exclusive,
    callers: neighboursIn(callers),
    callees: neighboursIn(new Map([...along.callees, ...callees])),
  };
}

function maskOf(ids: readonly FunctionId[], count: number): Uint8Array {
  const mask = new Uint8Array(count);
  for (const id of ids) mask[id] = 1;
  return mask;
}

function observedCalls(
  profile: Profile,
  program: Program,
  chosen: readonly FunctionId[],
  notes: readonly Note[],
): Around {
  const around = observedAround(profile, program, chosen);
  const plain = (neighbours: readonly SiteNeighbour[]) => neighbours.map((one) => ({ ...one, chosen: false }));
  return {
    inclusive: around.calls,
    exclusive: around.calls,
    callers: plain(around.callers),
    callees: plain(around.callees),
    notes: [...notes, ...around.notes],
  };
}

/** A frame of a fragment: what the question calls it, and the functions that it may be. */
export interface FragmentFrame {
  readonly text: string;
  readonly ids: readonly FunctionId[];
}

/** The frames of `caller -> callee`, outermost first; of one function only that. */
export function fragmentOf(program: Program, words: string): FragmentFrame[] {
  return words.split(BETWEEN).map((text) => ({ text, ids: functionsNamed(program, text, 'function') }));
}

/** The same fragment in the base, where handles are of functions of `program`. */
export function baseFragment(program: Program, base: Program, words: string): FragmentFrame[] {
  return fragmentOf(
    base,
    words
      .split(BETWEEN)
      .map((text) => textForOther(text, program, base))
      .join(' -> '),
  );
}

const BETWEEN = /\s+->\s+/;

export function noFunction({ recording }: Side, text: string): UsageError {
  return new UsageError(`${recording.name} has no function ${text}`, {
    code: 'no-function',
    advice:
      closestAdvice(text, functionNames(recording.program)) ??
      'Write a name, `Class.method`, `method`, or a regular expression.',
  });
}

export function nameOf(program: Program, { text, ids }: FragmentFrame): string {
  const [only] = ids;
  return ids.length === 1 && only !== undefined
    ? functionSignature(program, only)
    : `${ids.length} functions matching ${text}`;
}

/**
 * The neighbours of a function for counts of places: callers are the functions it was inlined into and counted under,
 * callees those counted directly under it.
 */
function directAround(parent: Int32Array, functions: Int32Array, exclusive: Float64Array, chosen: Uint8Array) {
  const callers = new Map<FunctionId, number>();
  const callees = new Map<FunctionId, number>();
  let sum = 0;
  for (let id = 0; id < parent.length; id++) {
    const value = exclusive[id];
    if (value === 0) continue;
    const caller = parent[id] >= 0 ? functions[parent[id]] : -1;
    if (chosen[functions[id]] === 1) {
      sum += value;
      callers.set(caller, (callers.get(caller) ?? 0) + value);
    }
    if (caller >= 0 && chosen[caller] === 1) callees.set(functions[id], (callees.get(functions[id]) ?? 0) + value);
  }
  return { inclusive: sum, exclusive: sum, callers, callees };
}

function rootName(metric: Metric): string {
  return metric.nature === 'site' ? NOT_INLINED : '<root>';
}

/** The stages with values along stacks, if the metric has them. */
export function alongOf({ subject }: Side, metric: Metric) {
  if (metric.table === ARCS.kind) return undefined;
  return {
    exclusive: exclusiveUse(subject, metric),
    functions: metric.table === CALL_EVENTS.kind ? undefined : functionsUse(subject),
  };
}

type Names = (id: FunctionId) => string;

/** Names of the functions of a side: those that both programs share, if two are compared. */
export function namesOf(program: Program, united: UnitedPrograms | undefined, run: number): Names {
  if (united === undefined) return (id) => functionSignature(program, id);
  const { name, rows } = united.functions;
  return (id) => name(rows[run][id]);
}

/** The same in the base; nothing where it lacks the functions. */
export function baseAround(
  { recording, profile }: Side,
  metric: Metric,
  fragment: readonly FragmentFrame[],
  united: UnitedPrograms | undefined,
  along: StackValues,
): Around | undefined {
  if (profile === undefined || fragment.some(({ ids }) => ids.length === 0)) return NOWHERE;
  return aroundOf(profile, recording.program, metric, fragment, along, namesOf(recording.program, united, 1));
}

const NOWHERE: Around = { inclusive: 0, exclusive: 0, callers: [], callees: [], notes: [] };

/** A neighbour in the recording, in the base, or in both. */
export interface ComparedNeighbour {
  readonly now?: Neighbour;
  readonly before?: Neighbour;
}

/** Neighbours of both sides: the same function, called at the same place where places are known. */
export function together(now: readonly Neighbour[], base: readonly Neighbour[] | undefined): ComparedNeighbour[] {
  if (base === undefined) return now.map((one) => ({ now: one }));
  const neighboursByKey = new Map<string, ComparedNeighbour>();
  for (const [side, neighbours] of [
    ['now', now],
    ['before', base],
  ] as const) {
    // Functions of several loaders may have one name.
    const times = new Map<string, number>();
    for (const one of neighbours) {
      const name = `${one.at ?? ''} ${one.function}`;
      const time = times.get(name) ?? 0;
      times.set(name, time + 1);
      const key = `${time} ${name}`;
      neighboursByKey.set(key, { ...neighboursByKey.get(key), [side]: one });
    }
  }
  return [...neighboursByKey.values()];
}
