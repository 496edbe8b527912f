/** What writes HPROF text, for agents. */
export * from './lines.js';
export { TextOut } from './text-out.js';
