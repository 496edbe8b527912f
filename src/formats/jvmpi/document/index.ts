/** The document's own part of JVMPI: constants, types, events, dumps. Agents see it as `kansoku/jvmpi`. */
export * from '../dumps/index.js';
export * from './constants.js';
export * from './events.js';
export type * from './types.js';
