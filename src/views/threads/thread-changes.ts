/** The notes of `threads` on several dumps: which they are, of how many processes, and what changed from one to the next. */
import { z } from 'zod';
import type { United } from '../../analysis/identity/unite.js';
import { dumpCountOf } from '../../analysis/scope/moment.js';
import { STACK_CHANGED, type ThreadChanges, threadChanges } from '../../analysis/threads/changes.js';
import { type Processes, processesOf } from '../../analysis/threads/processes.js';
import type { SeenDump, Timeline } from '../../analysis/threads/timeline.js';
import { type Note, note } from '../../base/note.js';
import { formatCount, plural } from '../../base/units.js';
import { STATE_EVENTS, stateLetter, THREAD_STATES } from '../../models/events/state.js';
import type { Side } from '../question.js';

export const changesShape = z
  .object({
    process: z.enum(['same', 'different', 'unknown']).describe('whether the dumps are of one process'),
    dumps: z
      .array(
        z.object({
          recording: z.string(),
          dump: z.number().int().describe('of the recording, from 1 on'),
          time: z.number().nullable().describe('milliseconds since 1970, a local time read as UTC'),
          process: z.number().nullable().describe('PID'),
        }),
      )
      .describe('in the order of the lists of states'),
    new: z.number().nullable().describe('threads that the last dump shows and the first does not'),
    gone: z.number().nullable().describe('threads that the first dump shows and the last does not'),
    same_stack: z.number().describe('threads with Java frames and the same stack in all dumps'),
    same_stack_active: z.number().describe('of these, those that are runnable or blocked in the last'),
  })
  .describe('what changed from dump to dump; null where there is one dump only');

/** More dumps than these are not listed one by one. */
const MOST_STATES = 100;

const ACTIVE: readonly number[] = [THREAD_STATES.indexOf('runnable'), THREAD_STATES.indexOf('blocked')];

/** Several dumps, and what changed between them. */
export class DumpChanges {
  readonly timeline: Timeline;
  readonly processes: Processes;
  readonly changes: ThreadChanges;
  /** A thread that a dump does not show was not there. */
  readonly complete: boolean;

  constructor(sides: readonly Side[], timeline: Timeline, functions: United | undefined) {
    this.timeline = timeline;
    this.complete = showsAll(sides, timeline);
    this.processes = processesOf(timeline);
    this.changes = threadChanges(timeline, this.processes, functions, this.complete);
  }

  get knowsCpu(): boolean {
    return this.changes.cpu.some((cpu) => cpu >= 0);
  }

  /** State in each dump, null where it does not show the thread. */
  statesOf(thread: number): (string | null)[] {
    const { watched, dumps, starts, at, row } = this.timeline;
    const first = Math.max(0, dumps.length - MOST_STATES);
    const states = Array.from({ length: dumps.length - first }, (): string | null => null);
    for (let i = starts[thread]; i < starts[thread + 1]; i++) {
      const state = watched[dumps[at[i]].of].states.state[row[i]];
      if (at[i] >= first) states[at[i] - first] = THREAD_STATES[state] ?? null;
    }
    return states;
  }

  changeOf(thread: number): string | null {
    const { starts, at, dumps } = this.timeline;
    if (!this.complete || starts[thread] === starts[thread + 1]) return null;
    const isNew = at[starts[thread]] > 0;
    const isGone = at[starts[thread + 1] - 1] < dumps.length - 1;
    if (isNew && isGone) return 'new, gone';
    return isNew ? 'new' : isGone ? 'gone' : '';
  }

  /** The answer's part about all threads that are shown. */
  summary(threads: readonly number[]): z.input<typeof changesShape> {
    const { watched, dumps, starts, at, row } = this.timeline;
    const count = (word: string) => threads.filter((t) => this.changeOf(t)?.includes(word) === true).length;
    const stuck = threads.filter((t) => this.#isStuck(t));
    const active = stuck.filter((t) => {
      const last = starts[t + 1] - 1;
      return ACTIVE.includes(watched[dumps[at[last]].of].states.state[row[last]]);
    });
    return {
      process: this.processes.verdict,
      dumps: dumps.slice(-MOST_STATES).map(({ of: recordingIndex, dump, time, process }) => ({
        recording: watched[recordingIndex].recording.name,
        dump: dump + 1,
        time: time < 0 ? null : time,
        process: process < 0 ? null : process,
      })),
      new: this.complete ? count('new') : null,
      gone: this.complete ? count('gone') : null,
      same_stack: stuck.length,
      same_stack_active: active.length,
    };
  }

  /** In all dumps, with the same frames. */
  #isStuck(thread: number): boolean {
    const { starts, dumps } = this.timeline;
    const { frames, changed } = this.changes;
    const everywhere = starts[thread + 1] - starts[thread] === dumps.length;
    return everywhere && frames[thread] > 0 && (changed[thread] & STACK_CHANGED) === 0;
  }

