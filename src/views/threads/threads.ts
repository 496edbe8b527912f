/** `threads`: one row a thread: its kind, its lifetime, its state at each dump or sample, and changes between dumps. */
import { z } from 'zod';
import { unitedUse } from '../../analysis/identity/united.js';
import { hasThreads, usualMetricOf } from '../../analysis/metric-facts.js';
import { requireProfile } from '../../analysis/scope/scoped.js';
import type { ThreadAllocations } from '../../analysis/threads/allocated.js';
import { MissingError, UsageError } from '../../base/errors.js';
import type { Note } from '../../base/note.js';
import { THREAD_ALLOCATION_EVENTS } from '../../models/events/allocation.js';
import { STATE_EVENTS } from '../../models/events/state.js';
import { WAIT_EVENTS } from '../../models/events/wait.js';
import type { Metric, Profile } from '../../models/profile/profile.js';
import { threadHandle } from '../../models/profile/thread-label.js';
import type { Recording } from '../../models/recording.js';
import { THREADS_OPTIONS } from '../../questions/options/recording.js';
import { stackShape } from '../heap/stack-locals.js';
import { type HeapThreads, heapThreads, heapThreadsNeeds, withHeapCells } from '../heap/thread-cells.js';
import {
  columnsOf,
  common,
  detail,
  HANDLE,
  listed,
  listingShape,
  maybe,
  maybeText,
  metricColumns,
  number,
  type ResultColumn,
  text,
} from '../listing.js';
import { unreadNote } from '../locks/locks.js';
import {
  allocationNotes,
  chooseMetric,
  dumpsOf,
  METRIC_SHAPE,
  metricOf,
  sumNotes,
  virtualWaitNotes,
} from '../metric-choice.js';
import { defineView, type Side, type ViewInput } from '../question.js';
import { counterNotes } from './counter-check.js';
import { activityCells, activityMetric, activityUses } from './thread-activity.js';
import { changesShape } from './thread-changes.js';
import { type LifeCells, lifeCells } from './thread-lives.js';
import { cellsOfRows, entriesUse, rowsOfThreads } from './thread-rows.js';
import { cellsOf, countStates, hasValues, type ThreadSheet, threadSheet } from './thread-sheet.js';
import { againNotes, sidesOf } from './thread-sides.js';

const row = z.object({
  members: maybe('Threads', 'count', 'in the row'),
  id: detail(2, maybe('Id', 'none', "the recording's own number of it")),
  native: detail(3, maybe('Native id', 'none', 'in the operating system')),
  kind: detail(2, maybeText('Kind', 'daemon or virtual')),
  carrier: detail(1, maybeText('Carrier', 'thread that runs a virtual one now')),
  group: detail(3, maybeText('Group', 'thread group or container')),
  object: detail(2, maybeText('Object', 'id of its object in the recording, hexadecimal')),
  started: detail(
    3,
    maybe('Started at byte', 'none', 'order of the start, in bytes of the recording; the file has no times'),
  ),
  ended: detail(3, maybe('Ended at byte', 'none', 'of the recording')),
  started_at: detail(2, maybe('Started', 'ns', 'since the recording began; null if it started before')),
  ended_at: detail(2, maybe('Ended', 'ns', 'since the recording began; null if it was alive at its end')),
  lived: detail(2, maybe('Alive', 'ns', 'time of the recording in which it was alive')),
  started_by: detail(3, maybeText('Started by', 'the thread that started it')),
  waits: detail(1, maybe('Waits', 'count', 'recorded waits for a notification, and sleeps')),
  waited: detail(1, maybe('Waited', 'ns', 'time in waits for a notification with a recorded end')),
  allocated: maybe('Allocated', 'bytes', 'bytes that recorded allocations of the thread stand for'),
  counted: maybe(
    'Counted',
    'bytes',
    'bytes by which its own counter of allocated bytes grew, from its first to its last value',
  ),
  contended: maybe('Contended', 'ns', 'time blocked by monitors or parked'),
  cpu_between: maybe('CPU between', 'ns', 'between the first and the last dump of one process that show it'),
  cpu_share: detail(
    1,
    maybe('CPU %', 'ratio', 'CPU between of the time between, or CPU of the time alive: 1 is one core'),
  ),
  cpu: maybe('CPU', 'ns', 'that it used until the last dump that shows it; of recordings estimated by its load'),
  dumps: detail(2, number('Dumps', 'count', 'that show it')),
  blocked_share: detail(
    1,
    maybe('Blocked %', 'ratio', 'of the dumps that show it, those in which it was blocked by a monitor or lock'),
  ),
  state: maybeText('State', 'in the last dump that shows it'),
  states: z.array(z.string().nullable()).meta({
    title: 'States',
    description: 'in each dump, null where it is not shown; empty of one dump',
    unit: 'states',
  }),
  same_frames: detail(1, maybe('Same frames', 'count', 'innermost ones that are the same in all dumps that show it')),
  frames: detail(2, maybe('Frames', 'count', 'of its stack in the last dump that shows it')),
  change: maybeText('Change', 'new: not in the first dump; gone: not in the last'),
  name: text('Thread', 'its name'),
  frame: maybeText('Top frame', 'where it was in that dump'),
  retained: maybe(
    'Retained',
    'bytes',
    'bytes of the heap that would be freed with it, without what only its frames hold',
  ),
  locals: detail(2, maybe('Locals', 'count', 'objects that its frames hold')),
  address: detail(1, maybeText('Address', 'of the thread object in the heap dump; `heap inspect` shows its stack')),
  stack: stackShape.describe('in a heap dump, innermost first, with the objects that each frame holds; else empty'),
  value: maybe('Value', 'count', 'of the metric, in its stacks'),
  value_share: detail(1, maybe('Value %', 'ratio', 'of all')),
  handle: HANDLE,
});

