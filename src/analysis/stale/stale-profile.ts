/**
 * Judges a whole profile by classes: one class path shows contradictions, two show changes. `classesOf` returns the
 * classes needed.
 */
import { MissingError } from '../../base/errors.js';
import type { Work } from '../../base/progress.js';
import type { MethodInfo } from '../../code/java/class-file/class-file.js';
import { type ClassSet, loadClasses } from '../../code/java/class-path/class-set.js';
import { countedEvents } from '../../models/events/counted.js';
import { type Stage, type StageUse, type Subject, use } from '../../models/open-recording.js';
import type { Profile } from '../../models/profile/profile.js';
import type { ClassPath } from '../../models/program/class-path.js';
import { className } from '../../models/program/names.js';
import { CLASS_KINDS, type Program } from '../../models/program/program.js';
import { packagePart } from '../packages.js';
import { requireProfile, scopedUse } from '../scope/scoped.js';
import { ChangeJudge, type ClassSide } from './change-judge.js';
import { ClassScope, simpleName } from './class-scope.js';
import { FitJudge } from './fit-judge.js';
import { ENTRY_KINDS, ProfiledPlaces } from './profiled-places.js';
import { type Staleness, staleness } from './staleness.js';
import { switchMapClasses } from './switch-map.js';
import type { Judge } from './verdict.js';

export interface JudgedProfile {
  readonly places: ProfiledPlaces;
  readonly judge: Judge;
  readonly staleness: Staleness;
  /**
   * Methods that only the new versions of classes with counts have; empty with one class path, which does not show
   * them.
   */
  readonly added: readonly MethodInfo[];
}

/** Throws `MissingError` if the recording does not have counts at places of code. */
export function judgeProfile(program: Program, profile: Profile, now: ClassSide, old?: ClassSide): JudgedProfile {
  if (ENTRY_KINDS.every((kind) => kind === 'sample' || countedEvents(profile, kind) === undefined))
    throw new MissingError('this recording has no counts of calls, branches or receivers', {
      code: 'no-counts',
      advice: 'Only PGO profiles (.iprof) have bytecode indexes to compare with classes.',
    });
  const places = new ProfiledPlaces(program, profile);
  const judge =
    old === undefined
      ? new FitJudge(program, places, now.classes, now.scope)
      : new ChangeJudge(program, places, old, now);
  const found = staleness(program, profile, places, judge);
  return { places, judge, staleness: found, added: judge instanceof ChangeJudge ? judge.added() : [] };
}

export function classSide(classes: ClassSet, packages: ReadonlySet<string>): ClassSide {
  return { classes, scope: new ClassScope((name) => classes.has(name), packages) };
}

/** The classes of a path that a program needs, in memory. */
export interface LoadedSide {
  readonly classes: ClassSet;
  readonly packages: ReadonlySet<string>;
}

/**
 * Loads the classes that a program names, their superclasses and interfaces, and candidates for the new names of
 * classes that are gone: classes of the same name in another package, or new in the package (compared with `old`).
 */
export async function loadSide(program: Program, path: ClassPath, work: Work, old?: ClassPath): Promise<LoadedSide> {
  const packages = new Set<string>();
  for (const name of path.names()) packages.add(packagePart(name));
  const named = namedClasses(program);
  const gone = named.filter(
    (name) => !path.has(name) && (old === undefined ? packages.has(packagePart(name)) : old.has(name)),
  );
  const simple = new Set(gone.map(simpleName));
  const folders = new Set(old === undefined ? [] : gone.map(packagePart));
  const candidates: string[] = [];
  if (gone.length > 0)
    for (const name of path.names())
      if (old?.has(name) !== true && (simple.has(simpleName(name)) || folders.has(packagePart(name))))
        candidates.push(name);
  const options = { supers: true, besides: switchMapClasses };
  return { classes: await loadClasses(path, [...named, ...candidates], work, options), packages };
}

/** The classes that a profile is judged by. */
export interface JudgingPaths {
  readonly classes: ClassPath;
  /** The classes it was made with, if given. */
  readonly oldClasses: ClassPath | undefined;
}

const judgedStage: Stage<JudgedProfile, JudgingPaths> = {
  name: 'staleness',
  version: 1,
  key: ({ classes, oldClasses }) => `${classes.id} ${oldClasses?.id ?? ''}`,
  needs: ([subject]) => [scopedUse(subject)],
  run: async ([subject], { classes, oldClasses }, get, work) => {
    const scoped = await get(scopedUse(subject));
    const { program } = scoped.recording;
    const now = await loadSide(program, classes, work, oldClasses);
    const old = oldClasses && (await loadSide(program, oldClasses, work));
    return judgeProfile(
      program,
      requireProfile(scoped),
      classSide(now.classes, now.packages),
      old && classSide(old.classes, old.packages),
    );
  },
  bytes: ({ staleness }) => METHOD * staleness.methods.length,
};

/** Bytes of a judged method, with its places and its share of the class file. */
const METHOD = 4000;

/** The profile of a subject, judged by classes. */
export function judgedUse(subject: Subject, paths: JudgingPaths): StageUse<JudgedProfile> {
  return use(judgedStage, [subject], paths);
}

/** Binary names of the classes that a program names. */
function namedClasses(program: Program): string[] {
  const { classes } = program;
  const names = new Set<string>();
  for (let id = 0; id < classes.length; id++)
    if (CLASS_KINDS[classes.kind[id]] !== 'missing') names.add(className(program, id).replace(/(\[\])+$/, ''));
  return [...names];
}
