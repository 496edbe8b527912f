/** Next steps for a PGO profile: questions with the names of the file and of the listed items. */
import { type Note, note } from '../../base/note.js';
import { type Inputs, phrase, type TransformReference, type ViewReference } from '../../base/phrase.js';
import type { CodeLibrary } from '../../models/program/library.js';

/** The class path of the session; null if a person has to choose one. */
export function classesOf({ classes }: CodeLibrary): Inputs {
  return { classes: classes?.name ?? null };
}

/** The classes that were recorded, in the same way. */
export function oldClassesOf({ oldClasses }: CodeLibrary): Inputs {
  return { oldClasses: oldClasses?.name ?? null };
}

/** A method as questions take it: without its parameter types. */
export function methodArgument(signature: string): string {
  return signature.replace(/\(.*$/s, '');
}

/** A note on what to ask or write next, and why. */
export function nextStep(why: string, next: ViewReference | TransformReference): Note {
  return note('next-step', phrase`Next, ${why}: ${next}`, { action: 'view' in next ? { ask: next } : { write: next } });
}
