/**
 * The scope of a question: the one place where events are filtered and frames are hidden. Its steps are applied in the
 * order given, before a view gets the profile. Meanings as in pprof:
 *
 *   focus   keep events with a frame that matches        ignore  drop events with a frame that matches
 *           (or those of a handle: handles/named-stacks.ts, named-events.ts)
 *   hide    remove matching frames from all stacks       show    remove all other frames
 *   thread  keep events of matching threads              time    keep events from `from` to before `to`
 *   process keep events of these processes (processes.ts)
 *   state   keep events of threads in one of these states
 *   dump    keep the data of one of several dumps; without this step, levels are those of the last one
 *   origin  keep events in code of these origins, by their innermost frame (analysis/origin.ts)
 *   filter  keep events whose fields fit an expression (filter-language.ts)
 *   during  what happened on the threads of some events during them (during.ts); ../events/span.ts looks the events up
 *   at      the same of one event
 *   clock   a time by the clock of the machine (../events/time-of-day.ts)
 *   view-mode   which of several stacks of an event counts (view-mode.ts); applied before all others
 *   depth   keep the innermost frames of each stack, as a recorder with this depth limit would
 */
import { UsageError } from '../../base/errors.js';
import { usingPattern } from '../../base/parsing/pattern.js';
import { phrase, theStep } from '../../base/phrase.js';
import { atOnce, type Steps } from '../../base/progress.js';
import { GC_PHASE_EVENTS } from '../../models/events/gc.js';
import { DUMP, STACK, THREAD, TIME } from '../../models/events/shared-fields.js';
import { STATE, STATE_EVENTS, THREAD_STATES } from '../../models/events/state.js';
import { unknownHandle } from '../../models/handle.js';
import { lastDump } from '../../models/profile/moment.js';
import { mapTables, type Profile } from '../../models/profile/profile.js';
import { THREADS } from '../../models/profile/tables.js';
import { threadLabel, threadOfHandle } from '../../models/profile/thread-label.js';
import { matchNames } from '../../models/program/names.js';
import type { Program } from '../../models/program/program.js';
import type { Origin, ScopeStep } from '../../models/scope.js';
import { type Column, columnOf, type Field, selectRows, type Table } from '../../models/table.js';
import { eventsOfHandle, isEventsText, type NamedEvents } from '../handles/named-events.js';
import { isStackText, stackPathOf, stacksWithPath } from '../handles/named-stacks.js';
import { functionsMatching } from '../identity/named-functions.js';
import { functionsOf } from '../origin.js';
import { functionByStack, stacksThrough } from '../stacks/stack-values.js';
import { ofDumps } from './dump-rows.js';
import { keepDuring } from './during.js';
import { keepFitting } from './filter.js';
import { InapplicableError } from './inapplicable.js';
import { keptRows } from './kept-rows.js';
import { cutStacks, filterColumn, rewriteStacks } from './rewrite.js';
import { isLockStep, type LockThreads, type PatternStep } from './scoped-locks.js';
import { inViewMode, withoutOtherStacks } from './view-mode.js';

export interface Scoped {
  readonly profile: Profile;
  /** Kinds of events without the stacks, threads, times or dumps that a step needs; they are unchanged. */
  readonly unscoped: ReadonlySet<string>;
}

/**
 * The profile with all steps applied. Throws `UsageError` for an invalid pattern and for a step that no data can be
 * filtered by; `resolveMoment` checks whether a dump exists. `lockThreads`: what steps by locks of dumps choose (`scopeLocks`).
 */
export function applyScope(
  program: Program,
  profile: Profile,
  steps: readonly ScopeStep[],
  lockThreads?: ReadonlyMap<ScopeStep, LockThreads>,
): Scoped {
  return atOnce(scopeSteps(program, profile, steps, lockThreads));
}