export const threadsView = defineView({
  name: 'threads',
  version: 1,
  title: 'Threads',
  options: THREADS_OPTIONS,
  shape: {
    ...listingShape(row),
    metric: z.object(METRIC_SHAPE).nullable().describe('what value counts; null where no metric knows its threads'),
    states: z.record(z.string(), z.number()).describe('threads in each state, by the last dump that shows them'),
    changes: changesShape.nullable(),
  },
  takesRuns: true,
  needs: (input, options) => {
    const { sides } = sidesOf(input);
    return {
      ...activityUses(input, sides, metricOfSides(input, sides, options.metric)),
      united: sides.length === 1 ? undefined : unitedUse(sides.map(({ subject }) => subject)),
      entries: entriesUse(input, sides, options.group),
      ...heapThreadsNeeds(input, sides),
    };
  },
  answer: async (input, options, { united, ...stageValues }) => {
    const sheetSides = sidesOf(input);
    const { sides } = sheetSides;
    const metric = metricOfSides(input, sides, options.metric);
    if (sides.length > 1 && options.metric !== undefined)
      throw new UsageError('dumps are compared by states, stacks and CPU of threads, not by a metric', {
        code: 'no-metric-of-dumps',
      });
    const {
      sheet,
      summary,
      states: sheetStates,
    } = await input.kept('sheet', bytesOfSheet, () => {
      const sheet = threadSheet(input, sides, options.order, united?.functions);
      return { sheet, summary: sheet.changes?.summary(sheet.shown) ?? null, states: countStates(sheet) };
    });
    const { shown: shownThreads, changes } = sheet;
    const heap = heapThreads(input, stageValues);
    const lives = lifeCells(input, sheet, stageValues.times);
    const threadCells = withHeapCells(cellsOf(sheet), heap, (i) => shownThreads[i]);
    const groups = rowsOfThreads(sheet, heap === undefined ? options.group : 'none', stageValues.entries);
    const singleCells = withTimes({ ...threadCells, ...activityCells(sheet, stageValues) }, lives);
    const cells = {
      ...(groups.hasGroups ? cellsOfRows(singleCells, groups) : singleCells),
      members: (i: number) => groups.members[i]?.length ?? null,
    };
    const usual = usualOrder(sheet, metric, heap);
    const hasColumn = ({ key }: ResultColumn): boolean =>
      (key === 'members' && groups.hasGroups) ||
      isShown(key, sheet, metric) ||
      isOfHeap(key, heap) ||
      lives.columns.has(key);
    return {
      ...common(input, [
        ...againNotes(sheetSides),
        ...unreadNote(input.recording.locks),
        ...groups.notes,
        ...(changes === undefined || summary === null ? [] : changes.notes(shownThreads, summary)),
        ...(sides.length > 1 ? [] : recordingNotes(input, metric, stageValues.counted)),
        ...lives.notes,
      ]),
      complete: sides.every(({ recording }) => recording.complete),
      metric: metric === undefined ? null : metricOf(metric),
      states: heap === undefined ? sheetStates : countOf(shownThreads.map((_, i) => singleCells.state(i))),
      changes: summary,
      ...(await listed(cells, {
        columns: foremost(shownColumns(metric).filter(hasColumn), usual),
        count: groups.members.length,
        input,
        usual,
        handle: (i) => (sides.length > 1 ? undefined : rowHandle(input, shownThreads, groups.members[i])),
        orders: { order: (i) => -i, ...(usual === 'state' ? { state: (i: number) => urgency(cells.state(i)) } : {}) },
      })),
    };
  },
});

