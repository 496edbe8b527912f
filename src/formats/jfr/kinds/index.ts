/** The kinds of events that recordings of JFR have. To map a further type, add a line to its kind's file. */
import type { EventSelection } from '../chunk/chunk-options.js';
import { ALLOCATIONS } from './allocations.js';
import { CLASSES } from './classes.js';
import { COLLECTIONS } from './gc.js';
import type { KindOfEvents } from './kind-source.js';
import { MEMORY } from './memory.js';
import { OTHERS } from './others.js';
import { SAMPLES } from './samples.js';
import { THREADS } from './threads.js';
import { TRACKS } from './tracks.js';
import { WAITS } from './waits.js';

export const KINDS: readonly KindOfEvents[] = [
  ...SAMPLES,
  ...ALLOCATIONS,
  ...WAITS,
  ...MEMORY,
  ...OTHERS,
  ...CLASSES,
  ...THREADS,
  ...COLLECTIONS,
  ...TRACKS,
];

/** The fields of all types that the kinds need. */
export function kindsSelection(kinds: readonly KindOfEvents[] = KINDS): EventSelection {
  const wanted = new Map<string, Set<string>>();
  for (const { type, columns } of kinds.flatMap(({ sources }) => sources)) {
    const fields = wanted.get(type) ?? new Set();
    wanted.set(type, fields);
    // The first name of a path is a field of the event.
    for (const path of Object.values(columns)) if (typeof path === 'string') fields.add(path.replace(/\..*$/, ''));
  }
  return Object.fromEntries([...wanted].map(([type, fields]) => [type, [...fields]]));
}
