/** What agents import from `kansoku/jvmpi`: the constants and types of the document, and handlers by the name of their event. */

export * from '../../formats/jvmpi/index.js';
export { type AgentSetup, agent } from './agent.js';
export * from './constants.js';
export { EVENTS, eventName, type JVMPI_Event, type Mode } from './events.js';
export type { AgentModule, EnvBox, EventWants, JavaVM, JVMPI_Interface } from './interface.js';
export type * from './types.js';