  notes(threads: readonly number[], summary: z.input<typeof changesShape>): Note[] {
    const { changed, cpu } = this.changes;
    const changes = threads.some((t) => changed[t] !== 0 || cpu[t] > 0 || (this.changeOf(t) ?? '') !== '');
    const unused = threads.some((t) => cpu[t] >= 0) ? ' and no CPU used' : '';
    const same = `${plural(threads.length, 'thread')}, all with the same states and stacks${unused}`;
    return [
      ...this.#orderNotes(),
      ...this.#processNotes(summary, threads.length),
      ...(changes ? [stuckNote(summary)] : [note('nothing-changed', `Nothing changed: ${same}.`)]),
      this.#legend(),
      ...(this.complete ? [] : [NEW_UNKNOWN]),
    ];
  }

  #processNotes({ new: added, gone }: z.input<typeof changesShape>, threads: number): Note[] {
    switch (this.processes.verdict) {
      case 'different':
        return [OTHER_PROCESSES];
      case 'unknown':
        // One log is nearly always of one process, unless most threads come or go.
        if (this.timeline.watched.length === 1 && (added ?? 0) + (gone ?? 0) <= threads / 2) return [];
        return [MAYBE_OTHER_PROCESSES];
      case 'same':
        return [];
    }
  }

  /** Where the dumps were given in another order than that of their times. */
  #orderNotes(): Note[] {
    const { watched, dumps, sorted, backwards } = this.timeline;
    const nameOf = ({ of: recordingIndex, dump }: SeenDump): string => {
      const { recording } = watched[recordingIndex];
      const number = `dump ${dump + 1}`;
      if (watched.length === 1) return number;
      return dumpCountOf(recording, STATE_EVENTS.kind) > 1 ? `${recording.name} ${number}` : recording.name;
    };
    if (sorted) {
      const names = dumps.slice(0, 5).map(nameOf);
      const more = dumps.length > names.length ? ', …' : '';
      return [note('ordered-dumps', `Ordered by their times: ${names.join(', ')}${more}.`)];
    }
    if (backwards < 0) return [];
    const [before, after] = [nameOf(dumps[backwards - 1]), nameOf(dumps[backwards])];
    return [
      note('times-backwards', `Times go backwards: ${after} is earlier than ${before}. CPU between them is unknown.`),
    ];
  }

  #legend(): Note {
    const { watched, dumps, at, row } = this.timeline;
    const seenStates = new Uint8Array(THREAD_STATES.length);
    for (let i = 0; i < at.length; i++) seenStates[watched[dumps[at[i]].of].states.state[row[i]]] = 1;
    const letters = THREAD_STATES.filter((_, state) => seenStates[state] === 1).map(
      (state) => `${stateLetter(state)} ${state}`,
    );
    const last = dumps.length > MOST_STATES ? `, the last ${MOST_STATES} of ${formatCount(dumps.length)}` : '';
    const all = [...letters, `${stateLetter(null)} not there`].join(', ');
    return note('state-letters', `States, a letter a dump${last}: ${all}.`, { about: { column: 'states' } });
  }
}

function stuckNote({ same_stack, same_stack_active, new: added, gone }: z.input<typeof changesShape>): Note {
  const lives = added === null || gone === null ? '' : ` New: ${formatCount(added)}, gone: ${formatCount(gone)}.`;
  const stuck = `${plural(same_stack, 'thread')}, ${formatCount(same_stack_active)} of them runnable or blocked`;
  return note('same-stack', `The same stack in all dumps: ${stuck}.${lives}`);
}

const NEW_UNKNOWN = note(
  'new-threads-unknown',
  'Which threads are new or gone is unknown: not all dumps show all threads.',
);
const OTHER_PROCESSES = note(
  'other-processes',
  'The dumps are of different processes: threads are matched by number and name, CPU between them is unknown.',
);
const MAYBE_OTHER_PROCESSES = note(
  'processes-unknown',
  'The dumps may be of different processes: PIDs or start times are missing.',
);

/** Steps that leave of a thread all or nothing. */
const WHOLE_THREADS = new Set(['thread', 'dump']);

function showsAll(sides: readonly Side[], { dumps }: Timeline): boolean {
  const unfiltered = sides.every(({ subject }) => subject.scope.every(({ kind }) => WHOLE_THREADS.has(kind)));
  return unfiltered && dumps.every(({ together }) => together === dumps[0].together);
}
