/**
 * Which methods profiles saw: on a stack of an event, in a context with a count above 0, in a recorded trace, or in a pair of caller and
 * callee. Names are joined with those of a report as in every comparison (`analysis/identity`). A name that may mean several methods of the
 * report, such as one without parameters, proves nothing of any of them: these methods are neither observed nor unobserved.
 */
import type { Profile } from '../../models/profile/profile.js';
import { ARCS, TRACES } from '../../models/profile/tables.js';
import { functionName } from '../../models/program/names.js';
import { FUNCTION_KINDS, type FunctionId, type Program } from '../../models/program/program.js';
import { functionRuns } from '../coverage/method-contexts.js';
import { MATCHES, type United } from '../identity/unite.js';

/** By function: 1 if the profile saw it. Only methods of classes are. */
export function observedFunctions(profile: Profile, program: Program): Uint8Array {
  const { functions, locations } = program;
  const runs = functionRuns(profile, program);
  const java = FUNCTION_KINDS.indexOf('java');
  const seen = new Uint8Array(functions.length);
  for (let id = 0; id < seen.length; id++) if (runs.ran(id) === 'ran') seen[id] = 1;
  const { stacks, traces, arcs } = profile;
  if (traces !== undefined)
    for (const stack of TRACES.rows(traces).stack)
      for (let at = stack; at >= 0; at = stacks.parent[at]) seen[locations.function[stacks.location[at]]] = 1;
  if (arcs !== undefined) {
    const { caller, callee } = ARCS.rows(arcs);
    for (const ends of [caller, callee]) for (const id of ends) if (id >= 0) seen[id] = 1;
  }
  for (let id = 0; id < seen.length; id++) if (functions.kind[id] !== java || functions.class[id] < 0) seen[id] = 0;
  return seen;
}

/** What profiles saw, beside a report. */
export interface ObservedMethods {
  /** Functions of profiles, each joined one once, without ambiguous names; and whether the image has them. */
  readonly methods: readonly { readonly profile: number; readonly id: FunctionId; readonly isReached: boolean }[];
  /** By function of the report: 1 if it was seen, 2 if an ambiguous name may mean it. */
  readonly seen: Uint8Array;
  /** By profile: whether it saw any method of a class. */
  readonly saw: readonly boolean[];
  /** Names that profiles saw and that may mean several methods. */
  readonly ambiguous: number;
}

const SEEN = 1;
/** An ambiguous name may mean the method. */
export const MAYBE = 2;

/** `reached`: functions of the report's program that the image has; `rows` of `united`: of the report, then of each profile. */
export function observedBeside(
  report: Program,
  reached: Uint8Array,
  profiles: readonly { readonly profile: Profile; readonly program: Program }[],
  united: United,
): ObservedMethods {
  const [own = new Int32Array(), ...others] = united.rows;
  const unsure = MATCHES.indexOf('ambiguous');
  const isReached = new Uint8Array(united.length);
  for (let id = 0; id < own.length; id++) if (reached[id] === 1) isReached[own[id]] = 1;
  const isSeen = new Uint8Array(united.length);
  const names = new Set<string>();
  const methods: { profile: number; id: FunctionId; isReached: boolean }[] = [];
  const saw: boolean[] = [];
  for (const [i, { profile, program }] of profiles.entries()) {
    const observed = observedFunctions(profile, program);
    saw.push(observed.includes(1));
    for (let id = 0; id < observed.length; id++) {
      const row = others[i][id];
      if (observed[id] === 0 || isSeen[row] === 1) continue;
      if (united.match[row] === unsure) {
        names.add(functionName(program, id));
        continue;
      }
      isSeen[row] = 1;
      methods.push({ profile: i, id, isReached: isReached[row] === 1 });
    }
  }
  const seen = new Uint8Array(own.length);
  for (let id = 0; id < own.length; id++)
    if (isSeen[own[id]] === 1) seen[id] = SEEN;
    else if (names.size > 0 && names.has(functionName(report, id))) seen[id] = MAYBE;
  return { methods, seen, saw, ambiguous: names.size };
}
