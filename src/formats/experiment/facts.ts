/** What an experiment says of itself: the facts, the spans and the warnings of its log. */
import type { Problem } from '../../base/problems.js';
import { RANGES } from '../../models/profile/tables.js';
import type { ProgramBuilder } from '../../models/program/program-builder.js';
import type { MetadataEntry } from '../../models/recording.js';
import { withoutSecrets } from '../../models/secrets.js';
import type { Table } from '../../models/table.js';
import type { Labels, Span } from './labels.js';
import { between, type ExperimentLog, type LogEvent, nanoseconds, relativeTime } from './log.js';

/** Facts of the founder of an experiment. */
export function metadataOf(
  log: ExperimentLog,
  notes: string | undefined,
  { comments }: Pick<Labels, 'comments'>,
): MetadataEntry[] {
  const { version, collector, system, process, command, startDate, cpus, settings } = log;
  const clock = cpus[0]?.get('clk');
  const started = startDate === undefined ? undefined : new Date(startDate * 1000).toISOString();
  const entries: (readonly [string, string | undefined])[] = [
    ['version', version],
    ['collector', collector],
    ['command', command === undefined ? undefined : withoutSecrets(command)],
    ['directory', process.get('cwd')],
    ['pid', process.get('pid')],
    ['host', system.get('hostname')],
    ['os', system.get('os')],
    ['architecture', system.get('arch')],
    ['cpus', cpus.length === 0 ? undefined : `${cpus.length}${clock === undefined ? '' : ` of ${clock} MHz`}`],
    ['started', started],
    ['jvm', log.data.find(({ name }) => name === 'jprofile')?.attributes.get('jversion')],
    ...settings.map(([key, value]) => [`setting ${key}`, value] as const),
    ['notes', notes],
    ...comments.map(({ name, text }) => [`label ${name}`, text] as const),
  ];
  return entries.flatMap(([key, value]) => (value === undefined || value === '' ? [] : [{ key, value }]));
}

/** The number of the warning that the clock's interval changed, whose text has the two intervals only, in µs. */
export const CLOCK_CHANGED = '207';

/** The bytecode index of a place in compiled code that the JVM has none for: JVMCI's mark of an invalid one. */
export const LEAF_BCI = -6;

/** Warnings and errors among the events of a file. `name` is the file in messages. */
export function saidIn(events: ExperimentLog['events'], name: string): Problem[] {
  return events.flatMap(({ kind, attributes, text, offset }): Problem[] => {
    if (kind !== 'cwarn' && kind !== 'cerror') return [];
    const what = kind === 'cwarn' ? 'a warning' : 'an error';
    const id = attributes.get('id');
    const words =
      id === CLOCK_CHANGED ? `the interval of clock profiling changed (${text}), so samples may be missing` : text;
    const message = `${name}: the recorder reported ${what}: ${words} (${id ?? 'without number'})`;
    return [{ code: 'experiment-recorder', severity: 'warning', message, offset }];
  });
}

/** What the recorder wrote as its warnings and errors, and missing ends. `name` is the log in messages. */
export function problemsOf({ events, closed, version }: ExperimentLog, name: string): Problem[] {
  const said = saidIn(events, name);
  const major = Number(version?.split('.')[0]);
  return [
    ...said,
    ...(closed
      ? []
      : [
          {
            code: 'experiment-not-closed',
            severity: 'warning',
            message: `${name}: the recording did not end properly; the last events may be missing`,
          } as const,
        ]),
    ...(major === 12
      ? []
      : [
          {
            code: 'experiment-version',
            severity: 'warning',
            message: `${name}: version ${version ?? 'unknown'}; only version 12 is known`,
          } as const,
        ]),
  ];
}

/** Samples, pauses and garbage collections of one process; `shift` is its start since that of the whole recording. */
export function spansOf(log: ExperimentLog, shift: number): Span[] {
  const spans: Span[] = [];
  let sample: number | undefined;
  let paused: number | undefined;
  let collecting: number | undefined;
  for (const event of log.events) {
    const time = timeOf(event, log);
    if (time === undefined) continue;
    if (event.kind === 'sample') {
      const label = event.attributes.get('label') ?? '';
      if (sample !== undefined) spans.push({ track: `Sample: ${label}`, from: sample, to: time });
      sample = time;
    } else if (event.kind === 'pause') paused = time;
    else if (event.kind === 'gc_start') collecting = time;
    else if (event.kind === 'resume' && paused !== undefined) {
      spans.push({ track: 'Recording paused', from: paused, to: time });
      paused = undefined;
    } else if (event.kind === 'gc_end' && collecting !== undefined) {
      spans.push({ track: 'Garbage collection', from: collecting, to: time });
      collecting = undefined;
    }
  }
  return spans.map(({ track, from, to }) => ({ track, from: from + shift, to: to + shift }));
}

/** Events of the JVM have absolute times, all others relative ones. */
function timeOf({ kind, attributes }: LogEvent, { start }: ExperimentLog): number | undefined {
  const text = attributes.get('tstamp');
  if (!kind.startsWith('gc_')) return relativeTime(text);
  const at = nanoseconds(text);
  return at && start && between(start, at);
}

/** The spans as a table; undefined if there are none. */
export function rangesOf(spans: readonly Span[], program: ProgramBuilder): Table | undefined {
  if (spans.length === 0) return undefined;
  const rows = RANGES.builder();
  for (const { track, from, to } of spans)
    rows.add({ track: program.name(track), thread: -1, time: from, duration: to - from });
  return rows.finish();
}
