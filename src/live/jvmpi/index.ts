/**
 * What agents import from `kansoku/jvmpi`: the constants and types of the document, its dumps, handlers by the name of their event, and
 * the writers of HPROF (`hprof`: binary, `hprofText`: lines).
 */

export * as hprof from '../../formats/hprof/write/index.js';
export * as hprofText from '../../formats/hprof-text/write/index.js';
export * from '../../formats/jvmpi/document/index.js';
export { type AgentSetup, agent, type EventPlace } from './agent.js';
export type { AgentModule, EnvBox, EventWants, JavaVM, JVMPI_Interface } from './interface.js';
