/** The spans of events that a scope names: their times, by their threads. */
import { UsageError } from '../../base/errors.js';
import { phrase, theStep, theView } from '../../base/phrase.js';
import { plural } from '../../base/units.js';
import { THREAD, TIME } from '../../models/events/shared-fields.js';
import type { Get, Subject } from '../../models/open-recording.js';
import type { Profile } from '../../models/profile/profile.js';
import { threadLabel } from '../../models/profile/thread-label.js';
import type { Program } from '../../models/program/program.js';
import type { EventSpans, ScopeStep, TimeSpans } from '../../models/scope.js';
import { column, columnOf, selectRows, type Table } from '../../models/table.js';
import { keepFitting } from '../scope/filter.js';
import { withNumbers } from '../scope/processes.js';
import { joinedSpans } from '../spans.js';
import { durationsOf } from '../time-span.js';
import { typeNamed, typesOf } from './event-types.js';
import { NUMBER, type RecordedEvents, recordedUse } from './recorded.js';
import { timeStepOf } from './time-of-day.js';

/**
 * The steps with the spans of the events that they name, and times of the clock as times of the recording. Throws `UsageError` for a type or an event that does not exist, for an event without a
 * time, and for mistakes in an expression.
 */
export async function withSpans(
  subject: Subject,
  steps: readonly ScopeStep[],
  get: Get,
): Promise<readonly ScopeStep[]> {
  return Promise.all(
    steps.map(async (step) => {
      if (step.kind === 'at')
        return { kind: 'during', events: step.event, spans: await spanOf(subject, step.event, get) };
      if (step.kind === 'process') return withNumbers(subject.snapshot.recording, step);
      if (step.kind === 'clock') return timeStepOf(subject.snapshot.recording, step);
      return step.kind === 'during' ? { ...step, spans: await spansOf(subject, step.events, get) } : step;
    }),
  );
}

/** An event as `events` names it. */
const ONE_EVENT = /^(\S+)#([1-9]\d*)$/;
/** A type, and what stands before a condition. */
const TYPE = /^\s*(\S+)(\s+and\s+(?=\S))?\s*/i;

async function spanOf(subject: Subject, event: string, get: Get): Promise<EventSpans> {
  const [, type = '', digits = ''] = ONE_EVENT.exec(event) ?? [];
  if (type === '')
    throw new UsageError(phrase`${theStep('at', { value: event })}: expected TYPE#NUMBER`, {
      code: 'not-an-event',
      advice: phrase`${theView('events', { choose: { recording: 'FILE', types: 'TYPE' } })} shows it in its first column; ${theStep('during', { choose: 'EVENTS' })} takes all events of a type.`,
    });
  const { name, events, table } = await eventsOf(subject, type, get);
  const row = (table && column(table, NUMBER.key)?.indexOf(Number(digits))) ?? -1;
  if (table === undefined || row < 0)
    throw new UsageError(`${subject.snapshot.recording.name} has no event ${event}`, {
      code: 'no-event',
      advice: `It has ${plural(table?.length ?? 0, 'event')} of ${name}.`,
    });
  const spans = spansIn(name, events, selectRows(table, Int32Array.of(row)));
  if (spans.untimed > 0)
    throw new UsageError(phrase`${theStep('at', { value: event })}: the time of the event is unknown`, {
      code: 'unknown-time',
    });
  return spans;
}

async function spansOf(subject: Subject, text: string, get: Get): Promise<EventSpans> {
  if (ONE_EVENT.test(text)) return spanOf(subject, text, get);
  const [start = '', type = '', and] = TYPE.exec(text) ?? [];
  const condition = text.slice(start.length);
  if (type === '' || (condition !== '' && and === undefined))
    throw new UsageError(phrase`${theStep('during', { value: text })}: expected TYPE, or TYPE and CONDITION`, {
      code: 'not-events',
      advice: phrase`For example ${theStep('during', { value: 'jdk.SocketRead and duration > 20ms' })}.`,
    });
  const { name, events, table } = await eventsOf(subject, type, get);
  if (table === undefined) return spansIn(name, events, undefined);
  if (columnOf(table, TIME) === undefined)
    throw new UsageError(phrase`${theStep('during', { value: text })}: these events have no times`, {
      code: 'unknown-time',
    });
  if (condition === '') return spansIn(name, events, table);
  // Places in messages are those in the whole text.
  const expression = { text: ' '.repeat(start.length) + condition, step: 'during' } as const;
  return spansIn(name, events, keepFitting(events.program, events.profile, expression, new Set()).events[0]);
}

/** The events of one type; the table is absent if it has none. */
async function eventsOf(subject: Subject, type: string, get: Get) {
  const { name } = typeNamed(typesOf(subject), type, subject.snapshot.recording.name);
  const events = await get(recordedUse(subject, [name]));
  return { name, events, table: events.profile.events.at(0) };
}

/** The spans of the events of a table, by their threads. */
function spansIn(name: string, { program, profile }: RecordedEvents, table: Table | undefined): EventSpans {
  const times = table && columnOf(table, TIME);
  const durations = table && durationsOf(table);
  const threads = table && columnOf(table, THREAD);
  const labels = labelsOf(program, profile);
  const ofAll = new SpanList();
  const together = new SpanList();
  const byThread = new Map<string, SpanList>();
  const count = table?.length ?? 0;
  let untimed = 0;
  for (let row = 0; row < count; row++) {
    const start = times?.[row] ?? NaN;
    if (Number.isNaN(start)) {
      untimed++;
      continue;
    }
    // What begins where the event ends is within it, and times are whole nanoseconds.
    const end = start + Math.max(0, durations?.[row] ?? 0) + 1;
    const label = labels(threads?.[row] ?? -1);
    together.add(start, end);
    if (label === undefined) ofAll.add(start, end);
    else listIn(byThread, label).add(start, end);
  }
  const common = ofAll.joined();
  for (const list of byThread.values()) list.addAll(common);
  const ofThread = new Map([...byThread].map(([label, list]) => [label, list.joined()]));
  return { name, ofThread, ofAll: common, together: together.joined(), count, untimed };
}

function labelsOf(program: Program, profile: Profile): (thread: number) => string | undefined {
  const labels = new Map<number, string | undefined>();
  return (thread) => {
    if (!labels.has(thread)) labels.set(thread, threadLabel(profile, program, thread));
    return labels.get(thread);
  };
}

function listIn(lists: Map<string, SpanList>, label: string): SpanList {
  const list = lists.get(label) ?? new SpanList();
  lists.set(label, list);
  return list;
}

/** TimeSpans in any order. */
class SpanList {
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];

  add(start: number, end: number): void {
    this.#starts.push(start);
    this.#ends.push(end);
  }

  addAll({ starts, ends }: TimeSpans): void {
    for (let i = 0; i < starts.length; i++) this.add(starts[i], ends[i]);
  }

  joined(): TimeSpans {
    return joinedSpans(Float64Array.from(this.#starts), (row) => this.#ends[row] ?? NaN);
  }
}
