/** What writes binary HPROF, for agents. */
export { DumpBytes, type Sink } from './bytes.js';
export * from './profile-records.js';
export { HprofWriter, type TypedBytes, type TypedValue, type WrittenClass } from './records.js';
