/** What was recorded, in lines. */
import { formatBytes, formatCount, formatValue, plural } from '../../base/units.js';
import type { Archived } from '../../record/archive/archive.node.js';
import type { HprofRecording } from '../../record/hprof/record.node.js';
import type { ClockCheck, LowClock, MetricSum } from '../../record/native/outcome.node.js';
import type { RuntimeSamples } from '../../record/native/perf/stack-writer.js';
import type { NativeRecording } from '../../record/native/record.node.js';
import { unitOf } from './summary.js';

const CAUSES: Readonly<Record<LowClock, string>> = {
  timer: "its timer of the clock never ran, as with Debian's gprofng 2.40, which records about a tenth of the ticks",
  paused: 'recording was paused, while the system counted on',
  interval: 'its interval is shorter than a tick of the kernel, so that ticks were lost',
  short: 'what ends within an interval has no sample, as short processes do',
  unknown: 'the recorder does not say why',
};
const REMEDIES: Readonly<Record<LowClock, string>> = {
  timer: 'record again --with perf, or with a gprofng built without link-time optimisation',
  paused: 'compare only times of the same span',
  interval: 'record with a longer --interval, or --with perf',
  short: 'record with a shorter --interval',
  unknown: 'record again --with perf',
};

/** Lines about a recording and how far to trust it; the last one is a command to go on with. */
export function outcomeLines({ path, recorder, outcome, runtimeCode }: NativeRecording): string[] {
  const { processes, threads, duration, ended, metrics, clock, problems } = outcome;
  return [
    `${path}: ${recorder} recorded ${plural(processes, 'process', 'processes')}, ${plural(threads, 'thread')}, ${formatValue(duration, 'ns')}${ended ? '' : ', without an end'}`,
    sumsLine(
      path,
      metrics.filter(({ sum }) => sum !== 0),
      'no event was recorded',
    ),
    ...(clock === undefined ? [] : clockLines(clock)),
    ...(runtimeCode === undefined || runtimeCode.samples === 0 ? [] : [runtimeLine(runtimeCode)]),
    ...problems,
    nextCommand(path),
  ];
}

/** The same of a recording by the HPROF agent. */
export function hprofLines({ path, metrics }: HprofRecording): string[] {
  return [sumsLine(path, metrics, 'nothing was measured'), nextCommand(path)];
}

const nextCommand = (path: string): string => `ask it: kansoku functions ${path}`;

/** The sums of metrics; `none` where there are none. */
function sumsLine(path: string, metrics: readonly MetricSum[], none: string): string {
  const sums = metrics.map(({ title, unit, sum }) => `${title} ${formatValue(sum, unitOf(unit))}`);
  return `${path}: ${sums.join(', ') || none}`;
}

/** How sure the names of code are that was made at run time: it was written down at the end, and what ran before may have been elsewhere. */
function runtimeLine({ samples, withName, interpreted }: RuntimeSamples): string {
  const share = formatValue(withName / samples, 'ratio');
  const inside =
    interpreted === 0 ? '' : `; ${formatCount(interpreted)} of them are in the interpreter, which hides its methods`;
  return `${formatCount(samples)} samples are in code made at run time: ${share} have a name in the perf map that was written at the end${inside}`;
}

function clockLines({ recorded, counted, low }: ClockCheck): string[] {
  const sums = `clock profiling has ${formatValue(recorded, 'ns')}, the system counted ${formatValue(counted, 'ns')} of CPU time`;
  if (low === undefined) return [sums];
  return [`${sums}: ${CAUSES[low]}`, `to have it all: ${REMEDIES[low]}`];
}

const KINDS = { object: ['program', 'programs'], source: ['source', 'sources'], class: ['class', 'classes'] } as const;

const ABSENT = 'is not there, or not the one that was recorded';

/** Libraries name sources that few machines have. */
function absentSources(paths: readonly string[]): string[] {
  const [first] = paths;
  if (first === undefined) return [];
  return [`${plural(paths.length, 'source')} not copied: ${first}${paths.length > 1 ? ' and others' : ''} ${ABSENT}`];
}

/** What was copied into an experiment, and what was not. */
export function archivedLines({ copied, present, missing, sourcesLeft }: Archived): string[] {
  const kinds = (['object', 'source', 'class'] as const).flatMap((kind) => {
    const count = copied.filter((file) => file.kind === kind).length;
    const [one, many] = KINDS[kind];
    return count === 0 ? [] : [plural(count, one, many)];
  });
  const bytes = copied.reduce((sum, file) => sum + file.bytes, 0);
  const before = present === 0 ? '' : `; ${formatCount(present)} were there`;
  return [
    kinds.length === 0 ? `nothing was copied${before}` : `copied ${kinds.join(', ')}, ${formatBytes(bytes)}${before}`,
    ...missing.flatMap(({ kind, path }) => (kind === 'source' ? [] : [`${KINDS[kind][0]} ${path} ${ABSENT}`])),
    ...absentSources(missing.flatMap(({ kind, path }) => (kind === 'source' ? [path] : []))),
    ...(sourcesLeft === 0 ? [] : [`${plural(sourcesLeft, 'copy', 'copies')} of sources were there and stay`]),
  ];
}
