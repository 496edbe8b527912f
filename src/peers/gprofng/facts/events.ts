/** How many events each kind of data has, and which are too few for values that depend on chance. */
import { fixed, nanos } from '../numbers.js';
import { factsOf } from '../peer/event-columns.js';
import type { Experiment } from '../peer/experiment.js';

/** Kinds of events in the order in which gprofng reads them: title, and how it names too few of them. */
const KINDS: readonly (readonly [kind: string, title: string, sampled: string | undefined])[] = [
  ['cpu-sample', 'clock-profile', 'clock-profile'],
  ['wait', 'synctrace', undefined],
  ['io', 'IO trace', undefined],
  ['sample', 'hwc-profile', 'HW counter profile'],
  ['native-memory', 'heaptrace', undefined],
];
/** Samples that are enough. */
const ENOUGH = 100;

/** Numbers of events by process, with a warning for each kind of samples with few. */
export function eventCounts({ processes, details }: Experiment): string {
  const parts = processes.map((process) => {
    const { id, index } = process;
    const name = process.name.slice(process.name.lastIndexOf('/') + 1);
    const duration = process.recorded.end;
    const lines = KINDS.flatMap(([kind, title, sampled]) => {
      const facts = factsOf(details, kind);
      const count = facts?.process.filter((each) => each === index).length ?? 0;
      if (count === 0) return [];
      const rate = sampled === undefined || duration === 0 ? '' : ` (${fixed((count * 1e9) / duration, 2)}/sec.)`;
      const few = `WARNING: too few ${sampled} events (${count}) in experiment ${id} (\`${name}') for statistical validity`;
      return [`  Processed ${count} ${title} events${rate}`, ...(sampled !== undefined && count < ENOUGH ? [few] : [])];
    });
    const head = `PathTree processing experiment ${id} (\`${name}'); duration ${nanos(duration).slice(0, -3)}`;
    return `${[head, ...lines].join('\n')}\n`;
  });
  return parts.join('\n');
}
