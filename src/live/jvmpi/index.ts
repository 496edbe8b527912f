/** What agents import from `kansoku/jvmpi`: the constants and types of the document, its dumps, and handlers by the name of their event. */
export * from '../../formats/jvmpi/document/index.js';
export { type AgentSetup, agent } from './agent.js';
export type { AgentModule, EnvBox, EventWants, JavaVM, JVMPI_Interface } from './interface.js';
