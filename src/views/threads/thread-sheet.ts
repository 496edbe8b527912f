/** The threads that `threads` lists, and their cells: each is computed when its row is shown or sorted by. */
import type { United } from '../../analysis/identity/unite.js';
import { requireProfile } from '../../analysis/scope/scoped.js';
import { STACK_CHANGED } from '../../analysis/threads/changes.js';
import { type Timeline, timelineOf } from '../../analysis/threads/timeline.js';
import { MissingError } from '../../base/errors.js';
import { phrase, theView } from '../../base/phrase.js';
import { stringAt } from '../../base/text.js';
import { THREAD } from '../../models/events/shared-fields.js';
import { type StateEvents, THREAD_STATES } from '../../models/events/state.js';
import type { Profile } from '../../models/profile/profile.js';
import { THREADS, type ThreadRows } from '../../models/profile/tables.js';
import { locationName } from '../../models/program/names.js';
import type { Program } from '../../models/program/program.js';
import { type Column, columnOf } from '../../models/table.js';
import type { Side, ViewInput } from '../question.js';
import { DumpChanges } from './thread-changes.js';
import { watchedOf } from './thread-sides.js';

export interface ThreadSheet {
  readonly sides: readonly SheetSide[];
  /** Rows: threads of the timeline, or of the one recording. */
  readonly shown: readonly number[];
  /** Absent where nothing says what threads did. */
  readonly timeline: Timeline | undefined;
  /** Absent of one dump. */
  readonly changes: DumpChanges | undefined;
}

interface SheetSide {
  readonly program: Program;
  readonly profile: Profile;
  readonly threads: ThreadRows;
  readonly states: StateEvents | undefined;
}

/** A thread in the last dump that shows it; `row` of the states there, -1 where none does. */
interface LastSeen {
  readonly side: SheetSide;
  readonly id: number;
  readonly row: number;
}

/** The threads of all sides. Throws `MissingError` if a recording has none. */
export function threadSheet(
  input: ViewInput,
  sides: readonly Side[],
  order: 'time' | 'given',
  functions: United | undefined,
): ThreadSheet {
  const watched = watchedOf(sides);
  const timeline = watched.length === 0 ? undefined : timelineOf(watched, order);
  const sheets = sides.map(({ recording, profile }): SheetSide => {
    const sideProfile = requireProfile({ recording, profile });
    const threads = sideProfile.threads && THREADS.rows(sideProfile.threads);
    if (threads === undefined || threads.length === 0)
      throw new MissingError(`${recording.name} has no threads`, {
        code: 'no-threads',
        advice: phrase`${theView('summary')} lists what this recording has.`,
        action: { ask: theView('summary') },
      });
    return {
      program: recording.program,
      profile: sideProfile,
      threads,
      states: watched.find((one) => one.recording === recording)?.states,
    };
  });
  const several = timeline !== undefined && timeline.dumps.length > 1;
  return {
    sides: sheets,
    shown:
      timeline !== undefined && sides.length > 1 ? seenThreads(timeline) : shownThreads(sheets[0], isScoped(input)),
    timeline,
    changes: several ? new DumpChanges(sides, timeline, functions) : undefined,
  };
}

function isScoped({ profile, recording }: ViewInput): boolean {
  return profile !== recording.profile;
}

function seenThreads({ length, starts }: Timeline): number[] {
  return Array.from({ length }, (_, t) => t).filter((t) => starts[t + 1] > starts[t]);
}

/** All threads; within a scope, those that have events in it. */
function shownThreads({ profile, threads: { length } }: SheetSide, scoped: boolean): number[] {
  const all = Array.from({ length }, (_, id) => id);
  if (!scoped) return all;
  const there = new Uint8Array(length);
  for (const table of profile.events) for (const id of columnOf(table, THREAD) ?? []) if (id >= 0) there[id] = 1;
  return all.filter((id) => there[id] === 1);
}

/** Of row `i`. */
export function lastSeen({ sides, shown: threadIds, timeline }: ThreadSheet, i: number): LastSeen {
  const t = threadIds[i];
  const last =
    timeline === undefined || timeline.starts[t] === timeline.starts[t + 1] ? -1 : timeline.starts[t + 1] - 1;
  if (timeline === undefined || last < 0) return { side: sides[0], id: t, row: -1 };
  const side = sides[timeline.dumps[timeline.at[last]].of];
  const row = timeline.row[last];
  return { side, id: side.states?.thread[row] ?? -1, row };
}

const BLOCKED = THREAD_STATES.indexOf('blocked');

