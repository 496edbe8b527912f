/** The dumps of JVMPI (§4): heap, object and monitor dumps as bytes. */
export type { DumpForm } from './dump-bytes.js';
export * from './heap-dump.js';
export * from './heap-dump-sink.js';
export * from './monitor-dump.js';
