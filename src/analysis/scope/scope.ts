/**
 * The scope of a question: the one place where events are filtered and frames are hidden. Its steps are applied in the
 * order given, before a view gets the profile. Meanings as in pprof:
 *
 *   focus   keep events with a frame that matches        ignore  drop events with a frame that matches
 *   hide    remove matching frames from all stacks       show    remove all other frames
 *   thread  keep events of matching threads              time    keep events from `from` to before `to`
 *   state   keep events of threads in one of these states
 *   dump    keep the data of one of several dumps; without this step, levels are those of the last one
 *   origin  keep events in code of these origins, by their innermost frame (analysis/origin.ts)
 *   filter  keep events whose fields fit an expression (filter-language.ts)
 *   at      what happened on the thread of an event during it: steps by time and thread (../events/span.ts)
 *   view-mode   which of several stacks of an event counts (view-mode.ts); applied before all others
 *   depth   keep the innermost frames of each stack, as a recorder with this depth limit would
 */
import { rowsWhere } from '../../base/columns/marks.js';
import { UsageError } from '../../base/errors.js';
import { usingPattern } from '../../base/parsing/pattern.js';
import { phrase, theStep } from '../../base/phrase.js';
import { atOnce, type Steps } from '../../base/progress.js';
import { GC_PHASE_EVENTS } from '../../models/events/gc.js';
import { DUMP, STACK, THREAD, TIME } from '../../models/events/shared-fields.js';
import { STATE, THREAD_STATES } from '../../models/events/state.js';
import { unknownHandle } from '../../models/handle.js';
import { DEADLOCKS, LOCK_WAITS, type Locks, MONITORS } from '../../models/locks/locks.js';
import { lastDump } from '../../models/profile/moment.js';
import { mapTables, type Profile } from '../../models/profile/profile.js';
import { threadLabel, threadOfHandle } from '../../models/profile/thread-label.js';
import type { Program } from '../../models/program/program.js';
import type { Origin, ScopeStep } from '../../models/scope.js';
import { type Column, columnOf, type Field, selectRows, type Table } from '../../models/table.js';
import { functionsMatching } from '../identity/named-functions.js';
import { functionsOf } from '../origin.js';
import { functionByStack, stacksThrough } from '../stacks/stack-values.js';
import { keepFitting } from './filter.js';
import { InapplicableError } from './inapplicable.js';
import { cutStacks, filterColumn, rewriteStacks } from './rewrite.js';
import { inViewMode, withoutOtherStacks } from './view-mode.js';

export interface Scoped {
  readonly profile: Profile;
  /** Kinds of events without the stacks, threads, times or dumps that a step needs; they are unchanged. */
  readonly unscoped: ReadonlySet<string>;
}

/**
 * The profile with all steps applied. Throws `UsageError` for an invalid pattern and for a step that no data can be
 * filtered by; `resolveMoment` checks whether a dump exists.
 */
export function applyScope(program: Program, profile: Profile, steps: readonly ScopeStep[]): Scoped {
  return atOnce(scopeSteps(program, profile, steps));
}

/** `applyScope` in parts. */
export function* scopeSteps(program: Program, profile: Profile, steps: readonly ScopeStep[]): Steps<Scoped> {
  const unscoped = new Set<string>();
  let current = steps.length === 0 || steps.some(({ kind }) => kind === 'dump') ? profile : lastMoments(profile);
  const modes = steps.filter(({ kind }) => kind === 'view-mode');
  for (const step of [...modes, ...steps.filter((each) => !modes.includes(each))]) {
    yield 0;
    current = yield* applyStep(program, current, step, unscoped);
  }
  return { profile: current, unscoped };
}

/**
 * The locks of the selected dumps. Other steps cannot be applied: without one of its threads, a monitor would be shown
 * in a state that it did not have.
 */
export function scopeLocks(locks: Locks, steps: readonly ScopeStep[]): { locks: Locks; scoped: boolean } {
  let scoped = true;
  let current = locks;
  for (const step of steps) {
    if (step.kind !== 'dump') scoped = false;
    else current = ofDump(current, (step.number === 'last' ? locks.snapshots.length : step.number) - 1);
  }
  return { locks: current, scoped };
}

