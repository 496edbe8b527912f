/** The dumps of JVMPI (§4): heap, object and monitor dumps as bytes. They are in memory and events; no file of theirs exists. */
export type { DumpForm } from './dump-bytes.js';
export * from './heap-dump.js';
export * from './monitor-dump.js';
