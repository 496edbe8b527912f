/** Regular expressions that users write. */
import { UsageError } from './errors.js';

/** What `use` gives; where it finds no regular expression in what the user wrote, a usage error. */
export function usingPattern<Value>(complaint: string, use: () => Value): Value {
  try {
    return use();
  } catch (error) {
    throw new UsageError(complaint, error instanceof Error ? error.message : undefined);
  }
}