/** `applyScope` in parts. */
export function* scopeSteps(
  program: Program,
  profile: Profile,
  steps: readonly ScopeStep[],
  lockThreads: ReadonlyMap<ScopeStep, LockThreads> = new Map(),
): Steps<Scoped> {
  const unscoped = new Set<string>();
  let current = steps.length === 0 || steps.some(({ kind }) => kind === 'dump') ? profile : lastMoments(profile);
  const modes = steps.filter(({ kind }) => kind === 'view-mode');
  for (const step of [...modes, ...steps.filter((each) => !modes.includes(each))]) {
    yield 0;
    current = isLockStep(step)
      ? keepAroundLock(current, step, lockThreads.get(step), unscoped)
      : yield* applyStep(program, current, step, unscoped);
  }
  return { profile: current, unscoped };
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
      return keepThrough(program, profile, step, unscoped);
    case 'hide':
    case 'show':
      return yield* rewriteStacks(
        program,
        withoutOtherStacks(profile),
        matching(program, step),
        step.kind === 'hide',
        unscoped,
      );
    case 'thread':
      return keepThreads(program, profile, step.pattern, unscoped);
    case 'process':
      return keepProcesses(profile, step, unscoped);
    case 'state':
      return keepStates(profile, step.states, unscoped);
    case 'filter':
      return keepFitting(program, profile, { text: step.expression, step: 'filter' }, unscoped);
    case 'at':
      throw onlyInQuestions('at', step.event);
    case 'during':
      if (step.spans === undefined) throw onlyInQuestions('during', step.events);
      return keepDuring(program, profile, step.spans, unscoped);
    case 'clock':
      throw onlyInQuestions('time', `${step.from ?? ''}..${step.to ?? ''}`);
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

function onlyInQuestions(kind: 'at' | 'during' | 'time' | 'process', value: string): UsageError {
  return new UsageError(phrase`${theStep(kind, { value })}: only questions look it up in the recording`, {
    code: 'only-in-questions',
    advice: phrase`Give the thread and the time of the event: ${theStep('thread')} and ${theStep('time')}.`,
    action: { omitSteps: [kind], addSteps: ['thread', 'time'] },
  });
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

/** The functions of a step, which may be neither stacks nor events. */
function matching(program: Program, { kind, pattern }: PatternStep): Uint8Array {
  if (isStackText(pattern) || isEventsText(pattern))
    throw new UsageError(phrase`${theStep(kind)} takes functions, and ${pattern} is none`, {
      code: 'not-a-function',
      advice: phrase`Choose its events with ${theStep('focus')} or ${theStep('ignore')}.`,
      action: { omitSteps: [kind], addSteps: ['focus', 'ignore'] },
    });
  return usingPattern(`not a regular expression: ${pattern}`, () => functionsMatching(program, pattern));
}

/** The stacks that begin or end with that of a handle; else those with a function that the pattern of the step matches. */
function stacksMatching(program: Program, { stacks }: Profile, step: PatternStep): Uint8Array {
  const path = stackPathOf(program, stacks, step.pattern);
  if (path !== undefined) return stacksWithPath(program, stacks, path);
  return stacksThrough(stacks, functionByStack(stacks, program), matching(program, step));
}

function keepThrough(program: Program, profile: Profile, step: PatternStep, unscoped: Set<string>): Profile {
  const keep = step.kind === 'focus';
  const events = eventsOfHandle(program, profile, step.pattern);
  if (events !== undefined) return keepEvents(profile, events, keep, unscoped);
  const through = stacksMatching(program, profile, step);
  return keepRows(profile, STACK, 'stacks', unscoped, (stack) => (through[stack] === 1) === keep);
}

/** Keeps what threads did in a dump that hold a lock or wait for it, or all else of dumps. */
function keepAroundLock(
  profile: Profile,
  { kind }: PatternStep,
  chosen: LockThreads | undefined,
  unscoped: Set<string>,
): Profile {
  const isOfDumps = ({ kind: table }: Table): boolean => table === STATE_EVENTS.kind;
  if (chosen === undefined || !profile.events.some(isOfDumps))
    throw new InapplicableError('this recording has no threads of dumps to select by', { code: 'step-not-applicable' });
  return mapTables(profile, (table) => {
    if (!isOfDumps(table)) {
      unscoped.add(table.kind);
      return table;
    }
    const { dump, thread } = STATE_EVENTS.rows(table);
    const isAround = (row: number) => dump[row] === chosen.dump && chosen.threads.has(thread[row]);
    return keptRows(table, (row) => isAround(row) === (kind === 'focus'));
  });
}

/** Keeps the events of a handle, or all others of the kinds that it may name. */
function keepEvents(profile: Profile, { groups, marks }: NamedEvents, keep: boolean, unscoped: Set<string>): Profile {
  if (groups.rows.size === 0)
    throw new InapplicableError('this recording has no events of this kind to select by', {
      code: 'step-not-applicable',
    });
  return mapTables(profile, (table) => {
    const rowGroups = groups.rows.get(table.kind);
    if (rowGroups === undefined) {
      unscoped.add(table.kind);
      return table;
    }
    return keptRows(table, (row) => (marks[rowGroups[row]] === 1) === keep);
  });
}

function keepOrigins(program: Program, profile: Profile, origins: readonly Origin[], unscoped: Set<string>): Profile {
  const functions = functionByStack(profile.stacks, program);
  const chosen = functionsOf(program, origins);
  return keepRows(profile, STACK, 'stacks', unscoped, (stack) => stack >= 0 && chosen[functions[stack]] === 1);
}

/** Pauses of the collector are of the whole program, whichever thread of the VM has their event. */
const OF_PROGRAM: readonly string[] = [GC_PHASE_EVENTS.kind];

function keepThreads(program: Program, profile: Profile, pattern: string, unscoped: Set<string>): Profile {
  const isKept = threadFilter(program, profile, pattern);
  const wholeTables = profile.events.filter(({ kind }) => OF_PROGRAM.includes(kind));
  const selected = keepRows(profile, THREAD, 'threads', unscoped, isKept);
  for (const { kind } of wholeTables) unscoped.add(kind);
  const byKind = new Map(wholeTables.map((table) => [table.kind, table]));
  return { ...selected, events: selected.events.map((table) => byKind.get(table.kind) ?? table) };
}

/** Rows of threads of other processes go; of rows without a thread nothing is known. */
function keepProcesses(
  profile: Profile,
  { processes, numbers }: Extract<ScopeStep, { kind: 'process' }>,
  unscoped: Set<string>,
): Profile {
  if (numbers === undefined) throw onlyInQuestions('process', processes);
  const chosen = new Set(numbers);
  const { process } = profile.threads === undefined ? {} : THREADS.rows(profile.threads);
  return keepRows(profile, THREAD, 'threads', unscoped, (thread) => thread >= 0 && chosen.has(process?.[thread] ?? 0));
}

/** Whether a thread is one of those that a handle or a pattern names. */
function threadFilter(program: Program, profile: Profile, pattern: string): (thread: number) => boolean {
  const only = threadOfHandle(profile, program, pattern);
  if (only !== undefined && only < 0) throw unknownHandle(pattern);
  if (only !== undefined) return (thread) => thread === only;
  const labelOf = (id: number): string => threadLabel(profile, program, id) ?? '';
  const marks = usingPattern(`not a regular expression: ${pattern}`, () =>
    matchNames(pattern, profile.threads?.length ?? 0, labelOf),
  );
  return (thread) => marks[thread] === 1;
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
    return keptRows(table, (row) => wanted(values[row]));
  });
  if (!applicable)
    throw new InapplicableError(`this recording has no ${what} to select by`, { code: 'step-not-applicable' });
  return scoped;
}
