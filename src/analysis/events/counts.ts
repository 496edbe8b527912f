/** How many events of each type are in a scope. */
import type { Work } from '../../base/progress.js';
import type { EventsRead } from '../../models/event-types.js';
import { type Stage, type StageUse, type Subject, use } from '../../models/open-recording.js';
import { stepsForOther } from '../identity/other-side.js';
import { fieldsRead } from '../scope/fields-read.js';
import { applyScope } from '../scope/scope.js';
import { readsEvents, typesOf } from './event-types.js';
import { isPartial, withWords } from './recorded.js';

export interface EventCounts {
  /** By the name of the type; types that the scope cannot be applied to are missing. */
  readonly counts: ReadonlyMap<string, number>;
  /** These types, if they have events. */
  readonly unscoped: readonly string[];
  /** Something of the events could not be read; opening does not find all of it. */
  readonly isPartial: boolean;
}

const countsStage: Stage<EventCounts, void> = {
  name: 'event counts',
  version: 1,
  key: () => '',
  run: async ([subject], _, __, work) => {
    const { scope } = subject;
    const types = new Map(typesOf(subject).flatMap((type) => (type.count > 0 ? [[type.name, type] as const] : [])));
    const counts = new Map<string, number>();
    let refused: unknown;
    let isDamaged = false;
    for await (const part of partsOf(subject, work)) {
      const { program, profile } = part;
      const steps = stepsForOther(scope, subject.snapshot.recording, { program, profile });
      isDamaged ||= isPartial(part);
      for (const table of profile.events) {
        // One table at a time: a step that no table of several could be selected by would be an error.
        try {
          const events = [withWords(table, types.get(table.kind))];
          const one = applyScope(program, { ...profile, metrics: [], events }, steps);
          const known = counts.get(table.kind) ?? 0;
          if (!one.unscoped.has(table.kind)) counts.set(table.kind, known + (one.profile.events[0]?.length ?? 0));
        } catch (error) {
          refused = error;
        }
      }
    }
    if (counts.size === 0 && refused !== undefined) throw refused;
    return { counts, unscoped: [...types.keys()].filter((name) => !counts.has(name)), isPartial: isDamaged };
  },
  bytes: ({ counts }) => counts.size * BYTES_PER_TYPE,
};

const BYTES_PER_TYPE = 100;

/** All events: a part after the other where they are read from the source, since they may be larger than memory. */
async function* partsOf({ source, snapshot, scope }: Subject, work: Work): AsyncGenerator<EventsRead> {
  const { program, profile } = snapshot.recording;
  if (source.events !== undefined && readsEvents({ source, snapshot }))
    yield* source.events.parts(work, fieldsRead(scope));
  else if (profile !== undefined) yield { program, profile };
}

/** The numbers of events in the scope of the subject. Throws `UsageError` if it cannot be applied to any type. */
export function countsUse(subject: Subject): StageUse<EventCounts> {
  return use(countsStage, [subject], undefined);
}