/** What a thread is, and what it did in the dumps. */
export function cellsOf(sheet: ThreadSheet) {
  const { shown: threadIds, timeline, changes } = sheet;
  const threadColumn = (key: 'native' | 'started' | 'ended') => (i: number) => {
    const { side, id } = lastSeen(sheet, i);
    return valueIn(side.threads[key], id);
  };
  const text = (key: 'name' | 'group') => (i: number) => {
    const { side, id } = lastSeen(sheet, i);
    const string = valueIn(side.threads[key], id);
    return string === null ? null : stringAt(side.program.names, string);
  };
  const then = (i: number, key: 'cpu' | 'state' | 'stack'): number | null => {
    const { side, row } = lastSeen(sheet, i);
    return row < 0 ? null : valueIn(side.states?.[key], row);
  };
  const recordedValue = (values: Column | undefined) => (i: number) => valueIn(values, threadIds[i]);
  return {
    id: (i: number) => {
      const { side, id } = lastSeen(sheet, i);
      return valueIn(side.threads.number, id) ?? valueIn(side.threads.tid, id);
    },
    native: threadColumn('native'),
    kind: (i: number) => {
      const { side, id } = lastSeen(sheet, i);
      return kindOf(valueIn(side.threads.virtual, id), valueIn(side.threads.daemon, id));
    },
    group: text('group'),
    object: (i: number) => {
      const { side, id } = lastSeen(sheet, i);
      return valueIn(side.threads.object, id)?.toString(16) ?? null;
    },
    started: threadColumn('started'),
    ended: threadColumn('ended'),
    cpu_between: recordedValue(changes?.changes.cpu),
    cpu_share: (i: number) => {
      const span = changes?.changes.span[threadIds[i]] ?? -1;
      return changes === undefined || span <= 0 ? null : changes.changes.cpu[threadIds[i]] / span;
    },
    cpu: (i: number) => then(i, 'cpu'),
    dumps: (i: number) =>
      timeline === undefined ? 0 : timeline.starts[threadIds[i] + 1] - timeline.starts[threadIds[i]],
    blocked_share: (i: number) => blockedShare(timeline, threadIds[i]),
    state: (i: number) => stateName(then(i, 'state')),
    states: (i: number) => changes?.statesOf(threadIds[i]) ?? [],
    same_frames: (i: number) => (hasFrames(sheet, threadIds[i]) ? recordedValue(changes?.changes.same)(i) : null),
    frames: (i: number) => (hasFrames(sheet, threadIds[i]) ? recordedValue(changes?.changes.frames)(i) : null),
    change: (i: number) => changes?.changeOf(threadIds[i]) ?? null,
    name: (i: number) => text('name')(i) ?? '',
    frame: (i: number) => {
      const stack = then(i, 'stack');
      const { side } = lastSeen(sheet, i);
      return stack === null ? null : locationName(side.program, side.profile.stacks.location[stack]);
    },
  };
}

/** Whether some dump of several shows the thread with Java frames. */
function hasFrames({ changes }: ThreadSheet, thread: number): boolean {
  return (
    changes !== undefined && (changes.changes.frames[thread] > 0 || changes.changes.changed[thread] >= STACK_CHANGED)
  );
}

function stateName(state: number | null): string | null {
  return state === null ? null : (THREAD_STATES[state] ?? null);
}

function blockedShare(timeline: Timeline | undefined, thread: number): number | null {
  if (timeline === undefined) return null;
  const { watched, dumps, starts, at, row } = timeline;
  const [start, end] = [starts[thread], starts[thread + 1]];
  let blocked = 0;
  for (let i = start; i < end; i++) if (watched[dumps[at[i]].of].states.state[row[i]] === BLOCKED) blocked++;
  return start === end ? null : blocked / (end - start);
}

/** How many threads are in each state in the last dump that shows them. */
export function countStates(sheet: ThreadSheet): Record<string, number> {
  const counts: Record<string, number> = {};
  for (let i = 0; i < sheet.shown.length; i++) {
    const { side, row } = lastSeen(sheet, i);
    const state = row < 0 ? null : stateName(valueIn(side.states?.state, row));
    if (state !== null) counts[state] = (counts[state] ?? 0) + 1;
  }
  return counts;
}

/** The value of a row, null if the column or the value is missing. */
function valueIn(values: Column | undefined, at: number): number | null {
  const value = values?.[at] ?? -1;
  return value < 0 ? null : value;
}

function kindOf(virtual: number | null, daemon: number | null): string | null {
  if (virtual === 1) return 'virtual';
  return daemon === 1 ? 'daemon' : virtual === null && daemon === null ? null : '';
}

/** Whether any side has a value in one of these columns. */
export function hasValues(
  { sides }: ThreadSheet,
  ...columns: readonly ((side: SheetSide) => Column | undefined)[]
): boolean {
  return sides.some((side) => columns.some((column) => column(side)?.some((value) => value >= 0) === true));
}
