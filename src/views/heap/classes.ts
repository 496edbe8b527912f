/** Shared by the views of objects by class: the selected moment, names, notes about levels. */
import { type ClassLevels, classLevels, type Objects } from '../../analysis/heap/class-levels.js';
import { classesMatching } from '../../analysis/identity/named-classes.js';
import { unknownNameError } from '../../analysis/identity/unknown-name.js';
import { requireDump } from '../../analysis/scope/moment.js';
import { MissingError, UsageError } from '../../base/errors.js';
import { type Note, note } from '../../base/note.js';
import { usingPattern } from '../../base/parsing/pattern.js';
import { phrase, theOption, theStep, theView } from '../../base/phrase.js';
import { CLASS_EVENTS } from '../../models/events/class.js';
import { CLASS_OBJECTS } from '../../models/heap/heap.js';
import { className } from '../../models/program/names.js';
import type { ClassId, Program } from '../../models/program/program.js';
import { type Side, WITHOUT_STEPS } from '../question.js';

/** The levels of the selected moment. Throws if there are none, with the dumps that exist. */
export function requireLevels(side: Objects & Pick<Side, 'unscoped'>): ClassLevels {
  const { recording, heap, dump, unscoped } = side;
  if (CLASS_EVENTS.of(recording.profile) !== undefined) requireDump(recording, dump, CLASS_EVENTS.kind);
  const levels = classLevels(side);
  if (levels === undefined)
    throw new MissingError(
      `${recording.name} has no objects by class${typeof dump.moment === 'number' ? ` in dump ${dump.moment}` : ''}`,
      {
        code: 'no-objects',
        advice: phrase`Class histograms and heap dumps have them; ${theView('summary')} lists what this recording has.`,
        action: { ask: theView('summary') },
      },
    );
  if (heap !== undefined && unscoped.has('heap'))
    throw new UsageError('heap objects of this recording have no stack, thread or time to select by', WITHOUT_STEPS);
  return levels;
}

/** Whether a recording has objects by class. */
export function hasLevels({ recording }: Pick<Side, 'recording'>): boolean {
  const { profile, heaps = [] } = recording;
  return heaps.length > 0 || CLASS_EVENTS.of(profile) !== undefined;
}

/** Notes on levels of a recording with several dumps. */
export function dumpNotes(levels: { readonly dump: number; readonly dumps: number }): Note[] {
  if (levels.dumps === 1) return [];
  const which = levels.dump === levels.dumps ? ', the last' : '';
  return [
    note(
      'dump',
      phrase`Dump ${levels.dump} of ${levels.dumps}${which} (${theStep('dump', { choose: 'N' })} chooses another).`,
      { action: { addSteps: ['dump'] } },
    ),
  ];
}

/** The error for a name that no class has. */
export function noSuchClass(pattern: string, programs: readonly Program[]): UsageError {
  const names = programs.flatMap((each) => Array.from({ length: each.classes.length }, (_, id) => className(each, id)));
  return unknownNameError(phrase`${theOption('class', { value: pattern })}`, { noun: 'class', text: pattern, names });
}

/** The name of a class to show. */
export function levelName(program: Program, id: ClassId): string {
  return id === CLASS_OBJECTS ? '<objects of classes>' : className(program, id);
}

/**
 * The filter for classes that match `pattern`, or that it is the handle of; all classes without one. Throws `UsageError` if neither the program nor
 * that of the base has such a class.
 */
export function classFilter(program: Program, pattern: string | undefined, base?: Program): (id: ClassId) => boolean {
  if (pattern === undefined) return () => true;
  const matchIn = (each: Program): Uint8Array =>
    usingPattern(`not a regular expression: ${pattern}`, () => classesMatching(each, pattern));
  const matched = matchIn(program);
  if (!matched.includes(1) && (base === undefined || !matchIn(base).includes(1)))
    throw noSuchClass(pattern, [program, ...(base === undefined ? [] : [base])]);
  return (id) => matched[id] === 1;
}
