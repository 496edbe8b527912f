/** What is said with an error about missing data: what a recording knows of the reason. */
import { DamagedError, MissingError } from '../base/errors.js';
import { phrase, theView } from '../base/phrase.js';
import { plural } from '../base/units.js';
import type { Recording } from '../models/recording.js';

/** The error, with the first warning of the recording; of a damaged recording, that the data may be in the part that was lost. */
export function missingData(
  error: MissingError,
  { complete, problems }: Pick<Recording, 'complete' | 'problems'>,
): DamagedError | MissingError {
  if (!complete)
    return new DamagedError(`${error.message} in the part that could be read`, {
      code: 'lost-part',
      advice: phrase`Part of the file could not be read: ${theView('check')} shows why.`,
      action: { ask: theView('check') },
    });
  const warnings = problems.list.filter(({ severity }) => severity === 'warning');
  if (warnings.length === 0) return error;
  const { text, code, advice, action, lines } = error;
  const more = warnings.length === 1 ? '' : ` (\`check\` lists ${plural(warnings.length - 1, 'more warning')})`;
  return new MissingError(text, { code, advice, action, lines: [...lines, `Warning: ${warnings[0].message}${more}`] });
}
