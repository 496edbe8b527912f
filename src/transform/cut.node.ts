/** Writes a part of a recording in its own format, from its file: events that stay are the same bytes. */
import { typeNamed, typesOf } from '../analysis/events/event-types.js';
import { withWords } from '../analysis/events/recorded.js';
import { ScopeByParts } from '../analysis/scope/scope-by-parts.js';
import { scopeNote } from '../analysis/scope/scoped.js';
import { UsageError } from '../base/errors.js';
import { type Note, note } from '../base/note.js';
import { phrase, theOption, theStep } from '../base/phrase.js';
import { someNames } from '../base/some-names.js';
import { formatCount, plural } from '../base/units.js';
import type { ByteSource } from '../bytes/byte-source.js';
import { formatOf } from '../formats/registry.js';
import type { CutReport, EventCut } from '../models/event-types.js';
import { type OpenRecording, subjectOf } from '../models/open-recording.js';
import type { ScopeStep } from '../models/scope.js';
import type { Converted, ConvertOptions } from './convert.node.js';
import { writeStream } from './write.node.js';

export interface CutOptions extends Pick<ConvertOptions, 'inputs' | 'scope' | 'work'> {
  /** Types of events that stay, by names or parts of names as listings take them; all if not given. */
  readonly types?: readonly string[];
  /** Texts that look like secrets stay; else they are replaced. */
  readonly secrets?: boolean;
}

export interface CutRecording extends Converted {
  /** Whether all of the source could be read. */
  readonly complete: boolean;
}

/** Types listed in a note. */
const MOST_NAMED = 12;

/**
 * Writes the events of `source` within the scope to `path`, in the format of the recording. Throws `UsageError` if its format has no such
 * parts, for steps that change stacks, and if no event is within the scope.
 */
export async function cutRecording(
  source: OpenRecording,
  path: string,
  options: CutOptions = {},
): Promise<CutRecording> {
  const { scope = [], types, secrets = false, inputs, work = {} } = options;
  const { recording } = source.current();
  if (source.cut === undefined)
    throw new UsageError(`${recording.name}: parts of files of this format cannot be written`, { code: 'whole-only' });
  refuseSteps(scope);
  const parts = scope.length === 0 ? undefined : new ScopeByParts(scope);
  const file = await source.cut({ ...choiceOf(source, parts, types), secrets }, work);
  const chunks = async function* (): AsyncGenerator<Uint8Array> {
    yield* file.chunks;
    parts?.finish();
    const { before, after } = sumOf(file.report);
    if (before > 0 && after === 0)
      throw new UsageError(`the scope selects nothing in ${inputs?.[0] ?? recording.name}`, {
        code: 'scope-empty',
        advice: 'Nothing was written.',
      });
  };
  await writeStream(chunks(), path, {
    ...(inputs && { inputs }),
    work,
    verify: (written) => verify(written, file.report, recording.format),
  });
  const { report } = file;
  const { before, after } = sumOf(report);
  return {
    path,
    notes: [
      ...(parts === undefined ? [] : [scopeNote(after, before)]),
      ...unscopedNote(parts, report),
      ...hiddenNote(report),
    ],
    dropped: [...droppedEvents(report), ...report.dropped],
    complete: recording.complete && report.problems.list.every(({ severity }) => severity !== 'error'),
  };
}

function choiceOf(
  source: OpenRecording,
  parts: ScopeByParts | undefined,
  types: readonly string[] | undefined,
): Pick<EventCut, 'keep' | 'types'> {
  const subject = subjectOf(source);
  const known = typesOf(subject);
  const byName = new Map(known.map((type) => [type.name, type]));
  const named = types?.map((text) => typeNamed(known, text, subject.snapshot.recording.name).name);
  return {
    ...(named && { types: new Set(named) }),
    ...(parts && {
      keep: ({ program, profile }) => {
        const events = profile.events.map((table) => withWords(table, byName.get(table.kind)));
        return parts.marks({ program, profile: { ...profile, events } });
      },
    }),
  };
}

/** Events are written as they are. */
function refuseSteps(scope: readonly ScopeStep[]): void {
  const step = scope.find(
    ({ kind }) => kind === 'hide' || kind === 'show' || kind === 'dump' || kind === 'view-mode' || kind === 'depth',
  );
  if (step === undefined) return;
  const why = step.kind === 'dump' ? 'the recording has no dumps' : 'the stacks of the file are written as they are';
  throw new UsageError(phrase`${theStep(step.kind)}: ${why}`, {
    code: 'whole-events',
    advice: phrase`Choose events with ${theStep('time')}, ${theStep('thread')}, ${theStep('filter')}, ${theStep('focus')} or ${theOption('types')}.`,
    action: { omitSteps: [step.kind] },
  });
}

/** Throws an `Error` if the file does not have the events that were written. */
async function verify(written: ByteSource, { events }: CutReport, format: string): Promise<void> {
  const { eventTypes = [] } = (await formatOf(format)?.events?.outline(written))?.recording ?? {};
  const found = new Map(eventTypes.map(({ name, count }) => [name, count]));
  for (const [name, { after }] of events)
    if ((found.get(name) ?? 0) !== after)
      throw new Error(`the written file has ${found.get(name) ?? 0} events ${name}, not ${after}`);
}

function sumOf({ events }: CutReport): { before: number; after: number } {
  const sum = { before: 0, after: 0 };
  for (const { before, after } of events.values()) {
    sum.before += before;
    sum.after += after;
  }
  return sum;
}

function droppedEvents(report: CutReport): string[] {
  const lost = [...report.events]
    .map(([name, { before, after }]) => ({ name, count: before - after }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count);
  if (lost.length === 0) return [];
  const { before, after } = sumOf(report);
  const named = lost.slice(0, MOST_NAMED).map(({ name, count }) => `${formatCount(count)} ${name}`);
  const others = lost.slice(MOST_NAMED);
  const rest = others.reduce((sum, { count }) => sum + count, 0);
  const more = others.length === 0 ? [] : [`${formatCount(rest)} of ${plural(others.length, 'other type')}`];
  return [`${formatCount(before - after)} of ${plural(before, 'event')}: ${[...named, ...more].join(', ')}`];
}

/** Types that have events and stay whole. */
function unscopedNote(parts: ScopeByParts | undefined, { events }: CutReport): Note[] {
  const whole = [...(parts?.unscoped ?? [])].filter((name) => (events.get(name)?.after ?? 0) > 0).sort();
  if (whole.length === 0) return [];
  return [note('unscoped', `Kept where a step of the scope does not apply: ${someNames(whole, MOST_NAMED)}.`)];
}

function hiddenNote({ hidden }: CutReport): Note[] {
  if (hidden === 0) return [];
  const texts =
    hidden === 1 ? '1 text that looks like a secret is' : `${formatCount(hidden)} texts that look like secrets are`;
  return [
    note('secrets-hidden', phrase`${texts} hidden in the file (${theOption('secrets')} keeps them).`, {
      action: { set: { secrets: true } },
    }),
  ];
}
