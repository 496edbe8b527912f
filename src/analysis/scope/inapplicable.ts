import { UsageError } from '../../base/errors.js';

/** No events have the data that a step of a scope needs. */
export class InapplicableError extends UsageError {}