/** The cells, with starts and ends of threads, and the CPU time of their load where dumps do not have it. */
function withTimes<Cells extends Pick<ReturnType<typeof cellsOf>, 'cpu' | 'cpu_share'>>(
  cells: Cells,
  lives: LifeCells,
) {
  return {
    ...cells,
    ...lives.cells,
    cpu: (i: number) => cells.cpu(i) ?? lives.cpu(i),
    cpu_share: (i: number) => cells.cpu_share(i) ?? lives.cpuShare(i),
  };
}

/** The threads, and where each dump shows them. */
function bytesOfSheet({ sheet: { shown: threads, timeline } }: { readonly sheet: ThreadSheet }): number {
  return 8 * threads.length + (timeline === undefined ? 0 : 8 * timeline.row.length);
}

/** What the numbers of one recording lack, and how exact they are. */
function recordingNotes(input: ViewInput, metric: Metric | undefined, counted: ThreadAllocations | undefined): Note[] {
  const dumps = metric === undefined ? [] : sumNotes(dumpsOf(metric, requireProfile(input)));
  return [...dumps, ...virtualWaitNotes(input), ...allocationNotes(input), ...counterNotes(input, counted)];
}

/** Of a single thread; undefined for several. */
function rowHandle(input: ViewInput, threads: readonly number[], members: readonly number[] = []): string | undefined {
  const [row, other] = members;
  if (row === undefined || other !== undefined) return undefined;
  return threadHandle(requireProfile(input), input.recording.program, threads[row]);
}

/** The first that is known: the metric, CPU between dumps, CPU since they began, how urgent their states are. */
function usualOrder(sheet: ThreadSheet, metric: Metric | undefined, heap: HeapThreads | undefined): string {
  if (metric !== undefined) return 'value';
  if (heap !== undefined) return 'retained';
  if (sheet.changes?.knowsCpu === true) return 'cpu_between';
  if (hasValues(sheet, ({ states }) => states?.cpu)) return 'cpu';
  return sheet.timeline === undefined ? 'order' : 'state';
}

/** Who keeps others waiting or cannot go on comes first. */
const URGENCY: readonly string[] = [
  ...[
    'blocked',
    'runnable',
    'suspended',
    'waiting',
    'timed-waiting',
    'parked',
    'sleeping',
    'new',
    'terminated',
    'unknown',
  ],
];

function urgency(state: string | null): number | null {
  return state === null ? null : URGENCY.length - URGENCY.indexOf(state);
}

/** The columns, with the one that rows are ordered by and its share first. */
function foremost(columns: readonly ResultColumn[], usual: string): ResultColumn[] {
  const first = usual === 'cpu_between' ? ['cpu_between', 'cpu_share'] : [usual, `${usual}_share`];
  const leads = ({ key }: ResultColumn): boolean => first.includes(key);
  return [...columns.filter(leads), ...columns.filter((column) => !leads(column))];
}

