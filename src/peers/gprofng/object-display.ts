/**
 * Load objects whose functions are hidden: they are one function with the name of the object, or only those that are called from outside are
 * shown, with all that they called. Raw dumps and filters have whole stacks.
 */
import { UsageError } from '../../base/errors.js';
import { EXPERT_STACK, MACHINE_STACK, STACK } from '../../models/events/shared-fields.js';
import { openedRecording } from '../../models/open-recording.js';
import { type Profile, STACK_ENDINGS, type StackTable } from '../../models/profile/profile.js';
import { rootOf, StackBuilder } from '../../models/profile/stack-builder.js';
import { columnOf, keyIn, type Table } from '../../models/table.js';
import { sessionOfOpen } from '../../session/session.js';
import { plainPath } from '../../session/together/marked-path.js';
import type { Experiment } from './peer/experiment.js';
import { type LoadObject, UNKNOWN_OBJECT } from './peer/load-objects.js';
import { withLocations } from './peer/more-locations.js';
import { type PeerFunction, TOTAL } from './peer/peer-program.js';

export type Display = 'show' | 'hide' | 'API-only';

/** By number of the load object; those that are missing are shown. */
export type ObjectDisplay = ReadonlyMap<number, Display>;

/** How objects are displayed after a command. `names`: comma-separated, files or paths; or `all`. Throws a usage error for others, unless they are ignored. */
export function displayed(
  experiment: Pick<Experiment, 'objects' | 'functions' | 'strict'>,
  before: ObjectDisplay,
  names: string,
  display: Display,
): ObjectDisplay {
  const after = new Map(before);
  const objects = allObjects(experiment);
  const isAll = names.toLowerCase() === 'all';
  for (const name of names.split(',')) {
    const found = objects.filter((each) => isAll || isNamed(each, name));
    if (found.length === 0 && !experiment.strict)
      throw new UsageError(`no load object ${name}`, '`object_list` lists them; their files or paths are names.');
    for (const { index } of found) after.set(index, display);
  }
  // Of pseudo functions such as `<Truncated-stack>`.
  if (isAll) after.set(TOTAL.object, display);
  return after;
}

/** Load objects, and the classes of Java that have functions, which are load objects, too. */
function allObjects({ objects, functions }: Pick<Experiment, 'objects' | 'functions'>): readonly LoadObject[] {
  const classes = new Map<number, LoadObject>();
  for (const { java, object, objectName } of functions)
    if (java !== undefined)
      classes.set(object, { name: objectName, path: `${java.className.replaceAll('.', '/')}.class`, index: object });
  return [...objects, ...classes.values()];
}

function isNamed({ name, path }: LoadObject, wanted: string): boolean {
  return plainPath(path) === wanted || name === `<${wanted}>`;
}

/** The experiment with the functions that are displayed; the same one if all are. Close the whole one only. */
export function displayedExperiment(experiment: Experiment, display: ObjectDisplay): Experiment {
  const changed = [...display].filter(([, how]) => how !== 'show');
  if (changed.length === 0) return experiment;
  const { program, profile, open } = experiment;
  const objects = allObjects(experiment);
  const [recording] = experiment.session.recordings;
  if (recording === undefined) throw new Error('an experiment without a recording');
  const hidden = objects.filter(({ index }) => display.get(index) === 'hide');
  const functions = [...experiment.functions, ...hidden.map(functionOf)];
  const first = experiment.functions.length;
  const { length } = program.locations;
  const shown = withLocations(
    program,
    hidden.map((_, i) => first + i),
    functions.length,
  );
  const pseudo = new Map(hidden.map(({ index }, i) => [index, length + i]));
  const objectOf = experiment.functions.map(({ object }) => object);
  const own = new Changes(display, objectOf, shown.locations.function, pseudo).profile(profile);
  const changedRecording = { ...recording, program: shown, profile: own };
  const session = sessionOfOpen([openedRecording(changedRecording, open && { files: { copyOf: open } })]);
  return {
    ...experiment,
    program: shown,
    functions,
    profile: own,
    session,
    get: (use) => session.derived.get(use),
  };
}

/** The function that a hidden object is. */
function functionOf({ name, path, index }: LoadObject): PeerFunction {
  return {
    name,
    short: name,
    object: index,
    objectName: name,
    start: 0,
    size: 0,
    source: undefined,
    path: undefined,
    pseudoPath: path,
  };
}

/** Stacks without the frames that are not shown. */
class Changes {
  readonly #display: ObjectDisplay;
  /** By function: number of its load object. */
  readonly #objectOf: readonly number[];
  readonly #functionOf: ArrayLike<number>;
  /** By number of a hidden object: its location. */
  readonly #pseudo: ReadonlyMap<number, number>;

  constructor(
    display: ObjectDisplay,
    objectOf: readonly number[],
    functionOf: ArrayLike<number>,
    pseudo: ReadonlyMap<number, number>,
  ) {
    this.#display = display;
    this.#objectOf = objectOf;
    this.#functionOf = functionOf;
    this.#pseudo = pseudo;
  }

  profile(profile: Profile): Profile {
    const builder = new StackBuilder(profile.stacks.length);
    const moved = this.#moved(profile.stacks, builder);
    const events = profile.events.map((table) => withStacks(table, moved));
    return { ...profile, stacks: builder.finish(), events };
  }

  /** By stack: the one that is shown. */
  #moved({ length, parent, location, ending }: StackTable, builder: StackBuilder): Int32Array {
    const moved = new Int32Array(length);
    /** By stack: whether it is in what is only an interface. */
    const isInside = new Uint8Array(length);
    for (let id = 0; id < length; id++) {
      const above = parent[id];
      if (above >= 0 && isInside[above] === 1) {
        moved[id] = moved[above];
        isInside[id] = 1;
        continue;
      }
      const object = this.#object(location[id]);
      const how = this.#display.get(object);
      const root = above >= 0 ? moved[above] : rootOf(STACK_ENDINGS[ending[id]]);
      // Nobody calls the outermost frame.
      if (how === 'API-only' && above >= 0) isInside[id] = 1;
      if (how !== 'hide') moved[id] = builder.add(root, location[id]);
      else if (object === TOTAL.object || (above >= 0 && this.#object(location[above]) === object)) moved[id] = root;
      else moved[id] = builder.add(root, this.#pseudo.get(object) ?? location[id]);
    }
    return moved;
  }

  #object(location: number): number {
    return this.#objectOf[this.#functionOf[location]] ?? UNKNOWN_OBJECT.index;
  }
}

/** The table with the changed stacks, in each view mode. */
function withStacks(table: Table, moved: Int32Array): Table {
  const columns = { ...table.columns };
  for (const field of [STACK, MACHINE_STACK, EXPERT_STACK]) {
    const stacks = columnOf(table, field);
    const key = keyIn(table, field);
    if (stacks !== undefined && key !== undefined)
      columns[key] = Int32Array.from(stacks, (stack) => (stack < 0 ? stack : moved[stack]));
  }
  return { ...table, columns };
}
