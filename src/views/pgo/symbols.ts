/** What the lists of methods and of types of a PGO profile share. */
import { requireProfile } from '../../analysis/scope/scoped.js';
import { MissingError } from '../../base/errors.js';
import { phrase, theView } from '../../base/phrase.js';
import { CALL_EVENTS } from '../../models/events/call.js';
import type { Profile } from '../../models/profile/profile.js';
import type { ViewInput } from '../question.js';

/** The profile of a recording that lists the methods of its program. Throws for recordings that have only what they saw. */
export function requireSymbols(input: ViewInput): Profile {
  const profile = requireProfile(input);
  const { functions, classes } = input.recording.program;
  const isNumbered = ({ fileId }: { readonly fileId: Int32Array }): boolean => fileId.some((id) => id >= 0);
  if (CALL_EVENTS.of(profile) !== undefined || isNumbered(functions) || isNumbered(classes)) return profile;
  throw new MissingError(`${input.recording.name} does not list the methods and types of its program`, {
    code: 'no-symbol-lists',
    advice: phrase`PGO profiles (.iprof) do; ${theView('functions')} has the functions that were seen.`,
    action: { ask: theView('functions') },
  });
}
