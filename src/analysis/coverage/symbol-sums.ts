/**
 * The methods and types that a PGO profile lists, with what was counted of each: most of them never ran, and are in no context.
 * O(rows of the profile), 20 bytes a method, 36 a type.
 */
import { CALL_EVENTS } from '../../models/events/call.js';
import { INSTANCEOF_EVENTS } from '../../models/events/instanceof.js';
import { RECEIVER_EVENTS } from '../../models/events/receiver.js';
import { SYNCHRONISATION_EVENTS } from '../../models/events/synchronisation.js';
import type { Profile } from '../../models/profile/profile.js';
import { FUNCTION_KINDS, type Program } from '../../models/program/program.js';
import { type FunctionRuns, functionRuns } from './method-contexts.js';

/** What was counted of each method. */
export interface MethodSums {
  readonly runs: FunctionRuns;
  /** NaN of methods without counted calls. */
  readonly calls: Float64Array;
  readonly contexts: Int32Array;
}

export function methodSums(profile: Profile, program: Program): MethodSums {
  const calls = new Float64Array(program.functions.length).fill(Number.NaN);
  const contexts = new Int32Array(program.functions.length);
  const counted = CALL_EVENTS.of(profile);
  // Several entries may have the same context, which counts once.
  const isSeen = new Uint8Array(profile.stacks.length);
  for (let row = 0; row < (counted?.length ?? 0); row++) {
    const stack = counted?.stack[row] ?? -1;
    if (stack < 0) continue;
    const method = program.locations.function[profile.stacks.location[stack]];
    calls[method] = (Number.isNaN(calls[method]) ? 0 : calls[method]) + (counted?.count[row] ?? 0);
    if (isSeen[stack] === 0) contexts[method]++;
    isSeen[stack] = 1;
  }
  return { runs: functionRuns(profile, program), calls, contexts };
}

/** What was counted of each type; 0 where nothing was. */
export interface TypeSums {
  /** Methods that it declares, and their calls. */
  readonly methods: Int32Array;
  readonly calls: Float64Array;
  /** Virtual calls on it, type checks of it, monitors of it that were entered. */
  readonly receivers: Float64Array;
  readonly checks: Float64Array;
  readonly monitors: Float64Array;
}

export function typeSums(profile: Profile, program: Program): TypeSums {
  const { classes, functions } = program;
  const methods = new Int32Array(classes.length);
  const calls = new Float64Array(classes.length);
  const ofMethods = methodSums(profile, program);
  const java = FUNCTION_KINDS.indexOf('java');
  for (let id = 0; id < functions.length; id++) {
    const declaring = functions.class[id];
    if (declaring < 0 || functions.kind[id] !== java) continue;
    methods[declaring]++;
    if (!Number.isNaN(ofMethods.calls[id])) calls[declaring] += ofMethods.calls[id];
  }
  return {
    methods,
    calls,
    receivers: sumsByType(RECEIVER_EVENTS.of(profile), classes.length),
    checks: sumsByType(INSTANCEOF_EVENTS.of(profile), classes.length),
    monitors: sumsByType(SYNCHRONISATION_EVENTS.of(profile), classes.length),
  };
}

interface TypedRows {
  readonly length: number;
  readonly type: ArrayLike<number>;
  readonly count: ArrayLike<number>;
}

function sumsByType(events: TypedRows | undefined, classes: number): Float64Array {
  const sums = new Float64Array(classes);
  if (events === undefined) return sums;
  const { length, type, count } = events;
  for (let row = 0; row < length; row++) {
    const id = type[row] ?? -1;
    if (id >= 0) sums[id] += count[row] ?? 0;
  }
  return sums;
}
