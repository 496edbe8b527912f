/** The methods that a recording saw, as entries of an analysis. */
import { observedFunctions } from '../../analysis/callgraph/observed-methods.js';
import { MissingError } from '../../base/errors.js';
import { type MethodKey, methodKey } from '../../models/program/method-key.js';
import type { Recording } from '../../models/recording.js';

/** Throws `MissingError` if it saw none. */
export function methodsSeenBy({ name, program, profile }: Recording): MethodKey[] {
  const marks = profile === undefined ? new Uint8Array() : observedFunctions(profile, program);
  const keys = [...marks].flatMap((mark, id) => (mark === 1 ? (methodKey(program, id) ?? []) : []));
  if (keys.length > 0) return keys;
  throw new MissingError(`${name} saw no methods of classes`, { code: 'no-methods' });
}
