/** Where an experiment is written. */
import { existsSync } from 'node:fs';
import { UsageError } from '../../base/errors.js';

const EXTENSION = '.er';
/** Most numbers that are tried. */
const MOST_NUMBERS = 100_000;

/** The directory that is named, or the first `test.N.er` that does not exist. Throws UsageError for a name that no experiment may have. */
export function experimentPath(output: string | undefined, overwrite: boolean): string {
  if (output === undefined) return freePath();
  if (!output.endsWith(EXTENSION))
    throw new UsageError(
      `${output}: the name of an experiment ends with ${EXTENSION}`,
      `Name it ${output}${EXTENSION}.`,
    );
  if (existsSync(output) && !overwrite)
    throw new UsageError(`${output} exists`, 'Add --overwrite, or choose another name.');
  return output;
}

function freePath(): string {
  for (let number = 1; number < MOST_NUMBERS; number++) {
    const path = `test.${number}${EXTENSION}`;
    if (!existsSync(path)) return path;
  }
  throw new UsageError(`there are ${MOST_NUMBERS} experiments here`, 'Name another directory: --output NAME.er.');
}
