/** What was recorded, in lines. */
import { formatValue, plural } from '../../base/units.js';
import type { NativeRecorder } from '../../record/native/options.js';
import type { ClockCheck, LowClock } from '../../record/native/outcome.node.js';
import type { NativeRecording } from '../../record/native/record.node.js';
import { unitOf } from './summary.js';

const CAUSES: Readonly<Record<LowClock, string>> = {
  timer: "its timer of the clock never ran, as with Debian's gprofng 2.40, which records about a tenth of the ticks",
  paused: 'recording was paused, while the system counted on',
  interval: 'its interval is shorter than a tick of the kernel, so that ticks were lost',
  unknown: 'the recorder does not say why',
};
const REMEDIES: Readonly<Record<LowClock, string>> = {
  timer: 'record with a gprofng that was built without link-time optimisation',
  paused: 'compare only times of the same span',
  interval: 'record with a longer --interval',
  unknown: 'see the warnings of kansoku check',
};

/** Lines about a recording and how far to trust it; the last one is a command to go on with. */
export function outcomeLines({ path, outcome }: NativeRecording, recorder: NativeRecorder): string[] {
  const { processes, threads, duration, ended, metrics, clock, problems } = outcome;
  const sums = metrics.flatMap(({ title, unit, sum }) =>
    sum === 0 ? [] : [`${title} ${formatValue(sum, unitOf(unit))}`],
  );
  return [
    `${path}: ${recorder} recorded ${plural(processes, 'process', 'processes')}, ${plural(threads, 'thread')}, ${formatValue(duration, 'ns')}${ended ? '' : ', without an end'}`,
    ...(sums.length === 0 ? [`${path}: no event was recorded`] : [`${path}: ${sums.join(', ')}`]),
    ...(clock === undefined ? [] : clockLines(clock)),
    ...problems,
    `ask it: kansoku functions ${path}`,
  ];
}

function clockLines({ recorded, counted, low }: ClockCheck): string[] {
  const sums = `clock profiling has ${formatValue(recorded, 'ns')} of ${formatValue(counted, 'ns')} of CPU time that the system counted`;
  if (low === undefined) return [sums];
  return [`${sums}: ${CAUSES[low]}`, `to have it all: ${REMEDIES[low]}`];
}
