/** Regular expressions that users write. */
import { UsageError } from '../errors.js';

/** Returns the result of `use`; turns its `SyntaxError` for an invalid regular expression into a usage error. Usage errors stay as they are. */
export function usingPattern<Value>(complaint: string, use: () => Value): Value {
  try {
    return use();
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(complaint, {
      code: 'not-a-pattern',
      advice: error instanceof Error ? error.message : undefined,
    });
  }
}
