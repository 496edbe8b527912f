/** The span of an event as steps of a scope: its time, and its thread if it has one. */
import { UsageError } from '../../base/errors.js';
import { phrase, theStep, theView } from '../../base/phrase.js';
import { plural } from '../../base/units.js';
import { THREAD, TIME } from '../../models/events/shared-fields.js';
import type { Get, Subject } from '../../models/open-recording.js';
import { threadLabel } from '../../models/profile/thread-label.js';
import type { ScopeStep } from '../../models/scope.js';
import { column, columnOf } from '../../models/table.js';
import { durationsOf } from '../time-span.js';
import { typeNamed, typesOf } from './event-types.js';
import { NUMBER, recordedUse } from './recorded.js';

/**
 * The steps with each event replaced by its span: events that begin on its thread, or stop all threads, from its begin to
 * its end, both included. Throws `UsageError` for an event that does not exist or has no time.
 */
export async function withSpans(
  subject: Subject,
  steps: readonly ScopeStep[],
  get: Get,
): Promise<readonly ScopeStep[]> {
  if (steps.every(({ kind }) => kind !== 'at')) return steps;
  const replaced: ScopeStep[] = [];
  for (const step of steps) replaced.push(...(step.kind === 'at' ? await spanOf(subject, step.event, get) : [step]));
  return replaced;
}

async function spanOf(subject: Subject, event: string, get: Get): Promise<readonly ScopeStep[]> {
  const [, type = '', digits = ''] = /^(.+)#([1-9]\d*)$/.exec(event) ?? [];
  if (type === '')
    throw new UsageError(phrase`${theStep('at', { value: event })}: expected TYPE#NUMBER`, {
      code: 'not-an-event',
      advice: phrase`${theView('events', { choose: { recording: 'FILE', types: 'TYPE' } })} shows it in its first column.`,
    });
  const { recording } = subject.snapshot;
  const { name } = typeNamed(typesOf(subject), type, recording.name);
  const { program, profile } = await get(recordedUse(subject, [name]));
  const [table] = profile.events;
  const row = (table && column(table, NUMBER.key)?.indexOf(Number(digits))) ?? -1;
  if (table === undefined || row < 0)
    throw new UsageError(`${recording.name} has no event ${event}`, {
      code: 'no-event',
      advice: `It has ${plural(table?.length ?? 0, 'event')} of ${name}.`,
    });
  const from = columnOf(table, TIME)?.[row] ?? NaN;
  if (Number.isNaN(from))
    throw new UsageError(phrase`${theStep('at', { value: event })}: the time of the event is unknown`, {
      code: 'unknown-time',
    });
  const to = from + Math.max(0, durationsOf(table)?.[row] ?? 0) + 1;
  const thread = threadLabel(profile, program, columnOf(table, THREAD)?.[row] ?? -1);
  const time: ScopeStep = { kind: 'time', from, to };
  if (thread === undefined) return [time];
  const pattern = `^${thread.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}$`;
  return [{ kind: 'thread', pattern, withStops: true }, time];
}
