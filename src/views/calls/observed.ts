/** What views of a report know of its methods beside it: the profiles that saw them run, and their sizes. */
import { MAYBE, type ObservedMethods, observedBeside } from '../../analysis/callgraph/observed-methods.js';
import type { PathMethods } from '../../analysis/callgraph/path-methods.js';
import type { UnitedPrograms } from '../../analysis/identity/unite.js';
import { requireProfile } from '../../analysis/scope/scoped.js';
import { rowsWhere } from '../../base/columns/marks.js';
import { MissingError } from '../../base/errors.js';
import { NONE } from '../../base/flavor.js';
import { type Note, note } from '../../base/note.js';
import { phrase, theView } from '../../base/phrase.js';
import { plural } from '../../base/units.js';
import { CALL_EVENTS } from '../../models/events/call.js';
import type { FunctionId } from '../../models/program/program.js';
import type { Side, ViewInput } from '../question.js';
import { requireGraph } from './choice.js';

/** The profiles beside a report. */
export function profilesOf({ base, baseRuns }: ViewInput): readonly Side[] {
  return base === undefined ? [] : [base, ...baseRuns];
}

/** What the profiles saw. Throws `MissingError` if none of them saw a method: then nothing is observed, and nothing unobserved. */
export function observedMethods(input: ViewInput, reached: Uint8Array, { functions }: UnitedPrograms): ObservedMethods {
  const profiles = profilesOf(input).map((side) => ({
    profile: requireProfile(side),
    program: side.recording.program,
  }));
  const observed = observedBeside(input.recording.program, reached, profiles, functions);
  if (observed.saw.includes(true)) return observed;
  const names = profilesOf(input).map(({ recording }) => recording.name);
  throw new MissingError(`${names.join(', ')}: no stacks, traces or counts of calls, so no method was observed`, {
    code: 'nothing-observed',
    advice: 'Profiles, thread dumps, and heap dumps with stacks of threads have them.',
  });
}

/** Names of profiles that saw nothing, beside others that did, and names that may mean several methods. */
export function observedNotes(input: ViewInput, reached: Uint8Array, observed: ObservedMethods): Note[] {
  const { saw, ambiguous } = observed;
  const blind = profilesOf(input).flatMap(({ recording }, i) => (saw[i] === true ? [] : [recording.name]));
  const notes = blind.map((name) =>
    note('observes-nothing', `${name} has no stacks, traces or counts of calls: it observes nothing.`, {
      about: { recording: name },
    }),
  );
  if (ambiguous === 0) return notes;
  const unsure = rowsWhere(reached.length, (id) => observed.seen[id] === MAYBE && reached[id] === 1).length;
  const unknown = plural(unsure, 'reachable method is', 'reachable methods are');
  return [
    ...notes,
    note(
      'ambiguous',
      `${plural(ambiguous, 'name')} in the profile may mean several methods: ${unknown} neither observed nor unobserved.`,
    ),
  ];
}

/** How many methods the profiles saw that the analysis missed. */
export function missedNotes({ methods }: ObservedMethods): Note[] {
  const missed = methods.filter(({ isReached }) => !isReached).length;
  if (missed === 0) return [];
  const count = plural(missed, 'method that the profile saw is', 'methods that the profile saw are');
  return [
    note(
      'seen-not-reachable',
      phrase`${count} not reachable in the report (${theView('calls-unreached')} lists them).`,
    ),
  ];
}

/** What profiles without counts of calls did not see. */
export function shortMethodNotes(input: ViewInput): Note[] {
  if (profilesOf(input).some(({ profile }) => CALL_EVENTS.of(profile) !== undefined)) return [];
  return [
    note(
      'short-methods-missing',
      'The profile does not count calls: methods that ran for a short time are missing in it.',
    ),
  ];
}

/** Bytes of a method's bytecode; NaN if unknown. */
export function bytecodeOf(methods: PathMethods | undefined, id: FunctionId): number {
  const bytes = methods?.bytesOf[id] ?? NONE;
  return bytes < 0 ? Number.NaN : bytes;
}

/** By function: bytes of machine code; NaN if unknown. */
export function codeBytesOf(input: ViewInput): Float64Array {
  const { methods, codeBytes } = requireGraph(input);
  const bytes = new Float64Array(input.recording.program.functions.length).fill(Number.NaN);
  if (codeBytes !== undefined) for (let i = 0; i < methods.length; i++) bytes[methods[i]] = codeBytes[i];
  return bytes;
}
