/** How many events of each type are in a scope. */
import { type Stage, type Subject, type Use, use } from '../../models/open-recording.js';
import { applyScope } from '../scope/scope.js';
import { type KnownType, readsEvents, typesOf } from './event-types.js';

export interface EventCounts {
  /** By the name of the type; types that the scope cannot be applied to are missing. */
  readonly counts: ReadonlyMap<string, number>;
  /** These types, if they have events. */
  readonly unscoped: readonly string[];
}

/** Types are read together up to so many bytes of the file: more need more memory, fewer need more passes over it. */
const BATCH_BYTES = 64e6;

const countsStage: Stage<EventCounts, void> = {
  name: 'event counts',
  version: 1,
  key: () => '',
  run: async ([subject], _, __, work) => {
    const { source, snapshot, scope } = subject;
    const { program, profile } = snapshot.recording;
    const types = typesOf(subject).filter(({ count }) => count > 0);
    const counts = new Map<string, number>();
    let refused: unknown;
    for (const batch of readsEvents(subject) ? batchesOf(types) : [types]) {
      const names = batch.map(({ name }) => name);
      const isRead = readsEvents(subject);
      const read = isRead ? await source.events?.read(names, work) : profile && { program, profile };
      if (read === undefined) continue;
      for (const table of read.profile.events) {
        // One table at a time: a step that no table of several could be selected by would be an error.
        try {
          const one = applyScope(read.program, { ...read.profile, metrics: [], events: [table] }, scope);
          if (!one.unscoped.has(table.kind)) counts.set(table.kind, one.profile.events[0]?.length ?? 0);
        } catch (error) {
          refused = error;
        }
      }
    }
    if (counts.size === 0 && refused !== undefined) throw refused;
    return { counts, unscoped: types.flatMap(({ name }) => (counts.has(name) ? [] : [name])) };
  },
  bytes: ({ counts }) => counts.size * BYTES_PER_TYPE,
};

const BYTES_PER_TYPE = 100;

function batchesOf(types: readonly KnownType[]): KnownType[][] {
  const batches: KnownType[][] = [];
  let left = 0;
  for (const type of types) {
    const bytes = type.bytes ?? 0;
    if (bytes > left || batches.length === 0) {
      batches.push([]);
      left = BATCH_BYTES;
    }
    batches.at(-1)?.push(type);
    left -= bytes;
  }
  return batches;
}

/** The numbers of events in the scope of the subject. Throws `UsageError` if it cannot be applied to any type. */
export function countsUse(subject: Subject): Use<EventCounts> {
  return use(countsStage, [subject], undefined);
}
