/** The Java threads of a process. */
import type { ProcessDetails } from '../../../formats/experiment/index.js';

type Attributes = ReadonlyMap<string, string>;

const known = new WeakMap<object, readonly Attributes[]>();

/** Each with what the log says of it. They have the first numbers of threads, from 1 on. */
export function javaThreads({ log }: Pick<ProcessDetails, 'log'>): readonly Attributes[] {
  const made = known.get(log) ?? readThreads(log);
  known.set(log, made);
  return made;
}

function readThreads({ events }: ProcessDetails['log']): readonly Attributes[] {
  const threads = new Map<string, Attributes>();
  for (const { kind, attributes } of events) {
    const id = attributes.get('tid') ?? '';
    if (kind === 'jthread_start' && !threads.has(id)) threads.set(id, attributes);
  }
  return [...threads.values()];
}