function ofDump(locks: Locks, dump: number): Locks {
  const { monitors, waits, deadlocks } = locks;
  const dumps = MONITORS.rows(monitors).dump;
  const kept = ofDumps(dumps, dump);
  const moved = new Int32Array(monitors.length).fill(-1);
  kept.forEach((row, i) => {
    moved[row] = i;
  });
  const { monitor } = LOCK_WAITS.rows(waits);
  const rows = rowsWhere(monitor.length, (row) => moved[monitor[row]] >= 0);
  return {
    ...locks,
    monitors: selectRows(monitors, kept),
    waits: selectRows(waits, rows, { monitor: rows.map((row) => moved[monitor[row]]) }),
    ...(deadlocks && { deadlocks: selectRows(deadlocks, ofDumps(DEADLOCKS.rows(deadlocks).dump, dump)) }),
  };
}

function ofDumps(dumps: Column, dump: number): Int32Array {
  return rowsWhere(dumps.length, (row) => dumps[row] === dump);
}

/**
 * The rows of the last dump, for levels: if a step removes all of them, rows of an earlier dump must not take their
 * place.
 */
function lastMoments(profile: Profile): Profile {
  return mapTables(profile, (table) => {
    const metrics = profile.metrics.filter((metric) => metric.table === table.kind);
    const levels = metrics.length > 0 && metrics.every(({ nature }) => nature === 'level');
    const dumps = levels ? columnOf(table, DUMP) : undefined;
    return dumps === undefined ? table : ofLastDump(table, dumps);
  });
}

function* applyStep(program: Program, profile: Profile, step: ScopeStep, unscoped: Set<string>): Steps<Profile> {
  switch (step.kind) {
    case 'focus':
    case 'ignore':
      return keepThrough(program, profile, step.pattern, step.kind === 'focus', unscoped);
    case 'hide':
    case 'show':
      return yield* rewriteStacks(
        program,
        withoutOtherStacks(profile),
        matching(program, step.pattern),
        step.kind === 'hide',
        unscoped,
      );
    case 'thread':
      return keepThreads(program, profile, step, unscoped);
    case 'state':
      return keepStates(profile, step.states, unscoped);
    case 'filter':
      return keepFitting(program, profile, step.expression, unscoped);
    case 'at':
      throw new UsageError(
        phrase`${theStep('at', { value: step.event })}: only questions have events to look it up in`,
        {
          code: 'only-in-questions',
          advice: phrase`Give the thread and the time of the event: ${theStep('thread')} and ${theStep('time')}.`,
          action: { omitSteps: ['at'], addSteps: ['thread', 'time'] },
        },
      );
    case 'time': {
      const { from, to = Infinity } = step;
      return keepRows(profile, TIME, 'times', unscoped, (value) => value >= from && value < to);
    }
    case 'origin':
      return keepOrigins(program, profile, step.origins, unscoped);
    case 'view-mode':
      return inViewMode(profile, step.mode, unscoped);
    case 'depth':
      return yield* cutStacks(program, withoutOtherStacks(profile), step.frames, unscoped);
    case 'dump':
      return keepDump(profile, step.number, unscoped);
  }
}

/** Recordings without events may have dumps of something else. */
function keepDump(profile: Profile, number: number | 'last', unscoped: Set<string>): Profile {
  if (number === 'last')
    return mapTables(profile, (table) => {
      const dumps = columnOf(table, DUMP);
      return dumps === undefined ? table : ofLastDump(table, dumps);
    });
  return keepRows(profile, DUMP, 'dumps', unscoped, (dump) => dump === number - 1, true);
}

function ofLastDump(table: Table, dumps: Column): Table {
  return selectRows(table, ofDumps(dumps, lastDump(dumps)));
}

function matching(program: Program, pattern: string): Uint8Array {
  return usingPattern(`not a regular expression: ${pattern}`, () => functionsMatching(program, pattern));
}

