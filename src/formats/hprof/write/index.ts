/** What writes binary HPROF, for agents. */
export { DumpBytes, type Sink } from './bytes.js';
export * from './profile-records.js';
export { type ClassRecord, HprofWriter, type TypedBytes, type TypedValue } from './records.js';
