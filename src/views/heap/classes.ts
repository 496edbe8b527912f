/** What the views of objects by class share: the moment that was asked for, names, words about levels. */
import { CLASS_OBJECTS, type ClassLevels, classLevels } from '../../analysis/heap/class-levels.js';
import { MissingError, UsageError } from '../../base/errors.js';
import { usingPattern } from '../../base/pattern.js';
import { plural } from '../../base/units.js';
import { CLASS_EVENTS } from '../../models/events/class.js';
import type { Profile } from '../../models/profile/profile.js';
import { className, matchClasses } from '../../models/program/names.js';
import type { ClassId, Program } from '../../models/program/program.js';
import type { Recording } from '../../models/recording.js';

/** A recording and what of it the scope left, as a view gets it for itself and for its base. */
export interface Asked {
  readonly recording: Recording;
  readonly profile: Profile | undefined;
}

/** The levels of the moment that was asked for. Throws where there is none, naming what there is. */
export function requireLevels(asked: Asked, dump: number | undefined): ClassLevels {
  const { recording, profile } = asked;
  const levels = classLevels(recording, profile, dump);
  if (levels === undefined)
    throw new MissingError(
      `${recording.name} has no objects by class`,
      'Class histograms and heap dumps have them; `summary` tells what is in this recording.',
    );
  if (levels.dump === 0) throw noDump(recording.name, dump, levels.dumps);
  return levels;
}

/** Whether a recording has objects by class at all. */
export function hasLevels({ recording }: Asked): boolean {
  const { profile, heaps = [] } = recording;
  return heaps.length > 0 || CLASS_EVENTS.of(profile) !== undefined;
}

export function noDump(name: string, dump: number | undefined, dumps: number): UsageError {
  return new UsageError(`${name} has no dump ${dump ?? ''}`.trimEnd(), `It has ${plural(dumps, 'dump')}, from 1 on.`);
}

/** What must be said about a level of which there may be several. */
export function dumpNotes(levels: { readonly dump: number; readonly dumps: number }): string[] {
  if (levels.dumps === 1) return [];
  const which = levels.dump === levels.dumps ? ', the last' : '';
  return [`Dump ${levels.dump} of ${levels.dumps}${which}: values of several moments are never summed.`];
}

/** A class for people. */
export function levelName(program: Program, id: ClassId): string {
  return id === CLASS_OBJECTS ? '<objects of classes>' : className(program, id);
}

/** Which classes `pattern` means; all where it is not given. */
export function classFilter(program: Program, pattern: string | undefined): (id: ClassId) => boolean {
  if (pattern === undefined) return () => true;
  const matched = usingPattern(`not a regular expression: ${pattern}`, () => matchClasses(program, pattern));
  return (id) => matched[id] === 1;
}