function keepThrough(
  program: Program,
  profile: Profile,
  pattern: string,
  keep: boolean,
  unscoped: Set<string>,
): Profile {
  const functions = functionByStack(profile.stacks, program);
  const through = stacksThrough(profile.stacks, functions, matching(program, pattern));
  return keepRows(profile, STACK, 'stacks', unscoped, (stack) => (through[stack] === 1) === keep);
}

function keepOrigins(program: Program, profile: Profile, origins: readonly Origin[], unscoped: Set<string>): Profile {
  const functions = functionByStack(profile.stacks, program);
  const chosen = functionsOf(program, origins);
  return keepRows(profile, STACK, 'stacks', unscoped, (stack) => stack >= 0 && chosen[functions[stack]] === 1);
}

/** Pauses of the collector are of the whole program, whichever thread of the VM has their event. */
const OF_PROGRAM: readonly string[] = [GC_PHASE_EVENTS.kind];

function keepThreads(
  program: Program,
  profile: Profile,
  { pattern, withStops = false }: Extract<ScopeStep, { kind: 'thread' }>,
  unscoped: Set<string>,
): Profile {
  const isKept = threadFilter(program, profile, pattern);
  const wholeTables = profile.events.filter(
    ({ kind, isOfAllThreads }) => OF_PROGRAM.includes(kind) || (withStops && isOfAllThreads === true),
  );
  const applied = wholeTables.filter(({ kind }) => withStops && !unscoped.has(kind));
  const selected = keepRows(profile, THREAD, 'threads', unscoped, isKept);
  for (const { kind } of wholeTables) unscoped.add(kind);
  for (const { kind } of applied) unscoped.delete(kind);
  const byKind = new Map(wholeTables.map((table) => [table.kind, table]));
  return { ...selected, events: selected.events.map((table) => byKind.get(table.kind) ?? table) };
}

/** Whether a thread is one of those that a handle or a pattern names. */
function threadFilter(program: Program, profile: Profile, pattern: string): (thread: number) => boolean {
  const only = threadOfHandle(profile, program, pattern);
  if (only !== undefined && only < 0) throw unknownHandle(pattern);
  if (only !== undefined) return (thread) => thread === only;
  const expression = usingPattern(`not a regular expression: ${pattern}`, () => new RegExp(pattern, 'u'));
  const count = profile.threads?.length ?? 0;
  const kept = Array.from({ length: count }, (_, id) => expression.test(threadLabel(profile, program, id) ?? ''));
  return (thread) => kept[thread] === true;
}

function keepStates(profile: Profile, states: readonly string[], unscoped: Set<string>): Profile {
  const known: readonly string[] = THREAD_STATES;
  const unknown = states.find((state) => !known.includes(state));
  if (unknown !== undefined || states.length === 0)
    throw new UsageError(`threads have no state ${unknown ?? ''}`.trimEnd(), {
      code: 'no-thread-state',
      advice: `States: ${known.join(', ')}.`,
    });
  const wanted = known.map((state) => states.includes(state));
  return keepRows(profile, STATE, 'states of threads', unscoped, (state) => wanted[state] === true);
}

/** Keeps the rows with a selected value in `field`; `elsewhere`: there may be something to select outside of the tables. */
function keepRows(
  profile: Profile,
  field: Field,
  what: string,
  unscoped: Set<string>,
  wanted: (value: number) => boolean,
  elsewhere = false,
): Profile {
  let applicable = elsewhere;
  const scoped = mapTables(profile, (table) => {
    const values = filterColumn(table, field);
    if (values === undefined) {
      unscoped.add(table.kind);
      return table;
    }
    if (profile.events.includes(table)) applicable = true;
    const rows = new Int32Array(table.length);
    let count = 0;
    for (let row = 0; row < table.length; row++) if (wanted(values[row])) rows[count++] = row;
    return count === table.length ? table : selectRows(table, rows.subarray(0, count));
  });
  if (!applicable)
    throw new InapplicableError(`this recording has no ${what} to select by`, { code: 'step-not-applicable' });
  return scoped;
}