/** Columns of one dump that the states of several stand for. */
const OF_ONE_DUMP = new Set(['native', 'cpu', 'state']);
const OF_SEVERAL = new Set(['states', 'same_frames', 'frames']);

/** Columns of heap dumps, and of starts and ends of threads. */
const OTHERS = new Set([
  'members',
  ...['carrier', 'retained', 'locals', 'address', 'stack'],
  ...['started_at', 'ended_at', 'lived', 'started_by'],
]);

/** Columns that the recordings have anything for. */
function isShown(key: string, sheet: ThreadSheet, metric: Metric | undefined): boolean {
  const { changes, timeline, sides } = sheet;
  if (OTHERS.has(key)) return false;
  if (OF_SEVERAL.has(key)) return changes !== undefined;
  if (OF_ONE_DUMP.has(key) && changes !== undefined) return false;
  switch (key) {
    case 'id':
      return hasValues(
        sheet,
        ({ threads }) => threads.number,
        ({ threads }) => threads.tid,
      );
    case 'kind':
      return hasValues(
        sheet,
        ({ threads }) => threads.daemon,
        ({ threads }) => threads.virtual,
      );
    case 'native':
    case 'group':
    case 'object':
    case 'started':
    case 'ended':
      return hasValues(sheet, ({ threads }) => threads[key]);
    case 'cpu':
      return hasValues(sheet, ({ states }) => states?.cpu);
    case 'frame':
      return hasValues(sheet, ({ states }) => states?.stack);
    case 'cpu_between':
    case 'cpu_share':
      return changes?.knowsCpu === true;
    case 'change':
      return changes?.complete === true;
    case 'dumps':
    case 'blocked_share':
      return changes !== undefined && changes.timeline.dumps.length > 2;
    case 'state':
      return timeline !== undefined;
    case 'allocated':
    case 'contended': {
      const activity = sides.length > 1 ? undefined : activityMetric(sides[0].profile, key);
      return activity !== undefined && activity.id !== metric?.id;
    }
    case 'counted':
      return sides.length === 1 && THREAD_ALLOCATION_EVENTS.of(sides[0].profile) !== undefined;
    case 'waits':
    case 'waited':
      return sides.length === 1 && WAIT_EVENTS.of(sides[0].profile) !== undefined;
    case 'value':
    case 'value_share':
      return metric !== undefined;
    default:
      return true;
  }
}

function countOf(states: readonly (string | null)[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const state of states) if (state !== null) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}

/** Columns that a heap dump has anything for. */
const OF_HEAP = new Set(['id', 'kind', 'state', 'frame', 'retained', 'locals', 'address']);

function isOfHeap(key: string, heap: HeapThreads | undefined): boolean {
  return heap !== undefined && (OF_HEAP.has(key) || (key === 'carrier' && heap.hasCarriers));
}

/** The metric of one recording; several are compared without one. */
function metricOfSides(input: ViewInput, sides: readonly Side[], id: string | undefined): Metric | undefined {
  return sides.length === 1 ? threadMetric(requireProfile(input), input.recording, id) : undefined;
}

/** The requested metric, else the usual one of those with events by thread; states have columns of their own. */
function threadMetric(profile: Profile, recording: Recording, id: string | undefined): Metric | undefined {
  if (id === undefined)
    return usualMetricOf(
      profile.metrics.filter((metric) => metric.table !== STATE_EVENTS.kind && hasThreads(metric, profile)),
      profile,
    );
  const metric = chooseMetric(profile, recording, id);
  if (hasThreads(metric, profile)) return metric;
  throw new MissingError(`${recording.name} has no threads for its ${metric.title.toLowerCase()}`, {
    code: 'no-threads',
  });
}

/** The value's column is called after its metric and in its unit. */
function shownColumns(metric: Metric | undefined): ResultColumn[] {
  if (metric === undefined) return columnsOf(row);
  return metricColumns(row, metric, ['value']).map((column) =>
    column.key.startsWith('value') ? { ...column, title: column.title.replace('Value', metric.title) } : column,
  );
}
