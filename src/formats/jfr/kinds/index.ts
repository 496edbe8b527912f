/** The kinds of events that recordings of JFR have. To map a further type, add a line to its kind's file. */
import { dictionary } from '../../../base/dictionary.js';
import type { EventSelection } from '../chunk/chunk-options.js';
import { contextFields } from '../model/contexts.js';
import { TEXT_FIELDS } from '../model/text-records.js';
import { ALLOCATIONS } from './allocations.js';
import { CLASSES } from './classes.js';
import { FACTS } from './facts.js';
import { COLLECTIONS } from './gc.js';
import { fieldOf, type KindOfEvents } from './kind-source.js';
import { MEMORY } from './memory.js';
import { hasStackField, OTHER_FIELDS, otherEvents } from './other-events.js';
import { OTHERS } from './others.js';
import { SAMPLES } from './samples.js';
import { THREADS } from './threads.js';
import { TRACKS } from './tracks.js';
import { WAITS } from './waits.js';

const NAMED: readonly KindOfEvents[] = [
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

/** The fields that these kinds need, by type. */
const FIELDS = fieldsOf(NAMED);

export const KINDS: readonly KindOfEvents[] = [
  ...NAMED,
  otherEvents(new Set([...Object.keys(FIELDS), ...Object.keys(FACTS)])),
];

/** The fields of all types that the kinds need, and `more` of others. */
function eventsSelection(more: Readonly<Record<string, readonly string[]>>): EventSelection {
  const fields = dictionary<readonly string[]>({ ...FIELDS, ...more });
  return (name, type) => {
    const main = fields[name] ?? (hasStackField(type) ? OTHER_FIELDS : []);
    const context = contextFields(type);
    return (main.length > 0 || context.length > 0) && [...new Set([...main, ...context])];
  };
}

function fieldsOf(kinds: readonly KindOfEvents[]): Readonly<Record<string, readonly string[]>> {
  const wanted = new Map<string, Set<string>>();
  for (const { type, columns } of kinds.flatMap(({ sources }) => sources)) {
    const fields = wanted.get(type) ?? new Set();
    wanted.set(type, fields);
    // The first name of a path is a field of the event.
    for (const source of Object.values(columns)) {
      const path = fieldOf(source);
      if (path !== undefined) fields.add(path.replace(/\..*$/, ''));
    }
  }
  return Object.fromEntries([...wanted].map(([type, fields]) => [type, [...fields]]));
}

/** By path of a field of the events of a type: the keys of the fields of the kinds that hold it, other than the path. */
export function kindNames(type: string): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>();
  const columns = NAMED.flatMap(({ sources }) => sources.filter((source) => source.type === type));
  for (const [key, source] of columns.flatMap((each) => Object.entries(each.columns))) {
    const path = fieldOf(source);
    if (path !== undefined && path !== key) names.set(path, [...(names.get(path) ?? []), key]);
  }
  return names;
}

const TEXTS = Object.fromEntries(Object.entries(TEXT_FIELDS).map(([type, field]) => [type, [field]]));

/** The fields that the models have kinds for, of events and of facts about the recording. */
export const KNOWN_EVENTS: EventSelection = eventsSelection({ ...FACTS, ...TEXTS });
