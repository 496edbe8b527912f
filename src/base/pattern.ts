/** Regular expressions that users write. */
import { UsageError } from './errors.js';

/** Returns the result of `use`; turns its `SyntaxError` for an invalid regular expression into a usage error. */
export function usingPattern<Value>(complaint: string, use: () => Value): Value {
  try {
    return use();
  } catch (error) {
    throw new UsageError(complaint, {
      code: 'not-a-pattern',
      advice: error instanceof Error ? error.message : undefined,
    });
  }
}
