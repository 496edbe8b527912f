/** The recordings of a question whose dumps follow each other. */
import { requireDump } from '../../analysis/scope/moment.js';
import { isEqualData } from '../../analysis/threads/equal.js';
import type { Watched } from '../../analysis/threads/timeline.js';
import { UsageError } from '../../base/errors.js';
import { type Note, note } from '../../base/note.js';
import { STATE_EVENTS } from '../../models/events/state.js';
import { THREADS } from '../../models/profile/tables.js';
import type { Side, ViewInput } from '../question.js';

export interface ThreadSides {
  readonly sides: readonly Side[];
  /** Names of recordings that were given again, in the order of the input. */
  readonly again: readonly string[];
  /** They are not among the sides. */
  readonly once: boolean;
}

/**
 * The base first. A recording with the same content as an earlier one is left out, as long as there are two others: a file
 * that is named beside its directory is one dump.
 */
export function sidesOf({ base, baseRuns, runs, ...input }: ViewInput): ThreadSides {
  const main: Side = input;
  const all = base === undefined ? [main, ...runs] : [base, ...baseRuns, main, ...runs];
  const sides: Side[] = [];
  const again: string[] = [];
  for (const side of all) {
    if (sides.some((earlier) => isSame(earlier, side))) again.push(side.recording.name);
    else sides.push(side);
  }
  const once = sides.length > 1;
  return { sides: once ? sides : all, again, once };
}

/** Whether both show the same dumps. Readers give equal ids to equal input. */
function isSame(one: Side, other: Side): boolean {
  const [a, b] = [one.recording, other.recording];
  return (
    one.dump.moment === other.dump.moment &&
    isEqualData(a.locks, b.locks) &&
    isEqualData(a.profile, b.profile) &&
    isEqualData(a.program, b.program)
  );
}

/** The sides that say what threads did; a usage error where several are compared and one does not. */
export function watchedOf(sides: readonly Side[]): Watched[] {
  return sides.flatMap(({ recording, profile, dump }) => {
    const states = STATE_EVENTS.of(profile);
    if (states !== undefined) requireDump(recording, dump, STATE_EVENTS.kind);
    if (profile?.threads !== undefined && states !== undefined)
      return [{ recording, profile, dump, states, threads: THREADS.rows(profile.threads) }];
    if (sides.length === 1) return [];
    throw new UsageError(`${recording.name} has no states of threads to compare`, { code: 'no-thread-states' });
  });
}

/** A line for files that were given twice. */
export function againNotes({ again, once }: ThreadSides): Note[] {
  const [first] = again;
  if (first === undefined) return [];
  const others = again.length === 1 ? '' : ` and ${again.length - 1} more files`;
  return [note('given-twice', `Given twice${once ? ' and counted once' : ''}: ${first}${others}.`)];
}
